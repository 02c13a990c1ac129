"""Checks a player's own payouts in a transcript against the cards and the rules that stand in it."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from croupier_client.verifier.reading import Message
from croupier_client.verifier.report import Report
from croupier_protocol.game.canonical import rules_from_canonical
from croupier_protocol.game.cards import parse_cards
from croupier_protocol.game.coup import Coup
from croupier_protocol.game.rules import RULE_SETS, RulesError, RuleSet
from croupier_protocol.game.settlement import SlipError, refund, settle
from croupier_protocol.messages.values import Payout

KIND: Final = "payout"


def check_payouts(lines: Iterable[tuple[int, Message]], report: Report) -> None:
    """Adds to `report` how each payout in the lines was checked; `report` has the coups and rules of all."""
    for line, message in lines:
        for told in _payouts(message):
            try:
                payout = msgspec.convert(told, Payout)
            except msgspec.ValidationError as error:
                report.judge(line, "message", False, f"it cannot be read: {error}")
                continue
            _check(line, payout, report)
    report.failures.sort(key=lambda failure: failure.line)


def _payouts(message: Message) -> Iterator[object]:
    """What a line tells of payouts: the wire's messages, and the lines of `croupier bet --json`."""
    match message.get("type"):
        case "payout":
            yield message.get("payout", {key: part for key, part in message.items() if key != "type"})
        case "me":
            yield from message.get("payouts", ())
        case "my_rounds":
            yield from (own.get("payout") for own in message.get("rounds", ()))


def _check(line: int, payout: Payout, report: Report) -> None:
    seen = report.coups.get((payout.table, payout.round))
    if seen is None:
        report.unchecked[KIND, "its round is not in the transcript"] += 1
        return
    rules = _rules(*report.rules.get((payout.table, seen.shoe), ("", None)))
    if rules is None:
        report.unchecked[KIND, "its rules are not in the transcript"] += 1
        return
    slip: dict[str, int] = {bet.bet: bet.stake for bet in payout.bets}
    try:
        due = refund(slip) if seen.void else settle(rules, _coup(seen.player, seen.banker), slip)
    except (SlipError, ValueError) as error:
        report.judge(line, KIND, False, str(error))
        return
    wrong = [bet.bet for bet in payout.bets if bet not in due.bets]
    good = not wrong and payout.returned == due.returned
    report.judge(line, KIND, good, f"{due.returned} cents are due{': ' if wrong else ''}{', '.join(wrong)}")


def _rules(digest: str, text: str | None) -> RuleSet | None:
    if text is None:
        return next((rules for rules in RULE_SETS.values() if rules.digest == digest), None)
    try:
        return rules_from_canonical("transcript", msgspec.json.decode(text))
    except (msgspec.MsgspecError, RulesError):
        return None


def _coup(player: list[str], banker: list[str]) -> Coup:
    hands = (player, banker)
    cards = [hand[index] for index in range(3) for hand in hands if index < len(hand)]
    return Coup(tuple(parse_cards(" ".join(cards))))
