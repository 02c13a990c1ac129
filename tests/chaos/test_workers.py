"""Workers are killed, frozen and drained at random under play: nothing is lost, shown or paid twice."""

import random

import pytest

from support.chaos.curtain import Figures, curtain
from support.chaos.misfortunes import Fate, of_workers
from support.chaos.stage import CALM_S, a_seed, staged
from support.chaos.tables import turbo_tables

WORKERS = 3
WATCHERS = 3


@pytest.mark.slow
async def test_whatever_happens_to_workers_everyone_sees_one_history_and_all_money_is_there(
    store, tmp_path, caplog
):
    """Given three workers, watchers and a player at each table, when workers die, freeze and drain at random.

    Then every watcher ends with one history without a gap, no card is dealt twice, the audit is clean and
    each player's own reckoning agrees. How long tables stood still is judged in the long run, which has the
    machine to itself.
    """
    caplog.set_level("INFO", "support.chaos")
    await _suffered(store, tmp_path, tables=3, misfortunes=3)


@pytest.mark.long
async def test_a_hundred_misfortunes_of_workers_lose_nothing_and_hold_up_play_no_longer_than_promised(
    store, tmp_path, caplog
):
    """As above, at twelve tables; and nobody saw a table stand still for longer than is promised."""
    caplog.set_level("INFO", "support.chaos")
    figures = await _suffered(store, tmp_path, tables=12, misfortunes=102)
    assert figures.late == [], figures


async def _suffered(store, folder, *, tables: int, misfortunes: int) -> Figures:
    """The figures of a run with so many misfortunes, after all that must be true of it has been checked."""
    chance = random.Random(a_seed())
    crowd = {"store": store.url, "workers": WORKERS, "watchers": WATCHERS}
    async with staged(folder, [store.url], turbo_tables(tables), chance, **crowd) as stage:
        await stage.calm(2 * CALM_S[1])
        await stage.suffer_all(Fate(of_workers(stage.cast), chance), misfortunes, chance)
        return await curtain(stage)
