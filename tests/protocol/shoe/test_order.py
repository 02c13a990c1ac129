"""The shuffle: repeatable from its published rule, and unbiased."""

import ast
import hashlib
import hmac
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier_protocol.game
import croupier_protocol.shoe
from croupier_protocol.game.cards import DECK
from croupier_protocol.shoe.order import order

SEED = bytes(range(32))
SIMULATOR = "simulation.py"
"""The one module with a generator: it plays coups that nobody bets on, to confirm the odds."""


def order_as_documented(seed: bytes, decks: int, index: int) -> list[str]:
    """The rule of the module's documentation, written again without looking at the code."""
    stream = b""
    counter = 0
    while len(stream) < 8 * 4 * 80:
        message = b"croupier shoe order 1" + index.to_bytes(4, "big") + counter.to_bytes(4, "big")
        stream += hmac.new(seed, message, hashlib.sha256).digest()
        counter += 1
    numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    cards = [rank + suit for _ in range(decks) for suit in "shdc" for rank in "A23456789TJQK"]
    for last in reversed(range(1, len(cards))):
        while numbers[0] >= 2**32 // (last + 1) * (last + 1):
            numbers.pop(0)
        drawn = numbers.pop(0) % (last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return cards


@given(st.binary(min_size=32, max_size=32), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_it_is_the_documented_order(seed, decks, index):
    assert list(order(seed, decks, index)) == order_as_documented(seed, decks, index)


def test_golden_single_deck():
    assert " ".join(order(SEED, 1)) == (
        "2c 2s Qs 6s 4d 8h 8s 7s 9h Td 4h 4c 5s Ad 3s 3h 9c 8c 9s 5c 5h Ks 3c 4s 6d "
        "6c As 6h Qd 2d Kh Qh Js Kc 2h Jc Kd 8d Ts 7d Tc 5d 7h Qc Jh Jd Ac Th 9d Ah 7c 3d"
    )


def test_golden_second_deck_of_a_series():
    assert " ".join(order(SEED, 1, 1)[:8]) == "Js 2d 8d 4c 9s 9h 5d 9d"


def test_golden_eight_decks():
    cards = order(SEED, 8)
    assert " ".join(cards[:8]) == "4h 5h 2h 6d 7h Qd 3c Qc"
    assert (
        hashlib.sha256("".join(cards).encode("ascii")).hexdigest()
        == "bfb7ae5e43574a9deaa6c1aa978d576538c88248a37eae9c6132fb3f2ebea2c4"
    )


def test_a_number_that_would_favour_low_cards_is_skipped(monkeypatch):
    """B4: with 52 choices the largest fair number is 4294967247; one above it is passed over."""
    numbers = [2**32 - 1, 4294967248, 4294967247] + [0] * 61
    stream = b"".join(number.to_bytes(4, "big") for number in numbers)
    blocks = [stream[at : at + 32] for at in range(0, len(stream), 32)]
    monkeypatch.setattr("croupier_protocol.shoe.order._blocks", lambda seed, index: iter(blocks))
    assert order(SEED, 1)[51] == "Kc"


@given(st.binary(min_size=32, max_size=32), st.integers(1, 8))
def test_every_card_is_there_once_for_each_deck(seed, decks):
    assert Counter(order(seed, decks)) == dict.fromkeys(DECK, decks)


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_of_another_length_is_refused_and_not_repeated(length):
    seed = b"\xa7" * length
    with pytest.raises(ValueError, match=f"a seed is 32 bytes long, not {length}") as refusal:
        order(seed, 8)
    assert "a7" not in str(refusal.value)


def test_decks_of_a_series_and_seeds_differ():
    orders = {order(SEED, 1, index) for index in range(60)} | {order(bytes(32), 1)}
    assert len(orders) == 61


def shuffles_look_unbiased(count: int) -> None:
    """B4: every card comes to every place alike often, and stays where it was in one of 52 shuffles."""
    places = {card: [0] * 52 for card in DECK}
    for number in range(count):
        for place, card in enumerate(order(number.to_bytes(32, "big"), 1)):
            places[card][place] += 1
    expected = count / 52
    # Chi-square with 51 degrees of freedom exceeds 114.5 once in a million: 1e-4 over these 104 sums.
    for card in DECK:
        assert sum((seen - expected) ** 2 for seen in places[card]) / expected < 114.5
    for place in range(52):
        column = [places[card][place] for card in DECK]
        assert sum((seen - expected) ** 2 for seen in column) / expected < 114.5
    stayed = sum(places[card][place] for place, card in enumerate(DECK)) / count  # one card on average
    assert abs(stayed - 1) < 5 / count**0.5


def test_a_few_thousand_shuffles_look_unbiased():
    shuffles_look_unbiased(5_000)


@pytest.mark.long
def test_two_hundred_thousand_shuffles_look_unbiased():
    shuffles_look_unbiased(200_000)


def test_nothing_here_can_draw_randomness_or_read_a_clock():
    """B5: game and shoe import nothing that knows the time, the process or a generator."""
    allowed = {
        "collections", "croupier_protocol", "enum", "fractions", "functools", "hashlib", "hmac",
        "itertools", "json", "math", "msgspec", "re", "struct", "typing",
    }  # fmt: skip
    imported = set()
    for package in (croupier_protocol.game, croupier_protocol.shoe):
        for path in Path(package.__path__[0]).rglob("*.py"):
            if path.name == SIMULATOR:
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    imported |= {name.name.partition(".")[0] for name in node.names}
                if isinstance(node, ast.ImportFrom):
                    imported.add(node.module.partition(".")[0])
    assert imported <= allowed


def test_nothing_that_deals_can_reach_the_simulator():
    """B5: it is for `croupier odds` alone."""
    root = Path(__file__).parents[3]
    texts = {path: path.read_text("utf-8") for path in root.glob("[psc]*/croupier_*/**/*.py")}
    users = {str(path.relative_to(root)) for path, text in texts.items() if "game.simulation" in text}
    assert "client/croupier_client/cli/odds.py" in users
    assert all(user.startswith("client/croupier_client/cli/odds") for user in users)
