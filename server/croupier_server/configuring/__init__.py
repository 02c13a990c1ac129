"""Reading, checking and explaining the configuration, which `croupier_server.config` has as a whole."""
