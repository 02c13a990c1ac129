"""Stores of several real server processes: a primary with a replica under three sentinels, and a cluster."""

import asyncio
import contextlib
import os
import random
import signal
import socket
from contextlib import asynccontextmanager
from pathlib import Path

from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError

from support.stores import store_program

SLOTS = 16_384


class Server:
    """One server process on a port of its own, which it keeps over restarts."""

    def __init__(self, folder: Path, port: int, *options: str, sentinel: bool = False) -> None:
        self.folder = folder
        self.port = port
        self.options = options
        self.sentinel = sentinel
        self.process = None
        self.client = Redis(host="127.0.0.1", port=port, socket_timeout=2.0)

    async def start(self) -> None:
        """Starts the process, or starts it again, and returns when it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        common = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder))
        if self.sentinel:
            arguments = (str(self.folder / "sentinel.conf"), "--sentinel", *common)
        else:
            durable = ("--appendonly", "yes", "--appendfsync", "everysec", "--save", "")
            arguments = (*common, *durable, "--maxmemory-policy", "noeviction", *self.options)
        log = ("--logfile", str(self.folder / "log"))
        self.process = await asyncio.create_subprocess_exec(str(store_program()), *arguments, *log)
        async with asyncio.timeout(20):
            while not await self._answers():  # another process has no event to await
                await asyncio.sleep(0.02)

    async def _answers(self) -> bool:
        with contextlib.suppress(RedisError, OSError):
            return bool(await self.client.ping())
        return False

    async def kill(self) -> None:
        """Ends the process by the signal that nothing catches."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGCONT)
                self.process.kill()
            await self.process.wait()

    async def end(self) -> None:
        """Ends the process and the connections to it."""
        await self.kill()
        await self.client.aclose()

    def freeze(self) -> None:
        """Stops the process where it is; it neither answers nor closes anything."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on."""
        os.kill(self.process.pid, signal.SIGCONT)


PORTS = range(11_000, 22_000)
"""Below those that systems give to connections, from 32,768 on, as the buses of clusters are then too."""

BUS = 10_000
"""How far above a node's port its cluster bus is."""


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses, nor their cluster buses; each testing process has a share of its own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    share = PORTS[worker % 11 * 1_000 :][:1_000]
    found: list[int] = []
    for port in random.sample(share, len(share)):
        with contextlib.suppress(OSError):
            for one in (port, port + BUS):
                socket.create_server(("127.0.0.1", one)).close()
            found.append(port)
        if len(found) == count:
            return found
    raise AssertionError(f"no {count} free ports in {share}")


class Guarded:
    """A primary and its replica, which three sentinels watch."""

    def __init__(self, servers: list[Server], sentinels: list[Server]) -> None:
        self.servers = servers
        self.sentinels = sentinels
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in sentinels)
        self.url = f"redis+sentinel://{hosts}/main"

    async def roles(self) -> dict[int, str]:
        """What each server that answers says that it is, by port."""
        found = {}
        for one in self.servers:
            with contextlib.suppress(RedisError, OSError):
                found[one.port] = (await one.client.execute_command("ROLE"))[0].decode()
        return found

    async def in_step(self) -> None:
        """Returns when the replica has everything that the primary had at the call."""
        primary, replica = (one.client for one in self.servers)
        async with asyncio.timeout(20):
            reached = (await primary.info("replication"))["master_repl_offset"]
            while True:
                now = await replica.info("replication")
                if now.get("master_link_status") == "up" and now["slave_repl_offset"] >= reached:
                    return
                await asyncio.sleep(0.02)

    async def patience(self, milliseconds: int) -> None:
        """How long a server may be silent until the sentinels take it for dead."""
        for one in self.sentinels:
            await one.client.execute_command("SENTINEL SET", "main", "down-after-milliseconds", milliseconds)

    async def primary_is(self, server: Server) -> None:
        """Returns when all sentinels name `server` as the primary, and it is one."""
        async with asyncio.timeout(20):
            while True:
                named = [
                    await one.client.execute_command("SENTINEL GET-MASTER-ADDR-BY-NAME", "main")
                    for one in self.sentinels
                ]
                roles = await self.roles()
                if {int(one[1]) for one in named} == {server.port} and roles.get(server.port) == "master":
                    return
                await asyncio.sleep(0.05)


@asynccontextmanager
async def pair_of_servers(folder: Path, *options: str):
    """A primary and its replica, in step, and nobody who watches over them."""
    ports = free_ports(2)
    primary = Server(folder / "a", ports[0], *options)
    replica = Server(folder / "b", ports[1], *options, "--replicaof", "127.0.0.1", str(ports[0]))
    try:
        await asyncio.gather(primary.start(), replica.start())
        pair = Guarded([primary, replica], [])
        await pair.in_step()
        yield pair
    finally:
        await _end([primary, replica])


@asynccontextmanager
async def guarded_store(folder: Path, *options: str):
    """A primary and its replica under three sentinels that notice within half a second."""
    ports = free_ports(5)
    primary = Server(folder / "a", ports[0], *options)
    replica = Server(folder / "b", ports[1], *options, "--replicaof", "127.0.0.1", str(ports[0]))
    sentinels = []
    for number, port in enumerate(ports[2:]):
        home = folder / f"s{number}"
        home.mkdir(parents=True)
        (home / "sentinel.conf").write_text(
            f"sentinel monitor main 127.0.0.1 {ports[0]} 2\n"
            "sentinel down-after-milliseconds main 500\n"
            "sentinel failover-timeout main 3000\n"
        )
        sentinels.append(Server(home, port, sentinel=True))
    every = [primary, replica, *sentinels]
    try:
        await asyncio.gather(primary.start(), replica.start())
        await asyncio.gather(*(one.start() for one in sentinels))
        guarded = Guarded([primary, replica], sentinels)
        async with asyncio.timeout(20):
            while not await _sentinels_agree(sentinels):
                await asyncio.sleep(0.05)
        await guarded.in_step()
        yield guarded
    finally:
        await _end(every)


async def _sentinels_agree(sentinels: list[Server]) -> bool:
    """Whether each sentinel knows both others and the replica."""
    for one in sentinels:
        state = (await one.client.sentinel_masters())["main"]
        if (state["num-other-sentinels"], state["num-slaves"]) != (2, 1):
            return False
    return True


def _text(value) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


class Cluster:
    """A cluster of primaries, each with its share of the slots, in order; then replicas, one for each."""

    def __init__(self, primaries: list[Server], replicas: list[Server]) -> None:
        self.primaries = primaries
        self.replicas = replicas
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{one.port}" for one in primaries)

    def share_of(self, key: str) -> int:
        """The number of the primary that had `key` at the start."""
        return key_slot(key.encode()) * len(self.primaries) // SLOTS

    async def move(self, tag: str, old: Server, new: Server) -> None:
        """Moves the slot of a hash tag, with all that it holds, from one primary to another."""
        slot = key_slot(tag.encode())
        source, target = [_text(await one.client.execute_command("CLUSTER MYID")) for one in (old, new)]
        await new.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", source)
        await old.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", target)
        while held := await old.client.execute_command("CLUSTER GETKEYSINSLOT", slot, 100):
            await old.client.execute_command("MIGRATE", "127.0.0.1", new.port, "", 0, 5_000, "KEYS", *held)
        for one in (new, old, *self.primaries):
            await one.client.execute_command("CLUSTER SETSLOT", slot, "NODE", target)

    def pit_on(self, number: int) -> str:
        """The name of a pit that is on primary `number`."""
        return next(
            name for name in map("pit{}".format, range(1_000)) if self.share_of(f"{{{name}}}") == number
        )


@asynccontextmanager
async def cluster_store(folder: Path, *options: str, replicas: bool = False):
    """A cluster of three nodes, each with a replica where there are to be `replicas`."""
    clustered = (
        *("--cluster-enabled", "yes", "--cluster-node-timeout", "1000"),
        *("--cluster-require-full-coverage", "no", *options),
    )
    ports = free_ports(6 if replicas else 3)
    every = [Server(folder / f"n{number}", port, *clustered) for number, port in enumerate(ports)]
    primaries, others = every[:3], every[3:]
    try:
        await asyncio.gather(*(one.start() for one in every))
        for number, one in enumerate(primaries):
            first, last = -(-SLOTS * number // 3), -(-SLOTS * (number + 1) // 3) - 1
            await one.client.execute_command("CLUSTER ADDSLOTSRANGE", first, last)
            await one.client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for one in every[1:]:
            await one.client.execute_command("CLUSTER MEET", "127.0.0.1", primaries[0].port)
        async with asyncio.timeout(20):
            while not await _all_know(every):
                await asyncio.sleep(0.05)
            for replica, primary in zip(others, primaries, strict=False):
                name = await primary.client.execute_command("CLUSTER MYID")
                await replica.client.execute_command("CLUSTER REPLICATE", name)
            while not await _is_up(every, len(others)):
                await asyncio.sleep(0.05)
        yield Cluster(primaries, others)
    finally:
        await _end(every)


async def _all_know(nodes: list[Server]) -> bool:
    for one in nodes:
        known = await one.client.execute_command("CLUSTER INFO")
        text = known if isinstance(known, dict) else _info(known)
        if text["cluster_known_nodes"] != str(len(nodes)):
            return False
    return True


async def _is_up(nodes: list[Server], replicas: int) -> bool:
    for one in nodes:
        known = await one.client.execute_command("CLUSTER INFO")
        if (known if isinstance(known, dict) else _info(known))["cluster_state"] != "ok":
            return False
        slots = await one.client.execute_command("CLUSTER SLOTS")
        if sum(len(entry) - 3 for entry in slots) != replicas:
            return False
    return True


def _info(raw: bytes | str) -> dict[str, str]:
    return dict(line.split(":", 1) for line in _text(raw).split() if ":" in line)


async def _end(servers: list[Server]) -> None:
    await asyncio.gather(*(one.end() for one in servers))
