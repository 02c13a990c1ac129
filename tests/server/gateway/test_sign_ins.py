"""One-time codes over a real gateway: what one brings, once, and what ends that."""

import asyncio
import json
import logging

import pytest

from croupier_server.gateway import holders
from croupier_server.players.commands import revoke
from croupier_server.players.token_command import token as token_command
from croupier_server.store import sign_ins
from croupier_server.store.sign_ins import SignIns
from support.gateways import bare, closed, gateway_on
from support.players import connected, sit, slip, standing
from support.records import everything, store_ms
from support.tokens import of, reader_of_secret


@pytest.fixture
async def gateway(store, pit):
    """A gateway without guests and without keys, with a table that stands in the window of round 1."""
    async with standing(store.url, pit, "standard"), gateway_on(store.url, None) as running:
        yield running


@pytest.fixture
def codes(pit):
    return SignIns(pit.store)


async def test_a_code_is_its_player_once_and_what_it_brings_is_that_player_again(gateway, codes, caplog):
    caplog.set_level(logging.DEBUG, "croupier_server")
    code = (await codes.offer("ana", "Ana")).code
    async with connected(gateway.url, code=code, watch=["standard"]) as first:
        welcome = first.welcome
        assert welcome["player"] == {"id": "ana", "name": "Ana"}
        assert 0 <= welcome["server_ms"] + 12 * 3_600_000 - welcome["expires_ms"] < 60_000
        me = await sit(first)
        assert (me["type"], me["bankroll"], me["wallet"]) == ("me", 10_000, 90_000)
    for _ in range(3):  # it does not rotate: a lost answer loses nothing
        async with connected(gateway.url, resume=welcome["resume"], watch=["standard"]) as again:
            assert again.welcome["player"] == {"id": "ana", "name": "Ana"}
            assert again.welcome["expires_ms"] == welcome["expires_ms"]
            assert "resume" not in again.welcome
            assert (await again.until("me"))["bankroll"] == 10_000
    async with bare(gateway.url) as other:
        refused = await other.ask(type="hello", code=code, language="fr")
        assert (refused["type"], refused["code"]) == ("error", "bad_code")
        assert refused["message"].startswith("Ce code d’identification a déjà servi")
        assert (await sit(other))["code"] == "sign_in_needed"
    assert code not in caplog.text
    assert welcome["resume"] not in caplog.text


async def test_of_many_who_show_one_code_at_once_one_is_the_player(gateway, codes):
    code = (await codes.offer("ana", "")).code

    async def shown() -> dict:
        async with bare(gateway.url) as client:
            return await client.ask(type="hello", code=code)

    answers = await asyncio.gather(*[shown() for _ in range(8)])
    assert sorted(answer["type"] for answer in answers) == ["error"] * 7 + ["welcome"]


async def test_the_store_has_digests_alone_and_a_code_ends_by_itself(pit, codes):
    before = await store_ms(pit.client)
    offered = await codes.offer("ana", "Ana")
    assert 60_000 <= offered.expires_ms - before < 70_000
    [key] = await pit.client.keys("croupier:code:*")
    assert 0 < await pit.client.pttl(key) <= 60_000
    resume, signed_in = await codes.exchange(offered.code)
    assert await pit.client.keys("croupier:code:*") == []
    [key] = await pit.client.keys("croupier:sign_in:*")
    assert 0 < await pit.client.pttl(key) <= 12 * 3_600_000
    assert (await codes.of(resume)) == signed_in
    for secret in (offered.code.encode(), resume.partition(".")[2].encode()):
        for stored, value in (await everything(pit.client)).items():
            assert secret not in stored
            assert secret not in value


async def test_a_code_whose_minute_is_over_is_refused(gateway, pit, codes, monkeypatch):
    monkeypatch.setattr(sign_ins, "CODE_MS", 1)
    code = (await codes.offer("ana", "")).code
    async with bare(gateway.url) as client:
        async with asyncio.timeout(30):
            while await pit.client.keys("croupier:code:*"):
                await asyncio.sleep(0.01)  # time is what the code runs out of
        assert (await client.ask(type="hello", code=code))["code"] == "bad_code"


@pytest.mark.parametrize("wrong", ["", "x", "A" * 32, "A" * 64, "é" * 32])
async def test_what_is_no_code_or_sign_in_is_nobodys(gateway, codes, wrong):
    await codes.offer("ana", "")
    async with bare(gateway.url) as client:
        assert (await client.ask(type="hello", code=wrong))["code"] == "bad_code"
        refused = await client.ask(type="hello", resume=f"s.{wrong}")
        assert refused["code"] in {"bad_resume", "sign_in_needed"}
        assert "player" not in await client.ask(type="hello")


async def test_a_revocation_voids_codes_and_what_they_have_brought(store, gateway, codes, monkeypatch):
    monkeypatch.setattr(holders, "LOOK_S", 0.02)
    used, unused = await codes.offer("ana", ""), await codes.offer("ana", "")
    async with connected(gateway.url, code=used.code) as client:
        resume = client.welcome["resume"]
        assert await asyncio.to_thread(revoke, "ana", redis=store.url) == 0
        assert await closed(client) == 4503
    async with bare(gateway.url) as client:
        assert (await client.ask(type="hello", resume=resume))["code"] == "token_revoked"
        assert (await client.ask(type="hello", code=unused.code))["code"] == "token_revoked"
        assert (await client.ask(type="hello", code=unused.code))["code"] == "bad_code"
        while (later := await codes.offer("ana", "")).expires_ms == unused.expires_ms:
            pass  # within the millisecond of the revocation
        assert (await client.ask(type="hello", code=later.code))["player"]["id"] == "ana"


@pytest.mark.slow
async def test_a_sign_in_by_a_code_ends_as_a_token_does(gateway, codes, monkeypatch):
    monkeypatch.setattr(holders, "LOOK_S", 0.02)
    monkeypatch.setattr(holders, "LEFT_MS", 300)
    monkeypatch.setattr(sign_ins, "SIGN_IN_MS", 1_500)
    code = (await codes.offer("ana", "")).code
    async with connected(gateway.url, code=code, watch=["standard"]) as client:
        resume, rev, refused = client.welcome["resume"], (await sit(client))["rev"], None
        while refused is None:
            answer = await slip(client, {"player": 100 + 100 * (rev % 2)}, rev)
            if answer["type"] == "error":
                refused = answer
            else:
                rev = answer["rev"]
                await asyncio.sleep(0.05)  # time is what the sign-in runs out of
        assert refused["code"] == "token_expired"
        assert await closed(client) == 4502
    async with bare(gateway.url) as client:
        assert (await client.ask(type="hello", resume=resume))["code"] in {"token_expired", "bad_resume"}


async def test_a_code_goes_before_the_cookie_and_a_cookie_before_a_guest(store, pit, codes, tmp_path):
    tokens = reader_of_secret(tmp_path, cookie="login")
    async with standing(store.url, pit, "standard"), gateway_on(store.url, tokens=tokens) as running:
        page = {
            "origin": f"http://127.0.0.1:{running.port}",
            "additional_headers": {"Cookie": f"login={of('bo')}"},
        }
        async with bare(running.url, **page) as client:
            welcome = await client.ask(type="hello", code=(await codes.offer("ana", "")).code)
            assert welcome["player"]["id"] == "ana"
            assert (await client.ask(type="hello"))["player"]["id"] == "ana"
        async with bare(running.url, **page) as client:
            assert (await client.ask(type="hello", resume=welcome["resume"]))["player"]["id"] == "ana"
        async with bare(running.url, **page) as client:
            assert (await client.ask(type="hello", code="A" * 32))["code"] == "bad_code"
            assert (await client.ask(type="hello"))["player"]["id"] == "bo"
        async with bare(running.url) as client:
            guest = (await sit(client))["welcome"]
        async with bare(running.url, **page) as client:
            assert (await client.ask(type="hello", resume=guest["resume"]))["player"]["id"] == "bo"


async def test_the_command_makes_a_code_that_counts(store, gateway, capsys):
    assert await asyncio.to_thread(token_command, "ana", name=" Ana ", code=True, redis=store.url) == 0
    async with bare(gateway.url) as client:
        code = capsys.readouterr().out.strip()
        assert (await client.ask(type="hello", code=code))["player"] == {"id": "ana", "name": "Ana"}
        now_ms = (await client.ask(type="ping"))["server_ms"]
        assert await asyncio.to_thread(token_command, "bo", code=True, json=True, redis=store.url) == 0
        made = json.loads(capsys.readouterr().out)
        assert abs(made["expires_ms"] - now_ms - 60_000) < 30_000
        assert (await client.ask(type="hello", code=made["code"]))["player"]["id"] == "bo"
    for player, name, says in (
        ("a|b", "", "cannot be a player's id"),
        ("ana", "\u202e", "cannot be shown"),
    ):
        assert await asyncio.to_thread(token_command, player, name=name, code=True, redis=store.url) == 2
        told = capsys.readouterr()
        assert (told.out, says in told.err) == ("", True)
