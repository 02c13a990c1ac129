"""What the store has of a table: the lease, the record with its state and sealed shoe; and one step of it."""

from enum import StrEnum

import msgspec
from msgspec import Struct

from croupier_protocol.game.canonical import rules_from_canonical
from croupier_protocol.game.rules import RulesError, RuleSet
from croupier_protocol.messages.values import Epoch, Phase, RoundRecord, RulesRef, TableId
from croupier_server.store.errors import DamagedRecordError


class Sealed(Struct, frozen=True):
    """A shoe as the store may hold it: its secret as ciphertext, which key opens it, and its rules as text.

    The rules stay with the shoe: a configuration that changes them changes the next one.
    """

    ciphertext: bytes
    key_id: str
    rules: bytes = b""

    def rule_set(self, ref: RulesRef) -> RuleSet:
        """The rules that the shoe was opened under, which messages call `ref`.

        Raises:
            DamagedRecordError: they cannot be read, or are not those that `ref` means.
        """
        try:
            rules = rules_from_canonical(ref.name, msgspec.json.decode(self.rules))
        except (msgspec.MsgspecError, RulesError) as error:
            raise DamagedRecordError(f"the rules of a shoe: {error}") from error
        if rules.digest != ref.digest:
            raise DamagedRecordError(f"a shoe was opened under other rules than {ref.name} as it says")
        return rules


class Lease(Struct, frozen=True):
    """The right to deal a table: who holds it, and the fence that tells this holding from earlier ones."""

    table: TableId
    owner: str
    fence: int


class LeaseSeen(Struct, frozen=True):
    """Somebody else's lease, as last seen, and the schema of the record."""

    owner: str
    until_ms: int
    schema: int = 0


class Record(Struct, frozen=True):
    """A table's record: encoded state (empty before the first step) at `seq`, the shoe, and who deals.

    `schema` is the number of the state's layout.
    """

    seq: int
    state: bytes
    sealed: Sealed | None
    owner: str = ""
    fence: int = 0
    lease_until_ms: int = 0
    schema: int = 0


class Closing(StrEnum):
    """What became of taking a table off the list."""

    DONE = "ok"
    TAKEN = "taken"
    """Somebody has a seat there, or chips on their way."""
    WITHDRAWN = "withdrawn"
    """The order to close it was taken back."""


class Position(Struct, frozen=True):
    """A record, the epoch it belongs to, and the stream entry up to which it accounts for everything."""

    record: Record
    epoch: Epoch
    last_entry: str


class Commit(Struct, frozen=True):
    """One step for the store: see `lua/commit.lua`.

    `cut` is what the record says of the cut from now on, None for no change; `cut_rev` how much must have
    been sent for it. `shoe` is the shoe that the event tells of, if it belongs to what is told of shoes, and
    `commitments` are those to its cards.
    """

    seq: int
    epoch: Epoch
    phase: Phase
    round: int
    closes_at_ms: int
    state: bytes
    event: bytes
    sealed: Sealed | None = None
    record: RoundRecord | None = None
    not_before_ms: int = 0
    not_after_ms: int = 2**53 - 1
    early: bool = False
    listing: str = ""
    cut: str | None = None
    cut_rev: int | None = None
    shoe: int = 0
    commitments: bytes = b""
