"""Follows each table of a transcript, message after message; what belongs to a round is in `rounds`."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from croupier_client.verifier.cards import check_cards
from croupier_client.verifier.drawing import burnt_by
from croupier_client.verifier.ending import RENAMED, Ending
from croupier_client.verifier.reading import Message, beacon_name, raw, raw_or_none
from croupier_client.verifier.report import Failure, Report
from croupier_client.verifier.rounds import Rounds
from croupier_client.verifier.shoe import Shoe, begun


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
        self._rounds = Rounds(name, report)

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
            if shoe.opened is not None and beacon_name(shoe.beacon) != beacon_name(shoe.named):
                self._report.judge(shoe.opened[0], "beacon", False, RENAMED)
            check_cards(self._report, shoe, self._known(shoe), "the shoe has not ended")
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
                self._ended = told["number"], raw(told["end"])
        if cut is not None:
            self._resume_cut(line, cut)
        elif told is not None and not told["end"]:
            self._resume_shoe(line, view, told)
        self._rounds.resume(view)

    def _resume_cut(self, line: int, cut: Message) -> None:
        """The snapshot was taken while a shoe was cut: all that was told of it so far is in it."""
        self._shoe = begun(cut["shoe"], line, cut["rules"]["digest"], cut)
        self._shoe.cut_taken = cut["until_ms"] is not None
        if cut["listed"]:
            self._shoe.listed = line, cut["contributions"]

    def _resume_shoe(self, line: int, view: Message, told: Message) -> None:
        """The snapshot was taken in a running shoe: its chain up to here is not known."""
        if self._shoe is None:
            self._shoe = begun(told["number"], line, view["rules"]["digest"], told)
        shoe = self._shoe
        shoe.whole, shoe.decks = False, told["decks"]
        self._report.rules.setdefault((self._name, shoe.number), (shoe.rules_digest, None))
        shoe.digest, shoe.contributions = raw(told["digest"]), told["contributions"]
        shoe.beacon = told.get("beacon")
        shoe.cut_at, shoe.coups, shoe.position = told["cut_at"], told["coups"], told["dealt"]
        shoe.coup, shoe.last, shoe.chain = view["coup"], view["last"], None

    def _commitment(self, line: int, event: Message) -> None:
        """A shoe begins where the last one ended, under the rules that its digest names."""
        judge, previous = self._report.judge, raw_or_none(event["previous"])
        if self._shoe is not None:
            judge(line, "previous", False, f"shoe {self._shoe.number} has no end before this one begins")
        elif self._ended is not None:
            number, chain = self._ended
            follows = event["shoe"] == number + 1 and previous == chain
            why = f"shoe {event['shoe']} does not go on where shoe {number} ended"
            judge(line, "previous", follows, why)
        elif previous is not None:
            self._report.unchecked["previous", "the shoe before is not in the transcript"] += 1
        digest = event["rules"]["digest"]
        named = hashlib.sha256(event["rules_text"].encode()).hexdigest() == digest
        judge(line, "rules", named, "the rules are not those that their digest names")
        self._shoe = begun(event["shoe"], line, digest, event)
        self._shoe.rules = json.loads(event["rules_text"])
        self._shoe.decks = self._shoe.rules["decks"]
        self._shoe.cut_taken = event["cut_until_ms"] is not None
        if self._shoe.named is not None:
            later = self._shoe.named["due_ms"] > (event["cut_until_ms"] or event["due_ms"])
            judge(line, "beacon", later, "the beacon is drawn before the cut is closed")
        self._report.rules[self._name, event["shoe"]] = (digest, event["rules_text"])
        self._ended = None

    def _cut_list(self, line: int, event: Message) -> None:
        """The hashes that count, before anybody reveals a value."""
        shoe = self._running(line, event["shoe"])
        if shoe is not None:
            self._report.judge(line, "cut", bool(shoe.cut_taken), "there was no cut for these hashes")
            shoe.listed = line, event["contributions"]

    def _opened(self, line: int, event: Message) -> None:
        """The order is fixed now: what was told of how it was made is kept until the seed is open."""
        shoe = self._running(line, event["shoe"])
        if shoe is None:
            return
        shoe.opened, shoe.contributions = (line, event), event["contributions"]
        shoe.beacon = event.get("beacon")
        shoe.digest, shoe.cut_at, shoe.coups = raw(event["digest"]), event["cut_at"], event["coups"]
        shoe.position = 0 if event["burn"] is None else 1 + event["burn"]["burnt"]
        shoe.begin_chain()
        if shoe.rules is None:
            shoe.decks = event["decks"]
            self._report.rules.setdefault((self._name, shoe.number), (shoe.rules_digest, None))
        else:
            self._check_rules(line, event, shoe, shoe.rules)
        if event["burn"] is not None:
            self._check_burn(line, event, shoe)

    def _check_rules(self, line: int, event: Message, shoe: Shoe, rules: Message) -> None:
        """Whether the shoe was opened as its rules say."""
        about, cards = rules["shoe"], 52 * rules["decks"]
        series = about["type"] == "series"
        cut_at = None if series else cards - about["behind"]
        why = f"the cut card has to be at {cut_at}"
        self._report.judge(line, "cut card", shoe.cut_at == cut_at, why)
        told = (event["rules"]["digest"], event["decks"], event["cards"], event["coups"])
        due = (shoe.rules_digest, rules["decks"], cards, about["coups"] if series else None)
        self._report.judge(line, "rules", told == due, "the shoe is not as its rules say")

    def _check_burn(self, line: int, event: Message, shoe: Shoe) -> None:
        """Whether as many cards were burnt as the one that was shown says, which is the first of the shoe."""
        shown = event["burn"]["shown"]
        pips = burnt_by(shown)
        self._report.judge(line, "burn", event["burn"]["burnt"] == pips, f"{shown} burns {pips} cards")
        shoe.cards.append((line, 0, 0, shown, raw(event["burn_salt"])))

    def _betting(self, line: int, event: Message) -> None:
        if self._rounds.in_play(event):
            return  # the same window on a clock that was set
        shoe = self._running(line, event["shoe"])
        if shoe is not None:
            self._rounds.begin(line, event, shoe)

    def _card(self, line: int, event: Message) -> None:
        shoe = self._in_round(line, event)
        if shoe is not None:
            self._rounds.deal(line, event, shoe)

    def _result(self, line: int, event: Message) -> None:
        shoe = self._in_round(line, event)
        if shoe is not None:
            self._rounds.finish(line, event, shoe)

    def _void(self, line: int, event: Message) -> None:
        shoe = self._in_round(line, event)
        if shoe is not None:
            self._rounds.void(event, shoe)

    def _end(self, line: int, event: Message) -> None:
        """The seed is open: the whole shoe can be checked."""
        shoe = self._running(line, event["shoe"])
        if shoe is None:
            return
        self._rounds.check_over(line)
        self._shoe, self._ended = None, (shoe.number, raw(event["chain"]))
        Ending(self._name, self._report, shoe, line, event).check(self._known(shoe), self._beacons)

    def _known(self, shoe: Shoe) -> bytes | None:
        """The list of commitments to its cards, if whoever asks has it."""
        return self._lists.get((self._name, shoe.number))

    def _running(self, line: int, number: int) -> Shoe | None:
        """The shoe of that number, if it is the one that runs."""
        if self._shoe is not None and self._shoe.number == number:
            return self._shoe
        self._report.judge(line, "previous", False, f"shoe {number} has not begun")
        return None

    def _in_round(self, line: int, event: Message) -> Shoe | None:
        """The running shoe, if the round that `event` is about is in play."""
        if self._shoe is not None and self._rounds.in_play(event):
            return self._shoe
        self._report.judge(line, "rounds", False, f"round {event['round']} is not in play")
        return None
