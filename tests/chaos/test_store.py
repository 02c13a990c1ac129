"""The ways to the store fail, and the store itself: play goes on, and nothing is lost or done twice."""

import random
from contextlib import AsyncExitStack

import pytest

from support.chaos.curtain import Figures, curtain
from support.chaos.misfortunes import Fate, of_store, of_ways
from support.chaos.stage import CALM_S, a_seed, staged
from support.chaos.tables import turbo_tables
from support.proxies import proxy_to

TABLES = 3
WATCHERS = 2


@pytest.mark.slow
async def test_ways_to_the_store_that_fail_lose_nothing(store, tmp_path, caplog):
    """Given two servers, each on a way of its own, when ways are cut, slow or held up, then nothing is lost.

    How long tables stood still is judged in the long runs, which have the machine to themselves.
    """
    caplog.set_level("INFO", "support.chaos")
    await _bad_ways(store, tmp_path, misfortunes=1)


@pytest.mark.long
async def test_ways_to_the_store_that_fail_hold_up_nobody_else_and_lose_nothing(store, tmp_path, caplog):
    """As above, and play goes on within what is promised."""
    caplog.set_level("INFO", "support.chaos")
    figures = await _bad_ways(store, tmp_path, misfortunes=30)
    assert figures.late == [], figures


@pytest.mark.long
async def test_a_store_that_is_killed_again_and_again_goes_on_with_everything(store, tmp_path, caplog):
    """Given play, when the store is killed and comes back, then play goes on with its shoes and chips.

    And within what is promised. `test_restarts_and_a_new_primary_under_load` is the short form of this.
    """
    caplog.set_level("INFO", "support.chaos")
    figures = await _killed_store(store, tmp_path, misfortunes=30)
    assert figures.late == [], figures


async def _bad_ways(store, folder, *, misfortunes: int) -> Figures:
    """The figures of a run with so many misfortunes of ways, after all that must be true has been checked."""
    chance = random.Random(a_seed())
    async with AsyncExitStack() as stack:
        ways = [await stack.enter_async_context(proxy_to(store.url)) for _ in range(2)]
        urls = [way.url for way in ways]
        crowd = {"store": store.url, "workers": 1, "watchers": WATCHERS}
        stage = await stack.enter_async_context(staged(folder, urls, turbo_tables(TABLES), chance, **crowd))
        await stage.calm(CALM_S[1])
        await stage.suffer_all(Fate(of_ways(stage.cast, ways), chance), misfortunes, chance)
        return await curtain(stage)


async def _killed_store(store, folder, *, misfortunes: int) -> Figures:
    """The figures of a run with so many deaths of the store, after all that must be true has been checked."""
    chance = random.Random(a_seed())
    crowd = {"store": store.url, "workers": 2, "watchers": WATCHERS}
    async with staged(folder, [store.url], turbo_tables(TABLES), chance, **crowd) as stage:
        await stage.calm(CALM_S[1])
        await stage.suffer_all(Fate(of_store(store), chance), misfortunes, chance)
        return await curtain(stage, one_epoch=False)
