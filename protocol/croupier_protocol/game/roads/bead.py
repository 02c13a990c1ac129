"""Beads: what a scoreboard keeps of a finished coup, and the plate that shows every one of them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.roads.layout import ROWS, Spot

LETTERS: Final[Mapping[Outcome, str]] = {Outcome.PLAYER: "P", Outcome.BANKER: "B", Outcome.TIE: "T"}
"""The letter that stands for each outcome."""

_OUTCOMES: Final = {letter: outcome for outcome, letter in LETTERS.items()}


class FinishedCoup(Protocol):
    """What the roads need to know of a coup: cards, results and past coups on the wire all have it."""

    @property
    def outcome(self) -> Outcome: ...
    @property
    def player_pair(self) -> bool: ...
    @property
    def banker_pair(self) -> bool: ...
    @property
    def natural(self) -> bool: ...


class Bead(NamedTuple):
    """One finished coup."""

    outcome: Outcome
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    @classmethod
    def of(cls, coup: FinishedCoup) -> "Bead":
        """The bead that `coup` leaves."""
        return cls(coup.outcome, coup.player_pair, coup.banker_pair, coup.natural)


class PlacedBead(NamedTuple):
    """A bead and where the plate shows it."""

    spot: Spot
    bead: Bead


def bead_plate(beads: Sequence[Bead], rows: int = ROWS, columns: int | None = None) -> tuple[PlacedBead, ...]:
    """The beads as a plate of `rows` rows shows them: down each column, ties too, oldest first.

    With `columns`, the plate is so wide and scrolls by whole columns when it is full: a bead keeps its row.

    >>> beads = read_letters("BPTBBPBP")
    >>> [tuple(placed.spot) for placed in bead_plate(beads)][-3:]
    [(0, 5), (1, 0), (1, 1)]
    >>> [tuple(placed.spot) for placed in bead_plate(beads, columns=1)]
    [(0, 0), (0, 1)]
    """
    filled = -(-len(beads) // rows)
    hidden = 0 if columns is None else max(0, filled - columns)
    return tuple(
        PlacedBead(Spot(index // rows - hidden, index % rows), bead)
        for index, bead in enumerate(beads)
        if index // rows >= hidden
    )


def read_letters(letters: str) -> tuple[Bead, ...]:
    """Beads for a text of B, P and T, oldest first; what letters do not say is false.

    Raises:
        ValueError: another character is among them.
    """
    unknown = next((letter for letter in letters if letter not in _OUTCOMES), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r} is no outcome; write B for Banker, P for Player and T for a tie")
    return tuple(Bead(_OUTCOMES[letter]) for letter in letters)
