"""Each benchmark still does what it measures: with numbers so small that its figures mean nothing."""

import os

import pytest

from benchmarks import checking, dealing, durability, settling, slips, tables
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.shoe.shoe import Shoe
from support.dealing import until_round
from support.playing import played
from support.stores import open_pit, turbo


def test_dealing():
    coups = []
    dealing.Croupier([Shoe.open(RULE_SETS["standard"], bytes(32))]).deal(coups.append, settling=True)
    assert len(coups) > 60


@pytest.mark.slow
async def test_slips(store):
    figures = await slips.slips(
        store, slips.Size(sockets=2, turns=1, bare_s=0.02, sockets_s=0.05, half_s=0.05)
    )
    assert min(figures["bare_a_second"], figures["sockets_a_second"], figures["half_p99_ms"]) > 0


@pytest.mark.slow
async def test_settling(store):
    figures = await settling.settling(store, settling.Size(tables=2, seats=30, window_ms=1_500))
    assert figures["slips"] == 60
    assert "settle" in [command["name"] for command in figures["commands"]]


@pytest.mark.slow
async def test_tables(store, pit):
    async with played(store.url, turbo("standard")), open_pit(store.url) as other:
        await until_round(pit, 1, "standard")
        figures = await tables.measure(other, 1, os.getpid(), 0.8)
    assert (figures.shares, figures.tables) == ((1,), 1)
    assert figures.late_ms
    assert figures.line().startswith("| 1 | 1 |")


async def test_checking():
    assert await checking.dealing("standard", 1) > checking.checking("standard", 1) > 0


async def test_durability(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(durability, "PLAYERS", durability.PLAYERS[:40])
    figures = await durability.measure(0.01, turns=1)
    assert [min(one.values()) > 0 for one in figures.values()] == [True, True]
