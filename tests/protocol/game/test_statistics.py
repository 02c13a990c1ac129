"""Statistics of a shoe."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from croupier_protocol.game.coup import Coup, Outcome, Side
from croupier_protocol.game.roads import Bead, Roads, read_letters
from croupier_protocol.game.statistics import Drew, Statistics, Streak

beads = st.lists(st.builds(Bead, st.sampled_from(Outcome), st.booleans(), st.booleans(), st.booleans()))


def test_a_new_shoe_has_seen_nothing():
    seen = Statistics()
    assert (seen.coups, seen.streak, seen.longest) == (0, None, {Side.PLAYER: 0, Side.BANKER: 0})


def test_a_shoe():
    seen = Statistics.of(read_letters("TBBPTPPTPBT"))
    assert seen.coups == 11
    assert seen.outcomes == {Outcome.PLAYER: 4, Outcome.BANKER: 3, Outcome.TIE: 4}
    assert seen.longest == {Side.PLAYER: 4, Side.BANKER: 2}
    assert seen.streak == Streak(Side.BANKER, 1)
    assert seen.drawn_known == 0


def test_naturals_pairs_and_third_cards():
    coups = [
        (Coup.of("9s 9h 9d Kh"), Drew(player=False, banker=False)),  # Banker's natural 9, Player pair
        (Coup.of("Ks 8h Qs 8d 9d"), Drew(player=True, banker=False)),  # Banker pair
        (Coup.of("4s 9h 4d 9d"), Drew(player=False, banker=False)),  # a natural tie, both pairs
        (Coup.of("5s 2h Ks Kh 2d 3c"), None),  # its cards were not told
    ]
    seen = Statistics()
    for coup, drew in coups:
        seen = seen.add(coup, drew)
    assert (seen.naturals, seen.player_pairs, seen.banker_pairs, seen.both_pairs) == (2, 2, 2, 1)
    assert (seen.drawn_known, seen.player_thirds, seen.banker_thirds) == (3, 1, 0)
    assert (seen.coups, seen.streak) == (4, Streak(Side.PLAYER, 2))


@given(beads)
def test_every_coup_is_counted_once_and_streaks_are_columns(shoe):
    seen = Statistics.of(shoe)
    assert seen.coups == len(shoe)
    columns = [(column[0].winner.value, len(column)) for column in Roads.of(shoe).columns]
    assert (None if seen.streak is None else (seen.streak.side.value, seen.streak.length)) == (
        columns[-1] if columns else None
    )
    runs = [(bead.outcome.value) for bead in shoe if bead.outcome is not Outcome.TIE]
    for side in Side:
        lengths = [len(list(run)) for winner, run in groupby(runs) if winner == side.value]
        assert seen.longest[side] == max(lengths, default=0)
