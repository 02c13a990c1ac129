"""A chaos run: everybody plays and watches while misfortunes come, and then everything is checked."""

import asyncio
import random
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from support.chaos.cast import Cast, cast_on
from support.chaos.histories import Coups, one_epoch
from support.chaos.misfortunes import Fate, Misfortune
from support.chaos.pauses import Metronome, Pause, metronome, pauses
from support.chaos.players import Player, playing
from support.chaos.reckoning import reckon
from support.chaos.shoes import Shoes, shoes_of
from support.chaos.tables import Table
from support.chaos.watchers import Watchers, watching
from support.playing import audited, settlements
from support.stores import TestPit, open_pit

RECOVERED_EVENTS = 12
"""After so many more events of each table at each watcher, about a round, a misfortune is over."""

RECOVERED_S = 40.0


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
        misfortune = await fate.strike(fate.next_kind())
        self.misfortunes.append(misfortune)
        await self.watchers.advance(RECOVERED_EVENTS, RECOVERED_S)
        await self.cast.complete()
        misfortune.ended_s = time.monotonic()
        self.check_everybody()
        return misfortune


@asynccontextmanager
async def staged(
    folder: Path, url: str, tables: list[Table], chance: random.Random, *, servers: int, workers: int, watchers: int
):
    """Servers on the store at `url`, watchers of all tables, and a player at each."""
    async with AsyncExitStack() as stack:
        cast = await stack.enter_async_context(
            cast_on(folder, url, tables, servers=servers, workers=workers)
        )
        pit = await stack.enter_async_context(open_pit(url))
        shoes = await stack.enter_async_context(shoes_of(pit, tables))
        names = [table.name for table in tables]
        crowd = await stack.enter_async_context(watching(cast.url, names, watchers))
        instrument = await stack.enter_async_context(metronome())
        players = await stack.enter_async_context(playing(cast.url, tables, chance))
        stage = Stage(cast, crowd, players, pit, shoes, tables, instrument)
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


async def curtain(stage: Stage) -> Figures:
    """Ends the play and checks everything: histories, cards, payouts, wallets, the audit, pauses."""
    await asyncio.gather(*(player.stop() for player in stage.players))
    await stage.watchers.advance(RECOVERED_EVENTS, RECOVERED_S)
    await stage.shoes.look()
    await stage.watchers.stop()
    jumps = [log.resnapshots for log in stage.watchers.logs if log.resnapshots]
    assert jumps == [], f"watchers were told a table anew: {jumps[0]}"
    await audited(stage.pit)
    coups, events, decks = {}, 0, 0
    for table in stage.tables:
        history = one_epoch(stage.watchers.histories.events[table.name])
        coups[table.name] = Coups(table)
        coups[table.name].read(history)
        decks += coups[table.name].check_cards(stage.shoes.opened)
        events += len(history)
    for player in stage.players:
        await _check_money(stage.pit, player, coups[player.table.name])
    silences = [silence for log in stage.watchers.logs for silence in log.silences]
    found, quiet_s = pauses(stage.misfortunes, silences, stage.instrument)
    return Figures(
        events=events,
        rounds=sum(len(one.ended) for one in coups.values()),
        decks=decks,
        payouts=sum(len(one.payouts) for player in stage.players for one in player.sittings),
        sittings=sum(len(player.sittings) for player in stage.players),
        pauses=found,
        quiet_s=quiet_s,
    )


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
