"""How many commands one connection may send: so many a second, with room for bursts."""

from typing import Final

from croupier_protocol.messages.to_server import ClientMessage, History, Lobby, MyRounds, Rules, Watch

RATE: Final = 200.0
"""Tokens a second: far above what a person or a scripted player needs."""

BURST: Final = 600.0
"""Tokens in hand after a quiet while."""

COSTS: Final[dict[type, float]] = {Lobby: 20.0, Watch: 5.0, Rules: 5.0, History: 5.0, MyRounds: 5.0}
"""Commands whose answers are long; all others cost one token."""

MOST_REFUSED: Final = 200
"""Commands refused for want of tokens, one after the other, before the connection is cut."""


class Budget:
    """The tokens of one connection.

    >>> from croupier_protocol.messages.to_server import Ping
    >>> budget = Budget(now=0.0)
    >>> sum(budget.take(Ping(), now=0.0) for _ in range(1000))
    600
    >>> budget.take(Ping(), now=0.1)
    True
    """

    def __init__(self, now: float) -> None:
        self.refused = 0
        self._tokens = BURST
        self._filled = now

    def take(self, command: ClientMessage, now: float) -> bool:
        """Whether `command`, sent at `now` in steady seconds, is within the budget."""
        self._tokens = min(self._tokens + (now - self._filled) * RATE, BURST)
        self._filled = now
        cost = COSTS.get(type(command), 1.0)
        if cost > self._tokens:
            self.refused += 1
            return False
        self.refused = 0
        self._tokens -= cost
        return True

    @property
    def spent(self) -> bool:
        """Whether the connection goes on sending although nothing is answered any more."""
        return self.refused >= MOST_REFUSED
