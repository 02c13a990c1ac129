"""Each benchmark still does what it measures: with numbers so small that its figures mean nothing."""

import os

import pytest

from benchmarks import checking, crowd, dealing, durability, fanout, growth, peers, settling, slips, tables
from benchmarks.growth_figure import Panel, figure
from benchmarks.growth_fit import Windows, costs, fit
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


@pytest.mark.long
async def test_crowd(tmp_path):
    size = crowd.Size(browsers=5, spectators=2, players=2, ramp_s=1, hold_s=15, quiet_s=0.1)
    found = await crowd.run(tmp_path / "data", size, "--pace", "turbo")
    assert found.line().endswith(" | none")
    assert found.watching["measures"]["hold_push"]["count"] > 10
    assert found.playing["measures"]["hold_ack"]["count"] > 2


async def test_checking():
    (a_round, a_commit), (checked, rounds) = (
        await checking.dealing("standard", 1),
        checking.checking("standard", 1),
    )
    assert a_round > checked > 0
    assert a_commit > 0
    assert rounds > 60


async def test_durability(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(durability, "PLAYERS", durability.PLAYERS[:40])
    figures = await durability.measure(0.01, turns=1)
    assert [min(one.values()) > 0 for one in figures.values()] == [True, True]


def grown(power: float, *, spread: float = 0.01) -> list[Windows]:
    """Windows at some numbers whose cost is 0.001 of them to a power, above 0.1 at rest."""
    windows = []
    for many in (0, 10, 100, 1_000, 10_000):
        cost = 0.001 * many**power if many else 0.0
        windows.append(Windows(many, [0.1 + cost * (1 + share) for share in (-spread, 0.0, spread)]))
    return windows


@pytest.mark.parametrize(
    ("power", "verdict"),
    [(0.8, "linear or better"), (1.0, "linear or better"), (1.3, "MORE THAN LINEAR")],
)
def test_growth_is_fitted_above_what_is_taken_at_rest(power, verdict):
    rest, *points = grown(power)
    found = fit(costs(rest, points))
    assert found.power == pytest.approx(power, abs=0.001)
    assert found.verdict == verdict


def test_points_that_are_known_too_badly_do_not_count_and_two_are_no_line():
    rest, *points = grown(1.0)
    grainy = costs(rest, points, grain=0.06)  # the first two cost 0.01 and 0.1 above rest
    assert [cost.told for cost in grainy] == [False, False, True, True]
    assert fit(grainy) is None


def test_the_figure_of_growth_says_what_it_shows():
    rest, *points = grown(1.0)
    found = costs(rest, points)
    drawn = figure([Panel("tables", "cores", found, fit(found)), Panel("tables", "MB", found[:1], None)])
    assert "linear or better" in drawn
    assert "too few points to judge" in drawn
    assert drawn.count("<circle") == 5


def test_a_benchmarks_peer_answers_pings_between_other_frames_and_keeps_what_is_not_whole():
    long = bytes([0x82, 126, 0, 200]) + bytes(200)
    said, left = peers.answers(long + bytes([0x89, 1, 66]) + long[:100], None, b"")
    assert (said, left) == (bytes([0x8A, 0x81, 0, 0, 0, 0, 66]), long[:100])
    said, left = peers.answers(bytes([0x81, 1]) + b"2" + bytes([0x82]), b"2", b"3")
    assert (said, left) == (bytes([0x81, 0x81, 0, 0, 0, 0]) + b"3", bytes([0x82]))


def test_fan_out_is_told_with_what_is_taken_at_rest_and_without():
    cell = fanout.Cell(measured=10.0, quiet=2.5, rest=4.0)
    assert (cell.alone, cell.with_rest) == (7.5, 11.5)


def test_a_row_of_growth_tells_each_ones_cost_beside_the_firsts():
    def row(many: int, *cores: float) -> growth.Row:
        return growth.Row(many, [growth.Look(one, 120.0, 3.5) for one in cores])

    rows = [row(0, 0.02, 0.02), row(100, 0.03, 0.03), row(1_000, 0.1, 0.1)]
    assert growth._cells(rows) == "0.100 | 0.1 to 0.1 | 120 | 0.080 | 80.0 ± 0.0 | 0.80"
