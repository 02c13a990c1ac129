"""Players with an account over real sockets: their tokens from the first moment to the last."""

import asyncio
import logging
import time

import pytest

from croupier_client import sign_in
from croupier_client.connection import connect
from croupier_client.notices import Reconnecting
from croupier_protocol.messages.values import PlayerId
from croupier_server.gateway import holders
from croupier_server.players.commands import revoke
from croupier_server.store.revocations import Revocations
from support.dealing import reach
from support.gateways import bare, closed, gateway_on
from support.players import connected, dealt, sit, slip, standing
from support.playing import all_settled
from support.relay import Recorder
from support.serving import until
from support.tokens import of, reader_of_secret


@pytest.fixture
def tokens(tmp_path):
    """What reads tokens of the secret."""
    return reader_of_secret(tmp_path, cookie="__Host-croupier")


@pytest.fixture
async def gateway(store, pit, tokens):
    """A gateway for players with an account alone, with a table that stands in the window of round 1."""
    async with standing(store.url, pit, "standard"), gateway_on(store.url, None, tokens=tokens) as running:
        yield running


@pytest.fixture
def impatient(monkeypatch):
    """Tokens are looked at all the time, and connections end with them."""
    monkeypatch.setattr(holders, "LOOK_S", 0.02)
    monkeypatch.setattr(holders, "LEFT_MS", 300)


async def test_a_token_is_a_player_with_its_own_wallet_and_seat_on_every_connection(gateway, pit):
    token = of("ana", name="Ana")
    async with (
        connected(gateway.url, token=token, watch=["standard"]) as first,
        connected(gateway.url, token=of("ana"), watch=["standard"]) as second,
    ):
        assert first.welcome["player"] == {"id": "ana", "name": "Ana"}
        assert "resume" not in first.welcome
        assert (await first.ask(type="hello", name="Mia"))["player"]["name"] == "Ana"
        assert abs(first.welcome["expires_ms"] - time.time() * 1000 - 600_000) < 20_000
        me = await sit(first)
        assert (me["type"], me["bankroll"], me["wallet"]) == ("me", 10_000, 90_000)
        told = await second.until("me")
        while told.get("seat") is None:
            told = await second.until("me")
        assert (told["seat"], told["bankroll"]) == (me["seat"], 10_000)
    async with connected(gateway.url, token=of("ana"), watch=["standard"]) as again:
        assert (await again.until("me"))["bankroll"] == 10_000
    assert (await pit.bank.wallet("ana")).wallet.balance == 90_000


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("x", "bad_token"),
        (of("ana", secret=b"?" * 32), "bad_token"),
        (of("ana", aud="another"), "bad_token"),
        (of("ana", lasts_s=-1), "token_expired"),
    ],
    ids=["none", "another key", "another audience", "late"],
)
async def test_a_token_that_does_not_count_is_refused_and_told_to_no_log(gateway, caplog, token, code):
    caplog.set_level(logging.DEBUG)
    async with bare(gateway.url) as client:
        error = await client.ask(type="hello", token=token, language="fr")
        assert (error["type"], error["code"]) == ("error", code)
        assert "player" not in await client.ask(type="hello")
        assert (await sit(client))["code"] == "sign_in_needed"
    assert "a token was refused" in caplog.text
    assert token == "x" or token not in caplog.text.replace("\\", "")


async def test_without_keys_a_token_is_nobodys(store, pit):
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url) as running,
        bare(running.url) as client,
    ):
        assert (await client.ask(type="hello", token=of("ana")))["code"] == "sign_in_needed"
        assert (await sit(client))["welcome"]["player"]["id"].startswith("g")


async def test_a_guest_that_signs_in_is_the_player_from_then_on(store, pit, tokens):
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url, tokens=tokens) as running,
        connected(running.url, watch=["standard"]) as client,
    ):
        seated = await sit(client)
        guest = seated["welcome"]
        assert (await client.ask(type="hello", token=of("ana")))["player"]["id"] == "ana"
        assert (await slip(client, {"player": 100}, 0))["code"] == "not_seated"
        back = await client.ask(type="hello", resume=guest["resume"])
        assert back["player"]["id"] == guest["player"]["id"]
        assert (await slip(client, {"player": 100}, seated["rev"]))["type"] == "slip_accepted"


async def test_when_its_time_is_over_a_player_can_leave_and_do_nothing_else(gateway):
    async with connected(gateway.url, token=of("ana", lasts_s=1.5), watch=["standard"]) as client:
        me = await sit(client)
        rev, refused = me["rev"], None
        async with asyncio.timeout(10):
            while refused is None:
                answer = await slip(client, {"player": 100 + 100 * (rev % 2)}, rev)
                if answer["type"] == "error":
                    refused = answer
                else:
                    rev = answer["rev"]
                    await asyncio.sleep(0.05)  # time is what the token runs out of
        assert refused["code"] == "token_expired"
        assert refused["server_ms"] >= client.welcome["expires_ms"]
        for command in ("top_up", "deal", "sit"):
            fields = {"top_up": {"amount": 100}, "deal": {"round": 1}, "sit": {"buy_in": 10_000}}[command]
            answer = await client.ask(type=command, table="standard", op="operation-1", **fields)
            assert answer["code"] == "token_expired", command
        assert (await client.ask(type="my_rounds"))["type"] == "my_rounds"
        assert (await client.ask(type="hello", token=of("ana")))["player"]["id"] == "ana"
        assert (await slip(client, {"tie": 100}, rev))["type"] == "slip_accepted"


async def test_a_connection_ends_some_time_after_its_token_and_what_stands_is_settled(
    store, pit, tokens, impatient
):
    async with dealt(store.url, "standard"), gateway_on(store.url, None, tokens=tokens) as running:
        async with connected(running.url, token=of("ana", lasts_s=2.0), watch=["standard"]) as client:
            rev = (await sit(client))["rev"]
            window = await client.until("betting")
            placed = await slip(client, {"player": 100}, rev, window["round"])
            assert placed["type"] == "slip_accepted"
            assert await closed(client) == 4502
            assert time.time() * 1000 >= client.welcome["expires_ms"] + 250
        await all_settled(pit)
        [own] = await pit.settled.results("standard", "ana", 0)
        assert own.payout.round == window["round"]


async def test_a_newer_token_carries_the_connection_on(gateway, impatient):
    async with connected(gateway.url, token=of("ana", lasts_s=1.0)) as client:
        ended = client.welcome["expires_ms"] + 500
        renewed = await client.ask(type="hello", token=of("ana", lasts_s=600))
        assert renewed["expires_ms"] > ended
        async with asyncio.timeout(10):
            while (await client.ask(type="ping"))["server_ms"] < ended:
                await asyncio.sleep(0.05)  # time is what the first token runs out of


async def test_revoked_tokens_end_every_connection_and_later_ones_count(store, gateway, capsys, impatient):
    token = of("ana", issued_s=-1)
    async with (
        connected(gateway.url, token=token) as first,
        connected(gateway.url, token=token) as second,
        connected(gateway.url, token=of("bo", issued_s=-1)) as other,
    ):
        assert await asyncio.to_thread(revoke, "ana", redis=store.url) == 0
        assert capsys.readouterr().out == "tokens of ana that have been issued so far are void\n"
        assert [await closed(first), await closed(second)] == [4503, 4503]
        assert (await other.ask(type="ping"))["type"] == "pong"
    async with bare(gateway.url) as client:
        assert (await client.ask(type="hello", token=token))["code"] == "token_revoked"
        later = await client.ask(type="hello", token=of("ana", issued_s=5))
        assert later["player"]["id"] == "ana"
    assert revoke("a|b", redis=store.url) == 2


async def test_tokens_are_looked_at_again_when_the_store_is_back(store, gateway, pit, impatient, caplog):
    async with connected(gateway.url, token=of("ana", issued_s=-1)) as client:
        await pit.client.set("croupier:revoked", "damaged")
        await until(lambda: "nobody's tokens were looked at" in caplog.text)
        await pit.client.delete("croupier:revoked")
        assert await asyncio.to_thread(revoke, "ana", redis=store.url) == 0
        assert await closed(client) == 4503


async def test_the_client_asks_for_tokens_before_their_time_is_over(gateway, impatient, monkeypatch):
    monkeypatch.setattr(sign_in, "RENEW_AGAIN_S", 0.05)
    given, notices = [], []

    async def source() -> str:
        given.append(of("ana", lasts_s=1.0))
        if len(given) == 2:
            raise OSError("the login is away")
        return given[-1]

    async with connect(gateway.url, token=source, on_notice=notices.append) as client:
        assert client.player.id == "ana"
        await until(lambda: len(given) >= 5, 20)
        await reach(client.lobby)
    assert not [one for one in notices if isinstance(one, Reconnecting)]


async def test_a_token_in_the_address_makes_nobody_a_player_and_is_told_to_no_log(gateway, caplog):
    """L11: a token stands in `hello` alone; what stands in the address ends up in the logs of every proxy."""
    caplog.set_level(logging.DEBUG)
    token = of("ana")
    async with bare(f"{gateway.url}?token={token}&access_token={token}") as client:
        assert "player" not in await client.ask(type="hello")
        assert (await sit(client))["code"] == "sign_in_needed"
    assert [
        record
        for record in caplog.records
        if record.name.startswith("croupier") and token in record.getMessage()
    ] == []


async def test_our_client_puts_its_token_into_no_address_and_no_header(gateway):
    """L11."""
    token = of("ana")
    relay = Recorder(gateway.port)
    listening = await asyncio.start_server(relay.accept, "127.0.0.1", 0)
    async with (
        listening,
        connect(f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}", token=token) as client,
    ):
        assert client.player.id == "ana"
        head, _, _ = bytes(relay.heard).partition(b"\r\n\r\n")
        assert head.startswith(b"GET /ws HTTP/1.1\r\n")
        assert token.encode() not in head
        relay.cut()


async def test_a_client_that_was_cut_comes_back_with_a_newer_token(gateway, pit):
    """The one that it had shown counts no more: with that it would be refused for good."""
    given = []

    async def source() -> str:
        given.append(of("ana", issued_s=5 if given else -1))
        return given[-1]

    async with connect(gateway.url, token=source) as client:
        await Revocations(pit.store).revoke(PlayerId("ana"))
        for outlet in list(gateway.gateway.fanout.outlets):
            outlet.connection.transport.abort()
        await until(lambda: len(given) > 1)
        assert [row.table for row in (await client.lobby()).tables] == ["standard"]
        assert client.player.id == "ana"


async def test_a_page_is_whom_its_browsers_cookie_names_and_a_program_is_not(gateway):
    """A cookie goes along with whatever a browser asks for, so it counts for pages of this site alone."""
    cookie = {"Cookie": f"other=1; __Host-croupier={of('ana')}"}
    own = f"http://127.0.0.1:{gateway.port}"
    async with bare(gateway.url, origin=own, additional_headers=cookie) as page:
        assert (await page.ask(type="hello"))["player"]["id"] == "ana"
        assert (await page.ask(type="hello", token=of("bo")))["player"]["id"] == "bo"
        assert (await page.ask(type="hello"))["player"]["id"] == "bo"
    async with bare(gateway.url, origin=own, additional_headers=cookie) as page:
        assert (await page.ask(type="hello", token=of("bo")))["player"]["id"] == "bo"
    async with bare(gateway.url, additional_headers=cookie) as program:
        assert "player" not in await program.ask(type="hello")
    for value in (of("ana", lasts_s=-1), "x", f"{of('ana')}; __Host-croupier={of('bo')}"):
        late = {"Cookie": f"__Host-croupier={value}"}
        async with bare(gateway.url, origin=own, additional_headers=late) as page:
            assert "player" not in await page.ask(type="hello")
