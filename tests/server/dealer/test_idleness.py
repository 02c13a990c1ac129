"""Who is warned and cashed out for not playing."""

from croupier_server.dealer.idleness import Idleness

NOW = 10_000_000


def rounds(count, seen_ms, bettors=(), start=NOW, length_ms=25_000):
    """What each of `count` rounds says; a player in `seen_ms` was last seen then, or "now"."""
    idleness, said = Idleness(), []
    for number in range(count):
        now = start + number * length_ms
        seen = {player: now if at == "now" else at for player, at in seen_ms.items()}
        said.append(idleness.after_round(seen, bettors, now))
    return said


def test_a_player_who_bets_is_left_alone():
    assert rounds(50, {"ana": "now"}, bettors=("ana",)) == [([], [])] * 50


def test_a_seat_without_a_bet_is_warned_after_five_rounds_and_given_up_after_ten():
    said = rounds(10, {"ana": "now"})
    assert said == [([], [])] * 4 + [(["ana"], [])] + [([], [])] * 4 + [([], ["ana"])]


def test_ten_quick_rounds_are_not_enough_to_lose_a_seat():
    said = rounds(121, {"ana": "now"}, length_ms=500)
    assert [number for number, (warned, _) in enumerate(said) if warned] == [60]
    assert [number for number, (_, gone) in enumerate(said) if gone] == [120]


def test_a_bet_begins_the_count_anew():
    idleness = Idleness()
    now = NOW
    for _ in range(9):
        idleness.after_round({"ana": now}, (), now)
        now += 25_000
    idleness.after_round({"ana": now}, ("ana",), now)
    said = [idleness.after_round({"ana": at}, (), at) for at in range(now + 25_000, now + 275_000, 25_000)]
    assert said == [([], [])] * 4 + [(["ana"], [])] + [([], [])] * 4 + [([], ["ana"])]


def test_who_was_never_seen_counts_from_the_first_round():
    said = rounds(5, {"ana": 0}, bettors=("ana",))
    assert [gone for _, gone in said] == [[], [], [], ["ana"], ["ana"]]
    assert all(gone == [] for _, gone in rounds(60, {"ana": 0}, bettors=("ana",), length_ms=1_000))


def test_an_absent_player_has_three_rounds_and_a_minute():
    idleness = Idleness()
    idleness.after_round({"ana": NOW - 25_000}, ("ana",), NOW - 25_000)
    said = [idleness.after_round({"ana": NOW - 25_000}, ("ana",), NOW + 25_000 * n) for n in range(3)]
    assert [gone for _, gone in said] == [[], [], ["ana"]]


def test_three_quick_rounds_are_not_enough():
    said = rounds(100, {"ana": NOW}, bettors=("ana",), length_ms=500)
    assert all(gone == [] for _, gone in said)


def test_who_left_is_not_counted_on():
    idleness = Idleness()
    for number in range(9):
        idleness.after_round({"ana": NOW + 25_000 * number}, (), NOW + 25_000 * number)
    idleness.after_round({}, (), NOW + 225_000)
    assert idleness.after_round({"ana": NOW + 250_000}, (), NOW + 250_000) == ([], [])
