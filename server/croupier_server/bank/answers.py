"""What the bank answers: things done, each with its amounts in cents, and refusals that a client is told."""

from msgspec import Struct

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import PlayerId
from croupier_server.store.wallets import Operation, Wallet


class Refusal(Struct, frozen=True):
    """Nothing has moved. `limit` is the one that was hit, or what the wallet holds, in cents."""

    code: ErrorCode
    limit: int | None = None


class Seated(Struct, frozen=True):
    """The seat is taken with `bought` in front of it; the wallet holds `wallet`."""

    seat: int
    bought: int
    wallet: int


class ToppedUp(Struct, frozen=True):
    """`bought` has come to the seat; the wallet holds `wallet`."""

    bought: int
    wallet: int


class Left(Struct, frozen=True):
    """The seat is free again. `returned` is in the wallet, which holds `wallet`.

    With `wallet` None there was no room for so much: it waits in the transfer until there is.
    """

    returned: int
    wallet: int | None


class Leaving(Struct, frozen=True):
    """The seat has a slip on the running round and is cashed out after it."""


class Credited(Struct, frozen=True):
    """An operator's credit or debit is through; `wallet` is what the wallet held then."""

    amount: int
    wallet: int


class NoWallet(Struct, frozen=True):
    """There is no such player: wallets are made at the first `sit`."""


class Statement(Struct, frozen=True):
    """A wallet and its recent operations, newest first."""

    wallet: Wallet
    operations: tuple[Operation, ...]


class Outlook(Struct, frozen=True):
    """What a player can buy in with: its balance, and up to what and from when on it is refilled."""

    balance: int
    refill_to: int = 0
    refill_at_ms: int | None = None


class Finished(Struct, frozen=True):
    """What `Bank.finish` did: transfers ended, left waiting for room, and whose are damaged."""

    ended: int = 0
    waiting: int = 0
    damaged: tuple[PlayerId, ...] = ()
