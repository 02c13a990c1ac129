"""How long each step of a round takes, in milliseconds."""

from typing import Annotated, Final

from msgspec import Meta, Struct

Length = Annotated[int, Meta(ge=0, le=3_600_000)]


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """Lengths of the steps of a round.

    The cut of a shoe takes hashes for `cut_ms` and then values for `reveal_ms`, or until everybody has sent
    theirs. `shuffling_ms` lies between a new shoe and its first window, `closing_ms` between the window's
    end and the first card, `card_ms` after every card: also after the last, so that nobody can tell from
    the timing whether another one comes. `result_ms` is how long the outcome stays on show.
    """

    name: str
    shuffling_ms: Length
    betting_ms: Length
    closing_ms: Length
    card_ms: Length
    result_ms: Length
    cut_ms: Length = 0
    reveal_ms: Length = 0

    @property
    def longest_ms(self) -> int:
        """The longest silence between two events of a table that is not late."""
        return max(
            self.cut_ms,
            self.reveal_ms,
            self.shuffling_ms,
            self.betting_ms,
            self.closing_ms,
            self.card_ms,
            self.result_ms,
        )


STANDARD: Final = Pace("standard", 6_000, 15_000, 1_000, 1_000, 4_000, cut_ms=2_000, reveal_ms=2_000)
"""A live table: about 25 seconds a round."""

SPEED: Final = Pace("speed", 3_000, 7_000, 500, 400, 2_000, cut_ms=1_000, reveal_ms=1_000)
"""About 12 seconds a round."""

TURBO: Final = Pace("turbo", 60, 120, 15, 15, 60, cut_ms=1_000, reveal_ms=1_000)
"""Under 300 ms a round: for tests and load, where a day of play must pass in minutes."""

PACES: Final = {pace.name: pace for pace in (STANDARD, SPEED, TURBO)}
