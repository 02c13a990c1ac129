"""Players over real sockets: who they are, and how they come to a seat and leave it."""

import asyncio
import random

import pytest

from croupier_server.players.arrivals import ArrivalRate
from support.gateways import bare, gateway_on
from support.players import connected, moved, op, sit, slip, standing, table_key

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
