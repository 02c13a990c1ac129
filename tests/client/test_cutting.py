"""A seat's part in the cuts of its table: what is sent when, and never more."""

import hashlib

from msgspec.structs import replace

from croupier_client.cutting import Cutting
from croupier_protocol.messages.to_client import CutView, ShoeView, TableView
from croupier_protocol.messages.values import Contribution, Phase, RulesRef

RULES = RulesRef("standard", "0f" * 32)
VIEW = TableView(table="standard", epoch="e", seq=9, rules=RULES, phase=Phase.SHUFFLING)


def cutting_view(shoe=7, until_ms=1_000, **fields):
    return replace(VIEW, cut=CutView(shoe, RULES, b"c" * 32, None, until_ms, **fields))


def listed(*hashes, shoe=7):
    parts = tuple(Contribution(seat, f"p{seat}", hash_) for seat, hash_ in enumerate(hashes, 1))
    return cutting_view(shoe, listed=True, contributions=parts)


def test_a_hash_goes_out_once_and_its_value_once_it_is_listed():
    cutting = Cutting("standard")
    assert cutting.due(VIEW) is None
    sent = cutting.due(cutting_view())
    assert (sent.shoe, sent.value) == (7, None)
    assert cutting.due(cutting_view()) is None
    cutting.took(sent)
    shown = cutting.due(listed(b"o" * 32, sent.hash))
    assert hashlib.sha256(shown.value).digest() == sent.hash
    assert (shown.shoe, shown.hash) == (7, None)
    assert cutting.due(listed(b"o" * 32, sent.hash)) is None
    assert cutting.left_out == []


def test_a_value_is_never_shown_while_its_hash_is_not_listed():
    cutting = Cutting("standard")
    sent = cutting.due(cutting_view())
    cutting.took(sent)
    for _ in range(2):
        assert cutting.due(listed(b"o" * 32)) is None
    assert cutting.left_out == [7]


def opened(cutting, value):
    """The shoe that is opened after the cut, with this value of the seat."""
    contributions = (Contribution(1, "p1", b"o" * 32, b"p" * 32), Contribution(2, "p2", cutting.hash, value))
    shoe = ShoeView(7, 8, 416, None, 400, None, 0, b"c" * 32, None, contributions, b"d" * 32)
    return replace(VIEW, shoe=shoe)


def test_a_value_that_was_taken_and_does_not_count_is_told_once():
    cutting = Cutting("standard")
    cutting.took(cutting.due(cutting_view()))
    shown = cutting.due(listed(cutting.hash))
    assert cutting.due(opened(cutting, None)) is None
    assert cutting.left_out == []  # it may not have got through
    cutting.took(shown)
    assert cutting.due(opened(cutting, shown.value)) is None
    assert cutting.left_out == []
    for _ in range(2):
        assert cutting.due(opened(cutting, None)) is None
    assert cutting.left_out == [7]


def test_a_hash_that_did_not_get_through_is_not_called_left_out():
    cutting = Cutting("standard")
    cutting.failed(cutting.due(cutting_view()))
    again = cutting.due(cutting_view())
    assert again.hash is not None
    cutting.failed(again)
    assert cutting.due(listed()) is None
    assert cutting.left_out == []


def test_every_shoe_has_a_value_of_its_own_and_a_table_without_a_cut_none():
    cutting = Cutting("standard")
    first, second = cutting.due(cutting_view(7)), cutting.due(cutting_view(8))
    assert first.hash != second.hash
    assert cutting.due(cutting_view(9, until_ms=None)) is None
    cutting.took(first)
    assert cutting.due(listed(b"o" * 32, shoe=8)) is None
    assert cutting.left_out == []
