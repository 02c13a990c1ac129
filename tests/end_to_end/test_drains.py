"""Stops that nobody is thrown out by: of one worker among others, and of a whole server."""

import asyncio
import os
import signal
import time
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import ConnectionClosed

from croupier_client.connection import connect
from croupier_client.notices import Reconnecting
from croupier_protocol.messages.errors import CLOSE_MEANINGS, CloseCode
from croupier_protocol.messages.to_client import TableView
from support.gateways import bare
from support.knocking import REQUEST, knocking
from support.serving import serving, until

ANSWERED = {"101", "503"}


def socket_url(server) -> str:
    return server.url.replace("http", "ws") + "/ws"


async def replaced(server, worker: int) -> None:
    """Returns when the worker has gone and there are two others."""
    await until(lambda: worker not in server.worker_ids and len(server.worker_ids) == 2, 40)


@pytest.mark.long
async def test_no_attempt_to_connect_is_reset_during_drains_of_single_workers(tmp_path):
    async with (
        serving(tmp_path / "data", "--workers", "2", "--pace", "turbo") as server,
        knocking(server.url, 4) as seen,
    ):
        for _ in range(10):
            worker = min(server.worker_ids)
            before = seen.total()
            os.kill(worker, signal.SIGTERM)
            await replaced(server, worker)
            await until(lambda before=before: seen.total() > before + 20)
        assert set(seen) <= ANSWERED, seen
        assert seen["101"] > 200


@pytest.mark.slow
async def test_no_attempt_to_connect_is_reset_while_a_whole_server_stops(tmp_path):
    """Whoever comes is taken in, told to come back, or refused once nobody listens."""
    async with serving(tmp_path / "data", "--workers", "2", "--pace", "turbo") as server:
        async with knocking(server.url, 8) as seen:
            await until(lambda: seen["101"] > 50)
            assert await server.stop() == 0
            await until(lambda: seen["refused"] > 20)
        assert set(seen) <= {*ANSWERED, "refused"}, seen
        assert seen["503"] > 0


@pytest.mark.long
@pytest.mark.parametrize("sockets", [500])
async def test_a_server_with_many_sockets_stops_in_time_and_tells_them_one_after_another_to_reconnect(
    tmp_path, sockets
):
    """N2, L13: beside them are clients that never finish their handshake, and one that does not hear."""
    async with (
        serving(tmp_path / "data", "--workers", "2", "--pace", "turbo") as server,
        AsyncExitStack() as stack,
    ):
        url = socket_url(server)
        clients = []
        for _ in range(sockets // 50):
            entering = [stack.enter_async_context(bare(url, open_timeout=60)) for _ in range(50)]
            clients += await asyncio.gather(*entering)
        for client in clients[::20]:  # more would keep this process too busy to see when each is told
            await client.send(type="watch", table="standard")
        port = server.port
        half_open = [await asyncio.open_connection("127.0.0.1", port) for _ in range(60)]
        for _, writer in half_open:
            stack.callback(writer.close)
            writer.write(REQUEST[:20])
        deaf, writer = await asyncio.open_connection("127.0.0.1", port)
        stack.callback(writer.close)
        writer.write(REQUEST)
        assert b" 101 " in await deaf.readline()

        async def told(client) -> tuple[int, float]:
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    await client.connection.recv()
            return closed.value.rcvd.code, time.monotonic()

        telling = [asyncio.create_task(told(client)) for client in clients]
        began = time.monotonic()
        assert await server.stop() == 0
        assert time.monotonic() - began < 10
        ends = await asyncio.gather(*telling)
        assert {code for code, _ in ends} == {4000}
        moments = sorted(moment for _, moment in ends)
        assert moments[-1] - moments[0] > sockets / 2_000


@pytest.mark.slow
async def test_who_watches_through_a_worker_that_drains_resumes_at_another_and_misses_nothing(tmp_path):
    """K4, N2: after the drains of both workers nobody is where they were."""
    async with (
        serving(tmp_path / "data", "--workers", "2", "--pace", "turbo") as server,
        AsyncExitStack() as stack,
    ):
        notices, logs = [], [[] for _ in range(4)]

        async def watch(log) -> None:
            async with connect(server.url, on_notice=notices.append) as client:
                async for message in client.watch("standard"):
                    log.append(message)

        watching = [asyncio.create_task(watch(log)) for log in logs]
        for task in watching:
            stack.callback(task.cancel)
        await until(lambda: all(logs))
        for worker in server.worker_ids:
            os.kill(worker, signal.SIGTERM)
            await replaced(server, worker)
            marks = [len(log) + 10 for log in logs]
            await until(
                lambda marks=marks: all(len(log) > mark for log, mark in zip(logs, marks, strict=True))
            )
        assert [task.done() for task in watching] == [False] * 4
        for log in logs:
            first = log[0].seq
            assert [message.seq for message in log] == list(range(first, first + len(log)))
            assert {message.epoch for message in log} == {log[0].epoch}
            assert [type(message) for message in log].count(TableView) == 1
        lost = [notice for notice in notices if isinstance(notice, Reconnecting)]
        assert len(lost) >= 4
        assert {lost[0].reason} == {"the server closed: 4000 " + CLOSE_MEANINGS[CloseCode.DRAINING]}
        assert all(0 <= notice.delay_s <= 10 for notice in lost)
