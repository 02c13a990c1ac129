"""Workers are killed, frozen and drained at random under play: nothing is lost, shown or paid twice."""

import random

import pytest

from support.chaos.curtain import curtain
from support.chaos.misfortunes import Fate, of_workers
from support.chaos.stage import CALM_S, a_seed, staged
from support.chaos.tables import turbo_tables

WORKERS = 3
WATCHERS = 3


@pytest.mark.parametrize(
    ("tables", "misfortunes"),
    [pytest.param(6, 6, marks=pytest.mark.slow), pytest.param(12, 102, marks=pytest.mark.long)],
)
async def test_whatever_happens_to_workers_everyone_sees_one_history_and_all_money_is_there(
    store, tmp_path, caplog, tables, misfortunes
):
    """Given three workers, watchers and a player at each table, when workers die, freeze and drain at random.

    Then every watcher ends with one history without a gap, no card is dealt twice, the audit is clean, each
    player's own reckoning agrees, and nobody saw a table stand still for longer than is promised.
    """
    caplog.set_level("INFO", "support.chaos")
    chance = random.Random(a_seed())
    crowd = {"store": store.url, "workers": WORKERS, "watchers": WATCHERS}
    async with staged(tmp_path, [store.url], turbo_tables(tables), chance, **crowd) as stage:
        await stage.calm(2 * CALM_S[1])
        fate = Fate(of_workers(stage.cast), chance)
        for _ in range(misfortunes):
            await stage.suffer(fate)
            await stage.calm(chance.uniform(*CALM_S))
        figures = await curtain(stage)
    assert figures.late == [], figures
