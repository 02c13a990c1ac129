"""A connection's commands and their answers, over real sockets on a real store."""

import asyncio
import base64
import json
import logging

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from support.gateways import bare, dealing, gateway_on
from support.stores import turbo


@pytest.fixture
async def gateway(store):
    """A gateway with one turbo table that is being dealt."""
    async with dealing(store.url), gateway_on(store.url) as running:
        yield running


@pytest.mark.parametrize("subprotocol", ["croupier.v1.json", "croupier.v1.msgpack"])
async def test_a_watcher_gets_a_snapshot_and_then_every_event(gateway, subprotocol):
    async with bare(gateway.url, subprotocol) as client:
        await client.send(type="watch", table="standard", id=5)
        watching = await client.receive()
        assert (watching["type"], watching["id"], watching["resumed"]) == ("watching", 5, False)
        snapshot = await client.receive()
        assert (snapshot["type"], snapshot["table"]) == ("snapshot", "standard")
        assert (snapshot["epoch"], snapshot["seq"]) == (watching["epoch"], watching["seq"])
        for seq in range(snapshot["seq"] + 1, snapshot["seq"] + 40):
            event = await client.receive()
            assert (event["table"], event["epoch"], event["seq"]) == ("standard", snapshot["epoch"], seq)


async def test_both_subprotocols_tell_the_same(gateway):
    async with (
        bare(gateway.url, "croupier.v1.json") as one,
        bare(gateway.url, "croupier.v1.msgpack") as other,
    ):
        told = []
        for client in (one, other):
            await client.send(type="watch", table="standard")
            await client.until("snapshot")
            told.append({})
        for _ in range(40):
            for client, events in zip((one, other), told, strict=True):
                event = await client.receive()
                events[event["seq"]] = event
        shared = told[0].keys() & told[1].keys()
        assert len(shared) > 20
        assert all(told[0][seq] == as_in_json(told[1][seq]) for seq in shared)


def as_in_json(message):
    """A message with its bytes as JSON has them: in base64."""
    if isinstance(message, dict):
        return {name: as_in_json(value) for name, value in message.items()}
    if isinstance(message, list):
        return [as_in_json(value) for value in message]
    return base64.b64encode(message).decode() if isinstance(message, bytes) else message


async def test_a_watcher_resumes_with_exactly_the_events_it_missed(gateway):
    async with bare(gateway.url) as uncut, bare(gateway.url) as cut:
        for client in (uncut, cut):
            await client.send(type="watch", table="standard")
        seen = await cut.until("card")
        await cut.connection.close()
        events = {}
        while len(events) < 30:
            event = await uncut.receive()
            events[event.get("seq")] = event
        async with bare(gateway.url) as again:
            since = {"epoch": seen["epoch"], "seq": seen["seq"]}
            await again.send(type="watch", table="standard", since=since)
            watching = await again.receive()
            assert (watching["type"], watching["resumed"]) == ("watching", True)
            for seq in range(seen["seq"] + 1, watching["seq"] + 1):
                event = await again.receive()
                assert event["seq"] == seq
                assert event == events.get(seq, event)


@pytest.mark.parametrize("since", [{"epoch": "another", "seq": 3}, {"epoch": "another", "seq": 2**53 - 1}])
async def test_a_resume_from_another_epoch_gets_a_snapshot(gateway, since):
    async with bare(gateway.url) as client:
        await client.send(type="watch", table="standard", since=since)
        assert (await client.receive())["resumed"] is False
        assert (await client.receive())["type"] == "snapshot"


async def test_a_resume_from_beyond_the_record_is_refused(gateway):
    async with bare(gateway.url) as client:
        epoch = (await client.ask(type="watch", table="standard"))["epoch"]
        error = await client.ask(type="watch", table="standard", since={"epoch": epoch, "seq": 10**9})
        assert (error["type"], error["code"], error["table"]) == ("error", "since_ahead", "standard")


async def test_watching_an_unknown_table_is_refused_and_the_connection_goes_on(gateway):
    async with bare(gateway.url) as client:
        error = await client.ask(type="watch", table="nowhere")
        assert (error["type"], error["code"], error["table"]) == ("error", "unknown_table", "nowhere")
        assert error["server_ms"] > 1_700_000_000_000
        assert (await client.ask(type="ping"))["type"] == "pong"


async def test_texts_come_in_the_language_of_hello(gateway):
    async with bare(gateway.url) as client:
        welcome = await client.ask(type="hello", language="fr")
        assert welcome["type"] == "welcome"
        error = await client.ask(type="watch", table="nowhere")
        assert error["message"] == "Cette table n’existe pas."


async def test_unwatching_stops_the_events(gateway):
    async with bare(gateway.url) as client:
        assert (await client.ask(type="unwatch", table="standard"))["code"] == "not_watching"
        await client.ask(type="watch", table="standard")
        assert (await client.ask(type="unwatch", table="standard"))["type"] == "unwatched"
        assert (await client.ask(type="ping"))["type"] == "pong"
        assert gateway.gateway.fanout.watchers("standard") == 0


async def test_one_connection_watches_eight_tables_at_most(store):
    tables = [turbo(f"t{number}") for number in range(9)]
    async with dealing(store.url, tables), gateway_on(store.url) as running, bare(running.url) as client:
        for number in range(8):
            assert (await client.ask(type="watch", table=f"t{number}"))["type"] == "watching"
        error = await client.ask(type="watch", table="t8")
        assert (error["code"], error["limit"]) == ("too_many_tables", 8)
        assert (await client.ask(type="watch", table="t0"))["type"] == "watching"


async def test_history_pages_backwards_without_gap(gateway):
    async with bare(gateway.url) as client:
        await client.send(type="watch", table="standard")
        while (await client.until("settled"))["round"] < 7:
            pass
        await client.ask(type="unwatch", table="standard")
        page = await client.ask(type="history", table="standard", limit=3)
        first = page["rounds"][0]["round"]
        assert [one["round"] for one in page["rounds"]] == [first, first - 1, first - 2]
        assert page["more"] is True
        older = await client.ask(type="history", table="standard", before=first - 2, limit=100)
        assert [one["round"] for one in older["rounds"]] == list(range(first - 3, 0, -1))
        assert older["more"] is False
        assert (await client.ask(type="history", table="standard", before=0))["rounds"] == []
        assert (await client.ask(type="history", table="nowhere"))["code"] == "unknown_table"


async def test_the_lobby_lists_all_tables_and_follows_them(store):
    tables = [turbo("one"), turbo("two", "vegas")]
    async with dealing(store.url, tables), gateway_on(store.url) as running, bare(running.url) as client:
        lobby = await client.ask(type="lobby", follow=True)
        rows = {row["table"]: row for row in lobby["tables"]}
        assert rows.keys() == {"one", "two"}
        assert (rows["two"]["rules"]["name"], rows["two"]["pace"]) == ("vegas", "turbo")
        update = await client.until("lobby_update")
        assert {row["table"] for row in update["tables"]} <= {"one", "two"}
        assert all(row["round"] >= rows[row["table"]]["round"] for row in update["tables"])


REFUSED_FRAMES = {
    "not MessagePack": (b"\xc1", "malformed"),
    "empty": (b"", "malformed"),
    "truncated": (b"\x82\xa4type", "malformed"),
    "no object": (b"\x93\x01\x02\x03", "invalid"),
    "no type": (b"\x80", "invalid"),
    "unknown type": (b"\x81\xa4type\xa4zero", "unknown_type"),
    "unknown field": (b"\x82\xa4type\xa4ping\xa3sum\x05", "invalid"),
    "nested": (b"\x91" * 4_000, "invalid"),
    "huge array": (b"\xdd\xff\xff\xff\xff", "invalid"),
    "bad UTF-8": (b"\x81\xa4type\xa1\xff", "malformed"),
    "text": ('{"type":"ping"}', "wrong_frame"),
}


@pytest.mark.parametrize("name", REFUSED_FRAMES)
async def test_a_bad_frame_gets_a_typed_error_and_harms_nothing(gateway, caplog, name):
    """I1-I7: and nothing of ours writes what came into its log."""
    caplog.set_level(logging.DEBUG, "croupier_server")
    frame, code = REFUSED_FRAMES[name]
    async with bare(gateway.url, "croupier.v1.msgpack") as client:
        await client.connection.send(frame)
        error = await client.receive()
        assert (error["type"], error["code"]) == ("error", code)
        assert (await client.ask(type="ping"))["type"] == "pong"
    assert [record for record in caplog.records if "gateway" in record.name] == []


async def test_a_binary_frame_on_the_json_subprotocol_is_refused(gateway):
    async with bare(gateway.url) as client:
        await client.connection.send(b'{"type":"ping"}')
        assert (await client.receive())["code"] == "wrong_frame"


async def test_ten_bad_frames_end_the_connection_for_good(gateway):
    async with bare(gateway.url) as client:
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(11):
                await client.connection.send("{")
                await client.receive()
        assert closed.value.rcvd.code == 4500


@pytest.mark.parametrize("size", [4_097, 4_098, 4_099, 65_536])
async def test_a_frame_over_the_limit_ends_the_connection_with_1009(gateway, size):
    """H4."""
    async with bare(gateway.url) as other, bare(gateway.url) as client:
        with pytest.raises(ConnectionClosed) as closed:
            await client.connection.send(json.dumps({"type": "ping"}).ljust(size))
            await client.receive()
        assert closed.value.rcvd.code == 1009
        assert (await other.ask(type="ping"))["type"] == "pong"


async def test_a_frame_at_the_limit_is_read(gateway):
    async with bare(gateway.url) as client:
        await client.connection.send(json.dumps({"type": "ping", "id": 9}).ljust(4_096))
        assert (await client.receive())["id"] == 9


async def test_compression_is_not_agreed_to(gateway):
    """H5: a compressed bomb cannot be sent where nothing is decompressed."""
    async with connect(
        gateway.url, subprotocols=["croupier.v1.json"], proxy=None, compression="deflate"
    ) as connection:
        assert connection.protocol.extensions == []


async def test_without_a_subprotocol_messagepack_is_spoken(gateway):
    async with connect(gateway.url, proxy=None) as connection:
        await connection.send(b"\x81\xa4type\xa4ping")
        assert isinstance(await connection.recv(), bytes)
        assert connection.subprotocol is None


async def test_an_unknown_subprotocol_is_refused_in_the_handshake(gateway):
    with pytest.raises(InvalidStatus) as refused:
        async with connect(gateway.url, subprotocols=["soap"], proxy=None):
            pass
    assert refused.value.response.status_code == 400


async def test_a_connection_that_says_nothing_leaves_no_trace_in_the_log(gateway, caplog):
    """N12."""
    _, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.close()
    await writer.wait_closed()
    async with bare(gateway.url) as client:
        await client.ask(type="ping")
    assert [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}] == []


async def test_stopping_tells_clients_to_reconnect(store):
    async with dealing(store.url), gateway_on(store.url) as running, bare(running.url) as client:
        await client.ask(type="ping")
        closing = asyncio.create_task(running.gateway.close())
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await client.receive()
        assert closed.value.rcvd.code == 4000
        await closing


async def test_handshakes_that_never_end_do_not_hold_up_a_stop(store):
    """L13: they have ten seconds otherwise; one that is through in a moment is answered."""
    async with gateway_on(store.url) as running:
        half_open = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(100)]
        half_open[0][1].write(b"GET /ws HTTP/1.1\r\nHost: a\r\n")
        async with bare(running.url) as client:
            await client.ask(type="ping")  # so all of them have been taken
            began = asyncio.get_running_loop().time()
            await running.gateway.close()
            assert asyncio.get_running_loop().time() - began < 5
        for reader, writer in half_open:
            assert await reader.read() == b""  # an end, not a reset
            writer.close()
