"""Scripted players: they bet nearly every round, and write down what they wished and what they were told."""

import asyncio
import contextlib
import random
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from croupier_client.connection import Client, connect
from croupier_client.errors import BettingClosedError, NoAnswerError, RefusedError
from croupier_client.seat import Seat
from croupier_client.slips import new_op
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import Payout
from support.chaos.tables import Table

WALLET = 100_000_00
"""What a new wallet holds, in cents, by the configuration of a chaos run."""

BUY_IN = 5_000_00
POOR = 1_000_00
"""A player with less in front gets up and buys in again."""

CHANGED_IN = 4
READY_IN = 4
"""One slip in so many is changed; after one in so many the player presses Deal."""

LAST_S = 40.0
"""How long a player who stops may take: an operation is repeated for 30 seconds."""

SPOTS = {
    "standard": ("player", "banker", "tie"),
    "single-deck": ("player", "banker", "tie"),
    "eight-deck": ("player", "tie"),
    "two-field": ("banker", "tie"),
    "vegas": ("player", "banker", "tie"),
}
"""Bets that go together in each rule set."""


@dataclass
class Stakes:
    """What a player asked for on a round: wishes in order, and how many of them were answered with yes."""

    wishes: list[dict[str, int]] = field(default_factory=list)
    accepted: int = 0

    @property
    def possible(self) -> list[dict[str, int]]:
        """What may stand: the last that was accepted, or one whose answer was no, late or lost."""
        return self.wishes[max(self.accepted - 1, 0) :]


@dataclass
class Sitting:
    """From a buy-in to the cash-out; `wallet` is what it was told to hold after the buy-in, if it was.

    `heard_s` is when each payout came, by the steady clock.
    """

    wallet: int | None
    stakes: dict[int, Stakes] = field(default_factory=dict)
    payouts: dict[int, Payout] = field(default_factory=dict)
    heard_s: dict[int, float] = field(default_factory=dict)
    over: bool = False

    @property
    def missed(self) -> set[int]:
        """Rounds with a slip that was accepted, of which no payout came."""
        return {one for one, stakes in self.stakes.items() if stakes.accepted} - self.payouts.keys()


class Player:
    """A player at one table, who sits down again when cashed out."""

    def __init__(self, client: Client, table: Table, chance: random.Random) -> None:
        self.table = table
        self.client = client
        self.sittings: list[Sitting] = []
        self._chance = chance
        self._stopping = False
        self.task = asyncio.create_task(self._play(), name=f"playing at {table.name}")

    def __str__(self) -> str:
        return f"{self.client.player and self.client.player.id} at {self.table.name}"

    async def stop(self) -> None:
        """Lets the player finish the round, leave the table."""
        self._stopping = True
        async with asyncio.timeout(LAST_S):
            await self.task

    async def _play(self) -> None:
        while not self._stopping or not self.sittings:
            seat = await self._sit_down()
            sitting = Sitting(seat.me.wallet)
            self.sittings.append(sitting)
            reading = asyncio.create_task(self._read_payouts(seat, sitting))
            try:
                await self._bet(seat, sitting)
                await self._get_up(seat)
                await reading  # ends with the seat, when its last round is paid
            finally:
                reading.cancel()

    async def _sit_down(self) -> Seat:
        op = new_op()
        while True:
            try:
                seat = await self.client.sit(self.table.name, buy_in=BUY_IN, op=op)
            except NoAnswerError:
                continue
            except RefusedError as refused:
                if refused.code is not ErrorCode.NOT_SEATED:
                    raise
                op = new_op()  # the answer was lost, and the seat given up since: unbet for ten rounds
                continue
            assert seat.bankroll == BUY_IN, f"{self} sat down with {seat.bankroll}"
            return seat

    async def _read_payouts(self, seat: Seat, sitting: Sitting) -> None:
        async for payout in seat.payouts():
            assert payout.round not in sitting.payouts, f"{self} was paid round {payout.round} twice"
            sitting.payouts[payout.round] = payout
            sitting.heard_s[payout.round] = time.monotonic()
        sitting.over = True

    async def _bet(self, seat: Seat, sitting: Sitting) -> None:
        """Bets until stopped, poor, or cashed out."""
        round_: int | None = None
        try:
            while not self._stopping and seat.bankroll + sum(seat.slip.values()) >= POOR:
                round_ = await seat.window(after=round_)
                slips = 2 if self._chance.randrange(CHANGED_IN) == 0 else 1
                for _ in range(slips):
                    await self._slip(seat, sitting)
                if self._chance.randrange(READY_IN) == 0:
                    with contextlib.suppress(BettingClosedError, NoAnswerError):
                        await seat.deal()
        except RefusedError as refused:
            if refused.code is not ErrorCode.NOT_SEATED:
                raise

    async def _slip(self, seat: Seat, sitting: Sitting) -> None:
        """States a slip on the round that is open now, if one is."""
        spots = SPOTS[self.table.rules]
        chosen = self._chance.sample(spots, self._chance.randint(1, len(spots)))
        wish = {bet: 100 * self._chance.randint(1, 40) for bet in chosen}
        round_ = seat.round
        stakes = sitting.stakes.setdefault(round_, Stakes())
        stakes.wishes.append(wish)
        try:
            answer = await seat.bet(**wish)
        except (BettingClosedError, NoAnswerError):
            return
        assert (answer.bets, answer.round) == (wish, round_), f"{self} asked for {wish}, has {answer}"
        stakes.accepted = len(stakes.wishes)

    async def _get_up(self, seat: Seat) -> None:
        while seat.number is not None:
            try:
                await seat.leave()
            except NoAnswerError:
                continue
            except RefusedError as refused:
                if refused.code not in {ErrorCode.NOT_SEATED, ErrorCode.LEAVING}:
                    raise
            return


@asynccontextmanager
async def playing(url, tables: list[Table], chance: random.Random):
    """A player at each of `tables`; `url(index)` says where each connects."""
    async with AsyncExitStack() as stack:
        players = []
        for index, table in enumerate(tables):
            client = await stack.enter_async_context(connect(url(index)))
            players.append(Player(client, table, random.Random(chance.random())))
        try:
            yield players
        finally:
            for player in players:
                player.task.cancel()
            await asyncio.gather(*(player.task for player in players), return_exceptions=True)
