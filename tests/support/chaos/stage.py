"""A chaos run as it goes: everybody plays and watches while misfortunes come."""

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

from support.chaos.cast import Cast, cast_on
from support.chaos.misfortunes import Fate, Misfortune
from support.chaos.pauses import Metronome, metronome
from support.chaos.players import Player, playing
from support.chaos.shoes import Shoes, shoes_of
from support.chaos.tables import Table
from support.chaos.watchers import Watchers, watching
from support.playing import audited
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
        """Nothing happens for so long, and what the machine itself costs can be seen; the bank is audited."""
        await asyncio.sleep(seconds)
        self.check_everybody()
        await audited(self.pit)

    async def suffer_all(self, fate: Fate, count: int, chance: random.Random) -> None:
        """So many misfortunes, each with its recovery and with a calm after it."""
        for _ in range(count):
            await self._suffer(fate)
            await self.calm(chance.uniform(*CALM_S))

    async def _suffer(self, fate: Fate) -> None:
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
        await crowd.advance(RECOVERED_EVENTS, RECOVERED_S)  # they have seen a round begin before anybody bets
        players = await stack.enter_async_context(playing(cast.url, tables, chance))
        stage = Stage(cast, crowd, players, pit, shoes, tables, instrument)
        await cast.complete(pit)
        await crowd.advance(RECOVERED_EVENTS, RECOVERED_S)
        yield stage
