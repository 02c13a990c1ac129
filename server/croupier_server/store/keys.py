"""Every key of the store. All keys of a pit share its hash tag, so that each script touches one slot."""

from typing import Final, NewType

from croupier_protocol.messages.values import PlayerId, TableId

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


def orders_key(pit: PitId) -> str:
    """Hash of operators' orders: op to `table|round|answer|JSON`."""
    return f"croupier:{{{pit}}}:orders"


def answered_key(pit: PitId) -> str:
    """List of the last orders that were answered, newest first: `op|table|round|answer|JSON`."""
    return f"croupier:{{{pit}}}:answered"


def webhooks_key(pit: PitId) -> str:
    """Hash of who delivers the pit's webhooks: `owner`, `lease_until_ms`, `cursor` in the pit's events,
    `number` of the last delivery, and the number that each receiver has taken last as `sent:<receiver>`.
    """
    return f"croupier:{{{pit}}}:webhooks"


def deliveries_key(pit: PitId) -> str:
    """Stream of deliveries that some receiver has yet to take; an entry's id is its number: `b` body."""
    return f"croupier:{{{pit}}}:deliveries"


def table_key(pit: PitId, table: TableId) -> str:
    """Hash with a table's record: state, seq, lease, sealed shoe."""
    return f"croupier:{{{pit}}}:t:{table}"


def notes_key(pit: PitId) -> str:
    """Stream of short notes of what others than dealers changed: `t` table, `k` kind, `p` player.

    A slip has its revision as `r`, an operator's removal of a player its reason as `x`.
    """
    return f"croupier:{{{pit}}}:notes"


def seats_key(pit: PitId, table: TableId) -> str:
    """Hash of who sits at a table: player to JSON with `seat`, `name`, `skeleton`, `state`."""
    return f"croupier:{{{pit}}}:t:{table}:seats"


def bankrolls_key(pit: PitId, table: TableId) -> str:
    """Hash of the chips in front of each seat: player to cents."""
    return f"croupier:{{{pit}}}:t:{table}:bankrolls"


def slips_key(pit: PitId, table: TableId) -> str:
    """Hash of the slips of the running round: player to `round|bet=cents,bet=cents`."""
    return f"croupier:{{{pit}}}:t:{table}:slips"


def revisions_key(pit: PitId, table: TableId) -> str:
    """Hash of slip revisions: player to `rev|op|bankroll|slip`, the last that was accepted and its answer."""
    return f"croupier:{{{pit}}}:t:{table}:revisions"


def totals_key(pit: PitId, table: TableId) -> str:
    """Hash of what is on the table for the running round: bet to cents."""
    return f"croupier:{{{pit}}}:t:{table}:totals"


def ready_key(pit: PitId, table: TableId) -> str:
    """Hash of ready marks: player to the round they are for."""
    return f"croupier:{{{pit}}}:t:{table}:ready"


def cut_key(pit: PitId, table: TableId) -> str:
    """Hash of the cut of the next shoe: player to `seat|`, the hash and the value, in bytes; `#` counts."""
    return f"croupier:{{{pit}}}:t:{table}:cut"


def shoes_key(pit: PitId, table: TableId) -> str:
    """Stream of what the last shoes dealt; an entry's id begins with its shoe: `m` the event as it was
    published, `l` the commitments to the cards of the shoe that it opened.
    """
    return f"croupier:{{{pit}}}:t:{table}:shoes"


def present_key(pit: PitId, table: TableId) -> str:
    """Hash of when a gateway last had a connection of a seated player: player to store milliseconds."""
    return f"croupier:{{{pit}}}:t:{table}:present"


def results_key(pit: PitId, table: TableId) -> str:
    """Hash of the last payouts of each seat: `player|slot` to `bankroll after|own round`."""
    return f"croupier:{{{pit}}}:t:{table}:results"


def outbox_key(pit: PitId, table: TableId) -> str:
    """List of own rounds that are still to be kept with their players' wallets."""
    return f"croupier:{{{pit}}}:t:{table}:outbox"


def own_rounds_key(player: PlayerId) -> str:
    """Stream of a player's own last rounds at all tables, in the slot of the wallet."""
    return f"croupier:{{w:{player}}}:rounds"


def players_key() -> str:
    """Hash of everyone who was ever to have a wallet: player to `new` (may not be made yet) or `open`."""
    return "croupier:players"


def wallet_key(player: PlayerId) -> str:
    """Hash of a player's money away from the tables: `balance`, and what ever came and went."""
    return f"croupier:{{w:{player}}}"


def wallet_ops_key(player: PlayerId) -> str:
    """List of a wallet's last operations, newest first: what was asked for and the first answer."""
    return f"croupier:{{w:{player}}}:ops"


def own_limits_key(player: PlayerId) -> str:
    """Hash with a player's own limits and its time at the tables; see `lua/own_limits.lua`."""
    return f"croupier:{{w:{player}}}:limits"


def limits_key(pit: PitId) -> str:
    """Hash of the limits that players have set themselves, as the place script needs them here: player to
    `rev|excluded_until_ms|round|day|allowed|staked`; see `lua/tell_limits.lua`.
    """
    return f"croupier:{{{pit}}}:limits"


def transfers_key(pit: PitId) -> str:
    """Hash of the transfers under way: `table|player` to the transfer, see `lua/reserve.lua`."""
    return f"croupier:{{{pit}}}:transfers"


def house_key(pit: PitId) -> str:
    """The house's side of the pit's money, in cents; below zero when players have won more than they lost."""
    return f"croupier:{{{pit}}}:house"


def ledger_key(pit: PitId) -> str:
    """Stream of postings: one for each transfer and each settlement of a seat.

    For an archive there is one for each finished round as well, which moves nothing, and settlements have the
    own round as `o`.
    """
    return f"croupier:{{{pit}}}:ledger"


def ledger_base_key(pit: PitId) -> str:
    """Hash of the ledger's balances up to one of its postings; see `lua/roll_ledger.lua`."""
    return f"croupier:{{{pit}}}:ledger_base"


def archive_key(pit: PitId) -> str:
    """Hash of how far the archive has the ledger, where there is one; see `lua/archived.lua`."""
    return f"croupier:{{{pit}}}:archive"


def rounds_key(pit: PitId, table: TableId) -> str:
    """Stream of a table's finished rounds; an entry's id is its round number."""
    return f"croupier:{{{pit}}}:t:{table}:rounds"


def guest_key(player: PlayerId) -> str:
    """Hash with a guest: `name`, `seen_ms`, and each valid token as `t:<digest>`."""
    return f"croupier:{{w:{player}}}:guest"


def code_key(digest: str) -> str:
    """A one-time code by its digest: whom it signs in, as JSON, for as long as it is good."""
    return f"croupier:code:{digest}"


def sign_in_key(digest: str) -> str:
    """A sign-in that a code has led to, by the digest of its secret: whose it is, as JSON, until it ends."""
    return f"croupier:sign_in:{digest}"


def probe_key(pit: PitId) -> str:
    """A key that is written for a minute at a start, to see whether a replica confirms it."""
    return f"croupier:{{{pit}}}:probe"


PITS_KEY: Final = "croupier:pits"
"""Set of every pit that a server of this store has or had tables in."""

GUESTS_KEY: Final = "croupier:guests"
"""Sorted set of every guest, by when it was last known to be used, in store milliseconds."""

REVOKED_KEY: Final = "croupier:revoked"
"""Hash of the players whose tokens were revoked: player to when, in store milliseconds."""

SIGNIFICANT_KEY: Final = "croupier:{significant}"
"""Stream of significant events, for operators: `e` the event as JSON."""

SIGNIFICANT_OPS_KEY: Final = "croupier:{significant}:ops"
"""List of the last of these events that have an operation, as JSON, newest first: none is noted twice."""

WORKERS_KEY: Final = "croupier:workers"
"""Hash of the live workers: owner to `when last heard in store milliseconds|JSON`."""
