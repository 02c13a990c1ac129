"""A whole table as a picture: 80 × 24 characters have all of it, more have it larger, with a side column."""

from functools import lru_cache
from typing import Final

from croupier_client.terminal.draw.bars import detail, footer, headline, shoe_bar, top_bar
from croupier_client.terminal.draw.cards import HIGH, LOW, hands
from croupier_client.terminal.draw.felt import felt
from croupier_client.terminal.draw.picture import Block, Surface, beside, blank, stack
from croupier_client.terminal.draw.rack import actions, purse, status
from croupier_client.terminal.draw.roads import roads
from croupier_client.terminal.draw.side import side_column
from croupier_client.terminal.state import TableState
from croupier_client.terminal.words import Words
from croupier_protocol.game.roads import Roads
from croupier_protocol.messages.values import PastCoup

LEAST_WIDTH: Final = 80
LEAST_HEIGHT: Final = 24

ROOMY_HEIGHT: Final = 34
"""From so many rows on, cards and areas are larger."""

SIDE_WIDTH: Final = 34
"""Columns of the side column, on terminals that have `LEAST_WIDTH` beside it."""

WIDEST: Final = 150
"""The table itself grows no further: the way of the eye from hand to hand gets too long."""


def table(state: TableState, words: Words, width: int, height: int, *, colour: bool = True) -> Block:
    """The picture of a table on exactly `width` by `height` characters."""
    wide = max(width, LEAST_WIDTH)
    with_side = wide >= LEAST_WIDTH + SIDE_WIDTH + 2
    main = min(wide - SIDE_WIDTH - 2, WIDEST) if with_side else wide
    tall = max(height, LEAST_HEIGHT)
    top = stack(wide, top_bar(state, words, wide), shoe_bar(state, wide))
    bottom = footer(state, words, wide)
    middle = _middle(state, words, main, tall - top.height - bottom.height, colour=colour)
    if with_side:
        column = side_column(state, words, wide - main - 2, middle.height)
        middle = beside(middle, blank(2, middle.height), column)
    drawn = stack(wide, top, middle, bottom).on(Surface.GROUND)
    return drawn if (wide, tall) == (width, height) else _cut(drawn, width, height)


def _middle(state: TableState, words: Words, width: int, height: int, *, colour: bool) -> Block:
    """Hands, felt, rack and roads, with room between them as far as there is any."""
    roomy = height >= ROOMY_HEIGHT - 3
    above = [
        headline(state, words, width),
        hands(state, words, width, HIGH if roomy else LOW, colour=colour),
        detail(state, words, width),
    ]
    inner = width - 2
    below = [purse(state, words, width), actions(state, words, width), status(state, words, width)]
    view = state.view
    board = _board(() if view is None else view.past, words, width)
    fixed = sum(part.height for part in (*above, *below, board))
    cloth = _inset(felt(state, words, inner, roomy=roomy))
    room = height - fixed - cloth.height
    gaps = _gaps(room)
    parts = [
        blank(width, gaps[0]),
        above[0],
        blank(width, gaps[1]),
        *above[1:],
        blank(width, gaps[2]),
        cloth,
        blank(width, gaps[3]),
        *below,
        blank(width, gaps[4]),
        board,
    ]
    return stack(width, *(part for part in parts if part.height)).tall(height)


def _inset(inner: Block) -> Block:
    """A picture with an empty column on either side."""
    return beside(blank(1, inner.height), inner, blank(1, inner.height))


def _gaps(room: int) -> list[int]:
    """Empty rows before the headline, the hands, the felt, the rack and the roads: the last first."""
    gaps = [0] * 5
    order = (3, 4, 1, 2, 0)
    for number in range(max(room, 0)):
        if number >= 2 * len(order):
            break
        gaps[order[number % len(order)]] += 1
    return gaps


@lru_cache(maxsize=8)
def _board(past: tuple[PastCoup, ...], words: Words, width: int) -> Block:
    """The roads, drawn once for each coup and size: they are most of the picture."""
    return _inset(roads(Roads.of(past), words, width - 2))


def _cut(drawn: Block, width: int, height: int) -> Block:
    """The upper left part of a picture, on a terminal that is too small."""
    small = stack(width, drawn) if drawn.width != width else drawn
    return small.tall(height)
