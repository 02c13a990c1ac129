"""What receivers are told of a pit's events."""

import contextlib
import json

import msgspec
import pytest
from msgspec.structs import replace

from croupier_protocol.messages.events import BettingClosed, RoundSettled
from croupier_server.store.deliveries import Deliveries
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.webhooks import collecting
from croupier_server.webhooks.collecting import Collecting
from croupier_server.webhooks.tally import Tally
from support.banking import a_bank, settle, sit, slip, window
from support.dealing import reach
from support.records import EVENTS_KEY, ROUNDS_KEY, a_round
from support.tasks import beside

LEASE_MS = 60_000


def event(of=RoundSettled, **fields):
    header = {"table": "standard", "epoch": "e", "due_ms": 5, "at_ms": 1_700_000_000_123}
    return of(**{"round": 7, "seq": 70, **header, **fields})


def settled(**fields):
    return event(**{"staked": 600, "returned": 200, "paid": 1, **fields})


async def publish(pit, *events):
    for one in events:
        fields = {"t": one.table, "e": one.epoch, "s": one.seq, "m": msgspec.msgpack.encode(one)}
        await pit.client.xadd(EVENTS_KEY, fields)


async def keep(pit, record):
    await pit.client.xadd(ROUNDS_KEY, {"r": msgspec.msgpack.encode(record)}, f"{record.round}-1")


@contextlib.asynccontextmanager
async def collected(pit, tally=None):
    """Collects; gives what waits for a receiver, once there are so many."""
    deliveries = Deliveries(pit.store, pit.name, "a")
    held = await deliveries.hold(LEASE_MS, ["only"])
    one = Collecting(pit.stores, pit.name, deliveries, held, tally or Tally())

    async def waiting(count):
        async def there():
            found = await deliveries.after(0)
            return found if len(found) >= count else None

        return [json.loads(one.body) for one in await reach(there, 60)]

    async with beside(one.run()):
        yield waiting


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(collecting, "POLL_S", 0.01)


async def test_of_a_settled_round_its_sums_hands_and_outcome_are_told(pit):
    async with collected(pit) as waiting:
        await keep(pit, a_round(7))
        await publish(pit, event(BettingClosed, seq=69), settled(), settled(round=8, seq=80, paid=0))
        assert await waiting(2) == [
            {
                "type": "round_settled",
                "id": "standard-e-70",
                "pit": "main",
                "table": "standard",
                "round": 7,
                "at_ms": 1_700_000_000_123,
                "staked": 600,
                "returned": 200,
                "paid": 1,
                "rules": {"name": "standard", "digest": "d"},
                "player": {"cards": ["8s", "As"], "total": 9},
                "banker": {"cards": ["2h", "6d"], "total": 8},
                "outcome": "player",
            },
            {
                "type": "round_settled",
                "id": "standard-e-80",
                "pit": "main",
                "table": "standard",
                "round": 8,
                "at_ms": 1_700_000_000_123,
                "staked": 600,
                "returned": 200,
                "paid": 0,
                "rules": None,
                "player": None,
                "banker": None,
                "outcome": None,
            },
        ]


async def test_a_void_round_is_told_with_its_reason_and_not_as_settled(pit):
    async with collected(pit) as waiting:
        await keep(pit, replace(a_round(7), outcome=None, reason="misdeal"))
        await publish(pit, settled(staked=600, returned=600))
        assert await waiting(1) == [
            {
                "type": "round_void",
                "id": "standard-e-70",
                "pit": "main",
                "table": "standard",
                "round": 7,
                "at_ms": 1_700_000_000_123,
                "returned": 600,
                "paid": 1,
                "reason": "misdeal",
            }
        ]


async def test_players_who_have_nothing_left_anywhere_are_told_and_nobody_else(pit):
    for player in ("ana", "bea", "cyd", "dan"):
        await sit(a_bank(pit, start=200_000 if player == "bea" else 100_000), player, 100_000)
    await window(pit)
    for player in ("ana", "bea", "cyd"):
        await slip(pit, player, player=50_000, tie=50_000)
    await settle(pit, lambda player, _: {"tie": 100} if player == "cyd" else {})
    await pit.client.hset("croupier:{main}:t:standard:bankrolls", "dan", 0)  # he had no bets
    async with collected(pit) as waiting:
        await publish(pit, settled(paid=3), settled(round=8, seq=80))
        told = await waiting(3)
    assert [one["type"] for one in told] == ["round_settled", "player_broke", "round_settled"]
    assert told[1] == {
        "type": "player_broke",
        "id": "standard-e-70-ana",
        "pit": "main",
        "table": "standard",
        "round": 7,
        "at_ms": 1_700_000_000_123,
        "player": "ana",
    }


async def test_damaged_records_keep_no_round_from_being_told(pit, caplog):
    await sit(a_bank(pit), "ana", 100_000)
    await window(pit)
    await slip(pit, "ana", tie=100_000)
    await settle(pit, lambda *_: {})
    await pit.client.hdel("croupier:{w:ana}", "balance")
    await pit.client.xadd(ROUNDS_KEY, {"r": "x"}, "7-1")
    async with collected(pit) as waiting:
        await pit.client.xadd(EVENTS_KEY, {"t": "standard", "m": b"\xc1"})
        await pit.client.xadd(EVENTS_KEY, {"t": "standard"})
        await publish(pit, settled())
        [told] = await waiting(1)
    assert (told["type"], told["round"], told["outcome"]) == ("round_settled", 7, None)
    assert caplog.text.count("is passed over") == 2
    assert "whether standard broke anyone: the wallet of ana" in caplog.text


async def test_events_that_were_gone_before_they_were_read_are_told_of_as_lost(pit, caplog):
    async with collected(pit):
        pass
    cursor = (await pit.client.hget("croupier:{main}:webhooks", "cursor")).decode()
    await publish(pit, settled(round=7), settled(round=8, seq=80))
    await pit.client.xtrim(EVENTS_KEY, maxlen=1, approximate=False)
    tally = Tally()
    async with collected(pit, tally) as waiting:
        told = await waiting(2)
        assert told[0] == {"type": "events_lost", "id": f"main-lost-{cursor}", "pit": "main"}
        assert (told[1]["type"], told[1]["round"]) == ("round_settled", 8)
        await publish(pit, settled(round=9, seq=90))
        assert len(await waiting(3)) == 3
    assert f"events of pit main after {cursor} were gone before they were read" in caplog.text
    assert (tally.lost, tally.waiting) == (1, 0)


async def test_a_store_that_is_away_ends_it_and_the_next_one_goes_on_without_a_hole_or_a_double(
    pit, monkeypatch
):
    """Cut after the deliveries were added and before the answer came."""
    deliveries = Deliveries(pit.store, pit.name, "a")
    one = Collecting(pit.stores, pit.name, deliveries, await deliveries.hold(LEASE_MS, ["only"]), Tally())
    await publish(pit, settled(round=7))
    add = deliveries.add

    async def lose_the_answer(*arguments):
        await add(*arguments)
        raise StoreUnavailableError("cut")

    monkeypatch.setattr(deliveries, "add", lose_the_answer)
    with pytest.raises(StoreUnavailableError):
        await one.run()
    await publish(pit, settled(round=8, seq=80))
    async with collected(pit) as waiting:
        assert [told["round"] for told in await waiting(2)] == [7, 8]
