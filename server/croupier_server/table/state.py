"""What a table is between two steps, and what can come to it from outside."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Struct

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Contribution, Epoch, RulesRef, TableId, TakenSeat
from croupier_protocol.view import opening_view
from croupier_server.table.beacon import BeaconSource
from croupier_server.table.pace import Pace

STATE_SCHEMA: Final = 2
"""The number of `TableState`'s layout, kept beside it: a record with a higher one is not ours to read."""


class TableSettings(Struct, frozen=True):
    """What a table plays and how fast; `beacon` adds to the order of its shoes."""

    table: TableId
    rules: RuleSet
    pace: Pace
    limits: Limits = Limits()
    early_close: bool = True
    beacon: BeaconSource | None = None
    auto_rebet: bool = True


class TableState(Struct, frozen=True):
    """A table between two steps, as the store keeps it in the table's record.

    `view` is what everyone sees; `position` is the index of the next undealt card in the shoe's order; the
    next step is due at `due_ms` by the store's clock. The order itself follows from the sealed seed. Bets
    were last published at `bets_at_ms`. `limits` are those of the running round; `chain` is the hash over
    what the shoe has dealt so far.
    """

    view: TableView
    position: int = 0
    chain: bytes = b""
    due_ms: int = 0
    bets_at_ms: int = 0
    limits: Limits = Limits()


class Order(StrEnum):
    """What an operator asks of a table."""

    PAUSE = "pause"
    RESUME = "resume"
    VOID = "void"
    ABANDON = "abandon"
    CLOSE = "close"
    REOPEN = "reopen"


class CutSeen(Struct, frozen=True):
    """What the store holds for the cut of a shoe, sorted by seat, at revision `rev`.

    `everybody` says that all who are seated and present have sent a hash, or that nobody is.
    """

    rev: int
    contributions: tuple[Contribution, ...]
    everybody: bool


class Drawn(Struct, frozen=True):
    """The end of waiting for a beacon: its value, or None, which did not come in time."""

    value: bytes | None


class Bets(Struct, frozen=True):
    """What is on the table: cents a bet, seats with a slip, seats that are ready."""

    totals: dict[str, int] = {}
    bettors: int = 0
    ready: int = 0


class SettledTotals(Struct, frozen=True):
    """What the bank has done for a round: cents staked and returned, and the number of seats paid."""

    staked: int = 0
    returned: int = 0
    paid: int = 0


class Inputs(Struct, frozen=True):
    """What has come from outside since the last step.

    `stepped_ms` is by how much the store's clock jumped against a steady one; `settled` is the bank's report
    in `settling` and `voiding`; `order` is an operator's, with its `reason`. `seats`, `bets` and `cut` are
    what the store holds now (None: not looked at), and `cut_damaged` says that what it holds for the cut
    cannot be read. `beacon` is what was drawn (None: nothing yet). `present` seats are connected, and
    `all_ready` says that there are some and each of them is ready.
    """

    stepped_ms: int = 0
    settled: SettledTotals | None = None
    order: Order | None = None
    reason: str = ""
    seats: tuple[TakenSeat, ...] | None = None
    bets: Bets | None = None
    cut: CutSeen | None = None
    cut_damaged: bool = False
    beacon: Drawn | None = None
    present: int = 0
    all_ready: bool = False


NOTHING: Final = Inputs()


def rules_ref(rules: RuleSet) -> RulesRef:
    """How messages name `rules`."""
    return RulesRef(name=rules.name, digest=rules.digest)


def open_table(settings: TableSettings, epoch: Epoch, now_ms: int = 0) -> TableState:
    """A table that never dealt: it commits to a shoe less than the time of a card after `now_ms`.

    How much less depends on its name: steps take whole times of a card, and tables that were opened together
    would take each of theirs at the same moment.
    """
    view = opening_view(settings.table, epoch, rules_ref(settings.rules))
    apart_ms = crc32(settings.table.encode()) % max(settings.pace.card_ms, 1)
    return TableState(view=view, due_ms=now_ms + apart_ms)


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(TableState)


def encode_state(state: TableState) -> bytes:
    """`state` for the store."""
    return _ENCODER.encode(state)


_READERS: Final[dict[int, Callable[[bytes], TableState]]] = {STATE_SCHEMA: _DECODER.decode}
"""How to read a state, by the schema it was written in: this release's, and, once there is one, that before.

A reader of the schema before gives the state as this release would have written it, so that nothing else
knows of it. A state is written anew with each step: no older one can be met.
"""


class StateError(ValueError):
    """The state in a record cannot be read."""


def decode_state(encoded: bytes, schema: int = STATE_SCHEMA) -> TableState:
    """The state in a record.

    Raises:
        StateError: it is damaged, or was written in a schema that this release does not read.
    """
    reader = _READERS.get(schema)
    if reader is None:
        raise StateError(f"it has schema {schema}; this release of Croupier reads {sorted(_READERS)}")
    try:
        return reader(encoded)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise StateError(str(error)) from error
