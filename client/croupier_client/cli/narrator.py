"""A table told in lines of text, message by message. No I/O."""

from collections.abc import Iterator, Sequence
from typing import Final

from croupier_client.cli.scoreboard import Scoreboard
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import Texts
from croupier_client.watcher import TableMessage
from croupier_protocol.game.cards import Card, rank, suit
from croupier_protocol.game.coup import Side
from croupier_protocol.game.roads import Roads
from croupier_protocol.language import money
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    CutListed,
    Paused,
    Resumed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableClosed,
    UnknownEvent,
)
from croupier_protocol.messages.to_client import TableInfo, TableView
from croupier_protocol.messages.values import HandView, Phase

HAND_WIDTH: Final = 11
"""Three tens with their suits and two spaces."""


class Narrator:
    """Tells one table in one language.

    The narrator remembers the round, to tell a window from the same window opened again. With a scoreboard it
    shows the roads after each result.
    """

    def __init__(self, texts: Texts, terminal: Terminal, scoreboard: Scoreboard | None = None) -> None:
        self._texts = texts
        self._terminal = terminal
        self._scoreboard = scoreboard
        self._round = 0

    def lines(  # noqa: C901, PLR0912 - one case for each message
        self, message: TableMessage, view: TableView, now_ms: float, good: bool | None = None
    ) -> Iterator[str]:
        """The lines for `message`, after which the table is `view`; `now_ms` is the server's time.

        `good` says whether a card was checked to be the one committed to; None when it was not checked.
        """
        match message:
            case TableView():
                yield from self._snapshot(message, now_ms)
            case ShoeOpened():
                yield from self._shoe(message)
            case BettingOpened():
                yield from self._betting(message)
            case BettingClosed():
                yield self._texts.closed
            case CardDealt():
                yield self._hand(message.hand, view) + self._checked(good)
            case RoundResult():
                yield self._result(message)
                yield from self._roads(view)
            case RoundSettled() if message.staked:
                yield self._texts.settled.format(
                    staked=self._money(message.staked),
                    returned=self._money(message.returned),
                    paid=message.paid,
                )
            case RoundVoided():
                yield self._texts.void.format(round=message.round, reason=self._reason(message.reason))
            case Paused():
                yield self._texts.paused.format(reason=self._reason(message.reason))
            case Resumed():
                yield self._texts.resumed
            case ShoeCommitted() if message.cut_until_ms is not None:
                yield self._texts.cut_open.format(shoe=message.shoe)
            case CutListed():
                yield self._texts.cut_listed.format(count=len(message.contributions))
            case ShoeEnded():
                yield from self._ended(message)
            case TableClosed():
                yield self._texts.table_closed.format(reason=self._reason(message.reason))
            case RoundSettled() | UnknownEvent():
                return

    def lobby(self, tables: tuple[TableInfo, ...]) -> Iterator[str]:
        """Every table, a line each under a line of headings."""
        rows = [self._texts.lobby_columns] + [
            (
                info.table,
                info.rules.name,
                str(info.round),
                str(info.spectators),
                self._texts.phase[info.phase],
            )
            for info in tables
        ]
        yield from columns(rows, right={2, 3})

    def lost(self, reason: str, delay_s: float) -> str:
        return self._terminal.paint(
            self._texts.lost.format(reason=reason, seconds=self._seconds(delay_s)), "accent"
        )

    def back(self) -> str:
        return self._terminal.paint(self._texts.back, "accent")

    def stalled(self, *, still: bool) -> str:
        return self._terminal.paint(self._texts.stalled if still else self._texts.live, "accent")

    def _snapshot(self, view: TableView, now_ms: float) -> Iterator[str]:
        self._round = view.round
        names = {"table": view.table, "rules": view.rules.name}
        if view.shoe is None:
            yield self._texts.snapshot_new.format(**names)
            return
        yield self._texts.snapshot.format(
            **names,
            shoe=view.shoe.number,
            coup=view.coup,
            round=view.round,
            phase=self._texts.phase[view.phase],
        )
        if view.phase is Phase.BETTING and view.closes_at_ms is not None:
            left_s = max(0.0, view.closes_at_ms - now_ms) / 1000
            yield self._texts.betting_again.format(round=view.round, seconds=self._seconds(left_s))
        if view.last:
            yield self._texts.last_coup
        for side in Side:
            if self._cards(side, view).cards:
                yield self._hand(side, view)

    def _shoe(self, event: ShoeOpened) -> Iterator[str]:
        if event.coups is None:
            yield self._texts.shoe.format(shoe=event.shoe, decks=event.decks, cards=event.cards)
        else:
            yield self._texts.series.format(shoe=event.shoe, coups=event.coups, cards=event.cards)
        if event.burn is not None:
            yield self._texts.burn.format(card=self._card(event.burn.shown), burnt=event.burn.burnt)
        if event.cut_at is not None:
            yield self._texts.cut.format(behind=event.cards - event.cut_at)

    def _ended(self, event: ShoeEnded) -> Iterator[str]:
        if event.reason is None:
            yield self._texts.shoe_end.format(shoe=event.shoe)
        else:
            yield self._texts.shoe_abandoned.format(shoe=event.shoe, reason=self._reason(event.reason))

    def _betting(self, event: BettingOpened) -> Iterator[str]:
        text = self._texts.betting_again if event.round == self._round else self._texts.betting
        self._round = event.round
        seconds = self._seconds((event.closes_at_ms - event.at_ms) / 1000)
        line = text.format(round=event.round, coup=event.coup, seconds=seconds)
        yield self._terminal.paint(line, "accent")
        if event.last:
            yield self._texts.last_coup

    def _hand(self, side: Side, view: TableView) -> str:
        hand = self._cards(side, view)
        width = max(len(name) for name in self._texts.side.values())
        name = self._terminal.paint(f"{self._texts.side[side]:{width}}", side.value)
        cards = " ".join(self._card(card) for card in hand.cards)
        return f"  {name}  {cards:{HAND_WIDTH}}  {hand.total}"

    def _checked(self, good: bool | None) -> str:
        if good is None:
            return ""
        return f"  {self._texts.card_good}" if good else f"  {self._texts.card_false}"

    @staticmethod
    def _cards(side: Side, view: TableView) -> HandView:
        return view.player if side is Side.PLAYER else view.banker

    def _result(self, event: RoundResult) -> str:
        player, banker = event.player.total, event.banker.total
        details = []
        if event.natural:
            details.append(self._texts.natural.format(total=max(player, banker)))
        details += [
            self._texts.pair[side]
            for side, pair in ((Side.PLAYER, event.player_pair), (Side.BANKER, event.banker_pair))
            if pair
        ]
        wins = self._texts.wins[event.outcome].format(player=player, banker=banker)
        painted = self._terminal.paint(wins, event.outcome.value)
        return f"{painted} ({', '.join(details)})" if details else painted

    def _roads(self, view: TableView) -> Iterator[str]:
        if self._scoreboard is not None:
            for line in self._scoreboard.compact(Roads.of(view.past)):
                yield f"  {line}"

    def _card(self, card: Card) -> str:
        return self._texts.ranks.get(rank(card), rank(card)) + self._terminal.suits[suit(card)]

    def _reason(self, reason: str) -> str:
        return self._texts.reasons.get(reason, reason)

    def _seconds(self, seconds: float) -> str:
        shown = f"{seconds:.0f}" if seconds >= 10 or round(seconds, 1).is_integer() else f"{seconds:.1f}"
        return shown.replace(".", self._texts.decimal_mark)

    def _money(self, cents: int) -> str:
        return money(self._texts.language, cents)


def columns(rows: Sequence[tuple[str, ...]], right: set[int]) -> Iterator[str]:
    """Rows as aligned lines, two spaces between columns; those in `right` are aligned to the right.

    >>> list(columns([("A", "B"), ("long", "1")], right={1}))
    ['A     B', 'long  1']
    """
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:>{width}}" if index in right else f"{cell:{width}}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
