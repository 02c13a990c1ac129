"""Who may open one more websocket: judged before the handshake, when it costs least to say no.

Pages and open connections are not affected. Whoever is refused is told when to try again.
"""

import logging
from collections import Counter
from enum import Enum
from http import HTTPStatus
from typing import Final

from croupier_server.gateway.addresses import Caller
from croupier_server.gateway.lag import Lag

logger = logging.getLogger(__name__)

SAID_S: Final = 60.0
"""The log has each reason at most once in so many seconds."""


class Refusal(Enum):
    """Why not now: the answer's status, its Retry-After in seconds, and its text.

    Clients come back within once to twice as many seconds. Being behind passes when nothing is added to it;
    a place becomes free when somebody leaves.
    """

    FULL = HTTPStatus.SERVICE_UNAVAILABLE, 10, "This server has as many connections as it takes."
    BEHIND = HTTPStatus.SERVICE_UNAVAILABLE, 3, "This server is busy for the moment."
    ADDRESS = HTTPStatus.TOO_MANY_REQUESTS, 10, "Your address has as many connections as it may."

    def __init__(self, status: HTTPStatus, retry_after_s: int, text: str) -> None:
        self.status = status
        self.retry_after_s = retry_after_s
        self.text = text


class Admission:
    """Counts websockets from the request for each to its end: `most` in all, `per_address` of one caller.

    >>> admission = Admission(most=2, per_address=1, lag=Lag())
    >>> admission.admit(Caller("192.0.2.1"), now=0.0), admission.admit(Caller("192.0.2.1"), now=0.0)
    (None, <Refusal.ADDRESS: ...>)
    """

    def __init__(self, most: int, per_address: int, lag: Lag) -> None:
        self.open = 0
        self.ended = 0
        self.refused: Counter[Refusal] = Counter()
        self._most = most
        self._per_address = per_address
        self._lag = lag
        self._callers: Counter[Caller] = Counter()
        self._said: dict[Refusal, float] = {}

    def admit(self, caller: Caller | None, now: float) -> Refusal | None:
        """Takes one more in, or says why not; None as caller is one that is not counted by address."""
        refusal = self._judge(caller)
        if refusal is None:
            self.open += 1
            if caller is not None:
                self._callers[caller] += 1
        else:
            self.refused[refusal] += 1
            self._say(refusal, caller, now)
        return refusal

    def leave(self, caller: Caller | None) -> None:
        """Ends what `admit` began."""
        self.open -= 1
        self.ended += 1
        if caller is not None:
            self._callers[caller] -= 1
            if not self._callers[caller]:
                del self._callers[caller]

    def _judge(self, caller: Caller | None) -> Refusal | None:
        if self.open >= self._most:
            return Refusal.FULL
        if caller is not None and self._callers[caller] >= self._per_address:
            return Refusal.ADDRESS
        return Refusal.BEHIND if self._lag.behind else None

    def _say(self, refusal: Refusal, caller: Caller | None, now: float) -> None:
        if now < self._said.get(refusal, now):
            return
        self._said[refusal] = now + SAID_S
        match refusal:
            case Refusal.FULL:
                logger.warning("%d connections are open, which is the limit; new ones get 503", self.open)
            case Refusal.BEHIND:
                late_ms = self._lag.least_s * 1000
                logger.warning("the event loop is %d ms behind; new connections get 503", late_ms)
            case Refusal.ADDRESS:
                logger.warning(
                    "%d connections come from %s, which is the limit of an address (gateway.per_address);"
                    " if it is a proxy of yours, name it in gateway.trusted_proxies",
                    self._per_address,
                    caller,
                )
