"""What must hold in a table's money, and in a player's, as read at one moment. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import MAX_MONEY, PlayerId, TableId
from croupier_server.bank.findings import Mismatch
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.ledger import Position
from croupier_server.store.transfers import Transfer, TransferKind
from croupier_server.store.wallets import read_wallet

STATES: Final = ("buying", "taken", "leaving")

_SLIP: Final = re.compile(r"\d+\|(\w+=\d+(?:,\w+=\d+)*)")
_VERDICT: Final = re.compile(r"(\d+)\|([a-z]+)")


class TableCut(Struct, frozen=True):
    """A table's money and the ledger's last posting, read in one step; every hash by player."""

    table: TableId
    position: Position
    seats: Mapping[str, str]
    bankrolls: Mapping[str, str]
    slips: Mapping[str, str]
    revisions: Mapping[str, str]
    transfers: Mapping[str, Transfer]


class Chips(Struct, frozen=True):
    """What a seat has: cents in front of it, and on its slip."""

    bankroll: int = 0
    stake: int = 0


class Side(Struct, frozen=True):
    """A player's money away from the tables: the wallet's figures, and cents in neither wallet nor seat."""

    balance: int = 0
    issued: int = 0
    retired: int = 0
    in_flight: int = 0


def check_table(cut: TableCut) -> tuple[dict[PlayerId, Chips], list[Mismatch]]:
    """The chips of every seat, and what contradicts itself among them."""
    found = list(_check_seats(cut))
    chips = {}
    for player in {**cut.bankrolls, **cut.slips}:
        where = f"table {cut.table}, {player}"
        bankroll = _cents(cut.bankrolls.get(player, "0"))
        if bankroll is None:
            found.append(Mismatch(where, f"the bankroll reads {cut.bankrolls[player]!r}"))
        slip = cut.slips.get(player)
        stake = _stake(slip)
        if stake is None:
            found.append(Mismatch(where, f"the slip reads {slip!r}"))
        elif slip is not None and cut.revisions.get(player, "").split("|", 3)[3:] != [slip]:
            found.append(Mismatch(where, f"the slip {slip!r} is not the one that was accepted last"))
        chips[PlayerId(player)] = Chips(bankroll=bankroll or 0, stake=stake or 0)
    return chips, found


def _check_seats(cut: TableCut) -> Iterator[Mismatch]:
    """Each seat has what belongs to its state, and nothing is without a seat."""
    for player in {**cut.seats, **cut.bankrolls, **cut.slips, **cut.transfers}:
        transfer = cut.transfers.get(player)
        text = _contradiction(
            _state(cut.seats.get(player)),
            None if transfer is None else transfer.kind,
            player in cut.bankrolls,
            player in cut.slips,
        )
        if text is not None:
            yield Mismatch(f"table {cut.table}, {player}", text)


def _contradiction(
    state: str | None, kind: TransferKind | None, has_bankroll: bool, has_slip: bool
) -> str | None:
    """What is wrong between a seat's state, its transfer under way and its chips."""
    text: str | None = None
    match state, kind, has_bankroll or has_slip:
        case None, _, True:
            text = "there are chips without a seat"
        case None, TransferKind.BUY_IN | TransferKind.TOP_UP, _:
            text = f"there is a {kind} under way without a seat"
        case "buying", _, True:
            text = "there are chips before the seat is bought"
        case "buying", TransferKind.TOP_UP | TransferKind.CASH_OUT | None, _:
            text = "a seat is reserved and no buy-in under way"
        case "taken" | "leaving", TransferKind.BUY_IN | TransferKind.CASH_OUT, _:
            text = f"the seat is {state} and a {kind} under way"
        case "taken" | "leaving", _, _ if not has_bankroll:
            text = "the seat has no bankroll"
        case "", _, _:
            text = "the seat cannot be read"
    return text


def check_player(
    player: PlayerId, fields: Mapping[bytes, bytes], transfers: Mapping[str, Transfer], bought: int
) -> tuple[Side, list[Mismatch]]:
    """A player's side, and what contradicts itself in it.

    `fields` is the wallet as stored; `transfers` are those under way, by the name that the wallet has for
    their table; `bought` is by how much what the pit has posted as bought exceeds what it has posted as
    cashed out, in cents.
    """
    where = f"wallet of {player}"
    found = []
    try:
        wallet = read_wallet(player, dict(fields))
    except DamagedRecordError as error:
        return Side(), [Mismatch(where, str(error))]
    made = wallet.issued - wallet.retired - wallet.to_tables + wallet.from_tables
    if wallet.balance != made or wallet.balance > MAX_MONEY:
        text = f"it holds {wallet.balance} cents, and what came and went makes {made}"
        found.append(Mismatch(where, text, wallet.balance - made))
    in_flight = 0
    for slot, transfer in transfers.items():
        verdict = _VERDICT.fullmatch(fields.get(f"slot:{slot}".encode(), b"0|ok").decode("utf-8", "replace"))
        if verdict is None or int(verdict[1]) > transfer.number:
            text = f"transfer {transfer.number} is under way and the wallet's last with {slot} is {verdict}"
            found.append(Mismatch(where, text))
            continue
        paid = (int(verdict[1]), verdict[2]) == (transfer.number, "ok")
        if paid != (transfer.kind is TransferKind.CASH_OUT):
            in_flight += transfer.amount
    gone = wallet.to_tables - wallet.from_tables
    if gone != bought + in_flight:
        text = (
            f"{gone} cents more have gone to tables than come back; the ledger has {bought},"
            f" transfers under way {in_flight}"
        )
        found.append(Mismatch(where, text, gone - bought - in_flight))
    return Side(wallet.balance, wallet.issued, wallet.retired, in_flight), found


def _cents(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and int(text) <= MAX_MONEY else None


def _stake(slip: str | None) -> int | None:
    """Cents on a slip; None when it cannot be read."""
    if slip is None:
        return 0
    match = _SLIP.fullmatch(slip)
    return None if match is None else sum(int(bet.partition("=")[2]) for bet in match[1].split(","))


def _state(seat: str | None) -> str | None:
    """A seat's state, None without a seat, and an empty one when it cannot be read."""
    if seat is None:
        return None
    try:
        state = json.loads(seat)["state"]
    except (ValueError, KeyError, TypeError):
        return ""
    return state if state in STATES else ""
