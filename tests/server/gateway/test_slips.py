"""Slips over real sockets: what is taken and told, what is refused, and what is not judged."""

import asyncio

import pytest
from msgspec.structs import replace

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_server.table.listing import listing_digest
from croupier_server.table.state import decode_state, encode_state
from support.gateways import gateway_on
from support.players import connected, heard, moved, op, sit, slip, standing, table_key
from support.proxies import proxy_to


async def test_a_slip_is_accepted_and_every_connection_of_the_player_is_told(gateway):
    """L12: several connections of one player are all told the same."""
    async with connected(gateway.url, name="Ana", watch=["standard"]) as one:
        me = await sit(one)
        async with connected(gateway.url, me["welcome"]["resume"], watch=["standard"]) as other:
            await other.until("me")
            accepted = await slip(one, {"player": 500, "tie": 100}, me["rev"])
            assert accepted == {
                "type": "slip_accepted",
                "id": 77,
                "table": "standard",
                "round": 1,
                "rev": me["rev"] + 1,
                "bets": {"player": 500, "tie": 100},
                "bankroll": 9_400,
            }
            told = await other.until("me")
            assert (told["slip"], told["rev"]) == ({"player": 500, "tie": 100}, me["rev"] + 1)
            assert (told["bankroll"], told["round"]) == (9_400, 1)
            changed = await slip(other, {"banker": 200}, me["rev"])
            assert (changed["type"], changed["rev"], changed["bets"]) == (
                "slip_changed",
                me["rev"] + 1,
                {"player": 500, "tie": 100},
            )
            assert (await one.ask(type="ping"))["type"] == "pong"


async def test_a_slip_sent_ten_times_is_debited_once_and_a_changed_one_moves_the_difference(gateway):
    """F4, C10."""
    async with connected(gateway.url) as client:
        rev = (await sit(client))["rev"]
        answers = [await slip(client, {"player": 3_000}, rev, name="the-same-op") for _ in range(10)]
        assert answers == [answers[0]] * 10
        assert (answers[0]["type"], answers[0]["bankroll"]) == ("slip_accepted", 7_000)
        changed = await slip(client, {"player": 1_000, "tie": 500}, rev + 1)
        assert (changed["type"], changed["bankroll"]) == ("slip_accepted", 8_500)
        over = await slip(client, {"player": 50_100}, rev + 2)
        assert (over["code"], over["bet"], over["limit"]) == ("limit", "player", 50_000)
        cleared = await slip(client, {}, rev + 2)
        assert (cleared["type"], cleared["bankroll"], cleared["bets"]) == ("slip_accepted", 10_000, {})


async def test_fifty_connections_of_one_player_bet_at_once(gateway, pit):
    """F5: never below zero, and all end with the same view."""
    async with connected(gateway.url, name="Ana") as first:
        me = await sit(first)
        resume, rev = me["welcome"]["resume"], me["rev"]

        async def one_socket(number):
            async with connected(gateway.url, resume, watch=["standard"]) as client:
                await client.until("me")
                answer = await slip(client, {"player": 10_000 - 100 * number}, rev)
                await asyncio.sleep(0)
                return client, answer

        answers = [answer for _, answer in await asyncio.gather(*(one_socket(n) for n in range(50)))]
        accepted = [answer for answer in answers if answer["type"] == "slip_accepted"]
        assert len(accepted) == 1
        assert {answer["type"] for answer in answers} == {"slip_accepted", "slip_changed"}
        truth = {(one["rev"], one["bankroll"], one["bets"]["player"]) for one in answers}
        assert truth == {(rev + 1, accepted[0]["bankroll"], accepted[0]["bets"]["player"])}
        player = me["welcome"]["player"]["id"]
        assert int(await pit.client.hget(f"{table_key()}:bankrolls", player)) == accepted[0]["bankroll"]


BAD_SLIPS = {
    "a bet that is not offered": ("standard", {"lucky_9": 100}, {}, ("unknown_bet", "lucky_9", None)),
    "three fields at a two-field table": (
        "two-field",
        {"player": 100, "banker": 100, "tie": 100},
        {},
        ("combination", None, 2),
    ),
    "both hands at a one-hand table": (
        "eight-deck",
        {"player": 100, "banker": 100},
        {},
        ("combination", None, 1),
    ),
    "below the least": ("standard", {"player": 99}, {}, ("limit", "player", 100)),
    "above the most": ("standard", {"player": 50_100}, {}, ("limit", "player", 50_000)),
    "above the most on a tie": ("standard", {"tie": 10_100}, {}, ("limit", "tie", 10_000)),
    "no whole step": ("standard", {"player": 150}, {}, ("limit", "player", 100)),
    "2^53 - 1": ("standard", {"player": 2**53 - 1}, {}, ("limit", "player", 2**53 - 1)),
    "more than the bankroll": ("standard", {"player": 10_100}, {}, ("bankroll_short", None, 10_000)),
    "the round before": ("standard", {"player": 100}, {"round_": 0}, ("wrong_round", None, None)),
    "the round after": ("standard", {"player": 100}, {"round_": 2}, ("wrong_round", None, None)),
}


@pytest.mark.parametrize("name", BAD_SLIPS)
async def test_a_slip_that_cannot_stand_is_a_typed_refusal_and_nothing_moves(gateway, pit, name):
    """Names bet and limit and the server's time; nothing is moved and nothing is broadcast."""
    table, bets, extra, (code, bet, limit) = BAD_SLIPS[name]
    async with (
        connected(gateway.url, watch=[table]) as client,
        connected(gateway.url, watch=[table]) as witness,
    ):
        rev = (await sit(client, table))["rev"]
        await slip(client, {"tie": 100}, rev, table=table)
        await heard(witness)
        await heard(client)
        before = await moved(pit)
        error = await slip(client, bets, rev + 1, table=table, **extra)
        assert (error["type"], error["code"], error["table"]) == ("error", code, table)
        assert (error.get("bet"), error.get("limit")) == (bet, limit)
        assert await moved(pit) == before
        assert await heard(witness) == []
        # A place may still be told late; it is the one of before.
        assert all((one["type"], one["slip"]) == ("me", {"tie": 100}) for one in await heard(client))


@pytest.mark.parametrize("field", ["payout", "result", "cards", "bankroll", "seat", "player", "name"])
async def test_a_slip_says_nothing_of_who_sends_it_or_what_it_wins(gateway, pit, field):
    """L3, L10: a field more is a refusal; whose slip it is says the connection."""
    async with connected(gateway.url, watch=["standard"]) as ana, connected(gateway.url) as bea:
        rev = (await sit(ana))["rev"]
        await sit(bea)
        before = await moved(pit)
        forged = {"table": "standard", "round": 1, "rev": rev, "op": op(), "bets": {"player": 100}}
        await bea.send(type="slip", **forged, **{field: 1})
        error = await bea.until("error")
        assert (error["type"], error["code"]) == ("error", "invalid")
        assert await moved(pit) == before


async def test_nobody_and_spectators_have_nothing_to_bet(gateway, pit):
    async with connected(gateway.url) as nobody, connected(gateway.url) as guest:
        await sit(guest, "two-field")
        before = await moved(pit)
        for client in (nobody, guest):
            assert (await slip(client, {"player": 100}, 0))["code"] == "not_seated"
            assert (await client.ask(type="deal", table="standard", round=1, op=op()))["code"] == "not_seated"
            assert (await client.ask(type="leave", table="standard", op=op()))["code"] == "not_seated"
            more = await client.ask(type="top_up", table="standard", amount=1_000, op=op())
            assert more["code"] == "not_seated"
        assert (await slip(guest, {"player": 100}, 0, table="nowhere"))["code"] == "unknown_table"
        assert await moved(pit) == before


@pytest.mark.parametrize(
    ("phase", "french"),
    [
        ("shuffling", "mélange"),
        ("closed", "mises closes"),
        ("dealing", "distribution"),
        ("settling", "règlement"),
        ("result", "résultat"),
        ("voiding", "annulation"),
        ("paused", "en pause"),
    ],
)
async def test_a_slip_outside_the_window_is_refused_with_the_phase(gateway, pit, phase, french):
    """F2, F3."""
    async with connected(gateway.url) as client:
        rev = (await sit(client))["rev"]
        await pit.client.hset(table_key(), "phase", phase)
        before = await moved(pit)
        for language, text in (
            ("en", f"No more bets: the window is closed. ({phase})"),
            ("fr", f"Les jeux sont faits. ({french})"),
        ):
            await client.ask(type="hello", language=language)
            for error in (
                await slip(client, {"player": 100}, rev),
                await client.ask(type="deal", table="standard", round=1, op=op()),
            ):
                assert (error["code"], error["message"]) == ("betting_closed", text)
        assert await moved(pit) == before


async def test_a_slip_after_the_time_is_refused_though_the_window_was_not_closed_yet(gateway, pit):
    """F1, F3."""
    async with connected(gateway.url) as client:
        rev = (await sit(client))["rev"]
        seconds, microseconds = await pit.client.time()
        await pit.client.hset(table_key(), "closes_at_ms", seconds * 1000 + microseconds // 1000)
        before = await moved(pit)
        error = await slip(client, {"player": 100}, rev)
        assert (error["code"], error["server_ms"] >= seconds * 1000) == ("betting_closed", True)
        assert await moved(pit) == before


async def test_new_limits_are_found_and_the_slip_is_checked_again(gateway, pit):
    async with connected(gateway.url) as client:
        rev = (await sit(client))["rev"]
        assert (await slip(client, {"player": 100}, rev))["type"] == "slip_accepted"
        await lower_the_most(pit)
        error = await slip(client, {"player": 5_000}, rev + 1)
        assert (error["code"], error["limit"]) == ("limit", 2_000)
        assert (await slip(client, {"player": 2_000}, rev + 1))["type"] == "slip_accepted"


async def lower_the_most(pit):
    """The table takes at most 20.00 on a hand from now on."""
    limits = Limits(main_most=2_000)
    state = replace(decode_state(await pit.client.hget(table_key(), "state")), limits=limits)
    digest = listing_digest(RULE_SETS["standard"].digest, limits)
    await pit.client.hset(table_key(), mapping={"listing": digest, "state": encode_state(state)})


# Faults


@pytest.mark.parametrize(
    "fault",
    [
        lambda client, player: client.hdel(f"{table_key()}:bankrolls", player),
        lambda client, player: client.hset(f"{table_key()}:bankrolls", player, "1e9"),
        lambda client, player: client.rename(f"{table_key()}:bankrolls", "elsewhere"),
    ],
)
async def test_a_bankroll_that_is_gone_stops_the_tables_betting(gateway, pit, fault):
    """J7: it never becomes a fresh one, and others do not bet on either."""
    async with connected(gateway.url) as ana, connected(gateway.url) as bea:
        seated = await sit(ana)
        rev = (await sit(bea))["rev"]
        await fault(pit.client, seated["welcome"]["player"]["id"])
        assert (await slip(ana, {"player": 100}, seated["rev"]))["code"] == "alarm"
        assert (await slip(bea, {"player": 100}, rev))["code"] == "alarm"
        assert (await ana.ask(type="deal", table="standard", round=1, op=op()))["code"] == "alarm"
        assert (await sit(bea, "two-field"))["type"] == "me"
        assert b"bankroll" in await pit.client.hget(table_key(), "alarm")


async def test_a_slip_whose_answer_was_lost_may_be_sent_again(store, pit):
    async with (
        standing(store.url, pit, "standard"),
        proxy_to(store.url) as proxy,
        gateway_on(proxy.url) as gateway,
        connected(gateway.url) as client,
    ):
        rev = (await sit(client))["rev"]
        proxy.lose_replies = True
        lost = await slip(client, {"player": 500}, rev, name="the-same-op")
        assert lost["code"] == "unavailable"
        proxy.lose_replies = False
        again = await slip(client, {"player": 500}, rev, name="the-same-op")
        assert (again["type"], again["rev"], again["bankroll"]) == ("slip_accepted", rev + 1, 9_500)
