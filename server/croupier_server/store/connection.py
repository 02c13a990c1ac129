"""From a URL to a client, and whether the server behind it can hold Croupier's data.

The client never repeats a command by itself: a write whose answer was lost may have happened, and only the
caller knows how to find out.
"""

import re
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from croupier_server.store.errors import UnsuitableStoreError
from croupier_server.store.scripts import run

SCHEMES: Final = ("redis://", "rediss://", "unix://")

SOCKET_TIMEOUT_S: Final = 2.5
"""Without an answer for this long the connection is given up; reads of a stream block for less."""

POOL_SIZE: Final = 32
"""Connections a process uses at once; a further command waits for one instead of failing."""

POOL_WAIT_S: Final = 2.5

LEAST_VERSION: Final = {"redis": (7, 0), "valkey": (8, 0)}


def connect(url: str, *, connections: int = POOL_SIZE) -> Redis:
    """A client for the store at `url`; connects on first use.

    Raises:
        UnsuitableStoreError: when the URL's scheme is none of `SCHEMES`, or the URL makes no sense.
    """
    if not url.startswith(SCHEMES):
        raise UnsuitableStoreError(f"the store URL begins with none of {', '.join(SCHEMES)}")
    try:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=connections,
            timeout=POOL_WAIT_S,
            socket_timeout=SOCKET_TIMEOUT_S,
            socket_connect_timeout=SOCKET_TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        pool.make_connection()  # type: ignore[no-untyped-call]  # untyped there; fails on an unknown option
    except (ValueError, TypeError) as error:
        # The URL itself may hold a password.
        raise UnsuitableStoreError(f"the store URL cannot be read: {error}") from error
    return Redis.from_pool(pool)


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
