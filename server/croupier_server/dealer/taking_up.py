"""What a table's record comes to in a dealer's hands: the state to go on from, and the shoe, unsealed."""

from typing import NamedTuple

from msgspec.structs import replace

from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.values import Epoch, RulesRef
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.records import Record
from croupier_server.table.held import Held
from croupier_server.table.state import StateError, TableSettings, TableState, decode_state, open_table


class TakenUp(NamedTuple):
    """A table to go on with; `rules` are those of the running shoe, or of the next one where none runs."""

    state: TableState
    held: Held | None
    rules: RuleSet


def take_up(record: Record, epoch: Epoch, settings: TableSettings, key: ShoeKey, now_ms: int) -> TakenUp:
    """The table of `record`; one that never dealt is opened at `now_ms`.

    Raises:
        WrongKeyError: the record's shoe is sealed with another key.
        DamagedRecordError: the record cannot be continued.
    """
    state = _state(record, epoch, settings, now_ms)
    view = state.view
    if view.seq != record.seq:
        raise DamagedRecordError(f"table {view.table} is at seq {record.seq} with the state of {view.seq}")
    held, rules = None, settings.rules
    if view.cut is not None:
        held = _held(record, settings, key, view.cut.shoe, view.cut.rules)
    if view.shoe is not None and view.shoe.end is None:
        held = _held(record, settings, key, view.shoe.number, view.rules)
        held = Held(held.rules, held.seed, held.cut(view.shoe.contributions, view.shoe.beacon))
        rules = held.rules
    return TakenUp(state, held, rules)


def _state(record: Record, epoch: Epoch, settings: TableSettings, now_ms: int) -> TableState:
    if not record.state:
        return open_table(settings, epoch, now_ms)
    try:
        state = decode_state(record.state, record.schema)
    except StateError as error:
        raise DamagedRecordError(f"the state of table {settings.table}: {error}") from error
    return replace(state, view=replace(state.view, epoch=epoch))


def _held(record: Record, settings: TableSettings, key: ShoeKey, shoe: int, rules: RulesRef) -> Held:
    """What the record holds of a shoe, unsealed."""
    if record.sealed is None:
        raise DamagedRecordError(f"table {settings.table} is in shoe {shoe} without its seed")
    seed = key.open(record.sealed, settings.table, shoe)
    return Held(record.sealed.rule_set(rules), seed)
