"""Who deals: one dealer a table, handovers in every phase, and dealers that were overtaken."""

import asyncio

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.events import BettingClosed, BettingOpened, ShoeOpened
from croupier_protocol.messages.values import Phase
from croupier_server.store.errors import LeaseLostError
from croupier_server.table.pace import TURBO
from croupier_server.table.state import decode_state
from support.dealing import Way, check_play, dealer_on, last_round, reach, rounds_more, until_round
from support.records import OTHER, ROUNDS_KEY, TABLE_KEY, a_step, everything, store_ms
from support.serving import until
from support.stores import turbo

pytestmark = pytest.mark.slow

PHASES = [Phase.SHUFFLING, Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.SETTLING, Phase.RESULT]


async def test_of_two_dealers_one_deals_a_table(pit, other, quick):
    async with dealer_on(pit, "standard") as first, dealer_on(other, "standard") as second:
        await until_round(pit, 2)
        owners = set()
        for _ in range(5):
            await rounds_more(pit, 1)
            owners.add((await pit.tables.read("standard")).record.owner)
        assert owners in ({first.owner}, {second.owner})
        assert {first.dealing, second.dealing} == {frozenset(), frozenset({"standard"})}
        await first.release()
        await second.release()
    await check_play(pit)


async def test_a_released_table_is_given_back_and_not_taken_again(pit, quick):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        await dealer.release()
        assert dealer.dealing == frozenset()
        before = await everything(pit.client)
        await dealer._tick()
        assert await everything(pit.client) == before
    assert (await pit.tables.read("standard")).record.owner == ""


@pytest.mark.parametrize("phase", PHASES)
async def test_a_table_released_in_any_phase_goes_on_where_it_was(pit, other, way, phase):
    """G3: the next dealer has the same shoe, the same cards on the table, the same round."""
    stopped = asyncio.Event()

    async with dealer_on(pit, "standard", way=way) as first:

        def taken(table, step):
            if step.phase is phase and step.round in (0, 2):
                first._runners[table].release()
                stopped.set()

        way.taken = taken
        async with asyncio.timeout(20):
            await stopped.wait()
        await first.release()
    record = (await pit.tables.read("standard")).record
    left = decode_state(record.state)
    assert (left.view.phase, record.owner) == (phase, "")
    async with dealer_on(other, "standard") as second:
        await until_round(other, 4)
        await second.release()
    events = await check_play(pit)
    assert len([event for event in events if isinstance(event, ShoeOpened)]) == 1
    windows = [event.round for event in events if isinstance(event, BettingOpened)]
    assert windows == sorted(set(windows))
    if phase not in (Phase.SHUFFLING, Phase.RESULT):
        assert events[record.seq].round == left.view.round


async def test_a_window_that_ended_while_nobody_dealt_is_closed_at_once_as_it_was(pit, other, quick):
    """Its original end stands: it is not opened again, and what was bet until then is on the table."""
    settings = replace(turbo("standard"), pace=replace(TURBO, betting_ms=1_000))
    async with dealer_on(pit, settings) as first:
        await until_round(pit, 1)
        await reach(lambda: _is_betting(pit))
        await first.release()
    left = decode_state((await pit.tables.read("standard")).record.state)
    assert left.view.phase is Phase.BETTING
    await reach(lambda: _is_past(pit, left.view.closes_at_ms + 200))
    async with dealer_on(other, settings) as second:
        await until_round(pit, left.view.round)
        await second.release()
    events = await check_play(pit)
    closed = events[left.view.seq]
    assert isinstance(closed, BettingClosed)
    assert (closed.round, closed.due_ms) == (left.view.round, left.view.closes_at_ms)
    assert closed.at_ms >= left.view.closes_at_ms + 200


async def _is_betting(pit):
    return await pit.client.hget(TABLE_KEY, "phase") == b"betting"


async def _is_past(pit, moment_ms):
    return await store_ms(pit.client) > moment_ms


async def test_a_dead_dealers_table_is_taken_when_its_lease_has_run_out(pit, other, quick):
    async with dealer_on(pit, "standard") as first:
        await until_round(pit, 1)
    assert (await pit.tables.read("standard")).record.owner == first.owner
    async with dealer_on(other, "standard") as second:
        await rounds_more(pit, 2)
        record = (await pit.tables.read("standard")).record
        assert (record.owner, record.fence) == (second.owner, 2)
        await second.release()
    await check_play(pit)


async def test_a_dealer_that_is_stopped_leaves_nothing_dealing(pit):
    async with dealer_on(pit, "standard", "second") as dealer:
        await until_round(pit, 1)
        tasks = list(dealer._tasks.values())
    assert [task.done() for task in tasks] == [True, True]
    assert dealer.dealing == frozenset()


async def test_a_frozen_dealer_is_overtaken_and_writes_nothing_when_it_wakes(pit, other, way, quick):
    """Invariant 4: its commit and its renewal, held up on their way, reach the store after the takeover."""
    taken = []
    way.taken = lambda table, step: taken.append(step)
    async with dealer_on(pit, "standard", way=way) as frozen:
        await until_round(pit, 1)
        way.gate.clear()
        async with dealer_on(other, "standard") as second:
            await rounds_more(pit, 2)
            taken.clear()
            way.gate.set()
            await until(lambda: not frozen.dealing)
            await rounds_more(pit, 2)
            record = (await pit.tables.read("standard")).record
            assert (record.owner, record.fence, taken) == (second.owner, 2, [])
            await frozen.release()
            await second.release()
    await check_play(pit)


async def test_every_script_refuses_a_lease_of_before(pit, other, quick):
    """K1."""
    async with dealer_on(pit, "standard") as first:
        await until_round(pit, 1)
        old = first._runners["standard"].lease
    async with dealer_on(other, "standard") as second:
        await rounds_more(pit, 1)
        await second.release()
    seq, epoch = (await pit.tables.read("standard")).record.seq, await pit.stream.epoch()
    before = await everything(pit.client)
    assert await pit.tables.renew([old], old.owner, 60_000) == [old]
    assert not await pit.tables.release(old)
    with pytest.raises(LeaseLostError):
        await pit.tables.commit(old, a_step(epoch, seq=seq), 60_000, 1)
    assert await everything(pit.client) == before


async def test_a_dealer_whose_table_is_taken_stops_and_writes_nothing_more(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        await pit.client.hset(TABLE_KEY, mapping={"owner": OTHER, "fence": 9, "lease_until_ms": 2**52})
        before = await everything(pit.client)
        await until(lambda: not dealer.dealing)
        assert await everything(pit.client) == before


async def test_a_loss_that_runner_and_renewal_find_at_once_is_no_crash(pit, quick):
    """K3: the runner has ended by the time its renewal is refused."""

    class Slow(Way):
        stolen = False

        async def renew(self, leases, *arguments):
            if leases and not self.stolen:
                self.stolen = True
                await pit.client.hset(TABLE_KEY, mapping={"owner": OTHER, "lease_until_ms": 0})
                await until(lambda: not dealer.dealing)
            return await super().renew(leases, *arguments)

    async with dealer_on(pit, "standard", way=Slow(pit.store)) as dealer:
        await until_round(pit, 3)
        await dealer.release()
    await check_play(pit)


async def test_a_table_that_is_being_taken_at_a_release_is_released_too(pit):
    class Late(Way):
        async def acquire(self, *arguments):
            answer = await super().acquire(*arguments)
            acquired.set()
            await asyncio.sleep(0.05)
            return answer

    acquired = asyncio.Event()
    async with dealer_on(pit, "standard", way=Late(pit.store)) as dealer:
        await acquired.wait()
        await dealer.release()
        assert dealer.dealing == frozenset()
        assert (await pit.tables.read("standard")).record.owner == ""


async def test_a_record_deleted_by_hand_makes_its_dealer_begin_anew(pit, quick):
    """K3: it steps down without a crash; then nobody deals the table, so it takes it, empty as it is."""
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 3)
        await pit.client.delete(TABLE_KEY)
        await reach(lambda: _is_round(pit, 1))
        await until_round(pit, 3)
        await dealer.release()
    assert [one.round for one in await pit.tables.rounds("standard", None, 100)][-3:] == [3, 2, 1]


async def _is_round(pit, number):
    return await last_round(pit) == number


@pytest.mark.parametrize("fields", [("owner",), ("fence",), ("owner", "fence", "lease_until_ms")])
async def test_a_lease_deleted_by_hand_makes_its_dealer_step_down_and_take_it_again(pit, quick, fields):
    """K3."""
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        await pit.client.hdel(TABLE_KEY, *fields)
        await rounds_more(pit, 2)
        await dealer.release()
    await check_play(pit)


async def test_a_history_deleted_by_hand_goes_on_with_the_next_round(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 2)
        await pit.client.delete(ROUNDS_KEY)
        await reach(lambda: pit.tables.rounds("standard", None, 1))
        await dealer.release()
    rounds = [one.round for one in await pit.tables.rounds("standard", None, 100)]
    assert rounds == list(range(rounds[0], rounds[-1] - 1, -1))
    assert rounds[-1] >= 2
