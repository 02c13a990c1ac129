"""Garbage is collected all the time while tables are dealt: whatever nobody holds would vanish."""

import asyncio
import gc

import pytest

from support.dealing import dealer_on, last_round, reach
from support.stores import turbo
from support.tasks import beside

COLLECT_S = 0.01

TABLES = [f"table-{number}" for number in range(20)]


@pytest.mark.parametrize(
    "rounds", [pytest.param(3, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)]
)
async def test_twenty_tables_are_dealt_though_garbage_is_collected_every_ten_milliseconds(pit, rounds):
    """G8: given twenty tables, when everything that nobody holds is collected, then none of them stops."""
    async with dealer_on(pit, *(turbo(table) for table in TABLES)) as dealer, beside(_collect()):

        async def all_played():
            return min([await last_round(pit, table) for table in TABLES]) >= rounds

        await reach(all_played, 30.0 + 2.0 * rounds, f"round {rounds} at every table")
        assert dealer.dealing == frozenset(TABLES)


async def _collect() -> None:
    gc.freeze()  # what was there before the tables need not be looked at each time
    try:
        while True:
            gc.collect()
            await asyncio.sleep(COLLECT_S)
    finally:
        gc.unfreeze()
