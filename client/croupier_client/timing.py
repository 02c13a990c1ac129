"""How long the client waits for what, and how it spaces its tries. Clock and chance are arguments."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

MAX_RETRY_AFTER_S: Final = 300.0
"""A server's Retry-After counts up to this; beyond it, asking again costs nobody anything."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The client's clock, its source of chance, and its waits in seconds.

    A connection that lasted `stable_s` counts as good, so that the next loss starts from short waits again.
    An operation with money in it is sent again for `operation_s`, a question for `answer_s`.
    `silence_s` holds until the server names its own with `welcome`.
    """

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    uniform: Callable[[float, float], float] = random.SystemRandom().uniform
    base_s: float = 0.25
    cap_s: float = 10.0
    stable_s: float = 5.0
    first_s: float = 10.0
    open_s: float = 10.0
    answer_s: float = 10.0
    operation_s: float = 30.0
    silence_s: float = 50.0


class Backoff:
    """Waits between tries: exponential, with full jitter, the first one too.

    The wait before try n is anything from zero to ``base · 2^n``, at most the cap. When a server with
    thousands of watchers stops, they come back spread out and not in step. What a server asks for is told to
    all that it turns away, so from there the wait is spread over as long again.
    """

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._failures = 0

    def wait_s(self, retry_after_s: float = 0.0) -> float:
        """The wait before the next try, on top of what a server asked for; counts one failure."""
        ceiling = min(self._timing.base_s * 2.0 ** min(self._failures, 32), self._timing.cap_s)
        self._failures += 1
        asked_s = min(retry_after_s, MAX_RETRY_AFTER_S)
        return asked_s + self._timing.uniform(0.0, max(ceiling, asked_s))

    def reset(self) -> None:
        """The last connection was good."""
        self._failures = 0
