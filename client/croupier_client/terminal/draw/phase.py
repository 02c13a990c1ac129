"""What the table is doing, in words."""

from typing import NamedTuple

from croupier_client.terminal.draw.picture import Role
from croupier_client.terminal.state import LAST_SECONDS, TableState
from croupier_client.terminal.words import Words
from croupier_protocol.game.coup import Outcome
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Phase

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

SIDES = {Outcome.PLAYER: Role.PLAYER, Outcome.BANKER: Role.BANKER, Outcome.TIE: Role.TIE}


class Told(NamedTuple):
    """A headline with its role, and a quieter line below it."""

    headline: str
    detail: str = ""
    role: Role = Role.INK


def phase_in_words(state: TableState, words: Words) -> Told:  # noqa: C901, PLR0911 - an answer for each phase
    """What to say about the table now."""
    view = state.view
    if view is None:
        return Told(words.arriving)
    if view.phase is Phase.ENDED:
        return Told(words.ended, words.ended_detail, Role.WARN)
    if not state.link.live:
        seconds = -int(-state.link.retry_s // 1)
        text = words.not_live_in.format(seconds=seconds) if seconds else words.not_live
        return Told(text, words.not_live_detail, Role.WARN)
    if state.stalled:
        return Told(words.stalled, words.stalled_detail, Role.WARN)
    last = words.last_coup if view.last else ""
    match view.phase:
        case Phase.BETTING:
            late = state.seconds is not None and state.seconds <= LAST_SECONDS
            return Told(
                words.last_seconds if late else words.bets_open, last, Role.WARN if late else Role.BRASS
            )
        case Phase.CLOSED:
            return Told(words.no_more_bets, last)
        case Phase.DEALING:
            return Told(words.dealing, last)
        case Phase.SHUFFLING:
            return Told(words.shuffling, _shoe_in_words(state, view, words))
        case Phase.PAUSED:
            return Told(words.paused, _with_reason(words.paused_detail, view), Role.WARN)
        case Phase.VOIDING:
            return Told(words.voided, _with_reason(words.voided_detail, view), Role.WARN)
    return _between(view, words)


def _between(view: TableView, words: Words) -> Told:
    if view.outcome is not None:
        return _outcome_in_words(view, view.outcome, words)
    if view.reason is not None and view.round > 0:
        return Told(words.voided, _with_reason(words.voided_detail, view), Role.WARN)
    return Told(words.first_round if view.round == 0 else words.next_round)


def _outcome_in_words(view: TableView, outcome: Outcome, words: Words) -> Told:
    totals = view.player.total, view.banker.total
    marks = [
        words.terms.natural.one.capitalize() if view.natural else "",
        words.bet("player_pair") if view.player_pair else "",
        words.bet("banker_pair") if view.banker_pair else "",
    ]
    headline = words.wins[outcome].format(high=max(totals), low=min(totals))
    return Told(headline, " · ".join(mark for mark in marks if mark), SIDES[outcome])


def _shoe_in_words(state: TableState, view: TableView, words: Words) -> str:
    """The cut that is under way, with one's own part in it, or the shoe that was just opened."""
    cut, shoe = view.cut, view.shoe
    if cut is not None:
        if not cut.listed:
            text = words.cut_committed if cut.until_ms is None else words.cut_open
            return text.format(shoe=words.number(cut.shoe))
        yours = state.player is not None and any(one.player == state.player.id for one in cut.contributions)
        listed = words.cut_listed.format(shoe=words.number(cut.shoe), count=len(cut.contributions))
        return f"{listed} · {words.cut_yours}" if yours else listed
    if shoe is None:
        return ""
    if shoe.burn is None:
        return words.series.format(number=words.number(shoe.number))
    shown = words.terms.card_name(shoe.burn.shown, SUITS[shoe.burn.shown[1]])
    burnt = words.counted(shoe.burn.burnt, words.terms.card)
    return words.new_shoe.format(number=words.number(shoe.number), card=shown, burnt=burnt)


def _with_reason(text: str, view: TableView) -> str:
    return f"{text} ({view.reason})" if view.reason else text
