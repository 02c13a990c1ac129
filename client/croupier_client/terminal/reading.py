"""What dialogs show to read: keys, own rounds, fairness, rules. Pure."""

from croupier_client.cli.rules import lines as rules_lines
from croupier_client.cli.terminal import SUIT_SYMBOLS, Terminal
from croupier_client.terminal.draw.picture import Line, Role, Span, fitted
from croupier_client.terminal.draw.side import round_line
from croupier_client.terminal.state import TableState
from croupier_client.terminal.words import Words
from croupier_protocol.game.rules_text import RulesText
from croupier_protocol.messages.to_client import TableRules

WIDTH = 58
"""Columns inside a dialog."""

Text = list[Line | str]


def keys(words: Words) -> Text:
    """Each key with what it does."""
    room = max(len(key) for key, _ in words.help_keys) + 2
    return [(Span(f"{key:<{room}}", Role.BRASS, strong=True), Span(does)) for key, does in words.help_keys]


def rounds(state: TableState, words: Words) -> Text:
    """Own settled rounds, newest first."""
    if not state.rounds:
        return [words.no_rounds]
    return [fitted(round_line(own, words, WIDTH, state.table), WIDTH) for own in state.rounds]


def fairness(state: TableState, words: Words, url: str) -> Text:
    """What is known of the running shoe, and how to check the whole of it."""
    lines: Text = [words.fair_explained, ""]
    checks = state.checks
    counts = words.fair_counts.format(checked=checks.checked, unchecked=checks.unchecked, wrong=checks.wrong)
    lines.append((Span(counts, Role.WRONG if checks.wrong else Role.INK, strong=True),))
    shoe = None if state.view is None else state.view.shoe
    if shoe is not None:
        number = words.number(shoe.number)
        lines.append(words.fair_commitment.format(shoe=number, digest=shoe.digest.hex() or "–"))
        cutters = words.fair_cutters.format(count=len(shoe.contributions))
        yours = state.player is not None and any(one.player == state.player.id for one in shoe.contributions)
        lines.append(
            (f"{cutters}, {words.cut_yours}." if yours else f"{cutters}.")
            if shoe.contributions
            else words.fair_nobody_cut
        )
        if shoe.beacon is not None:
            lines.append(words.fair_beacon.format(round=shoe.beacon.round, source=shoe.beacon.source))
    lines += [words.fair_left_out.format(shoe=number) for number in state.left_out]
    if shoe is not None:
        command = f"croupier verify {url} {state.table} {shoe.number}"
        lines += ["", words.fair_later.format(command=command)]
    return lines


def rules(told: TableRules | None, words: Words) -> Text:
    """The rules of the table as the server tells them."""
    if told is None:
        return [words.rules_waiting]
    text = RulesText(told.title, told.sections)
    return list(rules_lines(text, Terminal(SUIT_SYMBOLS, colour=False), WIDTH))
