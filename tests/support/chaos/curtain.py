"""The end of a chaos run: everything that was seen, dealt and paid is checked."""

import asyncio
import logging
import time
from dataclasses import dataclass
from statistics import median
from typing import Final

from croupier_server.store.tables import ROUNDS_KEPT
from support.chaos.histories import Coups, read_history, read_records
from support.chaos.pauses import Pause, pauses
from support.chaos.players import Player
from support.chaos.reckoning import reckon
from support.chaos.stage import RECOVERED_EVENTS, RECOVERED_S, Stage
from support.playing import audited, settlements
from support.stores import TestPit

logger = logging.getLogger(__name__)

QUIET_S: Final = 1.0
"""A pause that nothing explains must be shorter, whatever is allowed on top for the machine."""


@dataclass(frozen=True)
class Figures:
    """What a run came to."""

    events: int
    rounds: int
    decks: int
    payouts: int
    missed: int
    sittings: int
    pauses: list[Pause]
    quiet_s: float
    lateness_s: float

    @property
    def late(self) -> list[str]:
        """Pauses that were longer than they may be: after misfortunes, and while there was none."""
        late = [str(pause) for pause in self.pauses if pause.late]
        if self.quiet_s > QUIET_S + self.lateness_s:
            late.append(f"{self.quiet_s:.2f} s while nothing was amiss")
        return late

    def __str__(self) -> str:
        kinds: dict[str, list[Pause]] = {}
        for pause in self.pauses:
            kinds.setdefault(pause.misfortune.kind, []).append(pause)
        return "\n".join(
            [
                f"{self.events} events, {self.rounds} rounds, {self.decks} decks compared with their shoes",
                f"{self.payouts} payouts in {self.sittings} sittings; {self.missed} beyond what a seat keeps",
                f"longest pause while nothing was amiss: {self.quiet_s:.2f} s",
                f"most that a timer here was late: {self.lateness_s:.2f} s",
                *map(_line, kinds.values()),
            ]
        )


def _line(pauses: list[Pause]) -> str:
    """The pauses after all misfortunes of one kind."""
    middle = median(pause.seconds for pause in pauses)
    longest = max(pauses, key=lambda pause: pause.seconds)
    return f"{len(pauses)} times, median {middle:.2f} s, longest after {longest}"


async def curtain(stage: Stage, *, one_epoch: bool = True) -> Figures:
    """Ends the play and checks histories, cards, payouts, wallets and the audit; pauses are for the caller.

    Where only workers and their ways to the store have failed there must be one gapless history. Where the
    store has been restarted, every watcher was told, and what each saw must be in the store's own history.
    """
    await asyncio.gather(*(player.stop() for player in stage.players))
    ended_s = time.monotonic()
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
        missed=sum(len(one.missed) for player in stage.players for one in player.sittings),
        sittings=sum(len(player.sittings) for player in stage.players),
        pauses=found,
        quiet_s=quiet_s,
        lateness_s=stage.instrument.longest(0.0, ended_s),
    )
    logger.info("%s", figures)
    return figures


async def _check_money(pit: TestPit, player: Player, coups: Coups) -> None:
    """A player's own reckoning is what the wallet and the ledger say, and every round was paid once."""
    wallet = reckon(player, coups.ended)
    identity = player.client.player.id
    balance = (await pit.bank.wallet(identity)).wallet.balance
    assert balance == wallet, f"{player} has {balance} cents and reckons {wallet}"
    settled = await settlements(pit, player.table.name)
    for sitting in player.sittings:
        for round_, payout in sitting.payouts.items():
            told = sum(one.stake for one in payout.bets), payout.returned
            assert settled.pop((identity, round_)) == told, f"{player}, round {round_}: {payout}"
        for round_ in sitting.missed:
            assert settled.pop((identity, round_), None), f"{player} was not paid for round {round_}"
    assert settled == {}, f"{player} was never told of {settled}"
