"""What was found in a transcript: how often each check passed, what failed, and what nobody could check."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Failure:
    """A line that is not what it has to be: which check it fails, and how."""

    line: int
    check: str
    detail: str


@dataclass(frozen=True, slots=True)
class Coup:
    """The cards of a finished round, whether it was voided, and its shoe."""

    player: list[str]
    banker: list[str]
    void: bool
    shoe: int


@dataclass(slots=True)
class Report:
    """What was checked, how often, what failed, and what could not be checked, with the reason.

    `withheld` are seats of a cut that did not reveal their value, as (table, shoe, seat), and `undrawn` the
    rounds of beacons that did not come in time, as (table, shoe, round). `coups` are those that were seen
    whole, by table and round, and `rules` the digest and the text of each shoe's rules.
    """

    passed: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    unchecked: Counter[tuple[str, str]] = field(default_factory=Counter)
    withheld: list[tuple[str, int, int]] = field(default_factory=list)
    undrawn: list[tuple[str, int, int]] = field(default_factory=list)
    coups: dict[tuple[str, int], Coup] = field(default_factory=dict)
    rules: dict[tuple[str, int], tuple[str, str | None]] = field(default_factory=dict)

    def judge(self, line: int, check: str, good: bool, detail: str) -> bool:
        """Counts a check that passed, or keeps how it failed."""
        if good:
            self.passed[check] += 1
        else:
            self.failures.append(Failure(line, check, detail))
        return good
