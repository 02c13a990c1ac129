"""What players limit for themselves, over real sockets: refusals, seats that end, and reality checks."""

import asyncio

import pytest

from croupier_client.connection import connect
from croupier_client.errors import RefusedError
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.to_client import RealityCheck, SeatNotice
from croupier_protocol.messages.values import Language
from croupier_server.gateway import own_limits
from croupier_server.play_safe.terms import PlaySafeTerms
from support.gateways import gateway_on
from support.own_limits import DAY_MS
from support.players import connected, dealt, op, sit, slip, standing

SAFE = PlaySafeTerms(reality_minutes=60)


@pytest.fixture
async def gateway(store, pit, monkeypatch):
    """A gateway that counts time often, with a table that stands in the window of round 1."""
    monkeypatch.setattr(own_limits, "TICK_S", 0.1)
    async with standing(store.url, pit, "standard"), gateway_on(store.url, play_safe=SAFE) as running:
        yield running


def record_of(me) -> str:
    """The key of a new guest's limits."""
    return f"croupier:{{w:{me['welcome']['player']['id']}}}:limits"


async def test_a_player_limits_itself_and_slips_are_judged_by_it(gateway):
    async with connected(gateway.url, watch=["standard"]) as client:
        rev = (await sit(client))["rev"]
        told = await client.ask(type="limits", round_stake=2_000, day_stake=3_000, op=op())
        assert (told["type"], told["round_stake"], told["day_stake"]) == ("limits", 2_000, 3_000)
        error = await slip(client, {"player": 2_100}, rev)
        assert (error["code"], error["limit"]) == ("own_round_stake", 2_000)
        assert error["message"] == "This is more than the most you have set yourself for a round."
        assert (await slip(client, {"player": 2_000}, rev))["bets"] == {"player": 2_000}
        await client.ask(type="limits", day_stake=1_000, op=op())
        error = await slip(client, {"player": 1_900, "tie": 200}, rev + 1)
        assert (error["code"], error["limit"]) == ("own_round_stake", 2_000)
        assert (await slip(client, {"player": 500}, rev + 1))["bets"] == {"player": 500}
        error = await slip(client, {"player": 1_100}, rev + 2)
        assert (error["code"], error["limit"]) == ("own_day_stake", 1_000)
        looser = await client.ask(type="limits", day_stake=0, op=op())
        assert (looser["day_stake"], looser["waiting"][0]["limit"]) == (1_000, "day_stake")
        assert "value" in looser["waiting"][0]
        assert await client.ask(type="limits") == looser


async def test_limits_are_a_players_on_all_its_connections_and_nobody_elses(gateway):
    async with connected(gateway.url, watch=["standard"]) as ana, connected(gateway.url) as ben:
        await sit(ana)
        rev = (await sit(ben))["rev"]
        await ana.ask(type="limits", round_stake=100, op=op())
        assert "round_stake" not in await ben.ask(type="limits")
        assert (await slip(ben, {"player": 5_000}, rev))["type"] == "slip_accepted"


async def test_a_change_names_its_operation_and_asking_needs_none(gateway):
    async with connected(gateway.url) as client:
        nobody = await client.ask(type="limits")
        assert nobody == {"type": "limits", "id": 77, "reality_usual": 60}
        await sit(client)
        assert (await client.ask(type="limits", round_stake=100))["code"] == "invalid"
        name = op()
        await client.ask(type="limits", round_stake=100, op=name)
        assert (await client.ask(type="limits", round_stake=50, op=name))["code"] == "operation_reused"
        for field, value in (("day_minutes", 1_441), ("round_stake", -1), ("player", "ben")):
            await client.send(type="limits", op=op(), **{field: value})
            assert (await client.until("error"))["code"] == "invalid"
        for fields in ({"days": 0, "op": op()}, {"days": 1}, {"days": 1, "op": op(), "player": "ben"}):
            await client.send(type="exclude", **fields)
            assert (await client.until("error"))["code"] == "invalid"


async def test_who_limits_itself_before_sitting_is_a_guest_from_then_on(gateway):
    async with connected(gateway.url, watch=["standard"]) as client:
        await client.send(type="limits", round_stake=100, op=op(), id=5)
        assert (await client.until("welcome"))["player"]["id"].startswith("g")
        assert (await client.until("limits"))["round_stake"] == 100
        rev = (await sit(client))["rev"]
        assert (await slip(client, {"player": 200}, rev))["code"] == "own_round_stake"


async def test_an_exclusion_in_a_round_plays_the_slip_out_and_ends_the_seat(gateway, pit):
    async with connected(gateway.url, watch=["standard"]) as client:
        me = await sit(client)
        await slip(client, {"player": 500}, me["rev"])
        await client.send(type="exclude", days=7, op=op(), id=5)
        told = await client.until("limits")
        until_ms = told["excluded_until_ms"]
        assert abs(until_ms - 7 * DAY_MS - await pit.store.time_ms()) < 60_000
        assert (await slip(client, {"player": 600}, me["rev"] + 1))["code"] == "leaving"
        assert (await slip(client, {}, me["rev"] + 1))["code"] == "leaving"
        seat = await pit.seats.private("standard", me["welcome"]["player"]["id"])
        assert (seat.seat.state, seat.bets) == ("leaving", {"player": 500})
        assert (await client.ask(type="exclude", days=1, op=op()))["excluded_until_ms"] == until_ms


async def test_an_excluded_player_gets_its_chips_and_no_seat(gateway):
    async with connected(gateway.url, watch=["standard"]) as client:
        await sit(client)
        await client.send(type="exclude", days=1, op=op())
        notice = await client.until("notice")
        assert (notice["code"], notice["table"]) == ("excluded", "standard")
        assert (await client.ask(type="wallet"))["balance"] == 100_000
        error = await sit(client)
        assert (error["type"], error["code"]) == ("error", "excluded")


async def test_a_kill_between_the_exclusion_and_its_seats_is_made_good_by_the_next_tick(gateway, pit):
    """The record is written, and the gateway that wrote it did nothing more."""
    async with connected(gateway.url, watch=["standard"]) as client:
        me = await sit(client)
        await pit.own_limits.exclude(me["welcome"]["player"]["id"], op(), 1)
        assert (await client.until("notice"))["code"] == "excluded"
        assert "seat" not in await client.until("me")


async def test_when_the_days_time_is_over_the_seat_is_given_up(gateway, pit):
    async with connected(gateway.url, watch=["standard"]) as client:
        me = await sit(client)
        await client.ask(type="limits", day_minutes=30, op=op())
        await played(pit, record_of(me), "day_ms", 30)
        notice = await client.until("notice")
        assert notice["code"] == "time_over"
        assert notice["message"].startswith("Your own time for the day is over")
        assert (await client.ask(type="limits"))["played_minutes"] == 30
        assert (await sit(client))["code"] == "own_day_time"


async def test_a_reality_check_is_told_to_every_connection_until_one_goes_on(gateway, pit):
    async with connected(gateway.url, watch=["standard"]) as client:
        me = await sit(client)
        await played(pit, record_of(me), "played_ms", 61)
        await pit.client.hset(record_of(me), mapping={"staked": 9_000, "net": -1_500})
        text = "You have been at the tables for 61 minutes: 90.00 staked, 15.00 lost."
        check = {"type": "reality_check", "minutes": 61, "staked": 9_000, "net": -1_500, "message": text}
        assert await client.until("reality_check") == check
        resume = me["welcome"]["resume"]
        async with connected(gateway.url, resume, watch=["standard"]) as other:
            assert await other.until("reality_check") == check
            assert (await other.ask(type="go_on"))["type"] == "limits"
        assert await pit.client.hget(record_of(me), "check_ms") is None
        assert int(await pit.client.hget(record_of(me), "played_ms")) < 60_000


async def played(pit, record, field, minutes):
    """Makes it as if so many minutes had been played: what is counted from now on comes on top."""
    while not await pit.client.hexists(record, field):
        await asyncio.sleep(0.01)
    await pit.client.hset(record, field, minutes * 60_000)


@pytest.mark.parametrize("command", [{"type": "limits"}, {"type": "exclude", "days": 1}, {"type": "go_on"}])
async def test_with_the_switch_off_there_is_nothing_of_it(store, pit, command):
    fields = {**command, **({} if command["type"] == "go_on" else {"op": op()})}
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url) as running,
        connected(running.url, watch=["standard"]) as client,
    ):
        await sit(client)
        assert (await client.ask(**fields))["code"] == "unknown_type"
    assert await pit.client.keys("*:limits") == []


async def test_the_client_library_limits_excludes_and_goes_on(gateway, pit):
    told = []
    async with connect(gateway.url, language=Language.FRENCH, on_notice=told.append) as client:
        assert (await client.play_safe.limits()).reality_usual == 60
        seat = await client.sit("standard", buy_in=10_000)
        await seat.window()
        limits = await client.play_safe.limit(round_stake=1_000, day_minutes=90)
        assert (limits.round_stake, limits.day_minutes) == (1_000, 90)
        with pytest.raises(RefusedError) as refused:
            await seat.bet(player=1_100)
        assert (refused.value.code, refused.value.limit) == (ErrorCode.OWN_ROUND_STAKE, 1_000)
        await played(pit, f"croupier:{{w:{client.player.id}}}:limits", "played_ms", 60)
        check = await until_told(told, RealityCheck)
        assert check.message == "Vous jouez depuis 60 minutes : 0,00 misés, 0,00 gagnés."
        assert (await client.play_safe.go_on()).played_minutes == 0
        assert (await client.play_safe.exclude(30)).excluded_until_ms is not None
        assert (await until_told(told, SeatNotice)).code is NoticeCode.EXCLUDED


async def until_told(told, kind):
    """The first notice of a kind."""
    while not (found := [one for one in told if isinstance(one, kind)]):
        await asyncio.sleep(0.01)
    return found[0]


@pytest.mark.slow
async def test_at_a_table_that_is_dealt_the_round_is_played_and_the_chips_go_home(store, pit):
    async with (
        dealt(store.url, "standard"),
        gateway_on(store.url, play_safe=SAFE) as running,
        connected(running.url, watch=["standard"]) as client,
    ):
        me = await sit(client)
        betting = await client.until("betting")
        accepted = await slip(client, {"tie": 500}, me["rev"], betting["round"])
        assert accepted["type"] == "slip_accepted"
        await client.send(type="exclude", days=1, op=op())
        payout = (await client.until("payout"))["payout"]
        assert payout["round"] == betting["round"]
        while (gone := await client.until("me")).get("wallet") is None:
            pass
        assert "seat" not in gone
        assert gone["wallet"] == 90_000 + payout["bankroll"]
