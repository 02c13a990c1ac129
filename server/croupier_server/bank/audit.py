"""Audits the money of all pits while they run: exact, and without false alarms.

No moment exists at which everything could be read: wallets are in other slots of the store than seats, and
pits perhaps on different servers. But every move of chips in a pit is a posting of its ledger, and each
record of the pit is read together with the ledger's last position (`pit_books`). So

- a seat, and the house, are compared with the ledger at the position at which they were read;
- a wallet is read between two readings of every pit's transfers. When neither these nor the ledgers have
  changed for its player in between, the wallet and the second readings are of one moment; otherwise it is
  read again, and a player who never rests is told as not pinned;
- for the sum of all, what was read later is carried back to where the audit began, by the postings since.

It only reads, holds up the store for no longer than one table's seats take, and needs no script.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.checks import Side, check_player
from croupier_server.bank.findings import AuditReport, Figures, Mismatch
from croupier_server.bank.pit_books import BATCH, Findings, PitBooks, scan
from croupier_server.bank.postings import wallet_account
from croupier_server.store import keys
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run
from croupier_server.store.stores import Stores
from croupier_server.store.transfers import Transfer
from croupier_server.store.wallets import OPEN

ATTEMPTS: Final = 20
"""How often a player whose money moves is read again."""

PAUSE_S: Final = 0.02
"""Between two such readings."""


class Auditor:
    """One audit of `pits`, which have to be all that the store has."""

    def __init__(self, stores: Stores, pits: Sequence[PitId]) -> None:
        self._found = Findings()
        self._books = [PitBooks(stores.pit(pit), pit, self._found) for pit in pits]
        self._any = stores.pit(pits[0])
        self._players: dict[PlayerId, bytes | None] = {}

    async def run(self) -> AuditReport:
        """Audits everything once.

        Raises:
            StoreUnavailableError: a server went away meanwhile.
        """
        found = self._found
        async with found.section("the ledger"):
            for books in self._books:
                await books.begin()
            await self._name_players()
            for books in self._books:
                await books.check_tables()
            async with found.section("the wallets"):
                await self._check_players()
            for books in self._books:
                await books.count_postings()
        figures = Figures(**found.figures)
        outside = figures.wallets + figures.in_flight - figures.issued + figures.retired
        inside = figures.bankrolls + figures.stakes + figures.house
        difference = None if found.unpinned else outside + inside + figures.moved
        if difference:
            text = f"there are {difference} cents too many"
            found.mismatches.append(Mismatch("all money", text, difference))
        return AuditReport(figures, difference, tuple(found.mismatches), tuple(found.unpinned))

    async def _name_players(self) -> None:
        """Whoever may have money or have had some: all who had when the audit began, and perhaps more."""
        register = (await self._any.holding(keys.players_key())).client
        async for player, state in scan(register, keys.players_key()):
            self._players[PlayerId(player)] = state
        for books in self._books:
            for player_id in await books.players():
                if player_id not in self._players:
                    self._players[player_id] = await run(register.hget(keys.players_key(), player_id))

    async def _check_players(self) -> None:
        self._found.figures["players"] = len(self._players)
        left = list(self._players)
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(PAUSE_S)
            moving = []
            for start in range(0, len(left), BATCH):
                moving += await self._check_batch(left[start : start + BATCH])
            left = moving
            if not left:
                return
        self._found.unpinned += [f"wallet of {player}: it moved at every reading" for player in left]

    async def _check_batch(self, players: Sequence[PlayerId]) -> list[PlayerId]:
        """Checks those of `players` whose money rests, and returns the others."""
        before = [await books.transfers() for books in self._books]
        wallets = await self._wallets(players)
        after = [await books.transfers() for books in self._books]
        bought = []
        for books, (_, until) in zip(self._books, after, strict=True):
            await books.load(until)
            bought.append(await books.at([wallet_account(player) for player in players], until))
        moving = []
        for player in players:
            account = wallet_account(player)
            own: dict[str, Transfer] = {}
            rests = True
            for books, (earlier, since), (later, until) in zip(self._books, before, after, strict=True):
                mine = books.of(player, later)
                own |= mine
                rests = rests and books.of(player, earlier) == mine
                rests = rests and not books.timeline.touched(account, since, until)
            if not rests:
                moving.append(player)
                continue
            side = self._check_player(player, wallets[player], own, -sum(one[account] for one in bought))
            figures = self._found.figures
            figures["wallets"] += side.balance
            figures["issued"] += side.issued
            figures["retired"] += side.retired
            figures["in_flight"] += side.in_flight
            for books, (_, until) in zip(self._books, after, strict=True):
                figures["moved"] -= books.timeline.moved(account, books.start, until)
        return moving

    async def _wallets(self, players: Sequence[PlayerId]) -> dict[PlayerId, Any]:
        """Each player's wallet as stored, or the failure to read it; by one reading from each server."""
        there: dict[Store, list[PlayerId]] = {}
        for player in players:
            there.setdefault(await self._any.holding(keys.wallet_key(player)), []).append(player)
        found: dict[PlayerId, Any] = {}
        for store, held in there.items():
            pipe = store.client.pipeline(transaction=False)
            for player in held:
                pipe.hgetall(keys.wallet_key(player))
            found |= zip(held, await run(pipe.execute(raise_on_error=False)), strict=True)
        return found

    def _check_player(self, player: PlayerId, wallet: Any, own: Mapping[str, Transfer], bought: int) -> Side:
        state = self._players[player]
        if isinstance(wallet, Exception):
            self._found.mismatches.append(Mismatch(f"wallet of {player}", str(wallet)))
            return Side()
        if not wallet:
            if state == OPEN or bought or own:
                self._found.mismatches.append(Mismatch(f"wallet of {player}", "it has vanished"))
            return Side()
        if state is None:
            self._found.mismatches.append(
                Mismatch(f"wallet of {player}", "the register of players does not know it")
            )
        side, found = check_player(player, wallet, own, bought)
        self._found.mismatches += found
        return side
