"""A player's own limits as they are kept with the wallet: what is in force when, and time at the tables."""

import pytest

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import WaitingLimit
from croupier_server.bank.answers import Refusal, Seated
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.seats import SeatRecord
from support.banking import (
    LIMITS,
    STANDARD,
    check_conservation,
    money,
    settle,
    sit,
    slip,
    window,
)
from support.own_limits import DAY_MS, NOON_MS, RECORD, Times, a_safe_bank, limit
from support.stores import open_pit

MINUTE_MS = 60_000


@pytest.fixture
async def noon(pit, monkeypatch):
    """Sets times; it is noon."""
    times = Times([pit], monkeypatch)
    await times.set(NOON_MS)
    return times


async def sit_for(pit, noon, minutes, *, since=NOON_MS, usual=60):
    """Ana is at a table for so many minutes, ticked every minute."""
    for minute in range(minutes + 1):
        await noon.set(since + minute * MINUTE_MS, "OWN_LIMITS")
        record = await pit.own_limits.tick("ana", usual)
    return record


async def test_a_stricter_limit_is_in_force_at_once(pit):
    await limit(pit, round_stake=5_000, day_minutes=120)
    record = await limit(pit, "limit-0002", round_stake=1_000, day_stake=20_000)
    assert (record.round_stake, record.day_stake, record.day_minutes) == (1_000, 20_000, 120)
    assert record.waiting == ()


async def test_a_looser_limit_waits_for_a_day(pit, noon):
    await limit(pit, round_stake=1_000, day_minutes=60)
    record = await limit(pit, "limit-0002", round_stake=5_000, day_minutes=0)
    at_ms = NOON_MS + DAY_MS
    assert (record.round_stake, record.day_minutes) == (1_000, 60)
    assert record.waiting == (
        WaitingLimit("round_stake", 5_000, at_ms),
        WaitingLimit("day_minutes", None, at_ms),
    )
    await noon.set(at_ms - 1)
    assert (await pit.own_limits.look("ana")).round_stake == 1_000
    await noon.set(at_ms)
    record = await pit.own_limits.look("ana")
    assert (record.round_stake, record.day_minutes, record.waiting) == (5_000, None, ())


async def test_asking_again_for_what_waits_makes_it_wait_no_longer(pit, noon):
    await limit(pit, round_stake=1_000)
    await limit(pit, "limit-0002", round_stake=5_000)
    await noon.set(NOON_MS + 1_000)
    record = await limit(pit, "limit-0003", round_stake=5_000)
    assert record.waiting == (WaitingLimit("round_stake", 5_000, NOON_MS + DAY_MS),)
    record = await limit(pit, "limit-0004", round_stake=1_000)
    assert record.waiting == ()


async def test_reality_checks_may_come_more_often_at_once_and_less_often_after_a_day(pit):
    """The house has 60 minutes here: 90 of one's own is looser than none."""
    assert (await limit(pit, reality_minutes=30)).reality_minutes == 30
    assert (await limit(pit, "limit-0002", who="ben", reality_minutes=90)).waiting[0].value == 90


async def test_an_operator_loosens_at_once(pit):
    await limit(pit, round_stake=1_000)
    await limit(pit, "limit-0002", round_stake=2_000)
    record = await limit(pit, "limit-0003", operator=True, round_stake=0)
    assert (record.round_stake, record.waiting) == (None, ())


async def test_an_op_counts_once_and_for_one_thing(pit, noon):
    first = await limit(pit, round_stake=1_000)
    await limit(pit, "limit-0002", operator=True, round_stake=3_000)
    again = await pit.own_limits.set("ana", "limit-0001", {"round_stake": 1_000}, reality_minutes=60)
    assert (first.round_stake, again.round_stake) == (1_000, 3_000)
    assert await pit.own_limits.set("ana", "limit-0001", {"round_stake": 9}, reality_minutes=60) is None
    assert await pit.own_limits.exclude("ana", "limit-0001", 1) is None


async def test_an_exclusion_is_never_shortened_by_the_player(pit, noon):
    assert (await pit.own_limits.exclude("ana", "away-0001", 7)).excluded_until_ms == NOON_MS + 7 * DAY_MS
    assert (await pit.own_limits.exclude("ana", "away-0002", 1)).excluded_until_ms == NOON_MS + 7 * DAY_MS
    await noon.set(NOON_MS + 7 * DAY_MS - 1)
    assert (await pit.own_limits.look("ana")).excluded
    await noon.set(NOON_MS + 7 * DAY_MS)
    assert not (await pit.own_limits.look("ana")).excluded


async def test_an_operator_ends_an_exclusion(pit):
    await pit.own_limits.exclude("ana", "away-0001", 7)
    assert not (await pit.own_limits.exclude("ana", "back-0001", 0, operator=True)).excluded


async def test_who_is_excluded_buys_no_seat_and_no_chips(pit, noon):
    bank = a_safe_bank(pit)
    assert isinstance(await sit(bank), Seated)
    await pit.own_limits.exclude("ana", "away-0001", 1)
    refused = Refusal(ErrorCode.EXCLUDED)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", 5_000, LIMITS) == refused
    await bank.leave(STANDARD, "ana", "leave-01")
    assert await sit(bank, op="sit-again") == refused
    assert await sit(bank, op="sit-again") == refused
    assert (await money(pit.client))["wallets"] == 100_000
    await noon.set(NOON_MS + DAY_MS)
    assert isinstance(await sit(bank, op="sit-later"), Seated)
    await check_conservation(pit.client)


async def test_an_exclusion_between_the_two_steps_of_a_buy_in_gives_the_seat_back(pit, noon):
    """The pit has recorded the buy-in, its gateway is gone, and the dealer goes on with it."""
    bank = a_safe_bank(pit)
    await sit(bank, "ben")
    await sit(bank)
    await bank.leave(STANDARD, "ana", "leave-01")
    record = SeatRecord(seat=0, name="ANA", skeleton="ana", state="buying")
    await bank.transfers.reserve(STANDARD, "ana", "sit-later", "sit:standard:0:10000", 10_000, record, 8)
    await pit.own_limits.exclude("ana", "away-0001", 1)
    assert (await bank.finish(STANDARD, older_than_ms=0)).ended == 1
    assert (await pit.seats.private(STANDARD, "ana")).seat is None
    assert (await check_conservation(pit.client))["wallets"] == 190_000


async def test_time_counts_while_ticks_follow_each_other(pit, noon):
    assert (await sit_for(pit, noon, 10)).day_ms == 10 * MINUTE_MS
    since = NOON_MS + 60 * MINUTE_MS
    assert (await sit_for(pit, noon, 5, since=since)).day_ms == 15 * MINUTE_MS


async def test_two_gateways_that_tick_count_the_time_once(pit, noon):
    for second in range(0, 601, 40):
        await noon.set(NOON_MS + second * 1_000, "OWN_LIMITS")
        record = await pit.own_limits.tick("ana", 60)
    assert record.day_ms == 10 * MINUTE_MS


async def test_a_clock_that_goes_back_counts_nothing(pit, noon):
    await sit_for(pit, noon, 10)
    await noon.set(NOON_MS - 1)
    assert (await pit.own_limits.tick("ana", 60)).day_ms == 10 * MINUTE_MS


async def test_when_the_days_time_is_over_no_seat_is_bought_until_midnight(pit, noon):
    bank = a_safe_bank(pit)
    await limit(pit, day_minutes=10)
    assert not (await sit_for(pit, noon, 9)).time_over
    assert (await sit_for(pit, noon, 1, since=NOON_MS + 9 * MINUTE_MS)).time_over
    assert await sit(bank) == Refusal(ErrorCode.OWN_DAY_TIME)
    await noon.set(20_001 * DAY_MS)
    assert isinstance(await sit(bank, op="sit-later"), Seated)


async def test_a_reality_check_is_due_after_the_time_the_house_or_the_player_has_chosen(pit, noon):
    assert (await sit_for(pit, noon, 9, usual=10)).check_ms is None
    record = await sit_for(pit, noon, 2, since=NOON_MS + 9 * MINUTE_MS, usual=10)
    assert record.check_ms == NOON_MS + 10 * MINUTE_MS
    await pit.own_limits.go_on("ana")
    await limit(pit, reality_minutes=5)
    record = await sit_for(pit, noon, 6, since=NOON_MS + 11 * MINUTE_MS, usual=10)
    assert record.check_ms == NOON_MS + 16 * MINUTE_MS


async def test_without_one_chosen_by_the_house_there_is_no_reality_check(pit, noon):
    assert (await sit_for(pit, noon, 11, usual=0)).check_ms is None


async def test_a_reality_check_stays_due_until_it_is_answered_or_the_sitting_is_over(pit, noon):
    await sit_for(pit, noon, 10, usual=10)
    record = await sit_for(pit, noon, 3, since=NOON_MS + 10 * MINUTE_MS, usual=10)
    assert record.check_ms == NOON_MS + 10 * MINUTE_MS
    assert (await sit_for(pit, noon, 0, since=NOON_MS + 29 * MINUTE_MS, usual=10)).check_ms is None


async def test_going_on_without_a_reality_check_changes_nothing(pit, noon):
    await sit_for(pit, noon, 5)
    assert (await pit.own_limits.go_on("ana")).played_ms == 5 * MINUTE_MS


async def test_the_time_of_a_player_without_limits_is_not_kept_for_good(pit):
    await pit.own_limits.tick("ana", 60)
    assert 0 < await pit.client.pttl(RECORD) <= 2 * DAY_MS
    await limit(pit, round_stake=100)
    await pit.own_limits.tick("ana", 60)
    assert await pit.client.pttl(RECORD) == -1


@pytest.mark.parametrize(
    ("field", "value"),
    [("round_stake", "x"), ("next:day_stake", "5"), ("day_ms", "-1"), ("pit:main", "1|2"), (None, "text")],
)
async def test_a_damaged_record_is_told_and_left_as_it_is(pit, field, value):
    if field is None:
        await pit.client.set(RECORD, value)
    else:
        await pit.client.hset(RECORD, field, value)
    before = await pit.client.dump(RECORD)
    for change in (
        pit.own_limits.look("ana"),
        pit.own_limits.exclude("ana", "away-0001", 1),
        pit.own_limits.tick("ana", 60),
    ):
        with pytest.raises(DamagedRecordError):
            await change
    assert await pit.client.dump(RECORD) == before


async def test_what_was_staked_and_won_is_counted_once_for_the_next_reality_check(pit):
    """The table's dealer keeps a settled round with its player; it may do so again after a lost answer."""
    await sit(a_safe_bank(pit))
    await pit.own_limits.tick("ana", 60)
    await window(pit)
    await slip(pit, player=3_000, tie=500)
    await settle(pit, lambda player, bets: {"player": 6_000})
    outbox = "croupier:{main}:t:standard:outbox"
    [entry] = await pit.client.lrange(outbox, 0, -1)
    await pit.settled.empty_outbox(STANDARD)
    await pit.client.rpush(outbox, entry)
    await pit.settled.empty_outbox(STANDARD)
    record = await pit.own_limits.tick("ana", 60)
    assert (record.staked, record.net) == (3_500, 2_500)


async def test_with_the_switch_off_no_round_is_counted(pit, shared_store):
    await sit(a_safe_bank(pit))
    await pit.own_limits.tick("ana", 60)
    await window(pit)
    await slip(pit, player=3_000)
    await settle(pit, lambda player, bets: {})
    async with open_pit(shared_store.url) as off:
        await off.settled.empty_outbox(STANDARD)
    assert (await pit.own_limits.look("ana")).staked == 0
