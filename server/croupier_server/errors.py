"""What stops Croupier from starting: shown to the operator as one line, with exit status 2."""


class SetupError(Exception):
    """Something the operator has to put right: a file, a directory, a port, a key."""
