"""New guests per address."""

import pytest

from croupier_server.players.arrivals import MOST_ADDRESSES, ArrivalRate, Arrivals


class Clock:
    seconds = 1_000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


def admitted(arrivals, address, tries):
    return sum(arrivals.admit(address) for _ in range(tries))


def test_a_burst_comes_in_and_then_so_many_a_minute(clock):
    arrivals = Arrivals(ArrivalRate(burst=5, a_minute=6), clock)
    assert admitted(arrivals, "192.0.2.1", 20) == 5
    clock.seconds += 9.9
    assert admitted(arrivals, "192.0.2.1", 20) == 0
    clock.seconds += 0.1
    assert admitted(arrivals, "192.0.2.1", 20) == 1
    clock.seconds += 3_600
    assert admitted(arrivals, "192.0.2.1", 20) == 5


def test_addresses_do_not_share_a_limit(clock):
    arrivals = Arrivals(ArrivalRate(burst=2, a_minute=1), clock)
    assert admitted(arrivals, "192.0.2.1", 5) == 2
    assert admitted(arrivals, "192.0.2.2", 5) == 2


def test_only_so_many_addresses_are_remembered(clock):
    arrivals = Arrivals(ArrivalRate(burst=1, a_minute=1), clock)
    for number in range(MOST_ADDRESSES + 100):
        arrivals.admit(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(arrivals._left) == MOST_ADDRESSES
