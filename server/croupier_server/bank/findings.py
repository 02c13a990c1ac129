"""What an audit has found: figures, mismatches, and what it could not pin."""

from msgspec import Struct


class Mismatch(Struct, frozen=True):
    """Something that contradicts something else. `where` names the record; `cents` is the difference."""

    where: str
    text: str
    cents: int | None = None


class Figures(Struct, frozen=True):
    """Sums in cents, each as it was when it was read.

    `moved` is what was posted between those readings, by which they differ from one common moment:
    `wallets + in_flight + bankrolls + stakes + house + moved` is `issued - retired`.
    """

    players: int = 0
    tables: int = 0
    postings: int = 0
    wallets: int = 0
    in_flight: int = 0
    bankrolls: int = 0
    stakes: int = 0
    house: int = 0
    moved: int = 0
    issued: int = 0
    retired: int = 0


class AuditReport(Struct, frozen=True):
    """The outcome of an audit.

    `difference` is by how many cents there is more than was issued and not retired; None when something could
    not be read at a moment of its own, and `unpinned` says what.
    """

    figures: Figures
    difference: int | None
    mismatches: tuple[Mismatch, ...]
    unpinned: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing contradicts anything."""
        return not self.mismatches
