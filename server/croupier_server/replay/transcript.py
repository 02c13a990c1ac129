"""Reading a recording: lines of JSON, each a snapshot or an event of a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from croupier_protocol.codec import JSON
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import TableId
from croupier_protocol.view import fold
from croupier_server.errors import SetupError


class Moment(NamedTuple):
    """A recorded message and when it came, in milliseconds of the recorded clock.

    A snapshot carries no time of its own: it came with the event before it, or, at the beginning, just before
    the first one.
    """

    message: TableView | TableEvent
    at_ms: int


def read_transcript(path: Path) -> tuple[Moment, ...]:
    """The moments in a file, in order.

    Raises:
        SetupError: it cannot be read, or is no recording; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SetupError(f"{path}: cannot be read: {reason}") from error
    messages: list[TableView | TableEvent] = []
    views: dict[TableId, TableView] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            message = _read(line, views)
        except ValueError as error:
            raise SetupError(f"{path}: line {number}: {error}") from error
        messages.append(message)
    if not any(isinstance(message, TableEvent) for message in messages):
        raise SetupError(f"{path}: there is no event in it")
    return _timed(messages)


def _read(line: str, views: dict[TableId, TableView]) -> TableView | TableEvent:
    """The message in a line; `views` has every table as the lines before have left it."""
    message = JSON.decode_message(line)
    if isinstance(message, TableView):
        views[message.table] = message
        return message
    if not isinstance(message, TableEvent):
        raise ValueError("neither a snapshot nor an event of this version")  # noqa: TRY004 - the file is wrong
    if message.table not in views:
        raise ValueError(f"there is no snapshot of {message.table} before its first event")
    views[message.table] = fold(views[message.table], message)
    return message


def _timed(messages: Sequence[TableView | TableEvent]) -> tuple[Moment, ...]:
    """The messages with their times."""
    now_ms = next(message.at_ms for message in messages if isinstance(message, TableEvent))
    moments = []
    for message in messages:
        if isinstance(message, TableEvent):
            now_ms = message.at_ms
        moments.append(Moment(message, now_ms))
    return tuple(moments)
