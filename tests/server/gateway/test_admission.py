"""Who may open one more websocket, over real sockets; who may not is told when to come back."""

import asyncio
import random
import time
from contextlib import AsyncExitStack
from ipaddress import IPv4Address

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier_server.gateway import lag
from croupier_server.gateway.admission import Refusal
from croupier_server.gateway.site import Site
from support.gateways import bare, gateway_on
from support.serving import until


async def refusal(url: str, **options) -> tuple[int, str | None]:
    """The status of the answer to one more handshake, and its Retry-After."""
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, proxy=None, **options):
            pass
    response = refused.value.response
    return response.status_code, response.headers.get("Retry-After")


async def page(port: int) -> bytes:
    """The status line of the answer to a request for the page."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: tables\r\n\r\n")
    line = await reader.readline()
    writer.close()
    return line


def forwarded(address: str) -> dict:
    return {"additional_headers": {"X-Forwarded-For": address}}


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html>")
    return Site(tmp_path / "site")


async def test_over_the_limit_a_handshake_gets_503_and_pages_and_open_connections_go_on(store, site):
    async with gateway_on(store.url, site=site, connections=3) as running, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(bare(running.url)) for _ in range(3)]
        assert await refusal(running.url) == (503, "10")
        assert await page(running.port) == b"HTTP/1.1 200 OK\r\n"
        for client in clients:
            assert (await client.ask(type="ping"))["type"] == "pong"
        await clients[0].connection.close()
        admission = running.gateway.admission
        await until(lambda: admission.open == 2)
        async with bare(running.url) as late:
            assert (await late.ask(type="ping"))["type"] == "pong"
        assert admission.refused == {Refusal.FULL: 1}


async def test_what_never_became_a_websocket_takes_no_place(store):
    async with gateway_on(store.url, connections=1) as running:
        assert await refusal(running.url, subprotocols=["soap"]) == (400, None)
        _, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(b"GET /ws HTTP/1.1\r\nHost: tables\r\n\r\n")
        writer.write_eof()
        await until(lambda: running.gateway.admission.open == 0)
        async with bare(running.url) as client:
            assert (await client.ask(type="ping"))["type"] == "pong"
        writer.close()


async def test_an_address_has_only_so_many_connections_and_others_do_not_notice(store):
    """L8: behind a trusted proxy, each of its visitors is one."""
    limits = {"per_address": 2, "trusted_proxies": ("127.0.0.1",)}
    async with gateway_on(store.url, **limits) as running, AsyncExitStack() as stack:
        for address in ["2001:db8:1:2::1", "2001:db8:1:2::2", "203.0.113.5"]:
            await stack.enter_async_context(bare(running.url, **forwarded(address)))
        assert await refusal(running.url, **forwarded("2001:db8:1:2::3")) == (429, "10")
        await stack.enter_async_context(bare(running.url, **forwarded("2001:db8:1:2::3, 203.0.113.5")))
        assert await refusal(running.url, **forwarded("198.51.100.7, 203.0.113.5")) == (429, "10")


@pytest.mark.parametrize("tries", [20, pytest.param(1_000, marks=pytest.mark.long)])
async def test_a_forged_forwarding_header_makes_nobody_another(store, tries):
    """L8: a proxy on this machine that nobody has configured is one caller too."""
    chance = random.Random(tries)
    addresses = [str(IPv4Address(chance.getrandbits(32))) for _ in range(tries)]
    async with gateway_on(store.url, per_address=2) as running, AsyncExitStack() as stack:
        for address in addresses[:2]:
            await stack.enter_async_context(bare(running.url, **forwarded(address)))
        for address in addresses[2:]:
            assert await refusal(running.url, **forwarded(address)) == (429, "10")


@pytest.mark.parametrize("limits", [{}, {"trusted_proxies": ("127.0.0.1",), "exempt": ("198.51.100.0/24",)}])
async def test_this_machine_and_exempt_networks_have_no_limit_of_addresses(store, limits):
    headers = forwarded("198.51.100.7") if limits else {}
    async with gateway_on(store.url, per_address=1, **limits) as running, AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(bare(running.url, **headers))


async def test_a_gateway_whose_loop_is_behind_takes_nobody_in_until_it_has_caught_up(
    store, site, monkeypatch
):
    """H9."""
    monkeypatch.setattr(lag, "LOOK_S", 0.01)
    monkeypatch.setattr(lag, "LATE_S", 0.02)
    async with gateway_on(store.url, site=site) as running, bare(running.url) as client:
        loop, slow = asyncio.get_running_loop(), True

        def dawdle() -> None:
            if slow:
                time.sleep(0.025)  # every turn of the loop takes so long
                loop.call_soon(dawdle)

        loop.call_soon(dawdle)
        await until(lambda: running.gateway.admission._lag.behind)
        assert await refusal(running.url) == (503, "3")
        assert await page(running.port) == b"HTTP/1.1 200 OK\r\n"
        assert (await client.ask(type="ping"))["type"] == "pong"
        slow = False
        await until(lambda: not running.gateway.admission._lag.behind)
        async with bare(running.url) as late:
            assert (await late.ask(type="ping"))["type"] == "pong"


def test_one_long_turn_of_the_loop_is_no_lag_and_five_in_a_row_are():
    """H9."""
    watched = lag.Lag()
    for late_s in (0.0, 9.0, 0.01, 0.3, 0.3, 0.3, 0.3):
        watched.seen(late_s)
        assert not watched.behind
    watched.seen(0.3)
    assert watched.behind
    watched.seen(0.2)
    assert not watched.behind
