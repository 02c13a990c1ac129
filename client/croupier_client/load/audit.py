"""The audit at the end of a test: whether the server's own books are right after all that.

It is the operator's command, which reads the store. From outside, through the server's address, nobody can
see its books; then the report says that none was made, and what was looked at instead.
"""

import asyncio
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from croupier_client.load.errors import AuditError

LONGEST_S: Final = 300.0
"""How long an audit may take."""

LAST_LINES: Final = 20
"""Lines of what an audit printed that a report keeps."""

NOT_MADE: Final = (
    "not made: a server's books cannot be seen through its address. Of the money only what players were told "
    "was checked. Give --data or --audit, where the store can be reached, for an audit"
)


class AuditOutcome(Struct, frozen=True):
    """Whether an audit was made, whether everything was right, and what it said."""

    made: bool
    clean: bool
    text: str


def audit_command(data: Path | None, command: str | None) -> list[str] | None:
    """The command that audits: the one given, or our own on a data directory; None when neither is.

    >>> audit_command(None, "ssh tables croupier audit")
    ['ssh', 'tables', 'croupier', 'audit']

    Raises:
        AuditError: the text cannot be split into words, or both are given.
    """
    if command is None:
        own = [sys.executable, "-m", "croupier_client.cli", "audit", "--data"]
        return None if data is None else [*own, str(data)]
    if data is not None:
        raise AuditError("give --data or --audit, not both")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise AuditError(f"--audit {command!r} is no command: {error}") from None
    if not words:
        raise AuditError("--audit needs a command, such as 'ssh tables croupier audit'")
    return words


async def run_audit(command: Sequence[str] | None) -> AuditOutcome:
    """The outcome of the command: status 0 says that everything is right."""
    if command is None:
        return AuditOutcome(made=False, clean=True, text=NOT_MADE)
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as error:
        return AuditOutcome(made=False, clean=False, text=f"{command[0]} cannot be run: {error}")
    try:
        out, _ = await asyncio.wait_for(process.communicate(), LONGEST_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        return AuditOutcome(made=False, clean=False, text=f"no end after {LONGEST_S:g} s")
    lines = out.decode(errors="replace").strip().splitlines()[-LAST_LINES:]
    return AuditOutcome(made=True, clean=process.returncode == 0, text="\n".join(lines))
