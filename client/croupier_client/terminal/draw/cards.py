"""The two hands, which face each other, with their totals between them."""

from typing import Final

from croupier_client.terminal.draw.phase import SUITS
from croupier_client.terminal.draw.picture import Block, Line, Role, Span, Surface, beside, block, stack
from croupier_client.terminal.state import TableState
from croupier_client.terminal.words import Words
from croupier_protocol.game.cards import Card, suit
from croupier_protocol.game.coup import Side
from croupier_protocol.messages.values import HandView

LOW: Final = 3
"""Rows of a card where there are few."""

HIGH: Final = 5
"""Rows of a card where there are many."""

_WIDTHS: Final = {LOW: 5, HIGH: 7}
"""Columns of a card: about as wide as it is high, as characters go."""

DIGITS: Final = (
    ("╭─╮", "│ │", "╰─╯"),
    ("╶┐ ", " │ ", "╶┴╴"),
    ("╶─╮", "╭─╯", "╰─╴"),
    ("╶─╮", " ─┤", "╶─╯"),
    ("╷ ╷", "╰─┤", "  ╵"),
    ("╭─╴", "╰─╮", "╶─╯"),
    ("╭─╴", "├─╮", "╰─╯"),
    ("╶─┐", "  │", "  ╵"),
    ("╭─╮", "├─┤", "╰─╯"),
    ("╭─╮", "╰─┤", "╶─╯"),
)
"""Totals, large enough to be read from the other side of a room."""


def hands(state: TableState, words: Words, width: int, height: int, *, colour: bool) -> Block:
    """Both hands on `height` rows, `LOW` or `HIGH`; without colour, cards have edges instead of a ground."""
    view = state.view
    player = HandView() if view is None else view.player
    banker = HandView() if view is None else view.banker
    won = None if view is None or view.outcome is None else view.outcome.value
    cards = _WIDTHS[height] * 3 + 2
    totals = 12
    name = (width - 2 * cards - totals - 4) // 2
    parts = (
        _name(Side.PLAYER, words, name, height, won),
        _hand(player, words, height, Side.PLAYER, colour=colour),
        _totals(player, banker, totals, height),
        _hand(banker, words, height, Side.BANKER, colour=colour),
        _name(Side.BANKER, words, name, height, won),
    )
    joined = beside(*parts, gap=1)
    return stack(width, joined)


def _name(side: Side, words: Words, width: int, height: int, won: str | None) -> Block:
    """The name of a hand at its outer end, with its letter, and a mark when it has won."""
    role = Role.PLAYER if side is Side.PLAYER else Role.BANKER
    winner = won == side.value
    name = words.terms.sides[side].upper()
    mark = "●" if winner else " "
    text = f"{mark} {name}" if side is Side.PLAYER else f"{name} {mark}"
    before = max(width - len(text) - 1, 0) if side is Side.PLAYER else 1
    line: Line = (Span(" " * before), Span(text, role, strong=True))
    middle = height // 2
    return block(width, [() if row != middle else line for row in range(height)])


def _hand(hand: HandView, words: Words, height: int, side: Side, *, colour: bool) -> Block:
    """Up to three cards; the places of the first two are marked. The third lies at the outer end."""
    wide = _WIDTHS[height]
    drawn = [_card(card, words, height, colour=colour) for card in hand.cards]
    drawn += [_place(height) for _ in range(2 - len(drawn))]
    if len(drawn) == 2:
        drawn.append(block(wide, [()] * height))
    if side is Side.PLAYER:
        drawn = [drawn[2], *drawn[:2]]
    return beside(*drawn, gap=1)


def _card(card: Card, words: Words, height: int, *, colour: bool) -> Block:
    """One card, its index at two corners and its suit between."""
    wide = _WIDTHS[height]
    role = Role.RED if suit(card) in "hd" else Role.BLACK
    index = words.terms.card_name(card, "")
    sign = SUITS[suit(card)]
    if not colour:
        return _edged(index, sign, height)
    inner = wide - 2
    rows = [f" {index:<{inner}} ", *[""] * (height - 2), f" {index:>{inner}} "]
    rows[height // 2] = f"{sign:^{wide}}"
    lines = [(Span(f"{row:{wide}}", role, strong=True, surface=Surface.CARD),) for row in rows]
    return block(wide, lines)


def _edged(index: str, sign: str, height: int) -> Block:
    wide = _WIDTHS[height]
    inner = wide - 2
    face = [""] * (height - 2)
    face[len(face) // 2] = f"{index + sign:^{inner}}"
    rows = [f"╭{'─' * inner}╮", *(f"│{row:{inner}}│" for row in face), f"╰{'─' * inner}╯"]
    return block(wide, [(Span(row, Role.INK, strong=True),) for row in rows])


def _place(height: int) -> Block:
    """Where a card will lie."""
    inner = _WIDTHS[height] - 2
    rows = [f"╭{'╌' * inner}╮", *[f"┆{' ' * inner}┆"] * (height - 2), f"╰{'╌' * inner}╯"]
    return block(inner + 2, [(Span(row, Role.LINE),) for row in rows])


def _totals(player: HandView, banker: HandView, width: int, height: int) -> Block:
    """Both totals, each on the side of its hand; nothing before the first card of a hand."""
    above = (height - 3) // 2
    lines: list[Line] = [()] * above
    for row in range(3):
        left = DIGITS[player.total][row] if player.cards else "   "
        right = DIGITS[banker.total][row] if banker.cards else "   "
        between = "·" if row == 1 else " "
        lines.append(
            (
                Span(" "),
                Span(left, Role.PLAYER, strong=True),
                Span(f" {between:^2} ", Role.QUIET),
                Span(right, Role.BANKER, strong=True),
                Span(" "),
            )
        )
    return block(width, [*lines, *[()] * (height - 3 - above)])
