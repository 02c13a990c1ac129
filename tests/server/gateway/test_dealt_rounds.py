"""Players at tables that are dealt: payouts, limits and seats from round to round."""

import asyncio

import pytest

from support.gateways import gateway_on
from support.players import connected, dealt, op, sit, slip
from support.serving import until


@pytest.fixture
async def dealing(store):
    """A gateway with a table that is dealt."""
    async with dealt(store.url, "standard"), gateway_on(store.url) as running:
        yield running


async def test_a_payout_is_told_once_to_each_connection_of_the_player(dealing):
    async with connected(dealing.url, name="Ana", watch=["standard"]) as one:
        me = await sit(one)
        async with connected(dealing.url, me["welcome"]["resume"], watch=["standard"]) as other:
            window = await one.until("betting")
            accepted = await slip(one, {"banker": 500, "tie": 100}, me["rev"], window["round"])
            assert accepted["type"] == "slip_accepted"
            told = [(await client.until("payout"))["payout"] for client in (one, other)]
            assert told[0] == told[1]
            assert (told[0]["table"], told[0]["round"]) == ("standard", window["round"])
            assert [(bet["bet"], bet["stake"]) for bet in told[0]["bets"]] == [
                ("banker", 500),
                ("tie", 100),
            ]
            assert told[0]["returned"] == sum(bet["returned"] for bet in told[0]["bets"])
            assert told[0]["bankroll"] == 9_400 + told[0]["returned"]
            for client in (one, other):
                later = []
                while len([each for each in later if each["type"] == "settled"]) < 2:
                    later.append(await client.receive())
                assert [each for each in later if each["type"] == "payout"] == []


async def test_the_maximum_holds_on_every_connection_and_is_free_again_in_the_next_round(dealing):
    """C10: a slip is all that stands on the round, whoever of the player's connections sends it."""
    async with (
        connected(dealing.url, name="Ana", watch=["standard"]) as one,
        connected(dealing.url, name="Ana", watch=["standard"]) as witness,
    ):
        me = await sit(one, buy_in=100_000)
        async with connected(dealing.url, me["welcome"]["resume"]) as other:
            rounds, rev, bankroll = [], me["rev"], me["bankroll"]
            while len(rounds) < 2:
                window = (await witness.until("betting"))["round"]
                answer = await slip(one, {"tie": 10_000}, rev, window)
                if answer.get("code") in {"betting_closed", "wrong_round"}:
                    continue  # the machine was too slow for this window
                assert (answer["type"], answer["bankroll"]) == ("slip_accepted", bankroll - 10_000)
                rounds.append(window)
                rev = answer["rev"]
                over = await slip(other, {"tie": 10_100}, rev, window)
                assert (over["code"], over["bet"], over["limit"]) == ("limit", "tie", 10_000)
                paid = (await one.until("payout"))["payout"]
                assert [bet["stake"] for bet in paid["bets"]] == [10_000]
                bankroll = paid["bankroll"]


async def test_a_payout_missed_while_away_comes_with_the_return(dealing, pit):
    """F8, G1: a connection that goes loses nothing."""
    async with connected(dealing.url, name="Ana", watch=["standard"]) as client:
        me = await sit(client)
        window = await client.until("betting")
        await slip(client, {"player": 500}, me["rev"], window["round"])
        await client.until("card")
    player, round_ = me["welcome"]["player"]["id"], window["round"]

    async def settled():
        return await pit.settled.results("standard", player, 0)

    async with asyncio.timeout(20):
        while not await settled():
            await asyncio.sleep(0.01)
    async with connected(dealing.url, me["welcome"]["resume"]) as client:
        await client.send(type="watch", table="standard", paid_round=round_ - 1)
        told = await client.until("me")
        [payout] = told["payouts"]
        assert (payout["round"], payout["bankroll"]) == (round_, told["bankroll"])
        assert told["last_slip"] == {"player": 500}
        mine = await client.ask(type="my_rounds")
        assert [own["payout"] for own in mine["rounds"]] == [payout]
        assert (mine["rounds"][0]["bankroll_before"], len(mine["rounds"][0]["player"]["cards"]) >= 2) == (
            10_000,
            True,
        )
        assert "next" not in mine
    async with connected(dealing.url, me["welcome"]["resume"]) as client:
        await client.send(type="watch", table="standard", paid_round=round_)
        assert "payouts" not in await client.until("me")


async def test_own_rounds_are_paged_newest_first(dealing):
    async with connected(dealing.url, watch=["standard"]) as client:
        rev = (await sit(client))["rev"]
        played = []
        for number in range(5):
            window = await client.until("betting")
            accepted = await slip(client, {"player": 100}, rev + number, window["round"])
            assert accepted["type"] == "slip_accepted"
            await client.until("payout")
            played.append(window["round"])
        first = await client.ask(type="my_rounds", limit=3)
        assert [own["payout"]["round"] for own in first["rounds"]] == played[:1:-1]
        rest = await client.ask(type="my_rounds", before=first["next"], limit=3)
        assert [own["payout"]["round"] for own in rest["rounds"]] == played[1::-1]
        assert "next" not in rest
        for mark in ("x", "1-1-1", "-", "+", "1_0-1"):
            assert (await client.ask(type="my_rounds", before=mark))["code"] == "invalid"


async def test_everyone_sees_who_sits_and_who_has_left(dealing):
    async with (
        connected(dealing.url, watch=["standard"]) as witness,
        connected(dealing.url, name="Ana") as client,
    ):
        seated = await sit(client, seat=9)
        event = await witness.until("seat")
        assert (event["seat"], event["player"]) == (9, seated["welcome"]["player"])
        await client.ask(type="leave", table="standard", op=op())
        event = await witness.until("seat")
        assert (event["seat"], event["player"]) == (9, None)


async def test_a_seat_is_kept_over_a_change_of_gateway(store):
    """G6, K4."""
    async with dealt(store.url, "standard"), gateway_on(store.url) as one, gateway_on(store.url) as other:
        async with connected(one.url, watch=["standard"]) as client:
            seated = await sit(client, seat=5)
        async with connected(other.url, seated["welcome"]["resume"]) as client:
            await client.send(type="watch", table="standard")
            assert (await client.until("me"))["seat"] == 5
        await until(lambda: other.gateway.fanout.watchers("standard") == 0)
