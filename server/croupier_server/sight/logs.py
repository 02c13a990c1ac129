"""The log: lines for people, or JSON for machines, each with the table and the round that it is about.

What a process says of its own accord, tracebacks and warnings, are lines of the log as well.
"""

import logging
import sys
import threading
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

_about: Final[ContextVar[Mapping[str, str | int]]] = ContextVar("about")

logger = logging.getLogger(__name__)


class LogTerms(Struct, frozen=True):
    """How the log looks, and what it leaves out."""

    format: Annotated[
        Literal["text", "json"],
        Meta(
            description="Lines for people, or one JSON object a line with `at`, `level`, `process`, `pid`,"
            " `logger`, `message` and, where there are such, `table`, `round` and `error`."
        ),
    ] = "text"
    level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="The least weight of a line that is written."),
    ] = "info"


def about(**fields: str | int) -> None:
    """From now on the lines of this task, and of those that it starts, say that they are about this."""
    _about.set({**_about.get({}), **fields})


def of(table: str, round_: int | None = None) -> dict[str, dict[str, str | int]]:
    """What a single line is about, where its task is not: for `extra`.

    >>> of("vegas", 7)
    {'about': {'table': 'vegas', 'round': 7}}
    """
    return {"about": {"table": table} if round_ is None else {"table": table, "round": round_}}


def set_up_log(process: str, terms: LogTerms | None = None) -> None:
    """Writes the log of a process, `serve`, `worker` or `archive`, to standard error; may be called again."""
    terms = terms or LogTerms()
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines(process) if terms.format == "json" else TextLines(process))
    logging.basicConfig(level=terms.level.upper(), handlers=[lines], force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    sys.unraisablehook = lambda told: _uncaught(told.exc_type, told.exc_value, told.exc_traceback)
    threading.excepthook = lambda told: _uncaught(told.exc_type, told.exc_value, told.exc_traceback)


def _uncaught(
    kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None
) -> None:
    """What nobody has caught, in the form of every other line."""
    if issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    logger.critical("nobody has caught this", exc_info=(kind, error or kind(), traceback))


def _concerning(record: logging.LogRecord) -> Mapping[str, str | int]:
    """What a line is about: its task, or itself."""
    return {**_about.get({}), **getattr(record, "about", {})}


class TextLines(logging.Formatter):
    """Time, process, weight and text; the round in the end."""

    def __init__(self, process: str) -> None:
        of_many = " %(process)d" if process == "worker" else ""
        super().__init__(f"%(asctime)s {process}{of_many} %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        round_ = _concerning(record).get("round")
        return super().formatMessage(record) + (f" [round {round_}]" if round_ else "")


class JsonLines(logging.Formatter):
    """One JSON object; its keys are in the description of `LogTerms.format`."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, str | int | None] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": self._process,
            "pid": record.process,
            "logger": record.name,
            **_concerning(record),
            "message": _printable(record.getMessage()),
        }
        if record.exc_info:
            line["error"] = _printable(self.formatException(record.exc_info))
        return msgspec.json.encode(line).decode()


def _printable(text: str) -> str:
    """The text with marks in place of what is no letter in any encoding."""
    return text.encode("utf-8", "replace").decode()
