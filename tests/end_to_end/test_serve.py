"""`croupier serve` as a person starts, stops and misconfigures it."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sys
import urllib.request

import pytest

from support.gateways import bare
from support.metrics import figures
from support.serving import children, command, serving, start_serving


async def refused(*options: str, environment: dict | None = None) -> str:
    """The one line that `croupier serve` ends with when something has to be put right first."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "serve", *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    async with asyncio.timeout(30):
        output, errors = await process.communicate()
    lines = errors.decode().splitlines()
    assert process.returncode == 2, errors.decode()
    assert output == b""
    assert len(lines) == 1, errors.decode()
    return lines[0]


async def get(url: str) -> tuple[int, str]:
    """Status and body of a page."""

    def fetch() -> tuple[int, str]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(url, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(fetch)


async def metrics(server) -> str:
    """The page of metrics, as the admin port gives it at once or within its deadline for workers."""
    async with asyncio.timeout(9):
        status, text = await get(f"{server.admin}/metrics")
    assert status == 200
    return text


async def answer_is(url: str, status: int, body: str) -> None:
    """Returns when the page's answer matches."""
    found = None
    try:
        async with asyncio.timeout(30):
            while found is None or found[0] != status or not re.fullmatch(body, found[1]):
                found = await get(url)
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"{url} answers {found}") from None


@contextlib.contextmanager
def standing_still(process_id: int):
    """Meanwhile the process does nothing."""
    os.kill(process_id, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process_id, signal.SIGCONT)


async def present(url: str, table: str = "standard") -> dict:
    """A table's snapshot, once it has a shoe."""
    async with bare(url.replace("http", "ws") + "/ws") as client:
        await client.send(type="watch", table=table)
        if (snapshot := await client.until("snapshot"))["shoe"] is None:
            await client.until("betting")
            await client.send(type="watch", table=table)
            snapshot = await client.until("snapshot")
        return snapshot


@pytest.mark.slow
async def test_a_stopped_server_leaves_nothing_running_and_goes_on_with_the_same_shoe_and_round(
    tmp_path,
):
    """With a path of 150 characters. A start in a directory in use, or with another shoe key, is one line."""
    data = tmp_path / ("d" * max(150 - len(str(tmp_path)) - 1, 1))
    assert len(str(data)) >= 150
    options = ("--data", str(data), "--port", "0", "--admin-port", "0")
    async with serving(data) as server:
        before = await present(server.url)
        line = await refused(*options)
        assert f"is in use by another croupier serve (process {server.process.pid})" in line
        mine = children(server.process.pid)
        assert len(mine) == 2
        assert await server.stop(signal.SIGINT) == 0
    assert all(not command(child) for child in mine)
    key = (data / "shoe.key").read_text()
    assert (data / "shoe.key").stat().st_mode & 0o777 == 0o600
    line = await refused(*options, environment={"CROUPIER_SHOE_KEY": "ab" * 32})
    assert "is sealed with another key" in line
    assert key.strip() not in line
    async with serving(data) as server:
        after = await present(server.url)
    assert after["epoch"] != before["epoch"]
    same = ("number", "commitment", "digest")
    assert [after["shoe"][key] for key in same] == [before["shoe"][key] for key in same]
    assert after["round"] - before["round"] in {0, 1}  # a busy machine may take longer than a shuffle


@pytest.mark.slow
async def test_ctrl_c_reaches_the_whole_foreground_group_and_ends_all_of_it(tmp_path):
    """The terminal signals every process of the group; workers and store have sessions of their own."""
    data = tmp_path / "data"
    options = f"--data {data} --port 0 --admin-port 0 --pace turbo --workers 2"
    script = f"exec {sys.executable} -m croupier_client.cli serve {options}"
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", script, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    ready = json.loads(await process.stdout.readline())
    assert len(children(process.pid)) == 3
    assert (await present(ready["url"]))["table"] == "standard"
    mine = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    async with asyncio.timeout(30):
        assert await process.wait() == 0
    assert all(not command(child) for child in mine)


async def test_a_second_signal_stops_at_once(tmp_path):
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        worker = server.worker_id
        os.kill(worker, signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(20):
            while await get(f"{server.admin}/readyz") != (503, "stopping\n"):
                await asyncio.sleep(0.01)
        server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(15):
            await server.process.wait()
        assert not command(worker)


@pytest.mark.slow
async def test_health_readiness_and_metrics_are_on_the_admin_port_whatever_stands_still(tmp_path):
    """The store stands still, then the worker. Both are said, and hold up nobody who asks."""
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        readyz, worker = f"{server.admin}/readyz", server.worker_id
        assert await get(f"{server.admin}/healthz") == (200, "ok\n")
        assert await get(readyz) == (200, "ready\n")
        assert (await present(server.url))["table"] == "standard"
        text = await metrics(server)
        assert figures(text, "croupier_tables_dealt", worker="1") == [1.0]
        assert figures(text, "croupier_worker_answered", worker="1") == [1.0]
        assert figures(text, "croupier_worker_process_id") == [float(worker)]
        assert figures(text, "croupier_event_lateness_seconds_count", worker="1")[0] > 0
        assert len(figures(text, "process_resident_memory_bytes")) == 2
        with standing_still(server.store_id):
            silent = rf"worker 1 \(process {worker}\): the store has not answered for [0-9.]+ s\n"
            await answer_is(readyz, 503, silent)
            assert await get(f"{server.admin}/healthz") == (200, "ok\n")
            assert figures(await metrics(server), "croupier_store_silence_seconds")[0] > 3.0
        await answer_is(readyz, 200, "ready\n")
        with standing_still(worker):
            assert await get(readyz) == (503, f"worker 1 (process {worker}): does not answer\n")
            text = await metrics(server)
            assert figures(text, "croupier_worker_answered", worker="1") == [0.0]
            assert figures(text, "croupier_tables_dealt") == []
        await answer_is(readyz, 200, "ready\n")
        assert figures(await metrics(server), "croupier_store_calls_failed_total")[0] > 0


async def test_a_taken_port_is_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = await refused("--data", str(tmp_path / "data"), "--port", str(port), "--admin-port", "0")
    taken = f"cannot listen on 127.0.0.1 port {port}: Address already in use"
    assert line == f"croupier: {taken}; another program listens there: choose another port"


async def test_a_foreign_directory_is_one_line(tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("not ours")
    line = await refused("--data", str(tmp_path / "letters"), "--port", "0", "--admin-port", "0")
    assert "letters holds other files and no croupier.json: it is not a Croupier data directory" in line
    assert [one.name for one in (tmp_path / "letters").iterdir()] == ["dear.txt"]


async def test_a_file_in_the_place_of_the_directory_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    line = await refused("--data", str(tmp_path / "file"), "--port", "0", "--admin-port", "0")
    assert line == f"croupier: {tmp_path}/file is not a directory"


async def test_a_bad_configuration_is_one_line_with_file_key_and_reason(tmp_path):
    path = tmp_path / "croupier.toml"
    path.write_text("[server]\nport = 'x'\n")
    line = await refused("--config", str(path), "--data", str(tmp_path / "data"))
    assert line.startswith(f"croupier: {path}: ")
    assert "server.port: Expected `int`, got `str`" in line
    assert not (tmp_path / "data").exists()


async def test_a_shared_store_without_a_shoe_key_is_one_line(store):
    line = await refused("--redis", store.url, "--port", "0", "--admin-port", "0")
    assert line.startswith("croupier: with --redis a shoe key is needed: set CROUPIER_SHOE_KEY")


async def test_an_outside_store_serves_without_a_data_directory(store, tmp_path):
    environment = {"CROUPIER_SHOE_KEY": "ab" * 32, "XDG_STATE_HOME": str(tmp_path / "state")}
    server = await start_serving(
        tmp_path / "unused", "--redis", store.url, "--pace", "turbo", environment=environment
    )
    try:
        assert (await present(server.url))["table"] == "standard"
        assert not (tmp_path / "unused").exists()
        assert not (tmp_path / "state").exists()
    finally:
        assert await server.stop() == 0


@pytest.mark.slow
async def test_a_dealer_and_a_gateway_alone_serve_together(store, tmp_path):
    environment = {"CROUPIER_SHOE_KEY": "ab" * 32}
    options = ("--redis", store.url, "--pace", "turbo", "--role")
    dealer = await start_serving(tmp_path / "d", *options, "dealer", environment=environment)
    gateway = None
    try:
        assert dealer.url is None
        assert await get(f"{dealer.admin}/readyz") == (200, "ready\n")
        gateway = await start_serving(tmp_path / "g", *options, "gateway", environment=environment)
        async with bare(gateway.url.replace("http", "ws") + "/ws") as client:
            await client.send(type="watch", table="standard")
            await client.until("card")
            assert await dealer.stop() == 0
            await client.until("stalled")
    finally:
        for server in (dealer, gateway):
            if server is not None and server.process.returncode is None:
                assert await server.stop() == 0


@pytest.mark.slow
async def test_a_server_with_closed_standard_streams_serves_and_stops(tmp_path):
    ports = []
    for _ in range(2):
        with socket.create_server(("127.0.0.1", 0)) as free:
            ports.append(free.getsockname()[1])
    options = f"--data {tmp_path / 'data'} --port {ports[0]} --admin-port {ports[1]} --pace turbo --workers 1"
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", f"exec {sys.executable} -m croupier_client.cli serve {options} <&- >&- 2>&-"
    )
    try:
        await ready_at(f"http://127.0.0.1:{ports[1]}/readyz")
        assert (await present(f"http://127.0.0.1:{ports[0]}"))["table"] == "standard"
    finally:
        process.terminate()
        async with asyncio.timeout(30):
            status = await process.wait()
    assert status == 0


async def ready_at(url: str) -> None:
    """Returns when the page says that all is well."""
    async with asyncio.timeout(30):
        while True:
            with contextlib.suppress(OSError):
                if (await get(url))[0] == 200:
                    return
            await asyncio.sleep(0.05)


async def test_a_store_that_may_evict_is_one_line(store):
    from croupier_server.store.connection import connect  # noqa: PLC0415  # this test alone speaks to the store

    client = connect(store.url)
    await client.config_set("maxmemory-policy", "allkeys-lru")
    await client.aclose()
    line = await refused(
        *("--redis", store.url, "--port", "0", "--admin-port", "0"),
        environment={"CROUPIER_SHOE_KEY": "ab" * 32},
    )
    assert "maxmemory-policy allkeys-lru" in line
