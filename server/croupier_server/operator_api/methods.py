"""Every method of the operator's API, each declared once: name, what it is for, what it takes and gives.

From this table come the answers (`server`), the description (`openapi`) and the tests of who may do what.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec import Struct

from croupier_server.operator_api import answers, handlers, requests
from croupier_server.operator_api.handlers import Desk
from croupier_server.table.orders import Wish


class Method(Struct, frozen=True):
    """One method: `POST /api/<name>`. What it does when it `changes` something is told in the log."""

    name: str
    about: str
    takes: type[Struct]
    gives: type[Struct]
    handle: Callable[[Desk, Any], Awaitable[Struct]]
    changes: bool = True


_METHODS: Final = (
    Method(
        "tables.list",
        "Every table: its dealer, phase, round, seats, spectators and lag. A field that is left out has its"
        " default.",
        requests.Nothing,
        answers.Tables,
        handlers.list_tables,
        changes=False,
    ),
    Method(
        "tables.add",
        "Opens a table, dealt by the running servers and kept over restarts. The same again changes nothing.",
        requests.AddTable,
        answers.Ordered,
        handlers.add_table,
    ),
    Method(
        "tables.void",
        "Voids the running round: every stake returns.",
        requests.TableOrder,
        answers.Ordered,
        handlers.ordering(Wish.VOID),
    ),
    Method(
        "tables.pause",
        "Pauses a table at the end of the round, or at once.",
        requests.TimedOrder,
        answers.Ordered,
        handlers.ordering_in_time(Wish.PAUSE, Wish.PAUSE_NOW),
    ),
    Method(
        "tables.resume",
        "Lets a paused table go on.",
        requests.TableOrder,
        answers.Ordered,
        handlers.ordering(Wish.RESUME),
    ),
    Method(
        "tables.abandon",
        "Abandons the running shoe in public; the running round is voided.",
        requests.TableOrder,
        answers.Ordered,
        handlers.ordering(Wish.ABANDON),
    ),
    Method(
        "tables.close",
        "Closes a table at the end of the round, or at once: every seat is cashed out.",
        requests.TimedOrder,
        answers.Ordered,
        handlers.ordering_in_time(Wish.CLOSE, Wish.CLOSE_NOW),
    ),
    Method(
        "tables.remove",
        "Removes a player from a table: its bets are played out, its chips go to its wallet.",
        requests.RemovePlayer,
        answers.Ordered,
        handlers.remove_player,
    ),
    Method(
        "tables.clear-alarm",
        "Lets a table take bets again, unless the audit still finds the damage.",
        requests.ClearAlarm,
        answers.AlarmCleared,
        handlers.clear_alarm,
    ),
    Method(
        "tables.rounds",
        "The last finished rounds of a table, newest first.",
        requests.PastRounds,
        answers.Rounds,
        handlers.past_rounds,
        changes=False,
    ),
    Method(
        "wallet.show",
        "What a player's wallet holds, and its recent operations.",
        requests.OfPlayer,
        answers.WalletShown,
        handlers.show_wallet,
        changes=False,
    ),
    Method(
        "wallet.credit",
        "Issues chips into a player's wallet.",
        requests.Adjust,
        answers.Adjusted,
        handlers.adjusting(credit=True),
    ),
    Method(
        "wallet.debit",
        "Retires chips from a player's wallet.",
        requests.Adjust,
        answers.Adjusted,
        handlers.adjusting(credit=False),
    ),
    Method(
        "players.code",
        "Makes a one-time code that signs a player in at the browser table, within a minute.",
        requests.MakeCode,
        answers.CodeMade,
        handlers.code,
    ),
    Method(
        "players.revoke",
        "Voids every token that a player has been issued so far, and ends its connections within a second.",
        requests.OfPlayer,
        answers.Revoked,
        handlers.revoke,
    ),
    Method(
        "players.limits",
        "What a player has limited for itself, and whether it is excluded.",
        requests.OfPlayer,
        answers.PlayersLimits,
        handlers.show_limits,
        changes=False,
    ),
    Method(
        "players.limit",
        "Sets a player's limits of stakes and time, or lifts them, at once.",
        requests.SetLimits,
        answers.PlayersLimits,
        handlers.set_limits,
    ),
    Method(
        "players.exclude",
        "Keeps a player from all tables for some days, or ends that: its bets are played out, its seats"
        " cashed out.",
        requests.ExcludePlayer,
        answers.PlayersLimits,
        handlers.exclude,
    ),
    Method(
        "players.rounds",
        "A player's own settled rounds at all tables, newest first.",
        requests.PlayersRounds,
        answers.PlayersRoundsPage,
        handlers.players_rounds,
        changes=False,
    ),
    Method(
        "significant.list",
        "Failed logins, large wins, void rounds, orders, adjustments and changed settings, newest first.",
        requests.PastEvents,
        answers.EventsPage,
        handlers.past_events,
        changes=False,
    ),
    Method(
        "audit",
        "Checks that every cent is where it should be.",
        requests.Nothing,
        answers.Audited,
        handlers.audit,
        changes=False,
    ),
)

METHODS: Final = {method.name: method for method in _METHODS}
"""The methods by name."""
