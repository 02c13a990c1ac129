"""What the verifier finds in a transcript: that all is well, and each way in which it may not be."""

import ast
import json
import sys
from pathlib import Path

import pytest

from croupier_client import verifier
from croupier_client.verifier.transcript import verify
from croupier_protocol.codec import JSON
from croupier_protocol.game.rules import RULE_SETS
from support.shoes import BEACON, Table, numbered


@pytest.mark.long
@pytest.mark.parametrize("rules", RULE_SETS)
def test_forty_shoes_of_every_rule_set_verify(rules):
    """With all that there is: cuts by none to four, values kept back, beacons, voids, takeovers, abandons."""
    lines, values = [], {}
    for seats in range(5):
        beacon = BEACON if seats % 2 else None
        table = Table(rules, seats, shy=(2,), name=f"t{seats}", beacon=beacon, undrawn=(3,), takeovers=True)
        for number in range(8):
            void_at = (3 + number, 50 + number) if number % 2 else ()
            table.shoe(void_at=void_at, abandon_after=5 if number == 6 else None)
        lines += table.lines
        values |= table.values
    report = verify(numbered(lines), beacons=values)
    assert report.failures == []
    assert not report.unchecked
    assert (report.passed["chain"], report.passed["previous"]) == (40, 35)
    assert len(report.withheld) == 24
    assert len(report.undrawn) == 2


@pytest.mark.parametrize("rules", RULE_SETS)
def test_shoes_of_every_rule_set_verify(rules):
    """Four: cut by several, one of whom does not reveal; with voids and takeovers; one abandoned; with a
    beacon, which does not come once.
    """
    table = Table(rules, seats=3, shy=(2,), beacon=BEACON, undrawn=(2,), takeovers=True)
    table.shoe(void_at=(3, 10)).shoe(abandon_after=5).shoe().shoe(void_at=(7,))
    report = verify(numbered(table.lines), beacons=table.values)
    assert report.failures == []
    assert not report.unchecked
    assert report.passed["seed"] == report.passed["order"] == report.passed["chain"] == 4
    assert report.passed["previous"] == 3
    assert report.passed["card"] > 600
    assert report.withheld == [("t", number, 2) for number in (1, 2, 3, 4)]
    assert [(table, shoe) for table, shoe, _ in report.undrawn] == [("t", 2)]


def test_a_beacon_that_nobody_compared_is_said_to_be_unchecked_and_one_that_differs_is_named(cut_with_beacon):
    table, lines = cut_with_beacon
    report = verify(numbered(lines))
    assert report.failures == []
    assert report.unchecked["beacon", "its value was not compared with its source"] == 1
    round_ = json.loads(lines[0])["beacon"]["round"]
    report = verify(numbered(lines), beacons={round_: bytes(64)})
    assert [(failure.check, failure.line) for failure in report.failures] == [
        ("beacon", find(lines, "shoe") + 1)
    ]
    assert verify(numbered(lines), beacons={round_: table.values[round_]}).failures == []


def test_a_shoe_that_was_abandoned_before_it_was_opened_verifies(cut_with_beacon):
    """Its seed is the one committed to, and the next shoe goes on from its end."""
    table = Table(seats=3, beacon=BEACON)
    while not table.state.view.cut or not table.state.view.cut.listed:
        table.step()
    table.step(cut_damaged=True)
    table.shoe(abandon_after=2)
    lines = table.lines
    assert [json.loads(line)["type"] for line in lines[:4]] == [
        "commitment",
        "cut_list",
        "shoe_end",
        "commitment",
    ]
    report = verify(numbered(lines))
    assert report.failures == []
    assert report.passed["chain"] == report.passed["seed"] == 2
    assert report.passed["previous"] == 1
    for field, false in (("seed", "A" * 43 + "="), ("contributions", []), ("chain", "A" * 43 + "=")):
        changed = list(lines)
        change(changed, 2, **{field: false})
        assert verify(numbered(changed)).failures[0].line == 3, field


def test_a_shoe_that_nobody_cut_verifies_and_says_so():
    table = Table().shoe()
    assert json.loads(table.lines[0])["cut_until_ms"] is None
    assert verify(numbered(table.lines)).failures == []


def test_a_transcript_may_begin_anywhere():
    """From a snapshot on: the cards and the order can be checked, the chain of the whole shoe cannot."""
    table = Table(seats=2).shoe()
    whole = list(table.lines)
    other = Table(seats=2)
    while len(other.lines) < 150:
        other.step()
    snapshot = view_line(other)
    report = verify(numbered([snapshot, *whole[150:]]))
    assert report.failures == []
    assert report.passed["order"] == 1
    assert report.passed["card"] > 200
    assert report.unchecked["chain", "the transcript does not have the whole shoe"] == 1


def test_a_transcript_may_begin_with_the_snapshot_of_any_moment():
    """In the cut, in a window, between cards, before and after a void."""
    table, views = Table(seats=2), []
    table.shoe(void_at=(7,), abandon_after=4, after_each=lambda: views.append(view_line(table)))
    for number, view in enumerate(views[:-1]):
        report = verify(numbered([view, *table.lines[number + 1 :]]))
        assert report.failures == []
        assert report.passed["seed"] == 1


def test_a_shoe_that_has_not_ended_leaves_its_cards_unchecked():
    table = Table()
    while len(table.lines) < 100:
        table.step()
    report = verify(numbered(table.lines))
    assert report.failures == []
    assert report.unchecked["card", "the shoe has not ended"] > 40
    shoe = table.held.shoe
    report = verify(numbered(table.lines), {("t", 1): shoe.commitments()})
    assert report.passed["card"] > 40
    report = verify(numbered(table.lines), {("t", 1): bytes(416 * 32)})
    assert [failure.check for failure in report.failures] == ["list"]


def view_line(table):
    return JSON.encode(table.state.view).decode()


@pytest.fixture(scope="module")
def played():
    """Two shoes cut by three, with a void."""
    lines = Table(seats=3).shoe(void_at=(30,)).shoe().lines
    assert verify(numbered(lines)).failures == []
    return lines


@pytest.fixture(scope="module")
def cut_with_beacon():
    """A short shoe with a beacon: its table and its lines."""
    table = Table(seats=2, beacon=BEACON).shoe(abandon_after=3)
    return table, table.lines


def another_beacon_named(lines):
    return change_beacon(lines, "commitment", round=1)


def another_beacon_drawn(lines):
    return change_beacon(lines, "shoe", round=1)


def another_beacon_ended_with(lines):
    return change_beacon(lines, "shoe_end", source="https://other.example/{round}#randomness")


def a_beacons_value_changed(lines):
    return change_beacon(lines, "shoe", value="A" * 43 + "=")


def a_beacons_value_dropped(lines):
    return change_beacon(lines, "shoe_end", value=None)


def a_beacon_left_out_everywhere(lines):
    """Then the seed is not bound to what is told."""
    for kind in ("commitment", "shoe", "shoe_end"):
        change(lines, find(lines, kind), beacon=None)
    return find(lines, "shoe_end")


def change_beacon(lines, kind, **fields):
    index = find(lines, kind)
    return change(lines, index, beacon={**json.loads(lines[index])["beacon"], **fields})


@pytest.mark.parametrize(
    "tamper",
    [
        another_beacon_named,
        another_beacon_drawn,
        another_beacon_ended_with,
        a_beacons_value_changed,
        a_beacons_value_dropped,
        a_beacon_left_out_everywhere,
    ],
)
def test_whoever_tampers_with_a_beacon_is_found(cut_with_beacon, tamper):
    _, played = cut_with_beacon
    lines = list(played)
    index = tamper(lines)
    failures = verify(numbered(lines)).failures
    assert failures, "nothing was found"
    assert failures[0].line == index + 1


def test_a_beacon_that_is_drawn_before_the_cut_closes_is_none(cut_with_beacon):
    _, played = cut_with_beacon
    lines = list(played)
    index = change_beacon(lines, "commitment", due_ms=json.loads(played[0])["cut_until_ms"])
    [failure] = verify(numbered(lines)).failures
    assert (failure.line, failure.check) == (index + 1, "beacon")


def find(lines, kind, number=0):
    """The index of the line with the message of `kind`, counted from 0."""
    return [index for index, line in enumerate(lines) if f'"type":"{kind}"' in line][number]


def change(lines, index, **fields):
    lines[index] = json.dumps({**json.loads(lines[index]), **fields}, separators=(",", ":"))
    return index


def one_card_changed(lines):
    index = find(lines, "card", 40)
    card = json.loads(lines[index])["card"]
    return change(lines, index, card=card[0] + ("s" if card[1] != "s" else "h"))


def two_cards_swapped(lines):
    """Two of one rank's worth would change no total: only their suits or places tell."""
    first, second = find(lines, "card", 40), find(lines, "card", 44)
    cards = [json.loads(lines[index])["card"] for index in (first, second)]
    change(lines, second, card=cards[0])
    return change(lines, first, card=cards[1])


def a_salt_changed(lines):
    index = find(lines, "card", 7)
    return change(lines, index, proof=json.loads(lines[index])["proof"][:4] + "A" * 20)


def a_card_left_out(lines):
    index = find(lines, "result", 5) - 1
    del lines[index]
    return index


def a_card_drawn_by_the_other_hand(lines):
    for index in range(find(lines, "result", 1), len(lines)):
        event = json.loads(lines[index])
        if event["type"] == "card" and event["index"] == 2:
            other = "banker" if event["hand"] == "player" else "player"
            return change(lines, index, hand=other)
    raise AssertionError("no third card")


def an_outcome_changed(lines):
    index = find(lines, "result", 3)
    outcome = json.loads(lines[index])["outcome"]
    return change(lines, index, outcome="tie" if outcome != "tie" else "player")


def a_contribution_dropped_from_the_shoe(lines):
    index = find(lines, "shoe", 1)
    return change(lines, index, contributions=json.loads(lines[index])["contributions"][1:])


def a_contribution_dropped_from_the_list(lines):
    index = find(lines, "cut_list", 1)
    return change(lines, index, contributions=json.loads(lines[index])["contributions"][:-1])


def a_contribution_dropped_at_the_end(lines):
    index = find(lines, "shoe_end", 1)
    return change(lines, index, contributions=json.loads(lines[index])["contributions"][:-1])


def a_contribution_dropped_everywhere(lines):
    """Nothing is left that tells of it: then the digest is that of another order."""
    for kind in ("cut_list", "shoe", "shoe_end"):
        index = find(lines, kind, 1)
        change(lines, index, contributions=json.loads(lines[index])["contributions"][1:])
    return find(lines, "shoe", 1)


def a_round_left_out(lines):
    first, after = find(lines, "betting", 9), find(lines, "betting", 10)
    del lines[first:after]
    return first


def a_void_left_out(lines):
    first = find(lines, "void")
    start = max(index for index in range(first) if '"type":"betting"' in lines[index])
    after = min(index for index in range(first, len(lines)) if '"type":"betting"' in lines[index])
    del lines[start:after]
    return start


def a_shoe_left_out(lines):
    """The first of three is followed by the third."""
    third = Table(seats=3).shoe().shoe().shoe().lines
    first, last = find(third, "commitment", 1), find(third, "commitment", 2)
    lines[:] = third[:first] + third[last:]
    return first


def an_end_left_out(lines):
    index = find(lines, "shoe_end")
    del lines[index]
    return index


def a_seed_that_does_not_match(lines):
    return change(lines, find(lines, "shoe_end"), seed="AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")


def a_cut_card_moved(lines):
    return change(lines, find(lines, "shoe", 1), cut_at=380)


def other_rules(lines):
    text = json.loads(lines[0])["rules_text"].replace('"8"', '"9"')
    return change(lines, 0, rules_text=text)


TAMPERINGS = [
    one_card_changed,
    two_cards_swapped,
    a_salt_changed,
    a_card_left_out,
    a_card_drawn_by_the_other_hand,
    an_outcome_changed,
    a_contribution_dropped_from_the_shoe,
    a_contribution_dropped_from_the_list,
    a_contribution_dropped_at_the_end,
    a_contribution_dropped_everywhere,
    a_round_left_out,
    a_void_left_out,
    a_shoe_left_out,
    an_end_left_out,
    a_seed_that_does_not_match,
    a_cut_card_moved,
    other_rules,
]


@pytest.mark.parametrize("tamper", TAMPERINGS)
def test_what_was_tampered_with_is_the_first_line_named(played, tamper):
    lines = list(played)
    index = tamper(lines)
    failures = verify(numbered(lines)).failures
    assert failures, "nothing was found"
    assert failures[0].line == index + 1


def test_a_line_that_cannot_be_read_is_named(played):
    lines = list(played)
    index = find(lines, "card")
    lines[index] = json.dumps(
        {key: value for key, value in json.loads(lines[index]).items() if key != "proof"}
    )
    failures = verify(numbered(lines)).failures
    assert (failures[0].line, failures[0].check) == (index + 1, "message")


def test_the_verifier_uses_the_standard_library_alone():
    modules = list(Path(verifier.__file__).parent.glob("*.py"))
    assert len(modules) > 1
    names = set()
    for node in (node for module in modules for node in ast.walk(ast.parse(module.read_text()))):
        if isinstance(node, ast.Import):
            names |= {name.name.partition(".")[0] for name in node.names}
        if isinstance(node, ast.ImportFrom) and not node.module.startswith(f"{verifier.__name__}."):
            names.add(node.module.partition(".")[0])
    assert names <= sys.stdlib_module_names
