"""Players over real sockets: who they are, their seats and slips, and what they are told."""

import asyncio
import random

import pytest
from msgspec.structs import replace

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.table.listing import listing_digest
from croupier_server.table.state import decode_state, encode_state
from support.gateways import bare, gateway_on
from support.players import connected, dealt, heard, moved, op, sit, slip, standing, table_key
from support.proxies import proxy_to
from support.serving import until


@pytest.fixture
async def gateway(store, pit):
    """A gateway with three tables that stand in the window of round 1."""
    async with (
        standing(store.url, pit, "standard", "two-field", "eight-deck"),
        gateway_on(store.url) as running,
    ):
        yield running


# Who a connection is


async def test_a_spectator_is_nobody_and_has_no_wallet(gateway, pit):
    before = await moved(pit)
    async with connected(gateway.url, watch=["standard"]) as client:
        assert "player" not in client.welcome
        assert "resume" not in client.welcome
        assert (await client.ask(type="my_rounds"))["type"] == "my_rounds"
    async with connected(gateway.url, name="Ana") as client:
        assert "player" not in client.welcome
    assert await moved(pit) == before


async def test_the_first_sit_makes_a_guest_with_a_wallet_and_a_seat(gateway):
    async with connected(gateway.url, name="  Ana ", watch=["standard"]) as client:
        me = await sit(client, buy_in=20_000)
        assert (me["type"], me["table"], me["seat"]) == ("me", "standard", 1)
        assert (me["bankroll"], me["wallet"]) == (20_000, 80_000)
        player = me["welcome"]["player"]
        assert player["name"] == "Ana"
        assert player["id"] not in me["welcome"]["resume"].partition(".")[2]


async def test_a_guest_is_known_again_by_its_token_and_told_its_place(gateway):
    async with connected(gateway.url, name="Ana") as client:
        seated = await sit(client, seat=7)
    async with connected(gateway.url, seated["welcome"]["resume"]) as client:
        assert client.welcome["player"] == seated["welcome"]["player"]
        assert client.welcome["resume"] != seated["welcome"]["resume"]
        await client.send(type="watch", table="standard")
        me = await client.until("me")
        assert (me["seat"], me["bankroll"], me["rev"]) == (7, 10_000, seated["rev"])


async def test_a_token_shown_late_brings_the_places_at_tables_that_are_watched_already(gateway):
    async with connected(gateway.url, name="Ana") as client:
        seated = await sit(client)
    async with bare(gateway.url) as client:
        await client.ask(type="watch", table="standard")
        await client.send(type="hello", resume=seated["welcome"]["resume"])
        assert (await client.until("me"))["bankroll"] == 10_000


@pytest.mark.parametrize("resume", ["", "x", "g0123456789abcdef.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "." * 200])
async def test_a_token_that_is_none_is_refused_and_the_connection_stays_nobody(gateway, resume):
    async with bare(gateway.url) as client:
        error = await client.ask(type="hello", resume=resume, language="fr")
        assert (error["type"], error["code"]) == ("error", "bad_resume")
        assert error["message"] == "Ce jeton de reprise n’est pas valable, ou ne l’est plus."
        assert "player" not in await client.ask(type="hello")


async def test_the_id_that_everyone_sees_is_no_credential(gateway):
    async with connected(gateway.url, name="Ana") as client:
        seated = await sit(client)
    shown = seated["welcome"]["player"]["id"]
    async with bare(gateway.url) as client:
        for guess in (shown, f"{shown}.", f"{shown}.{shown}"):
            assert (await client.ask(type="hello", resume=guess))["code"] == "bad_resume"


async def test_guests_without_a_name_are_given_one_in_their_language(gateway):
    async with connected(gateway.url, language="fr") as client:
        name = (await sit(client))["welcome"]["player"]["name"]
        assert name.startswith("Invité ")
        assert name.removeprefix("Invité ").isdigit()


async def test_a_made_up_name_gives_way_to_one_that_is_there(gateway, monkeypatch):
    monkeypatch.setattr(
        "croupier_server.gateway.seating.guest_name", lambda player, language, try_: f"G{try_}"
    )
    for number in (1, 2, 3):
        async with connected(gateway.url) as client:
            assert (await sit(client))["seat"] == number


@pytest.mark.parametrize(
    "name", ["", " ", "Ana\u200b", "\u202eanA", "\u200b" * 15, "a" + "\u0301" * 64, "a" * 21]
)
async def test_a_name_that_cannot_be_shown_is_refused(gateway, name):
    """L4."""
    async with bare(gateway.url) as client:
        error = await client.ask(type="hello", name=name)
        assert (error["type"], error["code"]) == ("error", "bad_name")


@pytest.mark.parametrize("name", ["Ana", "ana", "Ana ", "\u0410na", "\uff21\uff2e\uff21"])
async def test_nobody_sits_beside_a_name_that_looks_the_same(gateway, pit, name):
    """L4."""
    async with connected(gateway.url, name="Ana") as first, connected(gateway.url, name=name) as second:
        await sit(first)
        refused = await sit(second)
        assert (refused["type"], refused["code"]) == ("error", "name_taken")
        assert await pit.client.hlen(f"{table_key()}:seats") == 1
        assert (await sit(second, table="two-field"))["type"] == "me"


async def test_a_family_is_one_letter(gateway):
    """L4."""
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
    async with connected(gateway.url, name=family) as client:
        assert (await sit(client))["welcome"]["player"]["name"] == family


async def test_without_guests_nobody_sits(store, pit):
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url, arrivals=None) as gateway,
        connected(gateway.url, name="Ana") as client,
    ):
        before = await moved(pit)
        assert (await sit(client))["code"] == "sign_in_needed"
        assert await moved(pit) == before


async def test_an_address_brings_only_so_many_new_guests_whatever_it_says_of_itself(store, pit):
    """L8."""
    chance = random.Random(7)
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url, arrivals=ArrivalRate(burst=3, a_minute=1)) as gateway,
    ):
        answers = []
        for _ in range(20):
            forwarded = {"X-Forwarded-For": f"{chance.randrange(256)}.1.2.{chance.randrange(256)}"}
            async with bare(gateway.url, additional_headers=forwarded) as client:
                answers.append(await sit(client))
        assert [answer["type"] for answer in answers[:3]] == ["me"] * 3
        assert {answer.get("code") for answer in answers[3:]} == {"too_many_guests"}
        async with connected(gateway.url, answers[0]["welcome"]["resume"]) as client:
            assert (await client.ask(type="leave", table="standard", op=op()))["wallet"] == 100_000
            assert (await sit(client))["seat"] == 1


async def test_behind_a_trusted_proxy_each_visitor_brings_new_guests_of_its_own(store, pit):
    """L8: not everybody shares one limit, and no visitor escapes its own."""
    arrivals = ArrivalRate(burst=1, a_minute=1)
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url, arrivals, trusted_proxies=("127.0.0.1",)) as gateway,
    ):
        answers = []
        for address in ["203.0.113.5", "7.7.7.7, 203.0.113.5", "203.0.113.6", "2001:db8::1", "2001:db8::2"]:
            async with bare(gateway.url, additional_headers={"X-Forwarded-For": address}) as client:
                answer = await sit(client)
                answers.append(answer.get("code", answer["type"]))
        assert answers == ["me", "too_many_guests", "me", "me", "too_many_guests"]


# Seats


async def test_chips_go_from_the_wallet_to_the_seat_and_back(gateway):
    async with connected(gateway.url, watch=["standard"]) as client:
        await sit(client, buy_in=20_000)
        more = await client.ask(type="top_up", table="standard", amount=5_000, op=op())
        assert (more["type"], more["bankroll"], more["wallet"]) == ("me", 25_000, 75_000)
        left = await client.ask(type="leave", table="standard", op=op())
        assert (left["type"], left.get("seat"), left.get("bankroll"), left["wallet"]) == (
            "me",
            None,
            None,
            100_000,
        )


async def test_the_same_sit_top_up_and_leave_sent_again_happen_once(gateway):
    async with connected(gateway.url) as client:
        sitting = {"type": "sit", "table": "standard", "buy_in": 20_000, "op": op()}
        top_up = {"type": "top_up", "table": "standard", "amount": 5_000, "op": op()}
        leave = {"type": "leave", "table": "standard", "op": op()}
        assert [(await client.ask(**sitting))["wallet"] for _ in range(3)] == [80_000] * 3
        assert [(await client.ask(**top_up))["wallet"] for _ in range(3)] == [75_000] * 3
        assert [(await client.ask(**leave))["wallet"] for _ in range(3)] == [100_000] * 3


async def test_one_wallet_buys_in_at_many_tables_at_once_and_is_never_overdrawn(gateway, pit):
    """F5."""
    async with connected(gateway.url, name="Ana") as first:
        seated = await sit(first, "standard", 2_000)
        await first.ask(type="leave", table="standard", op=op())
        resume = seated["welcome"]["resume"]

        async def one_socket(number):
            async with connected(gateway.url, resume) as client:
                table = ("standard", "two-field", "eight-deck")[number % 3]
                sitting = {"type": "sit", "table": table, "buy_in": 100_000, "op": op()}
                while (answer := await client.ask(**sitting)).get("code") == "unavailable":
                    pass  # others came in between too often; the same operation may be sent again
                return answer

        answers = await asyncio.gather(*(one_socket(number) for number in range(50)))
        assert {answer.get("code") for answer in answers} == {None, "wallet_short", "already_seated"}
        assert {answer.get("bankroll") for answer in answers} == {None, 100_000}
        seats = [
            await pit.client.hlen(f"{table_key(name)}:seats")
            for name in ("standard", "two-field", "eight-deck")
        ]
        assert sorted(seats) == [0, 0, 1]
        player = seated["welcome"]["player"]["id"]
        assert await pit.client.hget(f"croupier:{{w:{player}}}", "balance") == b"0"


async def test_a_seat_with_a_slip_is_left_after_the_round(gateway):
    async with connected(gateway.url, watch=["standard"]) as client:
        me = await sit(client)
        await slip(client, {"player": 500}, me["rev"])
        leaving = await client.ask(type="leave", table="standard", op=op())
        assert (leaving["seat"], leaving["leaving"], leaving["bankroll"]) == (1, True, 9_500)
        assert (await slip(client, {}, me["rev"] + 1))["code"] == "leaving"
        assert (await client.ask(type="deal", table="standard", round=1, op=op()))["code"] == "leaving"


async def test_the_wallet_is_told_to_who_asks_and_made_by_nobody_who_does(gateway, pit):
    before = await moved(pit)
    async with connected(gateway.url) as client:
        assert await client.ask(type="wallet") == {"type": "wallet", "id": 77, "balance": 100_000}
        assert await moved(pit) == before
        await sit(client)
        assert (await client.ask(type="wallet"))["balance"] == 90_000
        await client.ask(type="leave", table="standard", op=op())
        assert (await client.ask(type="wallet"))["balance"] == 100_000


async def test_who_sits_is_present_at_once(gateway, pit):
    async with connected(gateway.url, watch=["standard"]) as client:
        player = (await sit(client))["welcome"]["player"]["id"]
        assert (await pit.seats.seen("standard"))[player] > 0
        assert await pit.client.hexists(f"{table_key()}:present", player)


async def test_ready_is_told(gateway):
    async with connected(gateway.url, watch=["standard"]) as client:
        await sit(client)
        me = await client.ask(type="deal", table="standard", round=1, op=op())
        assert (me["type"], me["ready"], me["round"]) == ("me", True, 1)


# Slips


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
    ("table", "buy_in", "seat", "code", "limit"),
    [
        ("standard", 1_999, None, "limit", 2_000),
        ("standard", 1_000_001, None, "limit", 1_000_000),
        ("standard", 100_001, None, "wallet_short", 100_000),
        ("standard", 10_000, 501, "invalid", 500),
        ("nowhere", 10_000, None, "unknown_table", None),
    ],
)
async def test_a_seat_that_cannot_be_had_is_a_typed_refusal(gateway, pit, table, buy_in, seat, code, limit):
    async with connected(gateway.url, watch=["standard"]) as client:
        await sit(client, "two-field", 2_000)
        await client.ask(type="leave", table="two-field", op=op())
        before = await pit.client.hgetall(f"{table_key()}:seats")
        error = await sit(client, table, buy_in, **({} if seat is None else {"seat": seat}))
        assert (error["type"], error["code"], error.get("limit")) == ("error", code, limit)
        assert await pit.client.hgetall(f"{table_key()}:seats") == before


async def test_a_taken_seat_is_not_had(gateway):
    async with connected(gateway.url) as ana, connected(gateway.url) as bea:
        await sit(ana, seat=3)
        assert (await sit(bea, seat=3))["code"] == "seat_taken"
        assert (await sit(bea, seat=4))["seat"] == 4
        assert (await sit(bea, seat=5))["code"] == "already_seated"


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


# Rounds that are dealt


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
