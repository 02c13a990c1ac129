"""Players' wallets in the store, and the register of who has one.

A wallet and its register are in different slots. The register says `new` before the wallet is made and
`open` after: whoever is `open` has a wallet, or has lost it, and that is an alarm and never a fresh wallet.
A wallet that vanishes while its player is still `new` held its start amount and nothing else, since nobody
moves money before the player is `open`; making it again changes no sum.
"""

from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import PlayerId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.scripts import Store, run

OPERATIONS_KEPT: Final = 200
"""Operations that a wallet remembers with their first answers."""

NEW: Final = b"new"
OPEN: Final = b"open"


class WalletTerms(Struct, frozen=True):
    """Cents that a wallet starts with, and up to what and how often it is refilled; 0 ms for never."""

    start: int = 1_000_00
    refill_to: int = 0
    refill_every_ms: int = 0


class Wallet(Struct, frozen=True):
    """A wallet as it stands. At all times `balance` is `issued - retired - to_tables + from_tables`."""

    balance: int
    issued: int
    retired: int
    to_tables: int
    from_tables: int
    created_at_ms: int
    refilled_at_ms: int


class Operation(Struct, frozen=True):
    """One of a wallet's recent operations.

    `request` is what was asked for, in one line; `verdict` is `ok`, `short` when the wallet did not hold
    `amount`, or `excluded` or `time` when the player's own limits kept it from a table; `balance` is what it
    held then. `number` is a transfer's, and `seat` the seat it was for.
    """

    op: str
    request: str
    verdict: str
    amount: int
    balance: int
    seat: int
    number: int
    at_ms: int
    reason: str


class Opened(Struct, frozen=True):
    """A wallet that is there: its balance, what it knows of an operation, its last transfer with a table."""

    balance: int
    known: Operation | None
    last_number: int


class Verdict(Struct, frozen=True):
    """What a wallet says to a move: see `lua/wallet_move.lua` for the words."""

    word: str
    balance: int
    now_ms: int
    known: Operation | None = None

    @property
    def ok(self) -> bool:
        """Whether the money has moved, now or before."""
        return self.word == "ok"


class Move(Struct, frozen=True):
    """Money into (`credit`) or out of a wallet; `counter` rises along. `slot`: a transfer's pit and table."""

    op: str
    request: str
    credit: bool
    counter: str
    amount: int
    slot: str = ""
    number: int = 0
    seat: int = 0
    reason: str = ""


class Wallets:
    """Every wallet, wherever its slot is. Each call touches one player's slot, or the register."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def registered(self, player: PlayerId) -> bytes | None:
        """`NEW`, `OPEN`, or None for nobody."""
        store = await self.store.holding(keys.players_key())
        state: bytes | None = await run(store.client.hget(keys.players_key(), player))
        if state not in {None, NEW, OPEN}:
            raise DamagedRecordError(f"the register of players says {state!r} of {player}")
        return state

    async def register(self, player: PlayerId, state: bytes) -> None:
        """Notes how far the making of a wallet is. May be lost or repeated; see above."""
        store = await self.store.holding(keys.players_key())
        if state == NEW:
            await run(store.client.hsetnx(keys.players_key(), player, state))
        else:
            await run(store.client.hset(keys.players_key(), player, state))

    async def open(
        self, player: PlayerId, terms: WalletTerms, *, made: bool, op: str = "", slot: str = ""
    ) -> Opened:
        """Makes the wallet unless it was `made` before, refills it when due, and looks for `op` in it.

        Raises:
            DamagedRecordError: it was made and has vanished, or is no wallet.
            StoreUnavailableError: no answer; may be sent again.
        """
        store = await self.store.holding(keys.wallet_key(player))
        reply = await store.call(
            scripts.WALLET_OPEN,
            [keys.wallet_key(player), keys.wallet_ops_key(player)],
            [
                "1" if made else "",
                terms.start,
                terms.refill_to,
                terms.refill_every_ms,
                op,
                OPERATIONS_KEPT,
                slot,
            ],
        )
        _, _, balance, entry, last = reply
        return Opened(balance=balance, known=read_operation(entry) if entry else None, last_number=int(last))

    async def move(self, player: PlayerId, move: Move, *, limited: bool = False) -> Verdict:
        """Moves money, once for each transfer number, or for each op that is no transfer.

        `limited`: what the player's own limits keep from a table does not go there.

        Raises:
            DamagedRecordError: there is no wallet, or it is none.
            StoreUnavailableError: no answer; may be sent again.
        """
        store = await self.store.holding(keys.wallet_key(player))
        reply = await store.call(
            scripts.WALLET_MOVE,
            [
                keys.wallet_key(player),
                keys.wallet_ops_key(player),
                *([keys.own_limits_key(player)] if limited else ()),
            ],
            [
                move.op,
                move.request,
                "credit" if move.credit else "debit",
                move.counter,
                move.amount,
                move.slot,
                move.number,
                move.seat,
                move.reason,
                OPERATIONS_KEPT,
            ],
        )
        word, now_ms, balance, *known = reply
        return Verdict(
            word=word.decode(),
            balance=balance,
            now_ms=now_ms,
            known=read_operation(known[0]) if known else None,
        )

    async def close(self, player: PlayerId, wallet: Wallet) -> None:
        """Forgets the `wallet` of a player that will never come back, as far as its sums allow.

        One that holds money stays as it is; see `lua/wallet_close.lua`.

        Raises:
            DamagedRecordError: a key is not what Croupier wrote; nothing was done.
            StoreUnavailableError: no answer; may be sent again.
        """
        even = wallet.to_tables == wallet.from_tables
        if even:
            # First off the register: a wallet that is on it and gone is an alarm. The ledger has no account
            # of this one, so that no audit looks for a wallet that is off the register and there.
            await run(self.store.client.hdel(keys.players_key(), player))
        wallet_keys = [keys.wallet_key(player), keys.wallet_ops_key(player), keys.own_rounds_key(player)]
        reply = await self.store.call(scripts.WALLET_CLOSE, wallet_keys, ["1" if even else ""])
        if even and reply[0] != b"gone":
            await self.register(player, OPEN)

    async def read(self, player: PlayerId) -> tuple[Wallet, list[Operation]] | None:
        """A wallet with its recent operations, newest first, in one step; None when there is none.

        Raises:
            DamagedRecordError: it is no wallet.
        """
        store = await self.store.holding(keys.wallet_key(player))
        pipe = store.client.pipeline(transaction=True)
        pipe.hgetall(keys.wallet_key(player))
        pipe.lrange(keys.wallet_ops_key(player), 0, -1)
        fields, entries = await run(pipe.execute())
        if not fields:
            return None
        return read_wallet(player, fields), [read_operation(entry) for entry in entries]


def read_wallet(player: PlayerId, fields: dict[bytes, bytes]) -> Wallet:
    """A wallet from its hash.

    Raises:
        DamagedRecordError: a field is missing or no number.
    """
    try:
        return Wallet(**{name: _whole(fields[name.encode()]) for name in Wallet.__struct_fields__})
    except (KeyError, ValueError) as error:
        raise DamagedRecordError(f"the wallet of {player}: {error}") from error


def read_operation(entry: bytes) -> Operation:
    """An operation from a wallet's list.

    Raises:
        DamagedRecordError: it is none.
    """
    try:
        op, request, verdict, amount, balance, seat, number, at_ms, reason = entry.decode().split("|", 8)
        return Operation(
            op=op,
            request=request,
            verdict=verdict,
            amount=_whole(amount),
            balance=_whole(balance),
            seat=_whole(seat),
            number=_whole(number),
            at_ms=_whole(at_ms),
            reason=reason,
        )
    except ValueError as error:
        raise DamagedRecordError(f"an operation of a wallet reads {entry!r}") from error


def _whole(text: str | bytes) -> int:
    if not text.isdigit():
        raise ValueError(f"{text!r} is no whole number")
    return int(text)
