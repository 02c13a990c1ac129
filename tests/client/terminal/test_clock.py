"""The countdown of a terminal table."""

from croupier_client.terminal.clock import ShownClock


def test_m4_no_second_comes_back_when_the_estimate_gets_better():
    clock = ShownClock()
    assert [clock.shown(now_ms) for now_ms in (5_000.0, 4_200.0, 4_900.0, 5_100.0)] == [
        5_000.0,
        5_000.0,
        5_000.0,
        5_100.0,
    ]


def test_another_clock_is_believed_at_once():
    clock = ShownClock()
    assert [clock.shown(now_ms) for now_ms in (60_000.0, 1_000.0, 1_100.0)] == [60_000.0, 1_000.0, 1_100.0]
