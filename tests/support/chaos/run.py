"""A chaos run: everybody plays and watches while misfortunes come, and then everything is checked."""

import asyncio
import logging
import os
import random
import secrets
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from croupier_server.store.tables import ROUNDS_KEPT
from support.chaos.cast import Cast, cast_on
from support.chaos.histories import Coups, read_history, read_records
from support.chaos.misfortunes import Fate, Misfortune
from support.chaos.pauses import Metronome, Pause, metronome, pauses
from support.chaos.players import Player, playing
from support.chaos.reckoning import reckon
from support.chaos.shoes import Shoes, shoes_of
from support.chaos.tables import Table
from support.chaos.watchers import Watchers, watching
from support.playing import audited, settlements
from support.stores import TestPit, open_pit

logger = logging.getLogger(__name__)

RECOVERED_EVENTS = 12
"""After so many more events of each table at each watcher, about a round, a misfortune is over."""

RECOVERED_S = 40.0

CALM_S = (0.2, 1.0)
"""How long nothing happens between two misfortunes: from and to."""


@dataclass
class Stage:
    """Everybody who takes part."""

    cast: Cast
    watchers: Watchers
    players: list[Player]
    pit: TestPit
    shoes: Shoes
    tables: list[Table]
    instrument: Metronome
    misfortunes: list[Misfortune] = field(default_factory=list)

    def check_everybody(self) -> None:
        """Fails when a watcher or a player has failed."""
        self.watchers.check()
        for player in self.players:
            if player.task.done():
                player.task.result()
                raise AssertionError(f"{player} stopped playing")

    async def calm(self, seconds: float) -> None:
        """Nothing happens for so long: what the machine itself costs can be seen."""
        await asyncio.sleep(seconds)
        self.check_everybody()

    async def suffer(self, fate: Fate) -> Misfortune:
        """The next misfortune, and the recovery from it: every worker is back, every table plays on."""
        self.watchers.remember_gateways(self.cast.workers)
        misfortune = await fate.strike()
        logger.info("%s", misfortune)
        self.misfortunes.append(misfortune)
        await self.watchers.advance(RECOVERED_EVENTS, RECOVERED_S)
        await self.cast.complete(self.pit)
        misfortune.ended_s = time.monotonic()
        logger.info("%s, over after %.1f s", misfortune, misfortune.ended_s - misfortune.began_s)
        self.check_everybody()
        return misfortune


def a_seed() -> int:
    """The seed of a run: printed, and taken again from CROUPIER_CHAOS_SEED."""
    seed = int(os.environ.get("CROUPIER_CHAOS_SEED") or secrets.randbelow(1_000_000))
    print(f"CROUPIER_CHAOS_SEED={seed}")  # noqa: T201 - pytest shows it when the test fails
    return seed


@asynccontextmanager
async def staged(
    folder: Path,
    ways: Sequence[str],
    tables: list[Table],
    chance: random.Random,
    *,
    store: str,
    workers: int,
    watchers: int,
):
    """A server for each way to the store, watchers of all tables, a player at each."""
    async with AsyncExitStack() as stack:
        cast = await stack.enter_async_context(cast_on(folder, ways, tables, workers))
        pit = await stack.enter_async_context(open_pit(store))
        shoes = await stack.enter_async_context(shoes_of(pit, tables))
        names = [table.name for table in tables]
        crowd = await stack.enter_async_context(watching(cast.url, names, watchers))
        instrument = await stack.enter_async_context(metronome())
        players = await stack.enter_async_context(playing(cast.url, tables, chance))
        stage = Stage(cast, crowd, players, pit, shoes, tables, instrument)
        await cast.complete(pit)
        await crowd.advance(RECOVERED_EVENTS, RECOVERED_S)
        yield stage


@dataclass(frozen=True)
class Figures:
    """What a run came to."""

    events: int
    rounds: int
    decks: int
    payouts: int
    sittings: int
    pauses: list[Pause]
    quiet_s: float

    @property
    def late(self) -> list[str]:
        """Pauses that were longer than they may be."""
        return [str(pause) for pause in self.pauses if pause.late]

    def __str__(self) -> str:
        worst: dict[str, Pause] = {}
        for pause in self.pauses:
            kind = pause.misfortune.kind
            if kind not in worst or pause.seconds > worst[kind].seconds:
                worst[kind] = pause
        return "\n".join(
            [
                f"{self.events} events, {self.rounds} rounds, {self.decks} decks compared with their shoes",
                f"{self.payouts} payouts in {self.sittings} sittings",
                f"longest pause while nothing was amiss: {self.quiet_s:.2f} s",
                *(f"longest after {pause}" for pause in worst.values()),
            ]
        )


async def curtain(stage: Stage, *, one_epoch: bool = True) -> Figures:
    """Ends the play and checks histories, cards, payouts, wallets and the audit; pauses are for the caller.

    Where only workers and their ways to the store have failed there must be one gapless history. Where the
    store has been restarted, every watcher was told, and what each saw must be in the store's own history.
    """
    await asyncio.gather(*(player.stop() for player in stage.players))
    await stage.watchers.advance(RECOVERED_EVENTS, RECOVERED_S)
    await stage.shoes.look()
    await stage.watchers.stop()
    await audited(stage.pit)
    jumps = [log.resnapshots for log in stage.watchers.logs if log.resnapshots]
    assert not one_epoch or jumps == [], f"watchers were told a table anew: {jumps[0]}"
    coups, decks = {}, 0
    for table in stage.tables:
        history = stage.watchers.histories.events[table.name]
        if one_epoch:
            coups[table.name] = read_history(table, history)
        else:
            rounds = await stage.pit.tables.rounds(table.name, None, ROUNDS_KEPT)
            coups[table.name] = read_records(table, rounds[::-1], history)
        decks += coups[table.name].check_cards(stage.shoes.opened)
    for player in stage.players:
        await _check_money(stage.pit, player, coups[player.table.name])
    silences = [silence for log in stage.watchers.logs for silence in log.silences]
    found, quiet_s = pauses(stage.misfortunes, silences, stage.instrument)
    figures = Figures(
        events=sum(stage.watchers.histories.counts),
        rounds=sum(len(one.ended) for one in coups.values()),
        decks=decks,
        payouts=sum(len(one.payouts) for player in stage.players for one in player.sittings),
        sittings=sum(len(player.sittings) for player in stage.players),
        pauses=found,
        quiet_s=quiet_s,
    )
    logger.info("%s", figures)
    return figures


async def _check_money(pit: TestPit, player: Player, coups: Coups) -> None:
    """A player's own reckoning is what the wallet and the ledger say, and every round was paid once."""
    wallet = reckon(player, coups.ended)
    identity = player.client.player.id
    balance = (await pit.bank.wallet(identity)).wallet.balance
    assert balance == wallet, f"{player} has {balance} cents and reckons {wallet}"
    told = {
        (identity, round_): (sum(one.stake for one in payout.bets), payout.returned)
        for sitting in player.sittings
        for round_, payout in sitting.payouts.items()
    }
    assert await settlements(pit, player.table.name) == told
