"""What is archived: each entry of a pit's ledger, typed.

A posting moves money: a transfer between a wallet and a seat, or a slip that was settled or returned. A slip
has with it what its player was told: bets, cards, and the bankroll after it. A round is entered when its coup
is complete, or it is void: before its slips. Pure.
"""

import hashlib
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from croupier_protocol.messages.to_client import OwnRound
from croupier_protocol.messages.values import PlayerId, RoundRecord, TableId
from croupier_server.bank.postings import moves
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.ledger import Position
from croupier_server.store.settled import read_own_round

_ROUND_DECODER = msgspec.msgpack.Decoder(RoundRecord)


class Posting(Struct, frozen=True):
    """Money that moved, in cents.

    `kind` is that of the ledger. A slip has `round`, `staked` and `returned`, a transfer its `number` and
    `amount`; of a slip `own_round` is None where the server had no archive configured.
    """

    kind: str
    table: TableId
    player: PlayerId
    round: int | None = None
    number: int | None = None
    staked: int = 0
    returned: int = 0
    amount: int = 0
    own_round: OwnRound | None = None


class FinishedRound(Struct, frozen=True):
    """A round of a table, as its history tells it."""

    table: TableId
    record: RoundRecord


class Entry(Struct, frozen=True):
    """One entry of the ledger; `digest` tells it from another at the same place of another ledger."""

    position: Position
    digest: str
    content: Posting | FinishedRound


def read_entry(position: Position, fields: Mapping[bytes, bytes]) -> Entry:
    """The entry that stands in the ledger at `position`.

    Raises:
        DamagedRecordError: it is none.
    """
    told = fields.get(b"o")
    texts = {
        name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
        for name, value in fields.items()
        if name != b"o"
    }
    try:
        moves(texts)  # refuses what is no posting, and one whose sides differ
        return Entry(position=position, digest=digest(position, fields), content=_content(texts, told))
    except (KeyError, ValueError, msgspec.MsgspecError, DamagedRecordError) as error:
        raise DamagedRecordError(f"the ledger at {position}: {error}") from error


def _content(fields: Mapping[str, str], told: bytes | None) -> Posting | FinishedRound:
    kind, table, player = fields["k"], TableId(fields["t"]), PlayerId(fields["p"])
    if kind == "round":
        return FinishedRound(table, _ROUND_DECODER.decode(told or b""))
    if kind in {"settle", "void"}:
        return Posting(
            kind,
            table,
            player,
            round=int(fields["r"]),
            staked=int(fields["s"]),
            returned=int(fields["w"]),
            own_round=None if told is None else read_own_round(told),
        )
    return Posting(kind, table, player, number=int(fields["n"]), amount=int(fields["a"]))


def digest(position: Position, fields: Mapping[bytes, bytes]) -> str:
    """Eight bytes over all that the entry says, as hexadecimal digits."""
    whole = hashlib.blake2b(str(position).encode(), digest_size=8)
    for part in (part for field in fields.items() for part in field):
        whole.update(len(part).to_bytes(4, "big") + part)
    return whole.hexdigest()
