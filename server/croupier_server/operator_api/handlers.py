"""What each method of the operator's API does: the same functions that the command line calls."""

import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TypeVar

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.config import Config
from croupier_server.operations import money, orders, play_safe, players, tables
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.operations.reasons import is_reason
from croupier_server.operator_api import answers, requests
from croupier_server.operator_api.errors import ApiCode, ApiError
from croupier_server.players.accounts import is_player
from croupier_server.players.codes import make_code
from croupier_server.store.keys import PitId
from croupier_server.store.own_limits import NAMES, named_limits
from croupier_server.store.stores import Stores
from croupier_server.table.orders import Wish
from croupier_server.table.pace import PACES
from croupier_server.table.state import TableSettings

Value = TypeVar("Value")


class Desk:
    """What the methods work with: the store, and the configuration as it is now."""

    def __init__(self, stores: Stores, config: Callable[[], Config]) -> None:
        self.stores = stores
        self.config = config
        self._auditing = False

    @contextlib.contextmanager
    def auditing(self) -> Iterator[None]:
        """One audit at a time: each reads everything there is.

        Raises:
            ApiError: BUSY.
        """
        if self._auditing:
            raise ApiError(ApiCode.BUSY, "an audit is under way: ask again when it is done")
        self._auditing = True
        try:
            yield
        finally:
            self._auditing = False


async def list_tables(desk: Desk, _asked: requests.Nothing) -> answers.Tables:
    """The tables."""
    listed = await tables.list_tables(desk.stores)
    return answers.Tables(listed.rows, dict(listed.silent))


async def add_table(desk: Desk, asked: requests.AddTable) -> answers.Ordered:
    """Opens a table."""
    wrong = asked.limits.contradiction()
    if wrong is not None:
        raise ApiError(ApiCode.INVALID, wrong, "limits")
    config = desk.config()
    settings = TableSettings(
        table=TableId(asked.table),
        rules=_one_of(config.rule_sets(), asked.rules, "rules"),
        pace=_one_of(PACES, asked.pace, "pace"),
        limits=asked.limits,
        beacon=config.shoe.beacon,
    )
    await tables.add_table(desk.stores, PitId(asked.pit), settings, new_pit=asked.new_pit)
    return answers.Ordered(settings.table, "add")


def ordering(wish: Wish) -> Callable[[Desk, requests.TableOrder], Awaitable[answers.Ordered]]:
    """The handler of an order that has no second form."""

    async def handle(desk: Desk, asked: requests.TableOrder) -> answers.Ordered:
        return await _order(desk, asked, wish)

    return handle


def ordering_in_time(
    at_the_end: Wish, at_once: Wish
) -> Callable[[Desk, requests.TimedOrder], Awaitable[answers.Ordered]]:
    """The handler of an order that waits for the end of the round, or has that voided first."""

    async def handle(desk: Desk, asked: requests.TimedOrder) -> answers.Ordered:
        return await _order(desk, asked, at_once if asked.now else at_the_end)

    return handle


async def remove_player(desk: Desk, asked: requests.RemovePlayer) -> answers.Ordered:
    """Cashes a seat out."""
    return await _order(desk, asked, Wish.REMOVE, PlayerId(asked.player))


async def clear_alarm(desk: Desk, asked: requests.ClearAlarm) -> answers.AlarmCleared:
    """Ends a table's alarm."""
    _check_reason(asked.reason)
    table = TableId(asked.table)
    with desk.auditing():
        cleared = await tables.clear_alarm_at(desk.stores, table, asked.reason)
    if cleared.damage:
        first = cleared.damage[0]
        raise OperationError(
            OperationCode.STILL_DAMAGED,
            f"{table} takes no bets until this is put right: {first.where}: {first.text}; `audit` tells all",
        )
    if cleared.changed:
        raise OperationError(OperationCode.STILL_DAMAGED, f"{table} has another alarm by now: look into that")
    return answers.AlarmCleared(table, cleared.alarm)


async def past_rounds(desk: Desk, asked: requests.PastRounds) -> answers.Rounds:
    """A table's rounds."""
    table = TableId(asked.table)
    found = await tables.past_rounds(desk.stores, table, asked.before, asked.limit + 1)
    return answers.Rounds(table, tuple(found[: asked.limit]), more=len(found) > asked.limit)


async def show_wallet(desk: Desk, asked: requests.OfPlayer) -> answers.WalletShown:
    """A wallet."""
    player = PlayerId(asked.player)
    found = await money.statement(desk.stores, player)
    return answers.WalletShown(player, found.wallet, found.operations)


def adjusting(*, credit: bool) -> Callable[[Desk, requests.Adjust], Awaitable[answers.Adjusted]]:
    """The handler that issues chips, or retires them."""

    async def handle(desk: Desk, asked: requests.Adjust) -> answers.Adjusted:
        _check_reason(asked.reason)
        player = PlayerId(asked.player)
        done = await money.adjust(desk.stores, player, asked.amount, asked.op, asked.reason, credit=credit)
        return answers.Adjusted(player, asked.op, done.amount, done.wallet)

    return handle


async def code(desk: Desk, asked: requests.MakeCode) -> answers.CodeMade:
    """Makes a one-time code."""
    if not is_player(asked.player):
        raise ApiError(ApiCode.INVALID, "a guest has a token of its own, and needs no code", "player")
    try:
        made = await make_code(desk.stores, asked.player, asked.name)
    except ValueError as error:
        raise ApiError(ApiCode.INVALID, str(error), "name") from error
    return answers.CodeMade(PlayerId(asked.player), made.code, made.expires_ms)


async def revoke(desk: Desk, asked: requests.OfPlayer) -> answers.Revoked:
    """Voids tokens."""
    if not is_player(asked.player):
        raise ApiError(ApiCode.INVALID, "a guest has no token that could be revoked", "player")
    player = PlayerId(asked.player)
    return answers.Revoked(player, await players.revoke(desk.stores, player))


async def players_rounds(desk: Desk, asked: requests.PlayersRounds) -> answers.PlayersRoundsPage:
    """A player's own rounds."""
    player = PlayerId(asked.player)
    found = await players.own_rounds(desk.stores, player, asked.before, asked.limit + 1)
    page = found[: asked.limit]
    return answers.PlayersRoundsPage(
        player,
        rounds=tuple(own for _, own in page),
        next=page[-1][0] if len(found) > asked.limit else None,
    )


async def show_limits(desk: Desk, asked: requests.OfPlayer) -> answers.PlayersLimits:
    """A player's own limits."""
    player = PlayerId(asked.player)
    return answers.PlayersLimits.of(player, await play_safe.own_limits(desk.stores, player))


async def set_limits(desk: Desk, asked: requests.SetLimits) -> answers.PlayersLimits:
    """Sets limits."""
    _check_reason(asked.reason)
    player = PlayerId(asked.player)
    limits = named_limits(asked)
    if not limits:
        raise ApiError(ApiCode.INVALID, f"there is nothing to set: one of {', '.join(NAMES)}")
    record = await play_safe.set_limits(desk.stores, player, limits, asked.op, asked.reason)
    return answers.PlayersLimits.of(player, record)


async def exclude(desk: Desk, asked: requests.ExcludePlayer) -> answers.PlayersLimits:
    """Excludes a player, or ends that."""
    _check_reason(asked.reason)
    player = PlayerId(asked.player)
    record = await play_safe.exclude(desk.stores, player, asked.days, asked.op, asked.reason)
    return answers.PlayersLimits.of(player, record)


async def past_events(desk: Desk, asked: requests.PastEvents) -> answers.EventsPage:
    """Significant events."""
    page = await desk.stores.significant.last(asked.limit, asked.before)
    return answers.EventsPage(page.events, page.mark if len(page.events) == asked.limit else None)


async def audit(desk: Desk, _asked: requests.Nothing) -> answers.Audited:
    """The audit."""
    with desk.auditing():
        report = await money.audit(desk.stores)
    return answers.Audited(
        clean=report.clean,
        difference=report.difference,
        figures=report.figures,
        mismatch_count=len(report.mismatches),
        mismatches=report.mismatches[: answers.MOST_FINDINGS],
        unpinned=report.unpinned[: answers.MOST_FINDINGS],
    )


async def _order(
    desk: Desk,
    asked: requests.TableOrder | requests.RemovePlayer,
    wish: Wish,
    player: PlayerId | None = None,
) -> answers.Ordered:
    _check_reason(asked.reason)
    table = TableId(asked.table)
    await orders.order(desk.stores, table, asked.op, wish, asked.reason, player)
    return answers.Ordered(table, wish.value)


def _check_reason(reason: str) -> None:
    if not is_reason(reason):
        raise ApiError(ApiCode.INVALID, "a reason is a line of text", "reason")


def _one_of(known: Mapping[str, Value], name: str, field: str) -> Value:
    if name not in known:
        raise ApiError(ApiCode.INVALID, f"there is no {name!r}; there are {', '.join(known)}", field)
    return known[name]
