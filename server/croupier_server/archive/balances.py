"""What every account of a pit held at one position of its ledger, as the store has it."""

from collections.abc import AsyncIterator
from typing import Final

from croupier_server.archive.errors import MovedOnError
from croupier_server.bank.pit_books import scan
from croupier_server.bank.postings import Timeline, moves
from croupier_server.store import keys
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Position
from croupier_server.store.scripts import Store, run

BATCH: Final = 100
"""Accounts that are read together."""

PAGE: Final = 1_000
"""Postings read at a time."""


async def balances_at(store: Store, pit: PitId, position: Position) -> dict[str, int]:
    """Cents of each account, but for those at zero, after the posting at `position`.

    The ledger's base sums up more postings, or fewer, and moves on meanwhile; what lies between is reckoned
    from the ledger.

    Raises:
        MovedOnError: postings after `position` have been trimmed, so that nobody can tell any more.
    """
    base = keys.ledger_base_key(pit)
    timeline = Timeline(min(position, await _upto(store, base)))
    names = {name async for name, _ in scan(store.client, base) if _is_account(name)}
    await _load(store, pit, timeline, max(position, await _upto(store, base)))
    names |= timeline.accounts
    found = {}
    async for since, account, held in _held(store, base, sorted(names)):
        await _load(store, pit, timeline, since)
        cents = held + timeline.moved(account, since, position)
        if cents:
            found[account] = cents
    trimmed = Position.read(await run(store.client.hget(base, "trimmed_upto")) or b"0-0")
    if trimmed > position:
        raise MovedOnError(f"the ledger of pit {pit} has been trimmed beyond {position}")
    return found


async def _held(store: Store, base: str, names: list[str]) -> AsyncIterator[tuple[Position, str, int]]:
    """What the base has on each account, and up to which posting."""
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        upto, *balances = await run(store.client.hmget(base, "upto", *batch))
        since = Position.read(upto or b"0-0")
        for name, balance in zip(batch, balances, strict=True):
            try:
                yield since, name, int(balance or 0)
            except ValueError:
                raise DamagedRecordError(f"the base has {balance!r} on {name}") from None


async def _upto(store: Store, base: str) -> Position:
    return Position.read(await run(store.client.hget(base, "upto")) or b"0-0")


async def _load(store: Store, pit: PitId, timeline: Timeline, until: Position) -> None:
    """Reads the ledger up to `until`."""
    while timeline.end < until:
        page = await run(
            store.client.xrange(keys.ledger_key(pit), f"({timeline.end}", str(until), count=PAGE)
        )
        for entry, fields in page:
            texts = {
                name.decode("utf-8", "replace"): text.decode("utf-8", "replace")
                for name, text in fields.items()
            }
            timeline.append(Position.read(entry), moves(texts))
        timeline.end = Position.read(page[-1][0]) if len(page) == PAGE else until


def _is_account(name: str) -> bool:
    return name == "house" or name.startswith(("seat:", "wallet:"))
