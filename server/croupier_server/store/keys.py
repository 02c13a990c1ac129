"""Every key of the store. All keys of a pit share its hash tag, so that each script touches one slot."""

from typing import Final, NewType

from croupier_protocol.messages.values import TableId

PitId = NewType("PitId", str)

DEFAULT_PIT: Final = PitId("main")


def events_key(pit: PitId) -> str:
    """Stream of the pit's public events, already encoded: `t` table, `e` epoch, `s` seq, `m` message."""
    return f"croupier:{{{pit}}}:events"


def epoch_key(pit: PitId) -> str:
    """Hash with the stream's life: `epoch`, and the `run_id` of the server that it began on."""
    return f"croupier:{{{pit}}}:epoch"


def tables_key(pit: PitId) -> str:
    """Hash of the pit's tables: id to settings as JSON."""
    return f"croupier:{{{pit}}}:tables"


def table_key(pit: PitId, table: TableId) -> str:
    """Hash with a table's record: state, seq, lease, sealed shoe."""
    return f"croupier:{{{pit}}}:t:{table}"


def rounds_key(pit: PitId, table: TableId) -> str:
    """Stream of a table's finished rounds; an entry's id is its round number."""
    return f"croupier:{{{pit}}}:t:{table}:rounds"
