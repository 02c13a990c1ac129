"""What lies in front of the seat: chips, what can be done with a slip, and what the seat should know."""

from collections.abc import Iterator
from typing import Final

from croupier_client.terminal.draw.picture import (
    Act,
    Block,
    Line,
    Role,
    Span,
    Surface,
    beside,
    blank,
    block,
    width_of,
)
from croupier_client.terminal.reasons import reason_in_words
from croupier_client.terminal.state import Own, TableState
from croupier_client.terminal.words import Words

EVERYWHERE: Final = {"sit": "s", "leave": "l", "rounds": "h", "fair": "f", "rules": "i", "quit": "q"}
"""Letters that are the same in every language; `sit` buys chips once seated."""


def purse(state: TableState, words: Words, width: int) -> Block:
    """The money of the seat, and its chips with the one in hand marked; or the wallet of who watches."""
    if not state.seated:
        line: Line = ()
        if state.wallet is not None:
            line = (
                Span(f" {words.wallet}  ", Role.QUIET),
                Span(words.money(state.wallet), strong=True),
            )
        return block(width, [line])
    sums = (
        Span(f" {words.bankroll}  ", Role.QUIET),
        Span(words.money(state.bankroll), strong=True),
        Span(f"   {words.stake}  ", Role.QUIET),
        Span(words.money(sum(state.accepted.values())), Role.BRASS, strong=True),
    )
    chips = [block(width_of(line), [line]).clicked(act) for line, act in _chips(state, words)]
    rack = beside(block(len(words.chips) + 1, [(Span(words.chips, Role.QUIET),)]), *chips)
    left = block(max(width - rack.width - 1, 0), [sums])
    return beside(left, rack, block(1, [()]))


def _chips(state: TableState, words: Words) -> Iterator[tuple[Line, Act]]:
    """Each chip, a ring around its value, with its key before it; the one in hand has solid edges."""
    for number, cents in enumerate(state.chips[:9]):
        face = words.chip(cents)
        held = number == state.choice.chip
        key = Span(f" {number + 1} ", Role.QUIET)
        pill = (
            Span(f"▐{face}▌", Role.BRASS, strong=True, surface=Surface.CHOSEN)
            if held
            else Span(f"({face})", surface=Surface.LIFTED)
        )
        yield (key, pill), Act("chip", number=number)


def actions(state: TableState, words: Words, width: int) -> Block:
    """The keys of a slip; what can be done next is lit."""
    if not state.seated:
        kinds = [] if state.own is Own.UNKNOWN else ["sit"]
        return _keys(state, words, kinds, width, lit="sit")
    kinds = ["deal", "rebet", "double", "undo", "clear", "all_in", "top_up", "leave"]
    lit = "deal" if state.open and not _ready(state) else ""
    return _keys(state, words, kinds, width, lit=lit)


def _keys(state: TableState, words: Words, kinds: list[str], width: int, *, lit: str) -> Block:
    """Keys with what they do, two spaces apart, or one where there is no room for two."""
    names = [words.ready if kind == "deal" and _ready(state) else words.actions[kind] for kind in kinds]
    roomy = sum(len(name) + 4 for name in names) < width
    blocks = [] if lit in kinds else [blank(1)]
    for kind, name in zip(kinds, names, strict=True):
        key = key_of(kind, words).upper()
        if kind == lit:
            line: Line = (Span(" "), Span(f" {key} {name} ", strong=True, surface=Surface.NEXT), Span(" "))
        else:
            usable = kind in {"top_up", "leave"} or state.open
            line = (
                Span(f"{key} ", Role.BRASS if usable else Role.QUIET),
                Span(name, Role.INK if usable else Role.QUIET),
                Span("  " if roomy else " "),
            )
        blocks.append(block(width_of(line), [line]).clicked(Act(kind)))
    drawn = beside(*blocks)
    return beside(drawn, blank(max(width - drawn.width, 0)))


def key_of(kind: str, words: Words) -> str:
    """The letter of what can be done: the language's, or one that all have."""
    return words.keys.get(kind) or EVERYWHERE["sit" if kind == "top_up" else kind]


def _ready(state: TableState) -> bool:
    return state.me is not None and state.me.ready and state.open


def status(state: TableState, words: Words, width: int) -> Block:
    """One line: why the last thing was not done, what a round brought, or what to do now."""
    return block(width, [(Span(" "), _status(state, words))])


def _status(state: TableState, words: Words) -> Span:  # noqa: PLR0911 - the first that applies
    if state.refused is not None:
        return Span(reason_in_words(state.refused, words), Role.WRONG, strong=True)
    if state.notice:
        return Span(state.notice, Role.WARN)
    if state.own is Own.UNKNOWN:
        return Span(words.place_unknown, Role.QUIET)
    if not state.seated:
        return Span(words.watching_only, Role.QUIET)
    payout = state.shown_payout
    if payout is not None:
        staked = sum(bet.stake for bet in payout.bets)
        text = words.round_brought.format(
            round=words.number(payout.round),
            staked=words.money(staked),
            returned=words.money(payout.returned),
            change=words.change(payout.returned - staked),
        )
        return Span(text, Role.WON if payout.returned > staked else Role.INK, strong=True)
    if state.me is not None and state.me.leaving:
        return Span(words.leaving_after, Role.WARN)
    staked = sum(state.accepted.values())
    if not state.open:
        return Span(words.slip_counts if staked else words.wait_for_window, Role.QUIET)
    if _ready(state):
        return Span(words.ready_stands if staked else words.ready_passed, Role.QUIET)
    if staked:
        return Span(words.slip_stands, Role.QUIET)
    least = words.money((1_00, 0)[0] if state.limits is None else state.limits.bounds(state.choice.bet)[0])
    how = words.how_to_bet.format(bet=words.bet(state.choice.bet), chips=len(state.chips[:9]), least=least)
    return Span(how, Role.QUIET)
