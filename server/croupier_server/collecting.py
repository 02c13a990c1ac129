"""When Python's garbage collector looks at everything.

By itself it does so whenever what it keeps has grown by a quarter: again and again while connections come in,
and nothing else happens while it walks through all of them. What comes in is no garbage. What a connection
leaves behind when it ends is: objects that refer to each other. So the young are collected as ever, and
everything is when connections have ended.
"""

import asyncio
import gc
import time
from typing import Final

from croupier_server.gateway.admission import Admission

NEVER: Final = 1_000_000_000
"""Collections of the middle generation before the old one is collected unasked."""

LOOK_S: Final = 1.0
"""Between two looks at whether it is due."""

LEAST_ENDED: Final = 1_000
"""Connections that have ended, at least, and as many as are open: so what it takes for each that ends stays
the same, however many there are. A thousand leave about ten megabytes."""

LONGEST_S: Final = 600.0
"""It is due at the latest after so long with nobody here: there is other garbage too. Each thousand open
connections, which take it some 50 ms, put it off by as long again, so its share of the time is the same."""


class Collecting:
    """Collects everything when it is due; `admission` knows of connections, where there are any."""

    def __init__(self, admission: Admission | None) -> None:
        self._admission = admission
        self._ended = 0
        self._at = time.monotonic()

    def begin(self) -> None:
        """What has been loaded so far is not looked at any more, and the old no more unasked."""
        gc.collect()
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)

    async def run(self) -> None:
        """Collects until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Collects if it is due, at `now` in steady seconds."""
        still_open, ended = (
            (0, 0) if self._admission is None else (self._admission.open, self._admission.ended)
        )
        longest_s = LONGEST_S * (1 + still_open / LEAST_ENDED)
        if ended - self._ended >= max(LEAST_ENDED, still_open) or now - self._at >= longest_s:
            gc.collect()
            self._ended, self._at = ended, now
