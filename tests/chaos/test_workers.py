"""Workers are killed, frozen and drained at random under play: nothing is lost, shown or paid twice."""

import random

import pytest

from support.chaos.misfortunes import Fate, of_workers
from support.chaos.run import a_seed, curtain, staged
from support.chaos.tables import turbo_tables

CALM_S = (0.2, 1.0)


@pytest.mark.parametrize(
    ("tables", "rounds"),
    [pytest.param(6, 6, marks=pytest.mark.slow), pytest.param(12, 10, marks=pytest.mark.long)],
)
async def test_interim(store, tmp_path, caplog, tables, rounds):
    caplog.set_level("INFO", "support.chaos")
    chance = random.Random(a_seed())
    all_tables = turbo_tables(tables)
    async with staged(
        tmp_path, [store.url], all_tables, chance, store=store.url, workers=3, watchers=3
    ) as stage:
        await stage.calm(2)
        fate = Fate(of_workers(stage.cast), chance)
        for _ in range(rounds):
            await stage.suffer(fate)
            await stage.calm(chance.uniform(*CALM_S))
        figures = await curtain(stage)
    assert figures.late == [], figures
