"""Every error that the client raises on purpose.

CroupierError
├── AddressError (ValueError)   the address is no place a server can be
├── UnreachableError            no server answered in the time allowed for the first connection
├── RejectedError               the handshake was refused in a way that trying again does not change
├── EndedError                  the server closed with a code that says "do not reconnect"
├── ViolationError              the other side does not speak this protocol
├── RefusedError                the server refused one command; the connection goes on
├── NoAnswerError               a command had no answer in time, through reconnections and all
├── ClosedError                 the client was left (`async with`) while something waited on it
└── LinkLostError               one connection is gone; the client makes the next, so callers never see it
"""

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import TableId


class CroupierError(Exception):
    """The base of all errors here. Its text says what happened and, where there is something, what to do."""


class AddressError(CroupierError, ValueError):
    """The text given as an address cannot be one."""


class UnreachableError(CroupierError):
    """No server answered in the time allowed for the first connection."""


class RejectedError(CroupierError):
    """The handshake was refused for good, with this HTTP `status`."""

    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"{url} answered with HTTP status {status}, not as a croupier server")
        self.status = status


class EndedError(CroupierError):
    """The server closed the connection and said that reconnecting does not help."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the server ended the connection for good: {code} {reason}".rstrip())
        self.code = code
        self.reason = reason


class ViolationError(CroupierError):
    """What came is not this protocol: no subprotocol agreed on, or a frame that does not decode."""


class RefusedError(CroupierError):
    """The server refused a command. `message` is in the language of the connection."""

    def __init__(self, code: ErrorCode, message: str, table: TableId | None) -> None:
        super().__init__(message if table is None else f"{table}: {message}")
        self.code = code
        self.message = message
        self.table = table


class NoAnswerError(CroupierError):
    """A command had no answer in time."""


class ClosedError(CroupierError):
    """The client was left while something waited on it, or is used after that."""


class LinkLostError(CroupierError):
    """One connection is gone, or could not be made; another may work after at least `retry_after_s`."""

    def __init__(self, reason: str, retry_after_s: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s
