"""The client against a server on a real socket that goes wrong on purpose."""

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
    RefusedError,
    RejectedError,
    UnreachableError,
    ViolationError,
)
from croupier_client.notices import Connected, Reconnecting
from croupier_client.timing import Timing
from croupier_client.watcher import Watcher
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import UnknownEvent
from croupier_protocol.messages.to_client import Heartbeat, Live, LobbyUpdate, Stalled, TableView
from croupier_protocol.messages.to_server import Hello, Lobby, Since, Unwatch
from legal_rounds import Dealer
from scripted_server import NOW_MS, ScriptedServer

PROMPT = Timing(uniform=lambda low, _high: low)


async def read(watcher: Watcher, count: int) -> list:
    async with asyncio.timeout(5):
        return [await anext(watcher) for _ in range(count)]


async def test_a_watcher_gets_a_snapshot_then_every_event_and_keeps_the_view(server):
    for codec in (MSGPACK, JSON):
        server.tables["standard"].deal(2)
        async with connect(server.url, codec=codec) as client, client.watch("standard") as watcher:
            present = server.tables["standard"].view
            assert await read(watcher, 1) == [present]
            assert watcher.view == present
            events = await server.deal(3)
            assert await read(watcher, len(events)) == events
            assert watcher.view == server.tables["standard"].view
            assert watcher.frame == (
                codec.encode(events[-1]).decode() if codec.text else codec.encode(events[-1])
            )
            assert len(server.watches()) == 1
        server.sessions.clear()


async def test_hello_is_the_first_command(server):
    async with connect(server.url) as client:
        await client.lobby()
    assert isinstance(server.sessions[0].commands[0], Hello)


async def test_the_view_is_that_of_the_message_just_read_not_of_the_latest(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(2)
        (first,) = await read(watcher, 1)
        assert first == events[0]
        assert watcher.view is not None
        assert watcher.view.seq == first.seq


@pytest.mark.parametrize("cut_after", [0, 1, 4, 9])
async def test_a_cut_stream_resumes_without_gap_or_duplicate(server, until, cut_after):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        dealer = server.tables["standard"]
        dealer.deal(3)
        await server.push(*dealer.events[:cut_after])
        await until(lambda: watcher.view is not None and len(watcher._queue) == cut_after)
        server.cut()
        assert await read(watcher, len(dealer.events)) == dealer.events
        assert watcher.view == dealer.view
        assert server.watches()[1].since == Since(epoch="e1", seq=cut_after)


async def test_two_hundred_cuts_end_with_the_uncut_list(server):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        (first,) = await read(watcher, 1)
        dealer, got = server.tables["standard"], []
        for _ in range(40):
            events = dealer.deal(1)
            at = dealer.random.randrange(len(events))
            await server.push(*events[:at])
            got += await read(watcher, at) if dealer.random.random() < 0.5 else []
            server.cut()
        got += await read(watcher, len(dealer.events) - len(got))
    assert isinstance(first, TableView)
    assert got == dealer.events


async def test_h1_one_dropped_event_costs_one_resync(server):
    """H1: event k is lost on the way: the client ends as the server does, after one more `watch`."""
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        dealer = server.tables["standard"]
        events = dealer.deal(2)
        await server.push(*events[:3], *events[4:])
        assert await read(watcher, len(events)) == events
        assert watcher.view == dealer.view
        later = await server.deal(1)
        assert await read(watcher, len(later)) == later
        assert [watch.since for watch in server.watches()] == [None, Since(epoch="e1", seq=3)]
        assert server.handshakes == 1


async def test_a_duplicated_event_is_delivered_once(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = server.tables["standard"].deal(1)
        await server.push(*events[:3], events[2], *events[3:])
        assert await read(watcher, len(events)) == events
        assert len(server.watches()) == 2


async def test_a_new_epoch_gives_a_snapshot(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(1)
        await read(watcher, len(events))
        server.tables["standard"] = Dealer(epoch="e2", seed=1)
        await server.deal(1)
        (snapshot,) = await read(watcher, 1)
        assert snapshot == server.tables["standard"].view
        assert snapshot.epoch == "e2"
        assert server.watches()[1].since == Since(epoch="e1", seq=len(events))


async def test_a_server_that_never_joins_up_is_left_and_asked_for_a_snapshot(server, until):
    """A stream that stays broken costs a new connection each time, with backoff: never a storm of `watch`."""
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = server.tables["standard"].deal(2)
        await server.push(events[1])
        assert await read(watcher, len(events)) == events
        server.muddle = True
        await server.push(events[0])
        await until(lambda: len(server.watches()) >= 5)
        server.muddle = False
        seqs = [watch.since and watch.since.seq for watch in server.watches()]
        assert seqs[:3] == [None, 0, len(events)]
        assert set(seqs[3:]) == {None}
        await until(lambda: len(server.watches("standard")) == server.handshakes + 2)
        (later,) = (await server.deal(1))[-1:]
        async with asyncio.timeout(5):
            async for message in watcher:
                if message.seq == later.seq:
                    break
        assert watcher.view == server.tables["standard"].view


async def test_an_unknown_event_counts_and_an_unknown_message_is_passed_over(server):
    async with connect(server.url, codec=JSON) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.push(
            '{"type":"weather","mood":"fine"}',
            '{"type":"fan","table":"standard","epoch":"e1","seq":1,"totals":{"tie":5},"at_ms":7}',
            Heartbeat(server_ms=NOW_MS),
        )
        (event,) = await read(watcher, 1)
        assert event == UnknownEvent(type="fan", table="standard", epoch="e1", seq=1)
        assert watcher.view is not None
        assert watcher.view.seq == 1
        assert '"totals":{"tie":5}' in str(watcher.frame)


async def test_since_ahead_reconnects_twice_and_is_then_believed(server):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(1)
        await read(watcher, len(events))
        server.watch_errors.extend([ErrorCode.SINCE_AHEAD] * 3)
        server.cut()
        (snapshot,) = await read(watcher, 1)
        assert snapshot == server.tables["standard"].view
        seq = len(events)
        assert [watch.since and watch.since.seq for watch in server.watches()] == [None, seq, seq, seq, None]
        assert server.handshakes == 4


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


async def test_a_watch_without_an_answer_is_not_waited_for_in_vain(server, until):
    passed = [0.0]
    timing = Timing(uniform=lambda low, _high: low, monotonic=lambda: time.monotonic() + passed[0])
    async with connect(server.url, timing=timing) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        server.silent = True
        other = asyncio.create_task(read(client.watch("other"), 1))
        server.tables["other"] = Dealer("other")
        await until(lambda: len(server.watches("other")) == 1)
        server.silent = False
        passed[0] += timing.answer_s + 1
        await server.push(Heartbeat(server_ms=NOW_MS))
        assert await other == [server.tables["other"].view]
        assert server.handshakes == 2


async def test_an_unknown_table_ends_its_watcher_only(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        with pytest.raises(RefusedError, match="nowhere") as refused:
            await read(client.watch("nowhere"), 1)
        assert refused.value.code is ErrorCode.UNKNOWN_TABLE
        assert await read(watcher, 1) == [server.tables["standard"].view]


async def test_several_tables_share_a_connection_and_resume_together(server):
    names = [f"t{number}" for number in range(8)]
    server.tables.update((name, Dealer(name, seed=number)) for number, name in enumerate(names))
    async with connect(server.url, timing=PROMPT) as client:
        watchers = [client.watch(name) for name in names]
        for watcher in watchers:
            await read(watcher, 1)
        for name in names:
            server.tables[name].deal(1)
        server.cut()
        for name, watcher in zip(names, watchers, strict=True):
            dealer = server.tables[name]
            assert await read(watcher, len(dealer.events)) == dealer.events
        assert server.handshakes == 2


async def test_a_table_has_one_watcher_at_a_time(server, until):
    async with connect(server.url) as client:
        async with client.watch("standard") as watcher:
            await read(watcher, 1)
            with pytest.raises(ValueError, match="already"):
                await read(client.watch("standard"), 1)
        await until(lambda: isinstance(server.sessions[0].commands[-1], Unwatch))
        async with client.watch("standard") as watcher:
            await read(watcher, 1)


async def test_a_consumer_that_does_not_read_gets_the_present(server, until, caplog):
    """A bounded queue: what was not read in time is dropped for one snapshot, and counted."""
    async with connect(server.url) as client:
        watcher = client.watch("standard")
        watcher._limit = 50
        await read(watcher, 1)
        events = await server.deal(10)
        await until(lambda: watcher.skipped > 0)
        caplog.clear()
        more = await server.deal(10)
        dealer = server.tables["standard"]
        total = len(events) + len(more)
        await until(lambda: watcher._queue[-1].view.seq == total)
        assert len(watcher._queue) <= 50
        (snapshot,) = await read(watcher, 1)
        assert isinstance(snapshot, TableView)
        assert MSGPACK.decode_message(watcher.frame) == snapshot
        rest = await read(watcher, total - snapshot.seq)
        assert rest == dealer.events[snapshot.seq :]
        assert watcher.view == dealer.view


async def test_stalled_and_live_are_told(server, until):
    notices = []
    async with connect(server.url, on_notice=notices.append) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.push(Stalled(table="standard", since_ms=5))
        await until(lambda: watcher.stalled)
        assert watcher.stalled_since_ms == 5
        await server.push(Live(table="standard"))
        await until(lambda: not watcher.stalled)
    assert notices[1:] == [Stalled(table="standard", since_ms=5), Live(table="standard")]


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
