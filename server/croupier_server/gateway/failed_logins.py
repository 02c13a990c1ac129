"""Failed logins of one gateway, told as significant events once a second: together, and within bounds."""

import asyncio
from collections import Counter
from typing import Final

from croupier_protocol.messages.errors import ErrorCode
from croupier_server.gateway.addresses import Caller
from croupier_server.store.significant import Kind, Significant, SignificantEvents

TELL_S: Final = 1.0
"""Between two tellings."""

MOST_TOLD: Final = 20
"""Addresses told of at a time, those with most failures first; all others are one event without any."""

MOST_COUNTED: Final = 1_000
"""Addresses told apart between two tellings."""

FAILURES: Final = frozenset(
    {
        ErrorCode.BAD_CODE,
        ErrorCode.BAD_TOKEN,
        ErrorCode.TOKEN_EXPIRED,
        ErrorCode.TOKEN_REVOKED,
        ErrorCode.BAD_RESUME,
    }
)
"""Refusals that mean a proof which does not count."""

_Failure = tuple[str, ErrorCode]

ELSEWHERE: Final = ""
"""Where the address does not count, or where there are too many to tell apart."""


class FailedLogins:
    """Counts them, and tells of them while `run` runs."""

    def __init__(self, events: SignificantEvents) -> None:
        self._events = events
        self._counted: Counter[_Failure] = Counter()

    def refused(self, code: ErrorCode, caller: Caller | None) -> None:
        """A `hello` was refused; `caller` is where it came from, where that is known."""
        if code not in FAILURES:
            return
        failure = (caller or ELSEWHERE, code)
        if failure not in self._counted and len(self._counted) >= MOST_COUNTED:
            failure = (ELSEWHERE, code)
        self._counted[failure] += 1

    async def run(self) -> None:
        """Tells until cancelled."""
        while True:
            await asyncio.sleep(TELL_S)
            await self.tell()

    async def tell(self) -> None:
        """Tells of those since the last time."""
        counted, self._counted = self._counted, Counter()
        told = [one for one in counted.most_common() if one[0][0] != ELSEWHERE][:MOST_TOLD]
        rest = counted - Counter(dict(told))
        others = Counter[ErrorCode]()
        for (_, code), times in rest.items():
            others[code] += times
        for (address, code), times in told:
            await self._note(code, times, address)
        for code, times in others.items():
            await self._note(code, times, None)

    async def _note(self, code: ErrorCode, times: int, address: str | None) -> None:
        await self._events.note(Significant(Kind.LOGIN_FAILED, what=code.value, times=times, address=address))
