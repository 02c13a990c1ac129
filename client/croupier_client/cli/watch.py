"""`croupier watch`: a table in lines for people, or as the server's own messages."""

import logging
import sys
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_client.checking import CardChecker
from croupier_client.cli import DONE, FAILED
from croupier_client.cli.narrator import Narrator
from croupier_client.cli.roads import scoreboard_for
from croupier_client.cli.rounds import RoundCounter
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import TEXTS
from croupier_client.cli.token_file import TokenFile, tokens_from
from croupier_client.connection import Client, connect
from croupier_client.notices import Connected, Notice, Reconnecting
from croupier_client.timing import Timing
from croupier_client.watcher import Watcher
from croupier_protocol.codec import JSON
from croupier_protocol.messages.events import CardDealt
from croupier_protocol.messages.to_client import Live, RealityCheck, SeatNotice, Stalled
from croupier_protocol.messages.values import Language


async def watch(
    url: str,
    table: str | None = None,
    /,
    *,
    json: Annotated[bool, Parameter(negative="")] = False,
    rounds: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    lang: Literal["en", "fr"] = "en",
    token: TokenFile = None,
    code: str | None = None,
    roads: bool = True,
    check: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Watch a table, card by card.

    Args:
        url: Where the server is: ws://host:port, http://host:port or host:port.
        table: Which table; without it, the tables are listed and the first one is watched.
        json: Print the server's own messages, one JSON object a line, and nothing else.
        rounds: Stop after so many whole rounds.
        lang: The language of the lines.
        token: A file with the operator's token, for a player with an account; read again for each connection.
        code: A one-time code of the operator's, to be the player that it names.
        roads: Show the scoreboards after each result.
        check: Check each card against what was committed to before the first bet, and say so.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="croupier: %(message)s")
    language = Language(lang)
    terminal = Terminal.of(sys.stdout)
    narrator = Narrator(TEXTS[language], terminal, scoreboard_for(terminal, language) if roads else None)
    notices = Notices(narrator, json=json)
    async with connect(
        url, codec=JSON, language=language, token=tokens_from(token), code=code, on_notice=notices.tell
    ) as client:
        if table is None:
            lobby = await client.lobby()
            if not lobby.tables:
                sys.stderr.write(f"croupier: {TEXTS[language].no_tables}\n")
                return FAILED
            if not json:
                for line in narrator.lobby(lobby.tables):
                    say(line)
                say("")
            table = lobby.tables[0].table
        async with client.watch(table) as watcher:
            checker = client.checker(table) if check else None
            await _follow(client, watcher, None if json else narrator, rounds, checker)
    return DONE


async def _follow(
    client: Client,
    watcher: Watcher,
    narrator: Narrator | None,
    rounds: int | None,
    checker: CardChecker | None,
) -> None:
    """Prints what `watcher` yields, until `rounds` whole rounds were seen."""
    monotonic = Timing().monotonic
    counter = RoundCounter()
    async for message in watcher:
        good = None
        if checker is not None and isinstance(message, CardDealt) and watcher.view is not None:
            good = await checker.check(message, watcher.view)
            if good is False:
                sys.stderr.write(
                    f"croupier: {message.card}, round {message.round}: not the card committed to\n"
                )
        if narrator is None:
            say(str(watcher.frame).replace("\n", " "))
        elif watcher.view is not None and client.offset is not None:
            for line in narrator.lines(message, watcher.view, client.offset.server_ms(monotonic()), good):
                say(line)
        counter.see(message)
        if counter.complete == rounds:
            return


class Notices:
    """Tells news about the connection: among the lines for people, else on standard error."""

    def __init__(self, narrator: Narrator, *, json: bool) -> None:
        self._narrator = narrator
        self._stream = sys.stderr if json else sys.stdout
        self._lost = False

    def tell(self, notice: Notice) -> None:
        match notice:
            case Reconnecting():
                self._lost = True
                self._say(self._narrator.lost(notice.reason, notice.delay_s))
            case Connected() if self._lost:
                self._lost = False
                self._say(self._narrator.back())
            case Stalled() | Live():
                self._say(self._narrator.stalled(still=isinstance(notice, Stalled)))
            case SeatNotice(message=message, reason=reason):
                self._say(message if reason is None else f"{message} ({reason})")
            case RealityCheck(message=message):
                self._say(message)
            case Connected():
                pass

    def _say(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()


def say(line: str) -> None:
    """A line on standard output, at once: whoever reads it acts on it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
