"""Every error that the client raises on purpose.

CroupierError
├── AddressError (ValueError)   the address is no place a server can be
├── UnreachableError            no server answered in the time allowed for the first connection
├── RejectedError               the handshake was refused in a way that trying again does not change
├── EndedError                  the server closed with a code that says "do not reconnect"
├── ViolationError              the other side does not speak this protocol
├── RefusedError                the server refused one command; the connection goes on
│   └── BettingClosedError      no bets are taken in the round that was meant, or not any more
├── TableClosedError            the table of a seat is no more; the seat was cashed out before
├── BadCommandError (ValueError)  no server would take this command: an amount or a name is out of bounds
├── SlipChangedError            another connection of the same player keeps changing the slip
├── NoAnswerError               a command had no answer in time, through reconnections and all
├── ClosedError                 the client was left (`async with`) while something waited on it
└── LinkLostError               one connection is gone; the client makes the next, so callers never see it
"""

import os

from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.messages.to_client import Error, SlipChanged
from croupier_protocol.messages.values import Language, Phase, TableId


class CroupierError(Exception):
    """The base of all errors here. Its text says what happened and, where there is something, what to do."""


def in_words(error: OSError) -> str:
    """What the system said, without numbers: `Connection refused`, `notes.txt: Permission denied`."""
    if error.errno is None:
        return str(error)
    # the numbers of look-ups and of TLS are not the system's
    text = os.strerror(error.errno) if type(error).__module__ == "builtins" else error.strerror
    return f"{text}" if error.filename is None else f"{error.filename}: {text}"


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
    """The server refused a command. `message` is in the language of the connection.

    `bet` and `limit` say which bet and which limit were hit, in cents or in whatever the limit counts;
    `server_ms` is the server's time of the refusal. Each is None where there is none.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        table: TableId | None,
        *,
        bet: str | None = None,
        limit: int | None = None,
        server_ms: int | None = None,
    ) -> None:
        super().__init__(message if table is None else f"{table}: {message}")
        self.code = code
        self.message = message
        self.table = table
        self.bet = bet
        self.limit = limit
        self.server_ms = server_ms

    @classmethod
    def of(cls, error: Error) -> "RefusedError":
        """The refusal that a message tells of."""
        return cls(
            error.code,
            error.message,
            error.table,
            bet=error.bet,
            limit=error.limit,
            server_ms=error.server_ms,
        )


class BettingClosedError(RefusedError):
    """No bets are taken: the table is at `phase` of `round`. `code` tells how the server put it.

    Without a `server_ms` the server was not asked: the client saw that the window is not open.
    """

    def __init__(
        self,
        table: TableId,
        phase: Phase,
        round_: int,
        language: Language,
        refused: RefusedError | None = None,
    ) -> None:
        code = ErrorCode.BETTING_CLOSED if refused is None else refused.code
        text = error_text(code, language) if refused is None else refused.message
        super().__init__(code, text, table, server_ms=None if refused is None else refused.server_ms)
        self.phase = phase
        self.round = round_


class TableClosedError(CroupierError):
    """The operator has closed the table, for this `reason`; its seats were cashed out into their wallets."""

    def __init__(self, table: TableId, reason: str) -> None:
        super().__init__(f"{table}: the table is closed: {reason}")
        self.table = table
        self.reason = reason


class BadCommandError(CroupierError, ValueError):
    """A command that breaks the protocol's own bounds; it was not sent."""


class SlipChangedError(CroupierError):
    """A slip was overtaken twice: another connection of the same player is betting too.

    `truth` is the slip that stands.
    """

    def __init__(self, truth: SlipChanged) -> None:
        super().__init__(f"{truth.table}: another connection changed this slip; now it is {truth.bets}")
        self.truth = truth


class NoAnswerError(CroupierError):
    """A command had no answer in time. Whether it was carried out is not known.

    `op` is the name of the operation, where it was one: doing it again under this name does it once.
    """

    def __init__(self, text: str, op: str | None = None) -> None:
        super().__init__(text)
        self.op = op


class ClosedError(CroupierError):
    """The client was left while something waited on it, or is used after that."""


class LinkLostError(CroupierError):
    """One connection is gone, or could not be made; another may work after at least `retry_after_s`."""

    def __init__(self, reason: str, retry_after_s: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s
