"""Roads as a terminal shows them: with and without colour, wide and narrow, in both languages."""

import re

import pytest

from croupier_client.cli.scoreboard import LATIN, SHAPES, Scoreboard, signs_for
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.glossary import ENGLISH, FRENCH, GLOSSARIES
from croupier_protocol.game.roads import Bead, DerivedRoad, Mark, Roads, read_letters

SHOE = [*read_letters("TBBPTTPPPBPB"), Bead(Outcome.BANKER, banker_pair=True)]
SHOE += [Bead(Outcome.TIE, player_pair=True, banker_pair=True), Bead(Outcome.PLAYER, player_pair=True)]

FULL = r"""
Bead plate
 T  P 'B
 B  P :T
 B  P .P
 P  B
 T  P
 T  B

Big road
 B/ P2 B  P  B .P
 B  P       'B/
    P
    P

Big eye boy   Small road   Cockroach road
ocococ        +            \/\
   c c        +
              +
              +

If Player is next  o + \
If Banker is next  c * /

P Player   B Banker   T Tie   / 2 one tie, two ties after it
' Banker Pair   . Player Pair   : both pairs
o*/ repeats   c+\ breaks
""".strip("\n")

COMPACT = """\
 B/ P2 B  P  B .P    ○◌○◌○◌   ◐   ╲╱╲
 B  P       ˙B/         ◌ ◌   ◐
    P                         ◐
    P                         ◐"""


def plain(text, _role):
    return text


def coloured(text, role):
    return f"\x1b[{role}]{text}\x1b[end]"


def test_every_road_with_its_name_and_a_legend():
    lines = Scoreboard(ENGLISH, plain, LATIN).full(Roads.of(SHOE))
    assert "\n".join(lines) == FULL


def test_the_compact_scoreboard_is_no_higher_than_its_highest_column():
    assert "\n".join(Scoreboard(FRENCH, plain).compact(Roads.of(SHOE))) == COMPACT
    assert list(Scoreboard(FRENCH, plain).compact(Roads())) == []


@pytest.mark.parametrize("kind", ["full", "compact"])
def test_colour_only_says_again_what_signs_say(kind):
    roads = Roads.of(SHOE)
    with_colour = list(getattr(Scoreboard(ENGLISH, coloured), kind)(roads))
    without = list(getattr(Scoreboard(ENGLISH, plain), kind)(roads))
    assert with_colour != without
    assert [re.sub(r"\x1b\[.*?\]", "", line).rstrip() for line in with_colour] == without


@pytest.mark.parametrize("signs", [SHAPES, LATIN])
def test_every_sign_is_a_different_one(signs):
    """M1: nothing is told by colour alone."""
    marks = [signs.marks[road][mark] for road in DerivedRoad for mark in Mark]
    pairs = [signs.banker_pair, signs.player_pair, signs.both_pairs]
    assert len({*marks, *pairs}) == 9


def test_marks_are_named_by_what_they_mean():
    """E8: red and blue of derived roads are no sides."""
    for glossary in GLOSSARIES.values():
        assert set(glossary.marks) == {Mark.RED, Mark.BLUE}
        sides = {*glossary.outcomes.values(), *glossary.sides.values()}
        assert not sides & set(glossary.marks.values())


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("kind", ["full", "compact"])
@pytest.mark.parametrize("glossary", [ENGLISH, FRENCH])
def test_a_long_shoe_stays_within_the_width_and_keeps_its_newest_coup(width, kind, glossary):
    roads = Roads.of([*read_letters("BPBBPPBPPP" * 9), Bead(Outcome.BANKER, True, True)])
    lines = list(getattr(Scoreboard(glossary, plain, SHAPES, width), kind)(roads))
    drawn = lines[:-3] if kind == "full" else lines
    assert max(map(len, drawn)) <= width
    assert any(":B" in line for line in lines)


@pytest.mark.parametrize(
    ("encoding", "signs"), [("utf-8", SHAPES), ("ascii", LATIN), ("latin-1", LATIN), ("no such", LATIN)]
)
def test_signs_that_the_terminal_can_show(encoding, signs):
    assert signs_for(encoding) is signs
