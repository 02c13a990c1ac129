"""Who may run which script: those of a table's dealer compare owner and fence, so that a dealer that was
frozen and wakes up writes nothing.
"""

import pytest

from croupier_server.store import scripts
from croupier_server.store.errors import LeaseLostError
from croupier_server.store.records import Lease
from croupier_server.table.orders import Standing, Wish
from support.records import LEASE_MS, OTHER, OWNER, SCHEMA, TABLE, TABLE_KEY, a_step, everything

DEALERS = {"commit", "settle", "renew", "release", "close_table", "answer_order"}
"""Scripts that a dealer runs by its lease."""

EVERYBODYS = {
    "acquire": "takes the lease",
    "leases": "writes nothing",
    "read": "writes nothing",
    "look": "writes nothing",
    "privates": "writes nothing",
    "transfers": "writes nothing",
    "list_tables": "any worker that misses a table on the list, and operators",
    "open_stream": "whoever finds the stream to be another",
    "beat": "every worker, of itself",
    "place": "gateways",
    "ready": "gateways",
    "cut": "gateways",
    "present": "gateways",
    "alarm": "gateways",
    "clear_alarm": "operators",
    "order": "operators",
    "take_answer": "operators: guarded by the order's op",
    "hold_webhooks": "whoever delivers a pit's webhooks: takes or keeps that lease",
    "add_deliveries": "whoever holds the webhooks' lease, and has read from where the cursor stands",
    "sent_delivery": "whoever holds the webhooks' lease",
    "archived": "the archiver: guarded by the archive's id",
    "reserve": "the bank, for gateways: guarded by the operation",
    "top_up": "the bank, for gateways: guarded by the operation",
    "leave": "the bank, also for dealers: guarded by the transfer",
    "end_transfer": "whoever finds a transfer: guarded by its number",
    "wallet_open": "the bank: guarded by the wallet",
    "wallet_close": "the bank: guarded by the wallet",
    "wallet_move": "the bank: guarded by the transfer's number",
    "own_limits": "gateways and operators: guarded by the operation, or by the limits' revision",
    "tell_limits": "whoever has read a player's limits: guarded by their revision",
    "keep_round": "whoever finds a round in the outbox: keeps it once",
    "roll_ledger": "whoever finds the ledger long: guarded by the base's position",
    "note_once": "whoever has something to tell operators: guarded by the operation",
    "guest_open": "gateways",
    "guest_resume": "gateways",
    "guest_close": "every worker",
}
"""All the others, and who runs them or what guards them."""


def test_every_script_is_a_dealers_or_says_why_not():
    known = DEALERS | EVERYBODYS.keys()
    assert known >= {script.name for script in scripts.LOADED} | {"open_stream"}
    assert not DEALERS & EVERYBODYS.keys()


@pytest.fixture
async def lease(pit):
    """The second lease of OWNER, in a state in which each of the scripts would do its work."""
    await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    await pit.tables.register({TABLE: b"{}"})
    await pit.client.hset(TABLE_KEY, mapping={"round": 7, "phase": "settling"})
    assert await pit.orders.give(TABLE, "op-0001", Wish.PAUSE, "break")
    return lease


async def commit(pit, lease):
    await pit.tables.commit(lease, a_step(await pit.stream.epoch()), LEASE_MS, SCHEMA)


async def settle(pit, lease):
    await pit.settled.settle(lease, 7, [], void=False)


async def close(pit, lease):
    await pit.tables.close(lease, "op-0001")


async def answer(pit, lease):
    await pit.orders.answer(lease, Standing("op-0001", Wish.PAUSE, "break", 7), "done")


async def renew(pit, lease):
    if await pit.tables.renew([lease], lease.owner, 60_000) == [lease]:
        raise LeaseLostError(TABLE)


async def release(pit, lease):
    if not await pit.tables.release(lease):
        raise LeaseLostError(TABLE)


ACTS = {
    "commit": commit,
    "settle": settle,
    "renew": renew,
    "release": release,
    "close_table": close,
    "answer_order": answer,
}


@pytest.mark.parametrize("name", sorted(DEALERS))
async def test_another_owner_with_the_same_fence_and_the_same_owner_with_an_old_one_write_nothing(
    pit, lease, name
):
    """Invariant 4."""
    if name == "close_table":
        await pit.client.hset(TABLE_KEY, "phase", "ended")
    before = await everything(pit.client)
    for wrong in (Lease(TABLE, OTHER, lease.fence), Lease(TABLE, OWNER, lease.fence - 1)):
        with pytest.raises(LeaseLostError):
            await ACTS[name](pit, wrong)
        assert await everything(pit.client) == before
    await ACTS[name](pit, lease)
    assert await everything(pit.client) != before


@pytest.mark.parametrize("name", sorted(DEALERS))
async def test_nobody_writes_to_a_table_without_a_lease(pit, lease, name):
    await pit.client.hdel(TABLE_KEY, "owner", "fence")
    before = await everything(pit.client)
    with pytest.raises(LeaseLostError):
        await ACTS[name](pit, lease)
    assert await everything(pit.client) == before
