"""A gateway for players."""

import pytest

from support.gateways import gateway_on
from support.players import standing


@pytest.fixture
async def gateway(store, pit):
    """A gateway with three tables that stand in the window of round 1."""
    async with (
        standing(store.url, pit, "standard", "two-field", "eight-deck"),
        gateway_on(store.url) as running,
    ):
        yield running
