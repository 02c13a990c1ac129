"""The report on shuffles: it runs, and it sees a shuffle that is not fair."""

import importlib.util
import secrets
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "tools" / "rng_report.py"


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("rng_report", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chances(lines):
    return {line[:48].strip(): float(line.rpartition("=")[2]) for line in lines}


def test_chi_square_tails_are_those_of_the_tables(tool):
    """Critical values as printed in tables of the distribution."""
    for total, freedom, chance in (
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (68.669, 51, 0.05),
        (124.342, 100, 0.05),
    ):
        assert tool.tail(total, freedom) == pytest.approx(chance, abs=5e-5)


def test_honest_shuffles_pass(tool):
    found = chances(list(tool.report(1_000))[1:])
    assert len(found) == 9
    assert min(found.values()) > 1e-6 or "most uneven" in min(found, key=found.get)


def test_a_shuffle_that_swaps_over_the_whole_deck_is_seen(tool, monkeypatch):
    """B4: every card with any other; some orders come more often."""

    def naive(seed, _decks):
        cards = list(tool.DECK)
        numbers = secrets.token_bytes(104)
        for place in range(52):
            other = int.from_bytes(numbers[2 * place : 2 * place + 2], "big") % 52
            cards[place], cards[other] = cards[other], cards[place]
        return tuple(cards)

    monkeypatch.setattr(tool, "order", naive)
    found = chances(list(tool.report(4_000))[1:])
    assert found["every card at every place"] < 1e-4


def test_raw_output_is_whole_megabytes(tool):
    blocks = list(tool.raw(1))
    assert sum(map(len, blocks)) == 1024 * 1024
    assert len(set(blocks)) == len(blocks)
