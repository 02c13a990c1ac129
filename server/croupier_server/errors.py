"""What stops Croupier from starting: shown to the operator as one line, with exit status 2.

SetupError            a file, a directory, a port, a key
└── ConfigError       what is wrong with the configuration, fault by fault
"""

from typing import NamedTuple


class SetupError(Exception):
    """Something the operator has to put right: a file, a directory, a port, a key."""


class Fault(NamedTuple):
    """One thing that is wrong with a configuration: the `key`, as `tables[0].name`, and the reason."""

    key: str
    reason: str


class ConfigError(SetupError):
    """A configuration that cannot be used. Each of `faults` is a line: where, the key and the reason."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        others = len(faults) - 1
        more = f"; and {others} more (`croupier checkconfig` lists those of a file)" if others else ""
        super().__init__(faults[0] + more)
        self.faults = faults
