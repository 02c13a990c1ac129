"""`croupier players`: what an operator does to players.

Exit status: 0 done, 1 some are left, 2 wrong usage or no store to be found.
"""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.bank import Bank
from croupier_server.operating import DONE, FAILED, USAGE, fail, show, with_store
from croupier_server.operations import players as operations
from croupier_server.play_safe.commands import exclude, limits
from croupier_server.players.accounts import is_player
from croupier_server.players.closing import close_test_players
from croupier_server.players.guests import Guests
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.seats import Seats
from croupier_server.store.stores import Stores
from croupier_server.store.tables import Tables
from croupier_server.store.transfers import Transfers

players = App(name="players")
players.command(limits)
players.command(exclude)


@players.command
def purge(
    *,
    json: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Close every test player that load tests have left: retire its chips and forget it.

    Who still has chips at a table, or on the way from one, is left for another time. An audit is as clean
    afterwards as before; what test players have won and lost stays with the house.

    Args:
        json: Print one JSON object.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.

    Returns:
        Exit status: 0 when none is left, 1 when some are, 2 when there is no store.
    """

    async def work(stores: Stores) -> int:
        home = stores.pit(DEFAULT_PIT)
        closed, left = await close_test_players(
            Guests(home), Bank(home, DEFAULT_PIT), stores, await _with_chips_out(stores)
        )
        if json:
            show({"closed": closed, "left": left})
        else:
            sys.stdout.write(f"{closed} test players closed, {left} left with chips at a table\n")
        return FAILED if left else DONE

    return with_store(config, redis, data, work)


@players.command
def revoke(
    player: str,
    /,
    *,
    json: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Void every token that a player has been issued so far, and end its connections within a second.

    What stands at a table is settled. A token that is issued later counts again: whoever is to stay away has
    to be refused by the operator's own login.

    Args:
        player: The player's id: its tokens' `sub`.
        json: Print one JSON object.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.

    Returns:
        Exit status: 0 when it is done, 2 when there is no store or no such id can be.
    """
    if not is_player(player):
        return fail(f"{player!r} is no id that a token can name: see `croupier token --help`", USAGE)

    async def work(stores: Stores) -> int:
        until_ms = await operations.revoke(stores, PlayerId(player))
        if json:
            show({"player": player, "until_ms": until_ms})
        else:
            sys.stdout.write(f"tokens of {player} that have been issued so far are void\n")
        return DONE

    return with_store(config, redis, data, work)


async def _with_chips_out(stores: Stores) -> set[PlayerId]:
    """Whoever has a seat at some table, or a transfer under way."""
    found: set[PlayerId] = set()
    for pit in await stores.known_pits():
        store = stores.pit(pit)
        _, transfers = await Transfers(store, pit).all()
        found.update(PlayerId(field.decode().partition("|")[2]) for field in transfers)
        for table in await Tables(store, pit).registered():
            found.update(await Seats(store, pit).seated(table))
    return found
