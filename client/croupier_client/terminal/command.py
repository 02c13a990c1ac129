"""`croupier play`: tables to watch and to play at, in a terminal."""

import logging
import os
import sys
from typing import Final, Literal

from croupier_client.cli import DONE, INTERRUPTED, USAGE
from croupier_client.cli.narrator import Narrator
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import TEXTS
from croupier_client.cli.token_file import TokenFile, tokens_from
from croupier_client.cli.watch import Notices
from croupier_client.connection import Client, connect
from croupier_client.errors import RefusedError
from croupier_client.notices import Notice, SignedIn
from croupier_client.terminal.app import News, PlayApp
from croupier_client.terminal.identity import KeptGuest, guests_folder
from croupier_client.terminal.languages import WORDS
from croupier_client.terminal.words import Words
from croupier_client.timing import Timing
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import Language

NEEDS_TERMINAL: Final = (
    "play needs a terminal to itself; `croupier watch` prints lines, `croupier bet` plays by script"
)


async def play(
    url: str,
    table: str | None = None,
    /,
    *,
    lang: Literal["en", "fr"] = "en",
    color: bool = True,
    name: str | None = None,
    token: TokenFile = None,
    code: str | None = None,
) -> int:
    """Play in a terminal: all tables, one table with its cards and roads, bets by keyboard and mouse.

    Needs 80 × 24 characters or more; ? shows the keys. Nothing moves but what changes. Without an operator's
    token or code you are a guest, and the same one the next time: $XDG_STATE_HOME/croupier has who.

    Args:
        url: Where the server is: ws://host:port, http://host:port or host:port.
        table: Which table to go to; without it, all of them are shown.
        lang: The language of everything.
        color: Show colours; letters and shapes say the same without. NO_COLOR in the environment is obeyed.
        name: What others see at a table.
        token: A file with the operator's token, for a player with an account; read again for each connection.
        code: A one-time code of the operator's, for a player with an account; it counts for this run.
    """
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        sys.stderr.write(f"croupier: {NEEDS_TERMINAL}\n")
        return USAGE
    logging.basicConfig(handlers=[logging.NullHandler()])  # a line would land in the picture
    words = WORDS[Language(lang)]
    news = News()
    before = Notices(Narrator(TEXTS[words.language], Terminal.of(sys.stdout)), json=False)
    guest = None if token is not None or code is not None else KeptGuest(guests_folder(), url)

    def tell(notice: Notice) -> None:
        if guest is not None and isinstance(notice, SignedIn):
            guest.keep(notice.resume_token)
        if news.listener is None:  # there is no picture yet, and nobody waits for one in the dark
            before.tell(notice)
        news.tell(notice)

    def client(resume: str | None) -> Client:
        return connect(
            url,
            language=words.language,
            name=name,
            token=tokens_from(token),
            code=code,
            resume_token=resume,
            on_notice=tell,
        )

    resume = None if guest is None else guest.token()
    colour = color and "NO_COLOR" not in os.environ
    try:
        return await _play(client(resume), news, url, words, table, colour=colour)
    except RefusedError as refused:
        if resume is None or refused.code is not ErrorCode.BAD_RESUME:
            raise
    return await _play(client(None), news, url, words, table, colour=colour, said=words.new_guest)


async def _play(
    unconnected: Client,
    news: News,
    url: str,
    words: Words,
    table: str | None,
    *,
    colour: bool,
    said: str = "",
) -> int:
    async with unconnected as client:
        app = PlayApp(client, url, words, colour=colour, monotonic=Timing().monotonic, table=table, said=said)
        news.listener = app.notice
        await app.run_async()
    if app.failure is not None:
        raise app.failure
    for kept in app.kept:
        text = words.seat_kept.format(table=kept.table, amount=words.money(kept.bankroll))
        sys.stdout.write(f"{text}\n")
    return INTERRUPTED if app.interrupted else DONE
