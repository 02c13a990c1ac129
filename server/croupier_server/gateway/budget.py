"""What one connection may send: so many bytes and so many commands a second, with room for bursts."""

from typing import Final

from croupier_protocol.messages.to_server import (
    ClientMessage,
    History,
    Lobby,
    MyRounds,
    Rules,
    Sit,
    Watch,
)

RATE: Final = 200.0
"""Tokens a second: far above what a person or a scripted player needs."""

BURST: Final = 600.0
"""Tokens in hand after a quiet while."""

COSTS: Final[dict[type, float]] = {
    Lobby: 20.0,
    Watch: 5.0,
    Rules: 5.0,
    History: 5.0,
    MyRounds: 5.0,
    Sit: 5.0,
}
"""Commands whose answers are long, or that look at many tables; all others cost one token."""

MOST_REFUSED: Final = 200
"""Refused commands, less those answered since, at which the connection is cut."""

BYTES_RATE: Final = 64 * 1024.0
"""Bytes a second, `FRAME_BYTES` of it for each frame whatever its size: 200 commands a second fit in."""

BYTES_BURST: Final = 512 * 1024.0
"""Bytes in hand after a quiet while: thousands of commands, which `BURST` refuses first."""

FRAME_BYTES: Final = 100
"""What a frame counts for beside its bytes: reading it costs as much, and a ping has only six."""


class Bucket:
    """Tokens that come back with time: up to `burst`, `rate` in a second.

    >>> bucket = Bucket(rate=10.0, burst=20.0, now=0.0)
    >>> bucket.take(20.0, now=0.0), bucket.take(1.0, now=0.0), bucket.take(1.0, now=0.1)
    (True, False, True)
    """

    __slots__ = ("_burst", "_filled", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._filled = now

    def take(self, tokens: float, now: float) -> bool:
        """Takes so many at `now`, in steady seconds; takes none, and says false, where there are fewer."""
        self._tokens = min(self._tokens + (now - self._filled) * self._rate, self._burst)
        self._filled = now
        if tokens > self._tokens:
            return False
        self._tokens -= tokens
        return True


class Budget:
    """The commands of one connection.

    >>> from croupier_protocol.messages.to_server import Ping
    >>> budget = Budget(now=0.0)
    >>> sum(budget.take(Ping(), now=0.0) for _ in range(1000))
    600
    >>> budget.take(Ping(), now=0.1)
    True
    """

    def __init__(self, now: float) -> None:
        self._tokens = Bucket(RATE, BURST, now)
        self._refused = 0

    def take(self, command: ClientMessage, now: float) -> bool:
        """Whether `command`, sent at `now` in steady seconds, is within the budget."""
        if self._tokens.take(COSTS.get(type(command), 1.0), now):
            self._refused = max(0, self._refused - 1)
            return True
        self._refused += 1
        return False

    @property
    def spent(self) -> bool:
        """Whether the connection goes on sending although most of it is refused."""
        return self._refused >= MOST_REFUSED
