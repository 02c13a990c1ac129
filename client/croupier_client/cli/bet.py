"""`croupier bet`: a scripted player that places the same slip each round."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, Literal

from cyclopts import Parameter, Token
from cyclopts.validators import Number

from croupier_client.cli import DONE, FAILED
from croupier_client.cli.cashier import Cashier, JsonCashier, TextCashier
from croupier_client.cli.narrator import Narrator
from croupier_client.cli.stakes import Stakes
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import TEXTS
from croupier_client.cli.token_file import TokenFile, tokens_from
from croupier_client.cli.watch import Notices
from croupier_client.connection import Client, connect
from croupier_client.errors import BettingClosedError, CroupierError
from croupier_client.seat import Seat
from croupier_protocol.game.limits import Limits
from croupier_protocol.language import Language, money, parse_money
from croupier_protocol.messages.values import Payout

LEAVING_S: Final = 5.0
"""How long a player that must go waits to give the seat up; in the end the table takes it back by itself."""


def _stakes(_type: type[Any], tokens: Sequence[Token]) -> Stakes:
    return Stakes.parse(tokens[0].value)


def _units(cents: int) -> str:
    return money(Language.ENGLISH, cents)


def _amount(_type: type[Any], tokens: Sequence[Token]) -> int:
    cents = parse_money(Language.ENGLISH, tokens[0].value)
    if not cents:
        raise ValueError("0 buys nothing")
    return cents


async def bet(
    url: str,
    table: str,
    /,
    *,
    slip: Annotated[Stakes, Parameter(converter=_stakes, accepts_keys=False, n_tokens=1)],
    buy_in: Annotated[int, Parameter(converter=_amount, show_default=_units)] = 100_00,
    rounds: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    deal: bool = True,
    json: Annotated[bool, Parameter(negative="")] = False,
    lang: Literal["en", "fr"] = "en",
    token: TokenFile = None,
    code: str | None = None,
) -> int:
    """Play by script: sit down, place the same slip each round, leave.

    Prints the slips that stand, what each round brought, and the bankroll in the end.

    Args:
        url: Where the server is: ws://host:port, http://host:port or host:port.
        table: Which table.
        slip: What to stake each round, in units: player=5,tie=0.25. One bet may have "all" that is left.
        buy_in: Chips to buy from the wallet, in units.
        rounds: Stop after so many rounds with a slip; without it, when interrupted or out of chips.
        deal: Say "deal" after each slip, so that the round need not wait for the end of the window.
        json: Print one JSON object a line, with amounts in cents, and nothing else.
        lang: The language of the lines.
        token: A file with the operator's token, for a player with an account; read again for each connection.
        code: A one-time code of the operator's, to play as the player that it names.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="croupier: %(message)s")
    language = Language(lang)
    texts = TEXTS[language]
    cashier = JsonCashier() if json else TextCashier(texts)
    notices = Notices(Narrator(texts, Terminal.of(sys.stdout)), json=json)
    async with connect(
        url, language=language, token=tokens_from(token), code=code, on_notice=notices.tell
    ) as client:
        limits = await _limits(client, table)
        seat = await client.sit(table, buy_in=buy_in)
        try:
            played = await _play(seat, slip, limits, cashier, rounds=rounds, deal=deal)
        except BaseException:
            cashier.bankroll(seat)
            await _leave_soon(seat)
            raise
        cashier.bankroll(seat)
        await seat.leave()
    if played == rounds:
        return DONE
    sys.stderr.write(f"croupier: {texts.bet_nothing}\n")
    return FAILED


async def _limits(client: Client, table: str) -> Limits:
    """What the table takes; the usual limits for a table that is not there, which cannot be sat at anyway."""
    lobby = await client.lobby()
    return next((info.limits for info in lobby.tables if info.table == table), Limits())


async def _play(
    seat: Seat, stakes: Stakes, limits: Limits, cashier: Cashier, *, rounds: int | None, deal: bool
) -> int:
    """Plays up to so many rounds, or until there is nothing left to stake; returns how many were played."""
    payouts = seat.payouts()
    round_ = None
    played = 0
    while played != rounds:
        round_ = await seat.window(after=round_)
        bets = stakes.bets(seat.bankroll + sum(seat.slip.values()), limits)
        if not bets:
            break
        try:
            accepted = await seat.bet(**bets)
        except BettingClosedError:  # too late for this one
            continue
        cashier.slip(accepted)
        if deal:
            with suppress(BettingClosedError):  # which is as good as dealt
                await seat.deal()
        cashier.payout(await _payout(payouts, accepted.round))
        played += 1
    return played


async def _payout(payouts: AsyncIterator[Payout], round_: int) -> Payout:
    """What `round_` brought."""
    async for payout in payouts:
        if payout.round == round_:
            return payout
    raise CroupierError("the seat was given up before its slip was paid")


async def _leave_soon(seat: Seat) -> None:
    """Gives the seat up if that can be done at all: there is something worse to tell."""
    with suppress(CroupierError, TimeoutError):
        async with asyncio.timeout(LEAVING_S):
            await seat.leave()
