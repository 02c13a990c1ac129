"""Whether the servers behind a URL can hold Croupier's data, as it wants it held."""

import re
from collections.abc import Collection
from typing import Any, Final

from redis.asyncio import Redis

from croupier_server.store import keys
from croupier_server.store.connection import Servers
from croupier_server.store.durability import Confirmation, Durability, confirmation
from croupier_server.store.errors import StoreError, StoreUnavailableError, UnsuitableStoreError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import run

LEAST_VERSION: Final = {"redis": (7, 0), "valkey": (8, 0)}


async def check_servers(
    servers: Servers, durability: Durability, pits: Collection[PitId]
) -> tuple[list[str], Confirmation | None]:
    """Whether the servers can hold Croupier's data; returns warnings for their operator.

    Returns also how a settled round of these pits is to be confirmed, None for not at all.

    Raises:
        UnsuitableStoreError: one is too old, may evict keys, or cannot keep what `durability` promises.
        StoreUnavailableError: one does not answer.
    """
    warnings: list[str] = []
    for client in await servers.primaries():
        try:
            warnings += await check_server(client)
            if (
                servers.cluster is not None
                and await _setting(client, "cluster-require-full-coverage") == "yes"
            ):
                warnings.append(
                    "the cluster stops whole when one part of it is down (cluster-require-full-coverage yes);"
                    " set it to no, and only that part's tables stand still"
                )
            if durability is Durability.STRICT:
                await _check_strict(client)
        except StoreUnavailableError as error:
            if servers.cluster is None:
                raise
            warnings.append(f"a node of the cluster does not answer, and could not be checked: {error}")
        finally:
            await client.aclose()
    found: list[Confirmation] = []
    if durability is Durability.STRICT and (servers.cluster is not None or servers.sentinels is not None):
        for pit in pits:
            client = servers.client(keys.probe_key(pit), connections=1)
            try:
                found.append(await confirmation(client, pit, replicas=1))
            finally:
                await client.aclose()
    return list(dict.fromkeys(warnings)), found[0] if found else None


async def check_server(client: Redis) -> list[str]:
    """Whether the server can hold Croupier's data; returns warnings for its operator.

    Raises:
        UnsuitableStoreError: too old, or it may evict keys.
        StoreUnavailableError: it does not answer.
    """
    info: dict[str, Any] = await run(client.info())
    kind = "valkey" if "valkey_version" in info else "redis"
    version = str(info.get("valkey_version", info.get("redis_version", "0")))
    found = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    least = LEAST_VERSION[kind]
    if found < least:
        wanted = ".".join(map(str, least))
        raise UnsuitableStoreError(f"the store is {kind} {version}; Croupier needs {wanted} or newer")
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy != "noeviction":
        raise UnsuitableStoreError(
            f"the store evicts keys when memory is short (maxmemory-policy {policy}), and bankrolls with"
            " them; set maxmemory-policy to noeviction"
        )
    if not info.get("aof_enabled"):
        return ["the store keeps no append-only file: if it restarts, play since its last dump is lost"]
    return []


async def _check_strict(client: Redis) -> None:
    appendonly, fsync = await _setting(client, "appendonly"), await _setting(client, "appendfsync")
    if (appendonly, fsync) != ("yes", "always"):
        raise UnsuitableStoreError(
            f"durability strict needs appendonly yes and appendfsync always, and the store has {appendonly}"
            f" and {fsync}; set them there, or durability to usual"
        )


async def _setting(client: Redis, name: str) -> str:
    """A setting of the server; empty where it has none of that name.

    Raises:
        UnsuitableStoreError: the server does not tell.
    """
    try:
        found = await run(client.config_get(name))
    except StoreUnavailableError:
        raise
    except StoreError as error:
        raise UnsuitableStoreError(f"the store does not tell its {name} (CONFIG GET): {error}") from error
    return str(found.get(name, ""))
