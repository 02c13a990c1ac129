"""Checks what tables dealt, from a transcript alone. Standard library only: nothing here deals.

The constructions and the rules of drawing are written anew from `docs/fairness.md`, so that a mistake in the
code that deals is found and not repeated. What a transcript holds are the messages of the wire as JSON, in
order: snapshots and events; others are passed over.

One file, so that it can be read and carried away as one: `verify` and its report; `_Table`, which follows a
transcript line by line; `_Ending`, which holds a shoe against its seed; and then, as functions, the rules of
drawing, the constructions, and how messages are read.
"""

import base64
import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

RANKS: Final = "A23456789TJQK"
VALUES: Final = {rank: min(pips, 10) % 10 for pips, rank in enumerate(RANKS, 1)}
DECK: Final = [rank + suit for suit in "shdc" for rank in RANKS]
LONGEST_COUP: Final = 6
PROOF_BYTES: Final = 18

_RENAMED: Final = "the beacon is not the one that was named with the commitment"

Message = Mapping[str, Any]


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


@dataclass(slots=True)
class Shoe:
    """What a transcript has told of one shoe so far."""

    number: int
    line: int
    rules_digest: str
    commitment: bytes
    previous: bytes | None
    named: Message | None
    beacon: Message | None = None
    decks: int = 0
    rules: Message | None = None
    whole: bool = True
    cut_taken: bool | None = None
    listed: tuple[int, list[Message]] | None = None
    opened: tuple[int, Message] | None = None
    contributions: list[Message] = field(default_factory=list)
    digest: bytes | None = None
    cut_at: int | None = None
    coups: int | None = None
    cards: list[tuple[int, int, int, str, bytes]] = field(default_factory=list)
    chain: bytes | None = None
    position: int = 0
    coup: int = 0
    last: bool = False


def verify(
    lines: Iterable[tuple[int, Message]],
    lists: Mapping[tuple[str, int], bytes] | None = None,
    beacons: Mapping[int, bytes] | None = None,
) -> Report:
    """Checks numbered messages.

    `lists` has the commitments to cards that are known, by table and shoe; `beacons` the values of beacons by
    their rounds, as their source gave them to whoever asks: nothing is fetched here.
    """
    report = Report()
    tables: dict[str, _Table] = {}
    for line, message in lines:
        name = message.get("table")
        if isinstance(name, str):
            table = tables.setdefault(name, _Table(name, report, lists or {}, beacons or {}))
            try:
                table.take(line, message)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                report.failures.append(Failure(line, "message", f"it cannot be read: {error!r}"))
    for table in tables.values():
        table.leave()
    report.failures.sort(key=lambda failure: failure.line)
    return report


class _Table:
    """One table's transcript, message after message."""

    def __init__(
        self,
        name: str,
        report: Report,
        lists: Mapping[tuple[str, int], bytes],
        beacons: Mapping[int, bytes],
    ) -> None:
        self._name = name
        self._report = report
        self._lists = lists
        self._beacons = beacons
        self._shoe: Shoe | None = None
        self._ended: tuple[int, bytes] | None = None
        self._round: int | None = None
        self._open = False
        self._hands: dict[str, list[str]] = {"player": [], "banker": []}

    def take(self, line: int, message: Message) -> None:
        """Checks one message; those that say nothing of a shoe are passed over."""
        step = {
            "snapshot": self._snapshot,
            "commitment": self._commitment,
            "cut_list": self._cut_list,
            "shoe": self._opened,
            "betting": self._betting,
            "card": self._card,
            "result": self._result,
            "void": self._void,
            "shoe_end": self._end,
        }.get(str(message.get("type")))
        if step is not None:
            step(line, message)

    def leave(self) -> None:
        """The transcript is over: what has not been opened cannot be checked."""
        shoe = self._shoe
        if shoe is not None:
            if shoe.opened is not None and _name(shoe.beacon) != _name(shoe.named):
                self._report.judge(shoe.opened[0], "beacon", False, _RENAMED)
            _check_cards(self._report, shoe, self._known(shoe), "the shoe has not ended")
            self._report.unchecked["seed", "the shoe has not ended"] += 1
            self._report.unchecked["chain", "the shoe has not ended"] += 1
        self._shoe = None

    def _snapshot(self, line: int, view: Message) -> None:
        """Begins here, or goes on after a gap: what came before is not known."""
        told, cut = view["shoe"], view.get("cut")
        if self._shoe is None or told is None or told["number"] != self._shoe.number or told["end"]:
            self.leave()
            self._ended = None
            if told is not None and told["end"]:
                self._ended = told["number"], _bytes(told["end"])
        if cut is not None:
            self._shoe = _begun(cut["shoe"], line, cut["rules"]["digest"], cut)
            self._shoe.cut_taken = cut["until_ms"] is not None
            if cut["listed"]:
                self._shoe.listed = line, cut["contributions"]
        elif told is not None and not told["end"]:
            if self._shoe is None:
                self._shoe = _begun(told["number"], line, view["rules"]["digest"], told)
            shoe = self._shoe
            shoe.whole, shoe.decks = False, told["decks"]
            self._report.rules.setdefault((self._name, shoe.number), (shoe.rules_digest, None))
            shoe.digest, shoe.contributions = _bytes(told["digest"]), told["contributions"]
            shoe.beacon = told.get("beacon")
            shoe.cut_at, shoe.coups, shoe.position = told["cut_at"], told["coups"], told["dealt"]
            shoe.coup, shoe.last, shoe.chain = view["coup"], view["last"], None
        self._hands = {side: list(view[side]["cards"]) for side in ("player", "banker")}
        self._round = view["round"]
        self._open = view["phase"] in {"betting", "closed", "dealing"}

    def _commitment(self, line: int, event: Message) -> None:
        judge, previous = self._report.judge, _optional(event["previous"])
        if self._shoe is not None:
            judge(line, "previous", False, f"shoe {self._shoe.number} has no end before this one begins")
        elif self._ended is not None:
            number, chain = self._ended
            judge(line, "previous", event["shoe"] == number + 1 and previous == chain,
                  f"shoe {event['shoe']} does not go on where shoe {number} ended")  # fmt: skip
        elif previous is not None:
            self._report.unchecked["previous", "the shoe before is not in the transcript"] += 1
        digest = event["rules"]["digest"]
        judge(line, "rules", hashlib.sha256(event["rules_text"].encode()).hexdigest() == digest,
              "the rules are not those that their digest names")  # fmt: skip
        self._shoe = _begun(event["shoe"], line, digest, event)
        self._shoe.rules = json.loads(event["rules_text"])
        self._shoe.decks = self._shoe.rules["decks"]
        self._shoe.cut_taken = event["cut_until_ms"] is not None
        if self._shoe.named is not None:
            later = self._shoe.named["due_ms"] > (event["cut_until_ms"] or event["due_ms"])
            judge(line, "beacon", later, "the beacon is drawn before the cut is closed")
        self._report.rules[self._name, event["shoe"]] = (digest, event["rules_text"])
        self._ended = None

    def _cut_list(self, line: int, event: Message) -> None:
        shoe = self._running(line, event["shoe"])
        if shoe is not None:
            self._report.judge(line, "cut", bool(shoe.cut_taken), "there was no cut for these hashes")
            shoe.listed = line, event["contributions"]

    def _opened(self, line: int, event: Message) -> None:
        shoe, judge = self._running(line, event["shoe"]), self._report.judge
        if shoe is None:
            return
        shoe.opened, shoe.contributions = (line, event), event["contributions"]
        shoe.beacon = event.get("beacon")
        shoe.digest, shoe.cut_at, shoe.coups = _bytes(event["digest"]), event["cut_at"], event["coups"]
        shoe.position = 0 if event["burn"] is None else 1 + event["burn"]["burnt"]
        shoe.chain = _begin(shoe)
        if shoe.rules is None:
            shoe.decks = event["decks"]
            self._report.rules.setdefault((self._name, shoe.number), (shoe.rules_digest, None))
        else:
            about = shoe.rules["shoe"]
            cards = 52 * shoe.rules["decks"]
            series = about["type"] == "series"
            cut_at = None if series else cards - about["behind"]
            judge(line, "cut card", shoe.cut_at == cut_at, f"the cut card has to be at {cut_at}")
            told = (event["rules"]["digest"], event["decks"], event["cards"], event["coups"])
            due = (shoe.rules_digest, shoe.rules["decks"], cards, about["coups"] if series else None)
            judge(line, "rules", told == due, "the shoe is not as its rules say")
        if event["burn"] is not None:
            shown = event["burn"]["shown"]
            pips = min(RANKS.index(shown[0]) + 1, 10)
            judge(line, "burn", event["burn"]["burnt"] == pips, f"{shown} burns {pips} cards")
            shoe.cards.append((line, 0, 0, shown, _bytes(event["burn_salt"])))

    def _betting(self, line: int, event: Message) -> None:
        if self._open and event["round"] == self._round:
            return  # the same window on a clock that was set
        shoe, judge = self._running(line, event["shoe"]), self._report.judge
        if shoe is None:
            return
        if self._round is not None:
            follows = not self._open and event["round"] == self._round + 1
            judge(line, "rounds", follows, f"round {event['round']} comes after {self._round}")
            if follows:
                follows = event["coup"] == shoe.coup + 1
                judge(line, "rounds", follows, f"coup {event['coup']} comes after {shoe.coup}")
        start = 0 if shoe.coups is not None else shoe.position
        last = event["coup"] == shoe.coups if shoe.cut_at is None else start >= shoe.cut_at
        judge(line, "last coup", event["last"] == last, "the last coup is not announced as the cut card says")
        judge(line, "last coup", not shoe.last, "the coup before was the last of the shoe")
        shoe.position, shoe.coup, shoe.last = start, event["coup"], event["last"]
        self._round, self._open = event["round"], True
        self._hands = {"player": [], "banker": []}

    def _card(self, line: int, event: Message) -> None:
        shoe, judge = self._in_round(line, event), self._report.judge
        if shoe is None:
            return
        hand, side = self._hands[event["hand"]], next_side(self._hands["player"], self._hands["banker"])
        judge(line, "drawing", event["hand"] == side, "no card is due" if side is None else f"{side} draws")
        position, salt = _place_and_salt(event["proof"])
        judge(line, "position", position == shoe.position, f"position {shoe.position} comes next")
        hand.append(event["card"])
        right = event["index"] == len(hand) - 1 and event["total"] == total(hand)
        judge(line, "total", right, f"card {len(hand) - 1} makes {total(hand)}")
        shoe.position = position + 1
        deck = 0 if shoe.coups is None else shoe.coup - 1
        shoe.cards.append((line, deck, position, event["card"], salt))

    def _result(self, line: int, event: Message) -> None:
        shoe, judge = self._in_round(line, event), self._report.judge
        if shoe is None:
            return
        player, banker = self._hands["player"], self._hands["banker"]
        side = next_side(player, banker)
        judge(line, "drawing", side is None, f"{side} has to draw first")
        totals = total(player), total(banker)
        outcome = "tie" if totals[0] == totals[1] else "player" if totals[0] > totals[1] else "banker"
        told = {name: (event[name]["cards"], event[name]["total"]) for name in ("player", "banker")}
        judge(line, "outcome", event["outcome"] == outcome, f"{totals[0]} to {totals[1]} is {outcome}")
        due = {"player": (player, totals[0]), "banker": (banker, totals[1])}
        natural = len(player) == len(banker) == 2 and max(totals) >= 8
        marks = (natural, player[0][0] == player[1][0], banker[0][0] == banker[1][0])
        same = told == due and (event["natural"], event["player_pair"], event["banker_pair"]) == marks
        judge(line, "hands", same, "the hands are not the cards that were dealt")
        self._close(shoe, event, outcome=event["outcome"])

    def _void(self, line: int, event: Message) -> None:
        shoe = self._in_round(line, event)
        if shoe is not None:
            self._close(shoe, event, outcome="void")

    def _close(self, shoe: Shoe, event: Message, outcome: str) -> None:
        player, banker = self._hands["player"], self._hands["banker"]
        self._open = False
        seen = Coup(player, banker, outcome == "void", shoe.number)
        self._report.coups[self._name, event["round"]] = seen
        if shoe.chain is not None:
            told = f"{event['round']} {shoe.coup} {outcome} {''.join(player)} {''.join(banker)}\n"
            shoe.chain = _hash(b"croupier round 1\n", shoe.chain, told.encode())

    def _end(self, line: int, event: Message) -> None:
        shoe = self._running(line, event["shoe"])
        if shoe is None:
            return
        if self._open:
            self._report.judge(line, "rounds", False, f"round {self._round} has no end")
        self._shoe, self._ended = None, (shoe.number, _bytes(event["chain"]))
        _Ending(self._name, self._report, shoe, line, event).check(self._known(shoe), self._beacons)

    def _known(self, shoe: Shoe) -> bytes | None:
        return self._lists.get((self._name, shoe.number))

    def _running(self, line: int, number: int) -> Shoe | None:
        if self._shoe is not None and self._shoe.number == number:
            return self._shoe
        self._report.judge(line, "previous", False, f"shoe {number} has not begun")
        return None

    def _in_round(self, line: int, event: Message) -> Shoe | None:
        if self._shoe is not None and self._open and event["round"] == self._round:
            return self._shoe
        self._report.judge(line, "rounds", False, f"round {event['round']} is not in play")
        return None


class _Ending:
    """The end of a shoe: its seed is open, and all that was told of it before is held against that."""

    def __init__(self, name: str, report: Report, shoe: Shoe, line: int, event: Message) -> None:
        self._name = name
        self._report = report
        self._shoe = shoe
        self._line = line
        self._event = event
        self._seed = _bytes(event["seed"])

    def check(self, known: bytes | None, beacons: Mapping[int, bytes]) -> None:
        """Checks everything that the seed says; `known` is the list of commitments, where it is known."""
        shoe = self._shoe
        if not self._check_seed():
            _check_cards(self._report, shoe, known, "the seed does not fit")
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
        bound = f"{self._name}\n{shoe.number}\n{shoe.rules_digest}\n"
        for right in [_name(beacon) for _, beacon in told]:
            named = "" if right is None else f"{right}\n"
            if (
                _hash(b"croupier shoe commitment 1\n", f"{bound}{named}".encode(), self._seed)
                == shoe.commitment
            ):
                break
        else:
            why = "the seed is not the one that was committed to"
            return self._report.judge(self._line, "seed", False, why)
        self._report.passed["seed"] += 1
        for line, beacon in told:
            if right is not None or beacon is not None:
                self._report.judge(line, "beacon", _name(beacon) == right, _RENAMED)
        return True

    def _check_unopened(self) -> None:
        """A shoe that was abandoned in its cut: nothing has followed from its seed."""
        shoe = self._shoe
        shoe.chain = _begin(shoe)
        listed = [] if shoe.listed is None else shoe.listed[1]
        same = [_sender(one) for one in self._event["contributions"]] == [_sender(one) for one in listed]
        self._report.judge(self._line, "cut", same, "the contributions are not those that were listed")

    def _check_order(self, known: bytes | None, beacons: Mapping[int, bytes]) -> None:
        """Rebuilds the shoe, and checks its cards and what was told of how it was made."""
        shoe, judge = self._shoe, self._report.judge
        told = [(self._line, self._event["contributions"], self._event.get("beacon"))]
        if shoe.opened is not None or not shoe.whole:
            begun = shoe.line if shoe.opened is None else shoe.opened[0]
            told.append((begun, shoe.contributions, shoe.beacon))
        for line, contributions, _ in told:
            self._check_values(line, contributions)
        for _, right, beacon in told:
            values = [_bytes(one["value"] or one["hash"]) for one in right]
            commitments, orders = rebuild(self._seed, values, _drawn(beacon), shoe.decks, shoe.coups)
            if hashlib.sha256(commitments).digest() == shoe.digest:
                break
        else:
            why = "seed, contributions and beacon do not make the list of this digest"
            judge(told[-1][0], "order", False, why)
            _check_cards(self._report, shoe, known, "the order does not fit")
            return
        self._report.passed["order"] += 1
        self._check_told(told, right, beacon)
        if beacon is not None:
            self._compare(told[-1][0], beacon, beacons)
        _check_cards(self._report, shoe, commitments, "")
        if shoe.opened is not None and shoe.coups is None:
            burnt = orders[0][1 : 1 + shoe.opened[1]["burn"]["burnt"]]
            judge(self._line, "burn", self._event["burnt"] == burnt, "the burnt cards are others")

    def _check_told(
        self,
        told: list[tuple[int, list[Message], Message | None]],
        right: list[Message],
        beacon: Message | None,
    ) -> None:
        """Which lines tell of other contributions, or of another beacon, than those that make the shoe."""
        judge, listed = self._report.judge, self._shoe.listed
        uncounted = "a contribution is not as it was counted"
        for line, contributions, drawn in told:
            judge(line, "cut", contributions == right, uncounted)
            if _drawn(drawn) != _drawn(beacon):
                judge(line, "beacon", False, "the beacon is not as it was counted")
        if listed is not None:
            same = [_sender(one) for one in listed[1]] == [_sender(one) for one in right]
            judge(listed[0], "cut", same, uncounted)
        elif right and self._shoe.whole:
            judge(told[-1][0], "cut", False, "the contributions were never listed")

    def _check_values(self, line: int, contributions: list[Message]) -> None:
        """Whether each value is that of its hash; notes the seats that did not reveal theirs."""
        for one in contributions:
            value, withheld = _optional(one["value"]), (self._name, self._shoe.number, one["seat"])
            if value is not None:
                fits = hashlib.sha256(value).digest() == _bytes(one["hash"])
                self._report.judge(line, "cut", fits, f"the value of seat {one['seat']} is not its hash's")
            elif withheld not in self._report.withheld:
                self._report.withheld.append(withheld)

    def _compare(self, line: int, beacon: Message, beacons: Mapping[int, bytes]) -> None:
        """Compares a beacon's value with what its source gave, where that is known."""
        value, given = _optional(beacon["value"]), beacons.get(beacon["round"])
        if value is None:
            self._report.undrawn.append((self._name, self._shoe.number, beacon["round"]))
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
        told = _hash(b"croupier shoe ends 1\n", shoe.chain, self._seed, f"{reason or ''}\n".encode())
        why = "the hash of the end is not that of what was dealt"
        judge(self._line, "chain", told == _bytes(self._event["chain"]), why)
        runs_short = shoe.coups is None and shoe.position > 52 * shoe.decks - LONGEST_COUP
        due = shoe.last or reason is not None or runs_short
        judge(self._line, "last coup", due, "the shoe ends before its last coup")


def _check_cards(report: Report, shoe: Shoe, commitments: bytes | None, reason: str) -> None:
    """Holds each card against the list of commitments; without one they are unchecked, for this reason."""
    if commitments is not None and hashlib.sha256(commitments).digest() != shoe.digest:
        where = shoe.line if shoe.opened is None else shoe.opened[0]
        report.judge(where, "list", False, "the list is not the one of this digest")
        commitments, reason = None, "the list is another"
    if commitments is None:
        report.unchecked["card", reason] += len(shoe.cards)
        return
    for line, deck, position, card, salt in shoe.cards:
        at = 32 * (position if shoe.coups is None else LONGEST_COUP * deck + position)
        good = commitments[at : at + 32] == card_commitment(deck, position, card, salt)
        report.judge(line, "card", good, f"{card} is not the card that lay at {position}")


# The rules of drawing.


def total(hand: list[str]) -> int:
    """What a hand counts."""
    return sum(VALUES[card[0]] for card in hand) % 10


def next_side(player: list[str], banker: list[str]) -> str | None:
    """Who draws the next card; None when the coup is complete."""
    dealt = len(player) + len(banker)
    if dealt < 4:
        return "player" if len(player) == len(banker) else "banker"
    first, second = total(player[:2]), total(banker[:2])
    if first >= 8 or second >= 8 or len(banker) > 2:
        return None
    if len(player) == 2:
        if first <= 5:
            return "player"
        return "banker" if second <= 5 else None
    third = VALUES[player[2][0]]
    draws = {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: 6 <= third <= 7}
    return "banker" if second <= 2 or draws.get(second, False) else None


# The constructions of docs/fairness.md.


def rebuild(
    seed: bytes, values: list[bytes], drawn: bytes | None, packs: int, coups: int | None
) -> tuple[bytes, list[list[str]]]:
    """The list of commitments that a seed and the values of the cut make, and the order of each deck.

    `drawn` is what the value of a beacon counts as, where one was named and has come; `packs` is how many
    packs of cards are in a deck, `coups` the length of a series.
    """
    label = b"croupier cut 1\n" if drawn is None else b"croupier cut with beacon 1\n"
    mixed = len(values).to_bytes(4, "big") + b"".join(values) + (drawn or b"")
    order_seed = hmac.digest(seed, label + mixed, "sha256")
    commitments, orders = [], []
    for deck in range(coups or 1):
        cards = order(order_seed, packs, deck)
        orders.append(cards)
        for position, card in enumerate(cards if coups is None else cards[:LONGEST_COUP]):
            place = deck.to_bytes(4, "big") + position.to_bytes(4, "big")
            salt = hmac.digest(order_seed, b"croupier card salt 1\n" + place, "sha256")[:16]
            commitments.append(card_commitment(deck, position, card, salt))
    return b"".join(commitments), orders


def card_commitment(deck: int, position: int, card: str, salt: bytes) -> bytes:
    """One entry of the list."""
    place = deck.to_bytes(4, "big") + position.to_bytes(4, "big")
    return _hash(b"croupier card 1\n", place, card.encode(), salt)


def order(seed: bytes, packs: int, deck: int) -> list[str]:
    """The shuffled cards of a deck."""
    cards, numbers, block = DECK * packs, list[int](), 0
    for last in range(len(cards) - 1, 0, -1):
        while True:
            if not numbers:
                message = b"croupier shoe order 1" + deck.to_bytes(4, "big") + block.to_bytes(4, "big")
                stream, block = hmac.digest(seed, message, "sha256"), block + 1
                numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(28, -1, -4)]
            number = numbers.pop()
            if number < 2**32 - 2**32 % (last + 1):
                break
        drawn = number % (last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return cards


def _begin(shoe: Shoe) -> bytes:
    where = f"{'' if shoe.cut_at is None else shoe.cut_at}\n".encode()
    return _hash(
        b"croupier shoe begins 1\n", shoe.previous or bytes(32), shoe.commitment, shoe.digest or b"", where
    )


# What messages say.


def _begun(number: int, line: int, rules_digest: str, told: Message) -> Shoe:
    commitment, previous = _bytes(told["commitment"]), _optional(told["previous"])
    return Shoe(number, line, rules_digest, commitment, previous, told.get("beacon"))


def _sender(contribution: Message) -> tuple[int, str, str]:
    """What a contribution was before its value was revealed."""
    return contribution["seat"], contribution["player"], contribution["hash"]


def _name(beacon: Message | None) -> str | None:
    """Which round of which beacon."""
    return None if beacon is None else f"{beacon['source']} {beacon['round']}"


def _drawn(beacon: Message | None) -> bytes | None:
    """What the value of a beacon counts as."""
    if beacon is None or beacon["value"] is None:
        return None
    return _hash(b"croupier beacon 1\n", f"{_name(beacon)}\n".encode(), _bytes(beacon["value"]))


def _place_and_salt(proof: str) -> tuple[int, bytes]:
    """Where a card lay and the salt of its commitment."""
    raw = _bytes(proof)
    if len(raw) != PROOF_BYTES:
        raise ValueError(f"a proof of {len(raw)} bytes")
    return int.from_bytes(raw[:2], "big"), raw[2:]


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _optional(text: str | None) -> bytes | None:
    return None if text is None else _bytes(text)
