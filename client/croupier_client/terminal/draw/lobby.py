"""The lobby as a picture: each table with what it does, its limits, who is there, and its road."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from croupier_client.terminal.draw.picture import (
    Act,
    Block,
    Line,
    Role,
    Span,
    Surface,
    apart,
    beside,
    blank,
    block,
    stack,
)
from croupier_client.terminal.draw.roads import small_road
from croupier_client.terminal.state import LAST_SECONDS, Link
from croupier_client.terminal.words import Words
from croupier_protocol.game.roads import Roads
from croupier_protocol.messages.to_client import TableInfo
from croupier_protocol.messages.values import PastCoup, Phase

LOW: Final = 3
"""Rows of a table, and of its road, where there are few."""

HIGH: Final = 6
"""The same where all tables have room for it."""


class Lobby(NamedTuple):
    """What the lobby shows: the tables (None until they are known), the one chosen, own seats, a notice."""

    tables: tuple[TableInfo, ...] | None
    chosen: int = 0
    seats: frozenset[str] = frozenset()
    link: Link = Link()
    now_ms: float | None = None
    notice: str = ""


def lobby(state: Lobby, words: Words, width: int, height: int) -> Block:
    """The picture of the lobby on exactly `width` by `height` characters; it scrolls by whole tables."""
    top = stack(width, _title(words, width), block(width, [(Span("─" * width, Role.LINE),)]))
    bottom = stack(width, _notice(state, width), _footer(state, words, width))
    room = height - top.height - bottom.height
    if not state.tables:
        text = words.lobby_waiting if state.tables is None else words.lobby_empty
        middle = block(width, [(), (Span(f"  {text}", Role.QUIET),)])
    else:
        high = HIGH if len(state.tables) * (HIGH + 1) <= room + 1 else LOW
        fits = max(1, (room + 1) // (high + 1))
        first = max(0, min(state.chosen - fits // 2, len(state.tables) - fits))
        rows = []
        for number, info in enumerate(state.tables[first : first + fits], first):
            rows += [_table(info, state, words, width, high, chosen=number == state.chosen), blank(width)]
        middle = stack(width, *rows[:-1])
    return stack(width, top, middle.tall(max(room, 0)), bottom).tall(height).on(Surface.GROUND)


def _title(words: Words, width: int) -> Block:
    left = (Span(f" {words.lobby_title}", strong=True), Span(f"   {words.lobby_lead}", Role.QUIET))
    return block(width, [left]).on(Surface.PANEL)


def _table(info: TableInfo, state: Lobby, words: Words, width: int, high: int, *, chosen: bool) -> Block:
    """One table: its name and what it does, its rules and limits, who is there; its road beside."""
    road_width = max(20, (width - 50) // 2 * 2)
    left = width - road_width - 4
    mark = Span("▌ " if chosen else "  ", Role.BRASS, strong=True)
    seat = f"  {words.your_seat}" if info.table in state.seats else ""
    phase, role = _phase(info, state, words)
    lines: list[Line] = [
        apart(
            (Span(info.table, strong=True), Span(seat, Role.BRASS)),
            (Span(f" {phase}", role, strong=True),),
            left - 2,
        ),
        (
            Span(words.rules_of.format(rules=info.rules.name), Role.QUIET),
            Span(f"   {words.money(info.limits.main_least)} – {words.money(info.limits.main_most)}"),
        ),
        (
            Span(words.seated.format(count=words.number(info.seated)), Role.QUIET),
            Span("   "),
            Span(words.watching.format(count=words.number(info.spectators)), Role.QUIET),
        ),
    ]
    lines += [()] * (high - len(lines))
    about = block(left, [(mark, *line) for line in lines])
    road = (
        _road(info.past, road_width, high)
        if info.past
        else block(road_width, [(Span(words.first_coup, Role.QUIET),), *[()] * (high - 1)])
    )
    drawn = beside(about, blank(3, high), road, blank(1, high))
    return drawn.on(Surface.LIFTED if chosen else Surface.FELT).clicked(Act("open", info.table))


@lru_cache(maxsize=64)
def _road(past: tuple[PastCoup, ...], width: int, rows: int) -> Block:
    return small_road(Roads.of(past), width, rows)


def _phase(info: TableInfo, state: Lobby, words: Words) -> tuple[str, Role]:
    """What the table does; while bets are open, with the seconds that are left."""
    name = words.phases[info.phase.value]
    if info.phase is not Phase.BETTING or info.closes_at_ms is None or state.now_ms is None:
        return name, Role.QUIET
    seconds = -int(-max(0.0, info.closes_at_ms - state.now_ms) // 1000)
    return f"{name} {seconds:>3} s", Role.WARN if seconds <= LAST_SECONDS else Role.BRASS


def _notice(state: Lobby, width: int) -> Block:
    return block(width, [(Span(f" {state.notice}", Role.WARN),)])


def _footer(state: Lobby, words: Words, width: int) -> Block:
    keys = (("↑ ↓", ""), ("Enter", "open"), ("?", "help"), ("Q", "quit"))
    parts = []
    for key, kind in keys:
        name = words.actions[kind] if kind else ""
        line: Line = (Span(f" {key} ", Role.BRASS), Span(name + " "))
        part = block(len(key) + len(name) + 3, [line])
        parts.append(part.clicked(Act(kind)) if kind in {"help", "quit"} else part)
    drawn = beside(*parts)
    return beside(drawn, _link(state, words, max(width - drawn.width, 0))).on(Surface.PANEL)


def _link(state: Lobby, words: Words, width: int) -> Block:
    if state.link.live:
        span = Span(f"● {words.online} ", Role.WON)
    else:
        span = Span(f"○ {words.reconnecting_now} ", Role.WARN, strong=True)
    return block(width, [apart((), (span,), width)])


def order(tables: Sequence[TableInfo]) -> tuple[TableInfo, ...]:
    """The tables by name: a list that jumps under the cursor is worse than one that is not by time."""
    return tuple(sorted(tables, key=lambda info: info.table))
