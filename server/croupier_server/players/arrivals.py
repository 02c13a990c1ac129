"""How many new guests an address may bring, so that nobody fills tables and wallets with made-up people."""

from collections.abc import Callable
from typing import Annotated, Final

from msgspec import Meta, Struct

MOST_ADDRESSES: Final = 10_000
"""Addresses remembered at once; beyond it the one that came first is forgotten."""


class ArrivalRate(Struct, frozen=True):
    """New guests from one address: `burst` at once, and `a_minute` more in the long run.

    A class or a party behind one address comes in at once; a thousand made-up guests take over an hour.
    """

    burst: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="New guests that one address may bring at once.",
            extra={"unit": "guests"},
        ),
    ] = 30
    a_minute: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="New guests that one address may bring in the long run.",
            extra={"unit": "guests a minute"},
        ),
    ] = 10


class Arrivals:
    """Counts new guests per address, in this process; `steady` is a clock in seconds that never goes back.

    >>> arrivals = Arrivals(ArrivalRate(burst=1, a_minute=1), lambda: 0.0)
    >>> arrivals.admit("192.0.2.1"), arrivals.admit("192.0.2.1"), arrivals.admit("192.0.2.2")
    (True, False, True)
    """

    def __init__(self, rate: ArrivalRate, steady: Callable[[], float]) -> None:
        self._rate = rate
        self._steady = steady
        self._left: dict[str, tuple[float, float]] = {}

    def admit(self, address: str) -> bool:
        """Whether one more new guest may come from `address`, or whatever counts as one; counts it if so."""
        now = self._steady()
        left, since = self._left.pop(address, (float(self._rate.burst), now))
        left = min(self._rate.burst, left + (now - since) * self._rate.a_minute / 60)
        admitted = left >= 1
        self._left[address] = (left - 1 if admitted else left, now)
        if len(self._left) > MOST_ADDRESSES:
            del self._left[next(iter(self._left))]
        return admitted
