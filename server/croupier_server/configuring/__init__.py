"""Reading, checking and explaining the configuration whose sections are in `croupier_server.config`."""
