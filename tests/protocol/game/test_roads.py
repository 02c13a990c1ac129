"""The roads: published shoes, known faults, and laws on random shoes."""

import json
import random
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from croupier_protocol.game.coup import Coup, Outcome, Side
from croupier_protocol.game.roads import (
    LETTERS,
    Bead,
    DerivedRoad,
    Mark,
    Roads,
    bead_plate,
    latest,
    lay_out,
    read_letters,
)
from croupier_protocol.messages.events import RoundResult, ShoeOpened
from croupier_protocol.messages.values import HandView, RulesRef
from croupier_protocol.view import fold, opening_view

CASES = json.loads((Path(__file__).parent / "data" / "roads.json").read_text())["cases"]
SHOES = [case for case in CASES if case["kind"] == "full_shoe"]
SIDES = {"P": Side.PLAYER, "B": Side.BANKER}


def roads_of(letters):
    return Roads.of(read_letters(letters))


def derived(roads):
    return tuple("".join(marks) for marks in roads.derived.values())


def cells(roads, rows=6):
    return [[*cell.spot, LETTERS[cell.entry.winner]] for cell in roads.big_road(rows)]


class TestPublishedCases:
    """Every case of the reference."""

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
    def test_case(self, case):
        getattr(self, f"check_{case['kind']}")(case)

    def check_big_road(self, case):
        assert cells(roads_of(case["seq"]), case["rows"]) == case["expected_cells_col_row_winner"]

    def check_big_road_board(self, case):
        board = [[" "] * 80 for _ in range(case["rows"])]
        for column, row, winner in cells(roads_of(case["seq"]), case["rows"]):
            board[row][column] = winner
        assert ["".join(row).rstrip() for row in board] == case["expected_rows"]

    def check_big_road_ties(self, case):
        roads = roads_of(case["seq"])
        road = roads.big_road()
        known = {
            "cells": len(road),
            "ties": [cell.entry.ties for cell in road],
            "col": road[0].spot.column,
            "row": road[0].spot.row,
            "winner": road[0].entry.winner.value,
            "leading_ties": roads.leading_ties,
            "columns": len(roads.columns),
        }
        expected = dict(case["expected"])
        if isinstance(expected.get("ties"), int):
            expected["ties"] = [expected["ties"]]
        assert {key: known[key] for key in expected} == expected

    def check_big_road_columns(self, case):
        roads = roads_of(case["seq"])
        assert {
            "columns": [f"{LETTERS[column[0].winner]}{len(column)}" for column in roads.columns],
            "ties_at": {
                f"{number},{index}": entry.ties
                for number, column in enumerate(roads.columns)
                for index, entry in enumerate(column)
                if entry.ties
            },
            "counts": {
                letter: sum(bead.outcome is outcome for bead in roads.beads)
                for outcome, letter in LETTERS.items()
            },
            "leading_ties": roads.leading_ties,
        } == case["expected"]

    def check_bead_plate(self, case):
        beads = read_letters(case["seq"])
        assert [
            [*spot, LETTERS[bead.outcome]] for spot, bead in bead_plate(beads, case["rows"], case["columns"])
        ] == case["expected_cells_col_row_result"]

    def check_derived(self, case):
        marks = roads_of(case["seq"]).derived[DerivedRoad(case["road"])]
        assert "".join(marks) == case["expected"]

    def check_derived_layout(self, case):
        spots = lay_out(case["marks"])
        drawn = [[*spot, mark] for spot, mark in zip(spots, case["marks"], strict=True)]
        assert drawn == case["expected_cells_col_row_mark"]

    def check_ask(self, case):
        asked = roads_of(case["seq"]).ask(SIDES[case["hypothetical_next"]])
        for road, mark in case["expected_next_mark"].items():
            assert asked[DerivedRoad(road)] == mark

    def check_full_shoe(self, case):
        roads = roads_of(case["seq"])
        assert derived(roads) == (case["big_eye_boy"], case["small_road"], case["cockroach_road"])
        assert cells(roads) == case["big_road_sticky"]


class TestKnownFaults:
    def test_a_tie_does_not_join_two_winners_in_one_column(self):
        """E1."""
        assert [(*cell.spot, cell.entry.ties) for cell in roads_of("PTB").big_road()] == [
            (0, 0, 1),
            (1, 0, 0),
        ]

    @pytest.mark.parametrize(
        ("letters", "expected"),
        [
            ("BBPP", ("R", "", "")),  # E2
            ("BBPPPBB", ("RBBR", "R", "")),  # E2
            ("BPPBBBPBBPPPPBPBB", ("BBRBBBBBRBRBBRB", "BRBBRBBRRBBBB", "RRRRRBBRBR")),  # E3
            ("BBPBBPBBPPPPPB", ("BBBBBBRBRRB", "RRRRRBRRRB", "BBBRBRRB")),  # E4
            ("BPBPP", ("RRB", "RB", "B")),  # E4
        ],
    )
    def test_derived_roads_start_and_compare_where_they_should(self, letters, expected):
        assert derived(roads_of(letters)) == expected

    @pytest.mark.parametrize("shoe", SHOES, ids=lambda shoe: shoe["id"])
    def test_derived_roads_come_from_the_history_not_from_the_drawing(self, shoe):
        """E5: a window cuts columns off the left, and the marks in it stay those of the whole shoe."""
        roads = roads_of(shoe["seq"])
        assert len(latest(roads.big_road(), 16)) < len(roads.big_road())
        for road, marks in roads.derived.items():
            drawn = list(zip(lay_out(marks), marks, strict=True))
            shown = "".join(mark for _, mark in latest(drawn, 16))
            assert 16 < len(shown) < len(marks)
            assert shown == shoe[road][-len(shown) :]

    def test_a_full_bead_plate_scrolls_by_whole_columns(self):
        """E6: the 37th coup on a plate of six by six."""
        full = bead_plate(read_letters("BP" * 18), columns=6)
        scrolled = bead_plate(read_letters("BP" * 18 + "T"), columns=6)
        assert (len(full), full[0].spot, full[-1].spot) == (36, (0, 0), (5, 5))
        assert (len(scrolled), scrolled[0].spot, scrolled[-1].spot) == (31, (0, 0), (5, 0))
        assert scrolled[-1].bead.outcome is Outcome.TIE
        assert [placed.bead for placed in full[6:]] == [placed.bead for placed in scrolled[:-1]]

    def test_pairs_are_those_of_the_cards(self):
        """E7: each on its own side, and both at once."""
        roads = Roads.of(
            [
                Coup.of("9s 9h 9d Kh"),
                Coup.of("Ks 8h Qs 8d 9d"),
                Coup.of("4s 9h 4d 9d"),
                Coup.of("9s 8h Ks Kh"),
            ]
        )
        expected = [
            Bead(Outcome.BANKER, player_pair=True, banker_pair=False, natural=True),
            Bead(Outcome.PLAYER, player_pair=False, banker_pair=True, natural=False),
            Bead(Outcome.TIE, player_pair=True, banker_pair=True, natural=True),
            Bead(Outcome.PLAYER, player_pair=False, banker_pair=False, natural=True),
        ]
        assert list(roads.beads) == expected
        assert [(entry.player_pair, entry.banker_pair, entry.natural) for _, entry in roads.big_road()] == [
            (True, False, True),
            (False, True, False),
            (False, False, True),
        ]

    def test_a_pair_on_a_tie_shows_on_the_bead_plate_only(self):
        """E7."""
        tie = Bead(Outcome.TIE, player_pair=True, banker_pair=True)
        roads = Roads.of([Bead(Outcome.PLAYER), tie])
        assert roads.beads[-1] == tie
        (cell,) = roads.big_road()
        assert (cell.entry.ties, cell.entry.player_pair, cell.entry.banker_pair) == (1, False, False)

    def test_asking(self):
        """E9."""
        roads = roads_of("BBPPPBB")
        before = derived(roads), cells(roads)
        assert list(roads.ask(Side.BANKER).values()) == ["R", "B", None]
        assert list(roads.ask(Side.PLAYER).values()) == ["B", "R", None]
        assert (derived(roads), cells(roads)) == before

    def test_roads_live_as_long_as_their_shoe(self):
        """E10: the last result stays until the next shoe, which begins empty."""
        view = opening_view("t", "e", RulesRef("standard", "d"))
        header = {"table": "t", "epoch": "e", "due_ms": 0, "at_ms": 0}
        shoe = {
            "decks": 8,
            "rules": view.rules,
            "cards": 416,
            "burn": None,
            "cut_at": 400,
            "coups": None,
            "contributions": (),
            "digest": bytes(32),
            "burn_salt": None,
        }
        result = RoundResult(
            seq=2,
            round=1,
            outcome=Outcome.BANKER,
            player=HandView(("As", "2s"), 3),
            banker=HandView(("9s", "Kh"), 9),
            natural=True,
            player_pair=False,
            banker_pair=False,
            **header,
        )
        view = fold(fold(view, ShoeOpened(shoe=1, seq=1, **shoe, **header)), result)
        assert cells(Roads.of(view.past)) == [[0, 0, "B"]]
        view = fold(view, ShoeOpened(shoe=2, seq=3, **shoe, **header))
        assert Roads.of(view.past) == Roads()


@pytest.mark.parametrize("letters", ["", "T", "TTTT"])
def test_a_shoe_without_a_decision_asks_nothing(letters):
    roads = roads_of(letters)
    assert roads.columns == ()
    assert set(roads.ask(Side.PLAYER).values()) == set(roads.ask(Side.BANKER).values()) == {None}


def test_ties_before_the_first_decision_are_one_cell_that_the_decision_takes_over():
    assert [[*spot, entry.winner, entry.ties] for spot, entry in roads_of("TT").big_road()] == [
        [0, 0, "tie", 2]
    ]
    assert [[*spot, entry.winner, entry.ties] for spot, entry in roads_of("TTPT").big_road()] == [
        [0, 0, "player", 3]
    ]


def test_a_window_keeps_the_newest_entry_in_sight_beside_a_long_run():
    road = roads_of("B" * 26 + "P").big_road()
    shown = latest(road, 12)
    assert (shown[-1][0], shown[-1][1].winner) == ((1, 0), Outcome.PLAYER)
    assert max(spot.column for spot, _ in shown) == 11


def test_what_is_no_outcome_is_refused():
    with pytest.raises(ValueError, match="'X' is no outcome"):
        read_letters("BPXB")


# Laws. The shoes come from one seed; what is expected is worked out here, by the published words of the
# rules, from nothing but the letters.


def random_shoe(rng):
    """0 to 90 coups; some shoes run in long streaks, some are full of ties."""
    ties, stay = rng.choice([0.02, 0.095, 0.4]), rng.choice([0.2, 0.5, 0.9])
    last, letters = rng.choice("BP"), []
    for _ in range(rng.randrange(91)):
        if rng.random() < ties:
            letters.append("T")
        else:
            last = last if rng.random() < stay else "BP"[last == "B"]
            letters.append(last)
    return "".join(letters)


def published_marks(letters, offset):
    """The marks of a derived road, by the rule as it is printed: entry by entry over the finished columns."""
    columns = [len(list(run)) for _, run in groupby(letters.replace("T", ""))]
    marks = []
    for n, length in enumerate(columns):
        for m in range(1, length + 1):
            if m == 1:
                if n - 1 - offset >= 0:
                    marks.append("R" if columns[n - 1] == columns[n - 1 - offset] else "B")
            elif n - offset >= 0:
                marks.append("B" if m == columns[n - offset] + 1 else "R")
    return "".join(marks)


def check_laws(rng):
    letters = random_shoe(rng)
    beads = read_letters(letters)
    roads, spots, decisions = Roads(), [], 0
    for bead in beads:
        asked = {side: roads.ask(side) for side in Side}
        for road in DerivedRoad:
            marks = {asked[side][road] for side in Side}
            assert marks in ({None}, {Mark.RED, Mark.BLUE})
        grown = roads.add(bead)
        if bead.outcome is not Outcome.TIE:
            decisions += 1
            for road, mark in asked[Side(bead.outcome.value)].items():
                assert grown.derived[road] == roads.derived[road] + (() if mark is None else (mark,))
        else:
            assert grown.derived == roads.derived
        roads = grown
    assert roads == Roads.of(beads)
    assert derived(roads) == tuple(published_marks(letters, offset) for offset in (1, 2, 3))
    rows = rng.choice([6, rng.randrange(1, 9)])
    spots = [cell.spot for cell in roads.big_road(rows)]
    assert len(set(spots)) == len(spots) == (decisions or letters.startswith("T"))
    assert all(0 <= spot.row < rows for spot in spots)
    for before, after in pairwise(spots):
        assert after.row == 0 or after in {(before.column, before.row + 1), (before.column + 1, before.row)}
    winners = letters.replace("T", "")
    assert list(lay_out(winners[: decisions // 2], rows)) == spots[: decisions // 2]


@pytest.mark.slow
def test_laws_on_random_shoes():
    rng = random.Random(3)
    for _ in range(1_000):
        check_laws(rng)


@pytest.mark.long
def test_laws_on_20_000_random_shoes():
    rng = random.Random(20_000)
    for _ in range(20_000):
        check_laws(rng)
