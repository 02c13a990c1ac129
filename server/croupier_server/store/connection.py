"""From a URL to clients, and whether the servers behind it can hold Croupier's data.

A client never repeats a command by itself: a write whose answer was lost may have happened, and only the
caller knows how to find out.
"""

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot

from croupier_server.store.contact import Contact
from croupier_server.store.errors import UnsuitableStoreError
from croupier_server.store.routes import (
    Address,
    ClusterMap,
    Direct,
    NodeRoute,
    Route,
    RoutedPool,
    Sentinels,
    SlotRoute,
)
from croupier_server.store.scripts import run

SCHEMES: Final = ("redis://", "rediss://", "unix://", "redis+sentinel://", "redis+cluster://")

_MANY: Final = re.compile(r"(rediss?)\+(sentinel|cluster)")

_DEFAULT_PORTS: Final = {"sentinel": 26_379, "cluster": 6_379}

SOCKET_TIMEOUT_S: Final = 2.5
"""Without an answer for this long the connection is given up; reads of a stream block for less."""

ASKING_TIMEOUT_S: Final = 0.5
"""How long a sentinel, or a node of a cluster, may take to say who serves."""

POOL_SIZE: Final = 32
"""Connections a process uses at once; a further command waits for one instead of failing."""

POOL_WAIT_S: Final = 2.5


class Servers:
    """The servers that a URL names; connects on first use.

    - `redis://`, `rediss://`, `unix://`: one server.
    - `redis+sentinel://[user:password@]host:port,host:port/name[/db]`: the primary of that name.
      `?sentinel_password=` (and `sentinel_username=`) where the sentinels want one of their own.
    - `redis+cluster://[user:password@]host:port,host:port`: the nodes of a cluster, found by asking any.

    The last two with TLS: `rediss+sentinel://`, `rediss+cluster://`.

    Raises, when made:
        UnsuitableStoreError: the URL's scheme is none of `SCHEMES`, or it makes no sense.
    """

    def __init__(self, url: str) -> None:
        self.contact = Contact()
        self._options: dict[str, Any]
        self.cluster: ClusterMap | None = None
        self.sentinels: Sentinels | None = None
        many = _MANY.fullmatch(url.partition("://")[0])
        if many is None and not url.startswith(SCHEMES):
            raise UnsuitableStoreError(f"the store URL begins with none of {', '.join(SCHEMES)}")
        try:
            if many is None:
                self._options = dict(parse_url(url))
            elif many[2] == "sentinel":
                self._read_sentinels(url, many[1])
            else:
                self._read_cluster(url, many[1])
            # Untyped there; fails on an unknown option.
            self._pool(Direct(), connections=1).make_connection()  # type: ignore[no-untyped-call]
        except (ValueError, TypeError) as error:
            # The URL itself may hold a password.
            raise UnsuitableStoreError(f"the store URL cannot be read: {error}") from error

    def _read_sentinels(self, url: str, scheme: str) -> None:
        login, hosts, path, query = _parts(url, "sentinel")
        name, _, db = path.partition("/")
        if not name:
            raise ValueError("after the sentinels it names the primary, as in redis+sentinel://host/main")
        own = {
            key: query.pop(f"sentinel_{key}")
            for key in ("username", "password")
            if f"sentinel_{key}" in query
        }
        self._options = dict(parse_url(f"{scheme}://{login}host/{db}?{urlencode(query)}"))
        tls = {key: self._options[key] for key in self._options if key.startswith("ssl_")}
        if "connection_class" in self._options:
            tls["connection_class"] = self._options["connection_class"]
        self.sentinels = Sentinels(hosts, name, lambda address: _asking(address, {**own, **tls}))

    def _read_cluster(self, url: str, scheme: str) -> None:
        login, hosts, path, query = _parts(url, "cluster")
        if path not in {"", "0"}:
            raise ValueError("a cluster has no numbered databases")
        self._options = dict(parse_url(f"{scheme}://{login}host?{urlencode(query)}"))
        self.cluster = ClusterMap(hosts, lambda address: _asking(address, self._options))

    def client(self, key: str, *, connections: int = POOL_SIZE) -> Redis:
        """A client for the server that holds `key`, whichever that is at the time."""
        route: Route = Direct()
        if self.cluster is not None:
            route = SlotRoute(self.cluster, key)
        elif self.sentinels is not None:
            route = self.sentinels
        return Redis.from_pool(self._pool(route, connections))

    async def node_of(self, key: str) -> Address:
        """The cluster's node that holds `key` now.

        Raises:
            redis.ConnectionError: nobody knows.
        """
        if self.cluster is None:
            raise ValueError("this store is no cluster")
        return await self.cluster.owner(key_slot(key.encode()))

    def node(self, address: Address, *, connections: int = POOL_SIZE) -> Redis:
        """A client for one node of the cluster."""
        if self.cluster is None:
            raise ValueError("this store is no cluster")
        return Redis.from_pool(self._pool(NodeRoute(self.cluster, address), connections))

    async def primaries(self) -> list[Redis]:
        """A client, for one command at a time, for each server that holds data.

        Raises:
            StoreUnavailableError: nobody says which these are.
        """
        if self.cluster is None:
            return [self.client("", connections=1)]
        return [self.node(address, connections=1) for address in await run(self.cluster.primaries())]

    async def close(self) -> None:
        """Closes the connections on which it was asked who serves; not those of clients."""
        for asked in (self.cluster, self.sentinels):
            if asked is not None:
                await asked.close()

    def _pool(self, route: Route, connections: int) -> RoutedPool:
        return RoutedPool(
            route,
            self.contact,
            **{
                "max_connections": connections,
                "timeout": POOL_WAIT_S,
                "socket_timeout": SOCKET_TIMEOUT_S,
                "socket_connect_timeout": SOCKET_TIMEOUT_S,
                "retry": Retry(NoBackoff(), 0),
                "protocol": 2,
                **self._options,
            },
        )


def connect(url: str, *, connections: int = POOL_SIZE) -> Redis:
    """A client for the one server that `url` names, or for the primary that it is found by.

    Raises:
        UnsuitableStoreError: as `Servers`.
    """
    return Servers(url).client("", connections=connections)


def _parts(url: str, kind: str) -> tuple[str, Sequence[Address], str, dict[str, str]]:
    """Login with its `@`, hosts, path and query of a URL with several hosts."""
    split = urlsplit(url)
    login, at, hosts = split.netloc.rpartition("@")
    addresses = []
    for host in hosts.split(","):
        parsed = urlsplit(f"//{host}")
        if not parsed.hostname:
            raise ValueError("it names no host")
        addresses.append((parsed.hostname, parsed.port or _DEFAULT_PORTS[kind]))
    return login + at, addresses, split.path.strip("/"), dict(parse_qsl(split.query))


def _asking(address: Address, options: dict[str, Any]) -> Redis:
    """A client for a server that is only asked who serves."""
    host, port = address
    asked = {**options, "host": host, "port": port, "max_connections": 2, "timeout": ASKING_TIMEOUT_S}
    asked |= {"socket_timeout": ASKING_TIMEOUT_S, "socket_connect_timeout": ASKING_TIMEOUT_S}
    return Redis.from_pool(RoutedPool(Direct(), **asked, retry=Retry(NoBackoff(), 0), protocol=2))
