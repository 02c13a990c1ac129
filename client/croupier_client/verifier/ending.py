"""A shoe that has ended: its seed is open, and all that was told of it before is held against that."""

import hashlib
from collections.abc import Mapping
from typing import Final, NamedTuple

from croupier_client.verifier.cards import check_cards
from croupier_client.verifier.constructions import end_chain, rebuild, seed_commitment
from croupier_client.verifier.drawing import LONGEST_COUP
from croupier_client.verifier.reading import Message, beacon_name, drawn_of, raw, raw_or_none, sender_of
from croupier_client.verifier.report import Report
from croupier_client.verifier.shoe import Shoe

RENAMED: Final = "the beacon is not the one that was named with the commitment"


class _Told(NamedTuple):
    """What a line tells of how the shoe was made."""

    line: int
    contributions: list[Message]
    beacon: Message | None


class Ending:
    """The end of a shoe at `table`, which `event` in `line` tells of."""

    def __init__(self, table: str, report: Report, shoe: Shoe, line: int, event: Message) -> None:
        self._table = table
        self._report = report
        self._shoe = shoe
        self._line = line
        self._event = event
        self._seed = raw(event["seed"])

    def check(self, known: bytes | None, beacons: Mapping[int, bytes]) -> None:
        """Checks everything that the seed says; `known` is the list of commitments, where it is known."""
        shoe = self._shoe
        if not self._check_seed():
            check_cards(self._report, shoe, known, "the seed does not fit")
            return
        if shoe.opened is None and shoe.whole and self._event["reason"] is not None:
            self._check_unopened()
        else:
            self._check_order(known, beacons)
        self._check_chain()

    def _check_seed(self) -> bool:
        """Whether the seed is the one committed to, and which line tells of another beacon than was named."""
        shoe = self._shoe
        told = [(shoe.line, shoe.named), (self._line, self._event.get("beacon"))]
        if shoe.opened is not None:
            told.append((shoe.opened[0], shoe.beacon))
        fitting = [
            name
            for name in (beacon_name(beacon) for _, beacon in told)
            if seed_commitment(self._table, shoe.number, shoe.rules_digest, name, self._seed)
            == shoe.commitment
        ]
        if not fitting:
            why = "the seed is not the one that was committed to"
            return self._report.judge(self._line, "seed", False, why)
        right = fitting[0]
        self._report.passed["seed"] += 1
        for line, beacon in told:
            if right is not None or beacon is not None:
                self._report.judge(line, "beacon", beacon_name(beacon) == right, RENAMED)
        return True

    def _check_unopened(self) -> None:
        """A shoe that was abandoned in its cut: nothing has followed from its seed."""
        shoe = self._shoe
        shoe.begin_chain()
        listed = [] if shoe.listed is None else shoe.listed[1]
        same = [sender_of(one) for one in self._event["contributions"]] == [sender_of(one) for one in listed]
        self._report.judge(self._line, "cut", same, "the contributions are not those that were listed")

    def _check_order(self, known: bytes | None, beacons: Mapping[int, bytes]) -> None:
        """Rebuilds the shoe, and checks its cards and what was told of how it was made."""
        shoe, judge = self._shoe, self._report.judge
        told = [_Told(self._line, self._event["contributions"], self._event.get("beacon"))]
        if shoe.opened is not None or not shoe.whole:
            begun = shoe.line if shoe.opened is None else shoe.opened[0]
            told.append(_Told(begun, shoe.contributions, shoe.beacon))
        for one in told:
            self._check_values(one)
        for right in told:
            values = [raw(part["value"] or part["hash"]) for part in right.contributions]
            commitments, orders = rebuild(self._seed, values, drawn_of(right.beacon), shoe.decks, shoe.coups)
            if hashlib.sha256(commitments).digest() == shoe.digest:
                break
        else:
            why = "seed, contributions and beacon do not make the list of this digest"
            judge(told[-1].line, "order", False, why)
            check_cards(self._report, shoe, known, "the order does not fit")
            return
        self._report.passed["order"] += 1
        self._check_told(told, right)
        if right.beacon is not None:
            self._compare(told[-1].line, right.beacon, beacons)
        check_cards(self._report, shoe, commitments, "")
        if shoe.opened is not None and shoe.coups is None:
            burnt = orders[0][1 : 1 + shoe.opened[1]["burn"]["burnt"]]
            judge(self._line, "burn", self._event["burnt"] == burnt, "the burnt cards are others")

    def _check_told(self, told: list[_Told], right: _Told) -> None:
        """Which lines tell of other contributions, or of another beacon, than those that make the shoe."""
        judge, listed = self._report.judge, self._shoe.listed
        uncounted = "a contribution is not as it was counted"
        for one in told:
            judge(one.line, "cut", one.contributions == right.contributions, uncounted)
            if drawn_of(one.beacon) != drawn_of(right.beacon):
                judge(one.line, "beacon", False, "the beacon is not as it was counted")
        if listed is not None:
            counted = [sender_of(part) for part in right.contributions]
            judge(listed[0], "cut", [sender_of(part) for part in listed[1]] == counted, uncounted)
        elif right.contributions and self._shoe.whole:
            judge(told[-1].line, "cut", False, "the contributions were never listed")

    def _check_values(self, told: _Told) -> None:
        """Whether each value is that of its hash; notes the seats that did not reveal theirs."""
        for part in told.contributions:
            value, withheld = raw_or_none(part["value"]), (self._table, self._shoe.number, part["seat"])
            if value is not None:
                fits = hashlib.sha256(value).digest() == raw(part["hash"])
                why = f"the value of seat {part['seat']} is not its hash's"
                self._report.judge(told.line, "cut", fits, why)
            elif withheld not in self._report.withheld:
                self._report.withheld.append(withheld)

    def _compare(self, line: int, beacon: Message, beacons: Mapping[int, bytes]) -> None:
        """Compares a beacon's value with what its source gave, where that is known."""
        value, given = raw_or_none(beacon["value"]), beacons.get(beacon["round"])
        if value is None:
            self._report.undrawn.append((self._table, self._shoe.number, beacon["round"]))
        elif given is None:
            self._report.unchecked["beacon", "its value was not compared with its source"] += 1
        else:
            self._report.judge(line, "beacon", value == given, "the source gave another value")

    def _check_chain(self) -> None:
        """Whether the hash of the end accounts for every round, and whether the shoe might end."""
        shoe, reason, judge = self._shoe, self._event["reason"], self._report.judge
        if shoe.chain is None or not shoe.whole:
            self._report.unchecked["chain", "the transcript does not have the whole shoe"] += 1
            return
        told = end_chain(shoe.chain, self._seed, reason)
        why = "the hash of the end is not that of what was dealt"
        judge(self._line, "chain", told == raw(self._event["chain"]), why)
        runs_short = shoe.coups is None and shoe.position > 52 * shoe.decks - LONGEST_COUP
        due = shoe.last or reason is not None or runs_short
        judge(self._line, "last coup", due, "the shoe ends before its last coup")
