"""The client side of Croupier: the command line, the library, the load tester."""
