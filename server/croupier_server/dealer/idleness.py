"""Which seats are given up because nobody plays them: a pure count, round by round.

The counts are a dealer's own and begin anew when a table changes hands: a player is never cashed out early.
"""

from collections.abc import Collection, Mapping
from typing import Final

from croupier_protocol.messages.values import PlayerId
from croupier_server.store.tables import PRESENT_MS

ABSENT_ROUNDS: Final = 3
ABSENT_MS: Final = 60_000
"""A seat whose player has been gone for so many rounds and for so long is cashed out."""

UNBET_WARNED: Final = 5
UNBET_WARNED_MS: Final = 30_000
UNBET_ROUNDS: Final = 10
UNBET_MS: Final = 60_000
"""A seat without a bet for so many rounds and for so long is warned, and then cashed out. At a standard pace
the rounds take longer; at turbo pace a gateway that is held up for three seconds would lose all its seats."""


class Idleness:
    """The counts of one table's seats."""

    def __init__(self) -> None:
        self._since: dict[PlayerId, int] = {}
        self._absent: dict[PlayerId, int] = {}
        self._unbet: dict[PlayerId, int] = {}
        self._unbet_since: dict[PlayerId, int] = {}
        self._warned: set[PlayerId] = set()

    def after_round(
        self, seen_ms: Mapping[PlayerId, int], bettors: Collection[PlayerId], now_ms: int
    ) -> tuple[list[PlayerId], list[PlayerId]]:
        """Counts a finished round; returns who is to be warned and who is to be cashed out.

        `seen_ms` has every seated player and when a gateway last had them, 0 for never.

        >>> idleness = Idleness()
        >>> [idleness.after_round({"ana": now}, (), now) for now in range(0, 50_000, 10_000)][-1]
        (['ana'], [])
        """
        # Who has just sat down has not been seen by a gateway yet.
        self._since = {player: self._since.get(player, now_ms) for player in seen_ms}
        seen_ms = {player: max(seen, self._since[player]) for player, seen in seen_ms.items()}
        self._absent = {
            player: 0 if now_ms - seen <= PRESENT_MS else self._absent.get(player, 0) + 1
            for player, seen in seen_ms.items()
        }
        self._unbet = {
            player: 0 if player in bettors else self._unbet.get(player, 0) + 1 for player in seen_ms
        }
        self._unbet_since = {
            player: now_ms if player in bettors else self._unbet_since.get(player, now_ms)
            for player in seen_ms
        }
        gone = [
            player
            for player, seen in seen_ms.items()
            if (self._absent[player] >= ABSENT_ROUNDS and now_ms - seen > ABSENT_MS)
            or self._is_unbet(player, UNBET_ROUNDS, now_ms - UNBET_MS)
        ]
        idle = {
            player for player in seen_ms if self._is_unbet(player, UNBET_WARNED, now_ms - UNBET_WARNED_MS)
        }
        warned = [player for player in seen_ms if player in idle - self._warned]
        self._warned = idle
        return warned, gone

    def _is_unbet(self, player: PlayerId, rounds: int, since_ms: int) -> bool:
        return self._unbet[player] >= rounds and self._unbet_since[player] <= since_ms
