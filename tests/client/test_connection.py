"""The client's connection to a server on a real socket that goes wrong on purpose."""

import asyncio
import socket
import time

import pytest

from croupier_client.connection import connect
from croupier_client.errors import (
    AddressError,
    ClosedError,
    EndedError,
    NoAnswerError,
    RejectedError,
    UnreachableError,
    ViolationError,
)
from croupier_client.notices import Connected, Reconnecting
from croupier_client.timing import Timing
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import Heartbeat, LobbyUpdate
from croupier_protocol.messages.to_server import Hello, Lobby
from legal_rounds import Dealer
from scripted_server import NOW_MS, ScriptedServer
from support.clients import PROMPT, read


async def test_hello_is_the_first_command(server):
    async with connect(server.url) as client:
        await client.lobby()
    assert isinstance(server.sessions[0].commands[0], Hello)


async def test_a_busy_server_is_tried_again(server):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        server.watch_errors.append(ErrorCode.UNAVAILABLE)
        assert await read(watcher, 1) == [server.tables["standard"].view]
        assert server.handshakes == 2


@pytest.mark.parametrize("code", [1000, 1001, 1011, 1012, 1013, 4000, 4001, 4499])
async def test_close_codes_that_mean_reconnect(server, code):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.close(code, "soon")
        events = await server.deal(1)
        assert await read(watcher, len(events)) == events
        assert server.handshakes >= 2


@pytest.mark.parametrize("code", [4500, 4777, 4999])
async def test_close_codes_that_mean_the_end(server, code):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.close(code, "enough")
        with pytest.raises(EndedError, match="enough") as ended:
            await read(watcher, 1)
        assert ended.value.code == code
        with pytest.raises(EndedError):
            await client.lobby()
        with pytest.raises(EndedError):
            await read(client.watch("other"), 1)
    assert server.handshakes == 1


async def test_events_that_came_before_the_end_are_read_first(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(1)
        await server.close(4500)
        assert await read(watcher, len(events)) == events
        with pytest.raises(EndedError):
            await read(watcher, 1)


async def test_503_is_waited_for_as_long_as_it_asks(server):
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    server.refusals.extend([(503, {"Retry-After": "7"}), (429, {"Retry-After": "2"}), (408, {}), (500, {})])
    timing = Timing(sleep=sleep, uniform=lambda _low, high: high)
    async with connect(server.url, timing=timing):
        assert waits == [14.0, 4.0, 1.0, 2.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 426])
async def test_other_refusals_of_the_handshake_are_final(server, status):
    server.refusals.append((status, {}))
    with pytest.raises(RejectedError) as rejected:
        async with connect(server.url):
            pass
    assert rejected.value.status == status
    assert server.handshakes == 1


async def test_the_first_connection_is_tried_for_a_while_then_given_up():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(UnreachableError, match=str(port)):
        async with connect(f"127.0.0.1:{port}", timing=Timing(base_s=0.001, first_s=0.1)):
            pass


async def test_a_server_that_comes_later_is_found():
    scripted = ScriptedServer()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    notices = []
    client = connect(f"127.0.0.1:{port}", on_notice=notices.append, timing=Timing(base_s=0.01, cap_s=0.02))
    entering = asyncio.create_task(client.__aenter__())
    async with asyncio.timeout(5):
        while not notices:
            await asyncio.sleep(0.002)
        async with scripted.serving(port=port):
            await entering
            await client.__aexit__(None, None, None)
    assert isinstance(notices[0], Reconnecting)
    assert notices[-1] == Connected("test")


async def test_a_silent_server_is_left(server, until):
    """H8: a network that drops everything is noticed by silence, without any closing handshake."""
    server.silence_ms = 150
    timing = Timing(uniform=lambda low, _high: low, open_s=0.15)
    async with connect(server.url, timing=timing) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        server.silent = True
        await until(lambda: server.handshakes >= 2)
        server.silent = False
        events = await server.deal(1)
        assert await read(watcher, len(events)) == events


async def test_heartbeats_keep_a_quiet_connection(server):
    server.silence_ms = 300
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        until_s = time.monotonic() + 2 * server.silence_ms / 1000
        while time.monotonic() < until_s:  # how long it is quiet is what this is about
            await asyncio.sleep(0.05)
            await server.push(Heartbeat(server_ms=NOW_MS))
        assert server.handshakes == 1


async def test_questions_are_answered(server):
    async with connect(server.url) as client:
        assert [info.table for info in (await client.lobby()).tables] == ["standard"]
        page = await client.history("standard", before=9, limit=5)
        assert (page.table, page.rounds, page.more) == ("standard", (), False)
        offset = await client.ping()
        assert offset == client.offset
        assert 0 < offset.error_ms < 1000
        assert offset.server_ms(Timing().monotonic()) == pytest.approx(NOW_MS, abs=1000)


async def test_a_question_outlives_a_connection(server, until):
    async with connect(server.url, timing=PROMPT) as client:
        server.silent = True
        lobby = asyncio.create_task(client.lobby())
        await until(lambda: any(isinstance(each, Lobby) for each in server.sessions[0].commands))
        server.silent = False
        server.cut()
        assert [info.table for info in (await lobby).tables] == ["standard"]


async def test_a_question_without_an_answer_ends(server):
    async with connect(server.url, timing=Timing(answer_s=0.1)) as client:
        server.silent = True
        with pytest.raises(NoAnswerError):
            await client.history("standard")


async def test_the_lobby_is_followed_through_reconnections(server):
    async with connect(server.url, timing=PROMPT) as client, client.follow_lobby() as lobby:
        assert [info.table for info in await anext(lobby)] == ["standard"]
        server.tables["other"] = Dealer("other")
        await server.sessions[0].send(LobbyUpdate(server_ms=NOW_MS, tables=server.lobby()))
        assert [info.table for info in await anext(lobby)] == ["standard", "other"]
        del server.tables["other"]
        server.cut()
        async with asyncio.timeout(5):
            assert [info.table for info in await anext(lobby)] == ["standard"]


async def test_a_frame_that_is_no_message_ends_the_client(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.push(b"\xc1")
        with pytest.raises(ViolationError):
            await read(watcher, 1)


async def test_a_defect_in_the_background_reaches_who_waits(server):
    def broken(_notice: object) -> None:
        raise RuntimeError("a defect")

    with pytest.raises(RuntimeError, match="a defect"):
        async with connect(server.url, on_notice=broken):
            pass


async def test_leaving_the_client_ends_what_waits_on_it(server):
    async with connect(server.url) as client:
        watcher = client.watch("standard")
        await read(watcher, 1)
        waiting = asyncio.create_task(read(watcher, 1))
        await asyncio.sleep(0)
    with pytest.raises((StopAsyncIteration, RuntimeError)):
        await waiting
    with pytest.raises(ClosedError):
        await client.lobby()


async def test_a_server_of_another_kind_is_told_apart():
    async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
        writer.close()

    async with await asyncio.start_server(hello, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(RejectedError, match="200"):
            async with connect(f"http://127.0.0.1:{port}"):
                pass


async def test_n6_loopback_never_goes_through_a_proxy(server, monkeypatch):
    """N6: with a proxy in the environment that leads nowhere, this machine is still reached."""
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for host in ("127.0.0.1", "localhost"):
        async with connect(f"http://{host}:{server.port}", timing=Timing(first_s=2)) as client:
            await client.ping()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_n7_localhost_is_found_on_either_family(host):
    """N7: a server on one family only is reached as `localhost` in under 300 ms, on one of three tries."""
    found = {each[4][0] for each in socket.getaddrinfo("localhost", 80)}
    if host not in found:
        pytest.skip(f"localhost is not {host} here")
    scripted = ScriptedServer()
    async with scripted.serving(host) as listener:
        port = listener.sockets[0].getsockname()[1]
        took_s = []
        for _ in range(3):
            started_s = Timing().monotonic()
            async with connect(f"localhost:{port}") as client:
                took_s.append(Timing().monotonic() - started_s)
                await client.ping()
        assert min(took_s) < 0.3


@pytest.mark.parametrize("proxy", ["gopher://127.0.0.1:1", "socks5://127.0.0.1:1"])
async def test_a_proxy_that_cannot_be_used_is_one_clear_error(monkeypatch, proxy):
    """Only where a proxy is wanted at all: for another machine."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("all_proxy", proxy)
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises((AddressError, UnreachableError), match=r"tables\.example"):
        async with connect("tables.example:8000", timing=Timing(first_s=0.2)):
            pass
