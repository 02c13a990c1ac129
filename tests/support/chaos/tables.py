"""The tables of a chaos run."""

from dataclasses import dataclass

RULES = ("standard", "single-deck", "eight-deck", "two-field", "vegas")

STEP_S = 0.12
"""The longest silence between two events of a turbo table that is on time: a betting window."""

CUT_S = 1.0
"""The same while a shoe is shuffled: each part of the cut waits so long for players who take part in it."""


@dataclass(frozen=True)
class Table:
    """One turbo table."""

    name: str
    rules: str

    @property
    def section(self) -> str:
        """Its part of a configuration file."""
        return f'\n[[tables]]\nname = "{self.name}"\nrules = "{self.rules}"\npace = "turbo"\n'

    @property
    def series(self) -> bool:
        """Whether every coup is dealt from a fresh deck."""
        return self.rules == "single-deck"


def turbo_tables(number: int) -> list[Table]:
    """So many tables, the rule sets in turn."""
    return [Table(f"table-{index}", RULES[index % len(RULES)]) for index in range(number)]
