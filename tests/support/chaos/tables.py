"""The tables of a chaos run."""

from dataclasses import dataclass

from croupier_server.table.pace import TURBO

RULES = ("standard", "single-deck", "eight-deck", "two-field", "vegas")

STEP_S = TURBO.longest_ms / 1000
"""The longest silence between two events of a turbo table that is on time."""


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
