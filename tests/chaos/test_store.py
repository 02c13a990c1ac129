"""The ways to the store fail, and the store itself: play goes on, and nothing is lost or done twice."""

import random
from contextlib import AsyncExitStack

import pytest

from support.chaos.curtain import curtain
from support.chaos.misfortunes import Fate, of_store, of_ways
from support.chaos.stage import CALM_S, a_seed, staged
from support.chaos.tables import turbo_tables
from support.proxies import proxy_to

TABLES = 3
WATCHERS = 2


@pytest.mark.parametrize(
    "misfortunes", [pytest.param(3, marks=pytest.mark.slow), pytest.param(30, marks=pytest.mark.long)]
)
async def test_ways_to_the_store_that_fail_hold_up_nobody_else_and_lose_nothing(
    store, tmp_path, caplog, misfortunes
):
    """Given two servers, each on a way of its own, when ways are cut, slow or held up, then play goes on."""
    caplog.set_level("INFO", "support.chaos")
    chance = random.Random(a_seed())
    async with AsyncExitStack() as stack:
        ways = [await stack.enter_async_context(proxy_to(store.url)) for _ in range(2)]
        urls = [way.url for way in ways]
        crowd = {"store": store.url, "workers": 1, "watchers": WATCHERS}
        stage = await stack.enter_async_context(staged(tmp_path, urls, turbo_tables(TABLES), chance, **crowd))
        await stage.calm(CALM_S[1])
        fate = Fate(of_ways(stage.cast, ways), chance)
        for _ in range(misfortunes):
            await stage.suffer(fate)
            await stage.calm(chance.uniform(*CALM_S))
        figures = await curtain(stage)
    assert figures.late == [], figures


@pytest.mark.parametrize(
    "misfortunes", [pytest.param(3, marks=pytest.mark.slow), pytest.param(30, marks=pytest.mark.long)]
)
async def test_a_store_that_is_killed_again_and_again_goes_on_with_everything(
    store, tmp_path, caplog, misfortunes
):
    """Given play, when the store is killed and comes back, then play goes on with its shoes and chips."""
    caplog.set_level("INFO", "support.chaos")
    chance = random.Random(a_seed())
    crowd = {"store": store.url, "workers": 2, "watchers": WATCHERS}
    async with staged(tmp_path, [store.url], turbo_tables(TABLES), chance, **crowd) as stage:
        await stage.calm(CALM_S[1])
        fate = Fate(of_store(store), chance)
        for _ in range(misfortunes):
            await stage.suffer(fate)
            await stage.calm(chance.uniform(*CALM_S))
        figures = await curtain(stage, one_epoch=False)
    assert figures.late == [], figures
