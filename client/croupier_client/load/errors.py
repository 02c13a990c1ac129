"""What can be wrong with the command line of a load test.

LoadUsageError
├── ThresholdError    no threshold, or one of a measure that there is not
├── StrategyError     no function of that name
├── SourceError       neither an address nor a network
├── AuditError        no command
├── TokensError       no file of tokens
└── OldReportError    no report of an earlier run
"""

from croupier_client.errors import CroupierError


class LoadUsageError(CroupierError):
    """The test cannot be begun as it was asked for; the message says what to write instead."""


class ThresholdError(LoadUsageError):
    """The text is no threshold."""


class StrategyError(LoadUsageError):
    """The text names no strategy."""


class SourceError(LoadUsageError):
    """The text is neither an address nor a network."""


class AuditError(LoadUsageError):
    """The text is no command."""


class TokensError(LoadUsageError):
    """The file has no tokens."""


class OldReportError(LoadUsageError):
    """The file is no report of a run."""
