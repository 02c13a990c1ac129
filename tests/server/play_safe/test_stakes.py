"""Players' own limits of their stakes: in a round, and in a day over all pits."""

import random
from contextlib import asynccontextmanager

import pytest

from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.values import TableId
from croupier_server.store import keys
from croupier_server.store.keys import PitId
from croupier_server.store.placing import SlipState
from croupier_server.store.scripts import OWN_LIMITS
from support.banking import LISTING, MOST, STANDARD, check_conservation, settle, sit, window
from support.own_limits import DAY_MS, NOON_MS, RECORD, Times, a_safe_bank, limit, place, staked
from support.stores import open_pit

VIP = PitId("vip")
ROYAL = TableId("royal")


@pytest.fixture
async def ana(pit):
    """Ana has 100.00 in front of her, in the window of round 7."""
    await sit(a_safe_bank(pit), buy_in=10_000)
    await window(pit)
    return pit


@pytest.fixture
async def noon(pit, monkeypatch):
    """Sets times; it is noon."""
    times = Times([pit], monkeypatch)
    await times.set(NOON_MS)
    return times


async def test_a_slip_over_the_players_most_of_a_round_is_refused(ana):
    await limit(ana, round_stake=2_000)
    assert await place(ana, player=1_500, tie=500) == "taken"
    assert await place(ana, player=1_500, tie=501) == "own_round"
    assert (await ana.seats.private(STANDARD, "ana")).bets == {"player": 1_500, "tie": 500}
    await check_conservation(ana.client)


async def test_a_slip_that_stakes_less_is_taken_whatever_the_limit(ana):
    assert await place(ana, player=5_000) == "taken"
    await limit(ana, round_stake=2_000, day_stake=1_000)
    assert await place(ana, player=4_000) == "taken"
    assert await place(ana, player=4_001) == "own_round"
    assert await place(ana) == "taken"


async def test_a_days_stake_counts_what_stands_and_not_what_was_taken_back(ana):
    await limit(ana, day_stake=3_000)
    assert [await place(ana, player=cents) for cents in (3_000, 3_001)] == ["taken", "own_day"]
    assert await place(ana, player=100) == "taken"
    assert await staked(ana) == 100
    assert await place(ana) == "taken"
    assert await staked(ana) == 0
    assert await place(ana, tie=3_000) == "taken"
    await settle(ana, lambda player, bets: {})
    await window(ana, 8)
    assert await staked(ana) == 3_000
    assert await place(ana, round_=8, player=1) == "own_day"


async def test_what_a_void_round_returns_is_no_stake_of_the_day(ana):
    await limit(ana, day_stake=3_000)
    await place(ana, player=2_000, tie=500)
    await settle(ana, lambda player, bets: bets, void=True)
    assert await staked(ana) == 0
    await window(ana, 8)
    assert await place(ana, round_=8, player=3_000) == "taken"
    await check_conservation(ana.client)


async def test_a_day_ends_at_midnight_utc(ana, noon):
    await limit(ana, day_stake=3_000)
    await place(ana, player=3_000)
    await settle(ana, lambda player, bets: bets)
    await window(ana, 8)
    await noon.set(20_001 * DAY_MS - 1)
    assert await place(ana, round_=8, player=1) == "own_day"
    await noon.set(20_001 * DAY_MS)
    assert await place(ana, round_=8, player=3_000) == "taken"
    assert await place(ana, round_=8, player=3_001) == "own_day"


async def test_a_slip_that_stands_over_midnight_counts_on_the_day_it_was_placed(ana, noon):
    await limit(ana, day_stake=3_000)
    await noon.set(20_001 * DAY_MS - 1)
    await place(ana, player=2_000)
    await noon.set(20_001 * DAY_MS)
    assert await place(ana, player=5_000) == "taken"
    assert await staked(ana) == 3_000
    assert await place(ana) == "taken"
    assert await staked(ana) == 0


async def test_a_lower_limit_holds_for_what_is_left_of_the_day(ana):
    await limit(ana, day_stake=5_000)
    await place(ana, player=4_000)
    await limit(ana, "limit-0002", day_stake=4_500)
    assert await place(ana, player=4_500) == "taken"
    await limit(ana, "limit-0003", day_stake=1_000)
    assert await place(ana, player=4_501) == "own_day"
    assert await staked(ana) == 4_500


async def test_a_pit_takes_no_limits_that_are_older_than_those_it_has(ana):
    """Two changes at once, whose tellings come in the other order."""
    older = await limit(ana, round_stake=3_000)
    newer = await limit(ana, "limit-0002", round_stake=1_000)
    for record in (newer, older):
        share = await ana.own_limits.tell("main", ana.store, "ana", record)
    assert share.rev == newer.rev
    assert await place(ana, player=1_001) == "own_round"


@pytest.mark.parametrize("most", [1, 100_000_000_000_001, MOST])
async def test_amounts_are_exact_up_to_the_largest(pit, most):
    roomy = Limits(buy_in_least=1, buy_in_most=MOST, main_least=1, main_most=MOST, step=1, slip_most=MOST)
    await sit(a_safe_bank(pit, start=MOST), buy_in=MOST, limits=roomy)
    await window(pit)
    await limit(pit, round_stake=most, day_stake=most)
    if most < MOST:
        assert await place(pit, player=most + 1) == "own_round"
    assert await place(pit, player=most) == "taken"
    assert await staked(pit) == most
    assert await place(pit) == "taken"
    assert await staked(pit) == 0


async def test_the_same_op_again_is_counted_once(ana):
    await limit(ana, day_stake=3_000)
    await place(ana, player=1_000)
    rev = (await ana.seats.private(STANDARD, "ana")).rev
    for _ in range(3):
        again = await ana.seats.place(
            STANDARD, "ana", 7, rev - 1, f"slip-{rev:08}", LISTING, {"player": 1_000}
        )
        assert isinstance(again, SlipState)
        assert again.accepted
    assert await staked(ana) == 1_000


@pytest.mark.parametrize("seed", range(2))
async def test_the_count_of_a_day_is_what_was_played_whatever_comes(ana, seed):
    """Slips raised, lowered, cleared, settled and voided at random: it is what was at stake for good."""
    chance = random.Random(seed)
    most, played, round_, standing = 9_000, 0, 7, 0
    await limit(ana, day_stake=most)
    for _ in range(30):
        match chance.choice(("slip", "slip", "slip", "clear", "settle", "void")):
            case "slip":
                bets = {
                    bet: chance.randrange(1, 900) for bet in chance.sample(("player", "tie", "banker"), 2)
                }
                stake = sum(bets.values())
                fits = stake <= standing or played + stake <= most
                answer = await place(ana, round_=round_, **bets)
                assert answer in {"taken", "short"} if fits else answer == "own_day"
                standing = stake if answer == "taken" else standing
            case "clear":
                assert await place(ana, round_=round_) == "taken"
                standing = 0
            case ending:
                await settle(ana, lambda _, bets: bets, round_, void=ending == "void")
                played += standing if ending == "settle" else 0
                standing, round_ = 0, round_ + 1
                await window(ana, round_)
        if played + standing:
            assert await staked(ana) == played + standing
        assert played + standing <= most
        await check_conservation(ana.client)


@asynccontextmanager
async def two_pits(url):
    """Ana sits at a table of the main pit and at one of another, each in a window, with 300.00."""
    async with open_pit(url, play_safe=True) as main, open_pit(url, VIP, play_safe=True) as vip:
        await main.client.flushall()
        for pit, table in ((main, STANDARD), (vip, ROYAL)):
            await pit.stream.open()
            await sit(a_safe_bank(pit), buy_in=30_000, table=table)
            record = {"phase": "betting", "round": 7, "closes_at_ms": MOST, "listing": LISTING}
            await pit.client.hset(keys.table_key(pit.name, table), mapping=record)
        yield main, vip


async def test_a_days_stake_is_one_over_all_pits(shared_store):
    async with two_pits(shared_store.url) as (main, vip):
        await limit(main, "limit-0001", vip, day_stake=5_000)
        assert await place(main, player=3_000) == "taken"
        assert await place(vip, table=ROYAL, player=2_001) == "own_day"
        assert await place(vip, table=ROYAL, player=2_000) == "taken"
        assert await place(main, player=3_001) == "own_day"
        assert (await staked(main), await staked(vip)) == (3_000, 2_000)


async def test_what_was_staked_before_a_days_limit_was_set_counts_in_all_pits(shared_store):
    """It has been counted since there was a limit of a round: 1,200 at one pit and 1,000 at the other."""
    async with two_pits(shared_store.url) as (main, vip):
        await limit(main, "limit-0001", vip, round_stake=9_000)
        assert await place(main, player=1_200) == "taken"
        assert await place(vip, table=ROYAL, player=1_000) == "taken"
        await limit(main, "limit-0002", vip, day_stake=3_000)
        assert await place(main, player=2_001) == "own_day"
        assert await place(main, player=2_000) == "taken"
        assert await place(vip, table=ROYAL, player=1_001) == "own_day"


async def test_what_was_staked_while_a_days_limit_was_lifted_counts_in_all_pits(shared_store):
    async with two_pits(shared_store.url) as (main, vip):
        await limit(main, "limit-0001", vip, day_stake=3_000, round_stake=9_000)
        assert await place(vip, table=ROYAL, player=500) == "taken"
        await limit(main, "limit-0002", vip, day_stake=0, operator=True)
        assert await place(vip, table=ROYAL, player=2_500) == "taken"
        await limit(main, "limit-0003", vip, day_stake=3_000, operator=True)
        assert await place(main, player=501) == "own_day"
        assert await place(main, player=500) == "taken"


@pytest.mark.parametrize("lost", ["grant", "telling"])
async def test_a_share_of_the_day_whose_granting_was_cut_short_is_never_too_much(shared_store, lost):
    """Killed after the wallet has allowed a pit its share, or before: the other pit never gets it too."""
    async with two_pits(shared_store.url) as (main, vip):
        await limit(main, "limit-0001", vip, day_stake=5_000)
        rev = (await main.own_limits.look("ana")).rev
        if lost == "telling":  # the wallet has allowed the main pit 3,000, and nobody has told it
            share = [rev, await today(main), 0, 3_000]
            await main.store.call(OWN_LIMITS, [RECORD], ["grant", "main", *share])
            assert await place(vip, table=ROYAL, player=2_001) == "own_day"
        assert await place(main, player=3_000) == "taken"
        assert await place(vip, table=ROYAL, player=2_001) == "own_day"
        assert await place(vip, table=ROYAL, player=2_000) == "taken"


async def today(pit) -> int:
    return await pit.store.time_ms() // DAY_MS


async def test_without_limits_the_script_is_asked_once_and_nothing_is_kept(ana):
    before = (await ana.client.info("commandstats"))["cmdstat_evalsha"]["calls"]
    seat = await ana.seats.private(STANDARD, "ana")
    assert (await ana.client.info("commandstats"))["cmdstat_evalsha"]["calls"] == before + 1
    assert await ana.seats.place(STANDARD, "ana", 7, seat.rev, "slip-0001", LISTING, {"player": 500})
    assert (await ana.client.info("commandstats"))["cmdstat_evalsha"]["calls"] == before + 2
    assert await ana.client.exists("croupier:{main}:limits", RECORD) == 0


async def test_with_the_switch_off_nothing_that_was_set_counts(ana, shared_store):
    await limit(ana, round_stake=100, day_stake=100)
    async with open_pit(shared_store.url) as off:
        seat = await off.seats.private(STANDARD, "ana")
        assert (
            await off.seats.place(STANDARD, "ana", 7, seat.rev, "slip-0001", LISTING, {"tie": 500})
        ).accepted
    assert await place(ana, tie=501) == "own_round"
