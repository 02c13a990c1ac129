"""The bars of a table: what it is, how far its shoe is, the countdown, and what the keys do."""

from typing import Final

from croupier_client.terminal.draw.phase import phase_in_words
from croupier_client.terminal.draw.picture import (
    Act,
    Block,
    Line,
    Role,
    Span,
    Surface,
    apart,
    beside,
    block,
    centred,
    width_of,
)
from croupier_client.terminal.state import LAST_SECONDS, TableState
from croupier_client.terminal.words import Words

ROOMY_WIDTH: Final = 100
"""From so many columns on, the fairness mark has words."""

COUNTDOWN: Final = 20
"""Columns of the countdown."""


def top_bar(state: TableState, words: Words, width: int) -> Block:
    """The table with its limits, round and shoe, and the fairness mark."""
    limits = ""
    if state.limits is not None:
        limits = f"  {words.money(state.limits.main_least)} – {words.money(state.limits.main_most)}"
    left: Line = (Span(f" {state.table}", strong=True), Span(limits, Role.QUIET))
    mark, role = fair_mark(state, words, brief=width < ROOMY_WIDTH)
    right: Line = (Span(_round(state, words), Role.INK), Span(f"   {mark} ", role))
    return block(width, [apart(left, right, width)]).on(Surface.PANEL)


def _round(state: TableState, words: Words) -> str:
    view = state.view
    if view is None or view.round == 0:
        return ""
    text = words.round_only if view.shoe is None else words.round_of_shoe
    shoe = 0 if view.shoe is None else view.shoe.number
    return text.format(round=words.number(view.round), coup=words.number(view.coup), shoe=words.number(shoe))


def fair_mark(state: TableState, words: Words, *, brief: bool) -> tuple[str, Role]:
    """What has been checked here of the running shoe; in brief, the sign alone says that it fits."""
    if state.checks.wrong or state.left_out:
        return f"✗ {words.fair_fault}", Role.WRONG
    if not state.checks.checked:
        return f"· {words.fair_unchecked}", Role.QUIET
    cards = words.counted(state.checks.checked, words.terms.card)
    return f"✓ {cards if brief else words.fair_checked.format(cards=cards)}", Role.WON


def shoe_bar(state: TableState, width: int) -> Block:
    """How much of the shoe is out, and where the cut card lies."""
    view = state.view
    shoe = None if view is None else view.shoe
    if view is None or shoe is None or not shoe.cards:
        return block(width, [(Span("─" * width, Role.LINE),)])
    done, of = (shoe.dealt, shoe.cards) if shoe.coups is None else (view.coup, shoe.coups)
    filled = min(width, done * width // of)
    bar = ["━"] * filled + ["─"] * (width - filled)
    spans = [Span("".join(bar[:filled]), Role.BRASS), Span("".join(bar[filled:]), Role.LINE)]
    if shoe.cut_at is not None:
        cut = min(width - 1, shoe.cut_at * width // shoe.cards)
        at, after = "".join(bar[filled:cut]), "".join(bar[cut + 1 :])
        if filled <= cut:
            spans = [
                Span("━" * filled, Role.BRASS),
                Span(at, Role.LINE),
                Span("┃", Role.INK),
                Span(after, Role.LINE),
            ]
    return block(width, [spans])


def headline(state: TableState, words: Words, width: int) -> Block:
    """What the table does, with the countdown while bets are open."""
    told = phase_in_words(state, words)
    line: Line = (Span(" "), Span(told.headline, told.role, strong=True))
    return block(width, [apart(line, _countdown(state), width)])


def detail(state: TableState, words: Words, width: int) -> Block:
    """The quieter line below the hands."""
    return block(width, [centred((Span(phase_in_words(state, words).detail, Role.QUIET),), width)])


def countdown_cells(state: TableState) -> int:
    """How many cells of the countdown are left; 0 when there is none."""
    left = state.left_ms
    return 0 if left is None else -int(-left * COUNTDOWN // max(state.window_ms, left, 1.0))


def _countdown(state: TableState) -> Line:
    """The true time left, as a bar and in seconds."""
    seconds = state.seconds
    if seconds is None:
        return ()
    filled = countdown_cells(state)
    role = Role.WARN if seconds <= LAST_SECONDS else Role.BRASS
    return (
        Span("━" * filled, role),
        Span("─" * (COUNTDOWN - filled), Role.LINE),
        Span(f" {seconds:>3} s  ", role, strong=True),
    )


def footer(state: TableState, words: Words, width: int) -> Block:
    """What else the keys do, and the connection."""
    keys = (("Esc", "tables"), ("H", "rounds"), ("F", "fair"), ("I", "rules"), ("?", "help"), ("Q", "quit"))
    blocks = []
    for key, kind in keys:
        line: Line = (Span(f" {key} ", Role.BRASS), Span(f"{words.actions[kind]} "))
        blocks.append(block(width_of(line), [line]).clicked(Act(kind)))
    drawn = beside(*blocks)
    link = link_in_words(state, words)
    right = block(max(width - drawn.width, 0), [apart((), (link, Span(" ")), max(width - drawn.width, 0))])
    return beside(drawn, right).on(Surface.PANEL)


def link_in_words(state: TableState, words: Words) -> Span:
    """The connection."""
    if state.link.live:
        return Span(f"● {words.online}", Role.WON)
    return Span(f"○ {words.reconnecting_now}", Role.WARN, strong=True)
