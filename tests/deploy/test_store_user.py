"""The store's user of the host guide: its commands and keys are enough for Croupier, and all it has."""

import asyncio
import re
import shlex
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, ResponseError

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from support.clusters import Server, free_ports
from support.serving import start_serving

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "hosting.md").read_text()
PASSWORD = "a password of the store's user"
CONFIG = """
[guests]
enabled = true

[[tables]]
name = "standard"
pace = "turbo"
"""


def guide_line() -> list[str]:
    """The words of `ACL SETUSER …` as the guide has them, with a password of the test's."""
    (line,) = re.findall(r"(?m)^redis-cli -e -p 6379 (ACL SETUSER croupier (?:.*\\\n)*.*)$", GUIDE)
    return shlex.split(line.replace("$(cat store.password)", PASSWORD).replace("\\\n", " "))


def commands_of(words) -> set[str]:
    return {word[1:] for word in words if word.startswith("+")}


def test_the_user_may_run_every_command_of_the_scripts():
    scripts = "".join(
        path.read_text() for path in (ROOT / "server" / "croupier_server" / "store" / "lua").glob("*.lua")
    )
    used = {name.lower() for name in re.findall(r"redis\.p?call\(\s*[\"'](\w+)[\"']", scripts)}
    assert len(used) > 20
    assert used <= commands_of(guide_line())


def test_the_user_may_run_every_command_that_the_server_sends_by_itself():
    """By the names of the driver's methods, which are the commands' but for those of `OTHERWISE`."""
    code = "".join(path.read_text() for path in (ROOT / "server" / "croupier_server").rglob("*.py"))
    sent = set(re.findall(r"\b(?:client|pipe)\.([a-z_]+)\(", code)) - NO_COMMANDS
    assert len(sent) > 20
    assert {OTHERWISE.get(name, name) for name in sent} <= commands_of(guide_line())


NO_COMMANDS = {"pipeline", "execute", "execute_command", "aclose", "shutdown", "config_get"}
"""What the driver does by itself, what an own store alone is told, and what needs `strict` or a cluster."""

OTHERWISE = {"delete": "del", "script_load": "script|load"}


@asynccontextmanager
async def served(folder, *extra: str, durability: str = "usual"):
    """A store with the guide's user, and a server that comes as that user; yields both and the URL."""
    options = ("--appendfsync", "always") if durability == "strict" else ()
    store = Server(folder / "store", free_ports(1)[0], *options)
    await store.start()
    try:
        await store.client.execute_command(*guide_line(), *extra)
        url = f"redis://croupier:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{store.port}"
        config = folder / "croupier.toml"
        config.write_text(f'{CONFIG}\n[store]\nredis = "{url}"\ndurability = "{durability}"\n')
        environment = {"CROUPIER_SHOE_KEY": "ab" * 32}
        server = await start_serving(
            folder / "data", "--redis", url, "--config", str(config), environment=environment
        )
        try:
            yield store, server, config
        finally:
            if server.process.returncode is None:
                await server.stop()
    finally:
        await store.end()


async def play(server) -> str:
    """One round of a guest, whose id it returns."""
    async with connect(server.url) as client:
        seat = await client.sit("standard", buy_in=100_00)
        while True:
            await seat.window()
            try:
                await seat.bet(player=5_00)
                break
            except BettingClosedError:
                continue
        async for payout in seat.payouts():
            assert payout.bets[0].stake == 5_00
            break
        await seat.top_up(20_00)
        return client.player.id


async def croupier(*arguments: str) -> None:
    command = (sys.executable, "-m", "croupier_client.cli", *arguments)
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, (arguments, said.decode())


async def refused(store) -> set[str]:
    """The commands and keys that the store has refused, but for the name that the driver gives itself."""
    entries = await store.client.acl_log()
    return {str(one["object"]) for one in entries} - {"client|setinfo"}


@pytest.mark.slow
async def test_croupier_serves_plays_and_audits_as_the_user_and_is_refused_nothing(tmp_path):
    async with served(tmp_path) as (store, server, config):
        await play(server)
        await croupier("audit", "--config", str(config))
        assert await server.stop() == 0
        assert await refused(store) == set()


@pytest.mark.slow
async def test_the_user_reaches_no_other_keys_and_no_other_commands(tmp_path):
    store = Server(tmp_path / "store", free_ports(1)[0])
    await store.start()
    try:
        await store.client.execute_command(*guide_line())
        client = Redis(port=store.port, username="croupier", password=PASSWORD)
        assert await client.set("croupier:probe", "1")
        for denied in (
            ("GET", "another"),
            ("SET", "croupierx", "1"),
            ("KEYS", "*"),
            ("FLUSHALL",),
            ("CONFIG", "SET", "maxmemory-policy", "allkeys-lru"),
            ("ACL", "WHOAMI"),
            ("SHUTDOWN",),
            ("PUBLISH", "croupier:", "1"),
        ):
            with pytest.raises(NoPermissionError):
                await client.execute_command(*denied)
        with pytest.raises(ResponseError, match="ACL failure in script"):
            await client.eval("return redis.call('GET', 'another')", 0)
        await client.aclose()
    finally:
        await store.end()


@pytest.mark.long
@pytest.mark.parametrize(
    ("durability", "extra"), [("usual", ()), ("strict", ("+waitaof", "+wait", "+config|get"))]
)
async def test_everything_an_operator_does_is_allowed_to_the_user(tmp_path, durability, extra):
    async with served(tmp_path, *extra, durability=durability) as (store, server, config):
        player = await play(server)
        for arguments in (
            ("tables", "remove", "standard", player),
            ("tables", "list"),
            ("wallet", "credit", player, "5", "--reason", "welcome", "--op", "welcome-1"),
            ("wallet", "show", player),
            ("wallet", "debit", player, "5", "--reason", "sorry", "--op", "sorry-op-1"),
            ("tables", "pause", "standard", "--now"),
            ("tables", "resume", "standard"),
            ("tables", "abandon", "standard"),
            ("tables", "add", "another"),
            ("tables", "close", "another", "--now"),
            ("players", "revoke", "ana"),
            ("players", "purge"),
            ("audit",),
        ):
            await croupier(*arguments, "--config", str(config))
        assert await server.stop() == 0
        assert await refused(store) == set()
