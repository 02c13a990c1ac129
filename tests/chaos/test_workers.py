"""Workers are killed, frozen and drained at random while everybody plays: nothing is lost, shown or paid twice."""

import os
import random
import time

import pytest

from support.chaos.misfortunes import Fate
from support.chaos.run import curtain, staged
from support.chaos.tables import turbo_tables

CALM_S = (0.2, 1.0)


def a_seed() -> int:
    """The seed of a run; printed, and given again by CROUPIER_CHAOS_SEED."""
    seed = int(os.environ.get("CROUPIER_CHAOS_SEED") or time.time_ns() % 1_000_000)
    print(f"CROUPIER_CHAOS_SEED={seed}")
    return seed


@pytest.mark.slow
async def test_interim(store, tmp_path):
    chance = random.Random(a_seed())
    tables = turbo_tables(6)
    async with staged(tmp_path, store.url, tables, chance, servers=3, workers=1, watchers=3) as stage:
        await stage.calm(2)
        fate = Fate(stage.cast, chance)
        for _ in range(6):
            one = await stage.suffer(fate)
            print(one, one.ended_s - one.began_s)
            await stage.calm(chance.uniform(*CALM_S))
        figures = await curtain(stage)
    print(figures.quiet_s, figures)
    for pause in figures.pauses:
        print(pause)
