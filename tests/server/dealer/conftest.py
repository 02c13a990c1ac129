"""Fixtures for tests of dealers."""

import pytest

from support.dealing import Way
from support.stores import open_pit


@pytest.fixture
def quick(monkeypatch):
    """Leases of 0.6 s, so that takeovers come soon; everything else in proportion."""
    monkeypatch.setattr("croupier_server.dealer.dealer.LEASE_MS", 600)
    monkeypatch.setattr("croupier_server.dealer.others.STILL_S", 0.8)
    monkeypatch.setattr("croupier_server.dealer.dealer.TICK_S", 0.2)
    monkeypatch.setattr("croupier_server.dealer.dealer.BROKEN_S", 0.5)


@pytest.fixture
def way(pit):
    """The pit's way to its records."""
    return Way(pit.store)


@pytest.fixture
async def other(store):
    """Another process's view of the same pit."""
    async with open_pit(store.url) as opened:
        yield opened
