"""How connections find their server: at the address they were given, or by asking who serves now.

Nothing here sends a command again. A redirection, or a server that takes no writes any more, fails the
command as every other trouble does; what happens here is that the pool drops its connections, so that whoever
asks again is connected to the server that has taken over.
"""

import asyncio
import contextlib
import time
import weakref
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.crc import key_slot

from croupier_server.store.contact import Contact

ASKED_AGAIN_S: Final = 0.2
"""Who serves is asked at most this often, however many connections are being made."""

Address = tuple[str, int]

_MOVED: Final = (
    exceptions.ReadOnlyError,
    exceptions.AskError,  # also `MovedError`
    exceptions.ClusterDownError,
    exceptions.MasterDownError,
)
"""Answers by which a server says that it is not the one to ask."""

_NO_ANSWER: Final = (exceptions.ConnectionError, exceptions.TimeoutError, OSError)


class Route(Protocol):
    """Leads the connections of a pool to a server."""

    primary: bool
    """Whether a server has to say that it is a primary before it is used."""

    async def address(self) -> Address | None:
        """Where the server is now; None for where the connection was told to go.

        Raises:
            redis.ConnectionError: nobody knows.
        """

    def distrust(self) -> None:
        """What was known may be out of date."""


class Direct:
    """The address in the URL; a name in it is looked up at each connecting."""

    primary = False

    async def address(self) -> None:
        """See `Route`."""

    def distrust(self) -> None:
        """See `Route`."""


class RoutedPool(BlockingConnectionPool):
    """A pool whose connections all lead to the server that its route names, and keep `contact` true."""

    def __init__(self, route: Route, contact: Contact | None = None, **options: Any) -> None:
        self.route = route
        self.contact = contact or Contact()
        self.generation = 0
        self._address: Address | None = None
        kind = options.pop("connection_class", Connection)
        super().__init__(connection_class=_ROUTED[kind], pool=weakref.proxy(self), **options)

    async def locate(self) -> Address | None:
        """Where to connect to. When that has changed, connections made before are not used again."""
        address = await self.route.address()
        if address != self._address:
            self._address = address
            self.generation += 1
        return address

    def distrust(self) -> None:
        """The server is not the one to ask any more: every connection is made anew before its next use."""
        self.generation += 1
        self.route.distrust()


class _Routed:
    """What a routed connection does beside what its class does."""

    host: str
    port: int
    is_connected: bool

    def __init__(self, *, pool: RoutedPool, **options: Any) -> None:
        super().__init__(**options)
        self._pool = pool
        self._generation = -1

    async def connect(self) -> None:
        """Connects to where the route leads, unless the connection is of now."""
        if self.is_connected:
            if self._generation == self._pool.generation:
                return
            await self.disconnect()  # type: ignore[attr-defined]  # of the class that this is mixed into
        try:
            address = await self._pool.locate()
            if address is not None:
                self.host, self.port = address
            self._generation = self._pool.generation
            await super().connect()  # type: ignore[misc]  # as above
            if self._pool.route.primary:
                await self._check_role()
        except _NO_ANSWER:
            self._pool.contact.fail()
            self._pool.route.distrust()
            raise

    async def _check_role(self) -> None:
        await self.send_command("ROLE")  # type: ignore[attr-defined]  # as above
        role = (await self.read_response())[0]
        if role not in {b"master", "master"}:
            await self.disconnect()  # type: ignore[attr-defined]  # as above
            raise exceptions.ConnectionError(f"{self.host}:{self.port} is no primary")

    async def read_response(self, *arguments: Any, **options: Any) -> Any:
        """A reply; one that says that another server is to be asked ends every connection of the pool."""
        contact = self._pool.contact
        try:
            reply = await super().read_response(*arguments, **options)  # type: ignore[misc]  # as above
        except _MOVED:
            contact.fail()
            self._pool.distrust()
            raise
        except _NO_ANSWER:
            contact.fail()
            raise
        except exceptions.ResponseError:
            contact.answer()
            raise
        contact.answer()
        return reply


class _RoutedConnection(_Routed, Connection):
    pass


class _RoutedSSLConnection(_Routed, SSLConnection):
    pass


class _RoutedUnixConnection(_Routed, UnixDomainSocketConnection):
    pass


_ROUTED: Final[dict[type, type]] = {
    Connection: _RoutedConnection,
    SSLConnection: _RoutedSSLConnection,
    UnixDomainSocketConnection: _RoutedUnixConnection,
}


Answer = TypeVar("Answer", bound=Hashable)


class _Asking(Generic[Answer]):
    """Asks several servers one question at once and goes by what most of them say."""

    def __init__(self, open_client: Callable[[Address], Redis]) -> None:
        self._open_client = open_client
        self._clients: dict[Address, Redis] = {}
        self._lock = asyncio.Lock()
        self._asked_at = float("-inf")
        self._stale = True
        self._answer: Answer | None = None

    def distrust(self) -> None:
        """The next caller asks again."""
        self._stale = True

    async def answer(
        self, whom: Iterable[Address], question: Callable[[Redis, Address], Awaitable[Answer]]
    ) -> Answer:
        """What most servers say, asked now or a moment ago.

        Raises:
            redis.ConnectionError: none has answered.
        """
        async with self._lock:
            if self._answer is not None and not self._stale:
                return self._answer
            # Whoever waited for the lock is served by the question that was under way, or by the next one.
            await asyncio.sleep(self._asked_at + ASKED_AGAIN_S - time.monotonic())
            self._stale = False
            try:
                self._answer = await self._ask(list(whom), question)
            except exceptions.ConnectionError:
                self._stale = True
                raise
            finally:
                self._asked_at = time.monotonic()
            return self._answer

    async def _ask(
        self, whom: Sequence[Address], question: Callable[[Redis, Address], Awaitable[Answer]]
    ) -> Answer:
        for address in whom:
            if address not in self._clients:
                self._clients[address] = self._open_client(address)
        asked = [asyncio.ensure_future(question(self._clients[address], address)) for address in whom]
        answers: Counter[Answer] = Counter()
        failure: Exception | None = None
        try:
            for answered in asyncio.as_completed(asked):
                try:
                    answer = await answered
                except (exceptions.RedisError, OSError) as error:
                    failure = error
                    continue
                answers[answer] += 1
                if 2 * answers[answer] > len(whom):
                    break  # whoever is slow cannot change it any more
        finally:
            for one in asked:
                one.cancel()
        if not answers:
            raise exceptions.ConnectionError(f"none of {_names(whom)} answers: {failure}")
        return answers.most_common(1)[0][0]

    async def close(self) -> None:
        """Closes every connection."""
        for client in self._clients.values():
            with contextlib.suppress(exceptions.RedisError, OSError):
                await client.aclose()


class Sentinels:
    """The primary of a name, as the sentinels know it."""

    primary = True

    def __init__(
        self, sentinels: Sequence[Address], name: str, open_client: Callable[[Address], Redis]
    ) -> None:
        self._sentinels = sentinels
        self._name = name
        self._asking = _Asking[Address](open_client)

    async def address(self) -> Address:
        """See `Route`."""
        return await self._asking.answer(self._sentinels, self._primary)

    def distrust(self) -> None:
        """See `Route`."""
        self._asking.distrust()

    async def _primary(self, sentinel: Redis, _: Address) -> Address:
        asked: Awaitable[Any] = sentinel.execute_command("SENTINEL GET-MASTER-ADDR-BY-NAME", self._name)  # type: ignore[no-untyped-call]  # untyped there
        found = await asked
        if found is None:
            raise exceptions.ConnectionError(f"the sentinels know no primary named {self._name}")
        return _text(found[0]), int(found[1])

    async def close(self) -> None:
        """Closes every connection."""
        await self._asking.close()


_Slots = tuple[tuple[int, int, Address], ...]


class ClusterMap:
    """Which node of a cluster serves which slot, as most of its nodes say."""

    def __init__(self, seeds: Sequence[Address], open_client: Callable[[Address], Redis]) -> None:
        self._seeds = frozenset(seeds)
        self._nodes = self._seeds
        self._asking = _Asking[_Slots](open_client)

    def distrust(self) -> None:
        """See `Route`."""
        self._asking.distrust()

    async def owner(self, slot: int) -> Address:
        """The node that serves `slot`.

        Raises:
            redis.ConnectionError: none does, or nobody knows.
        """
        for first, last, address in await self._slots():
            if first <= slot <= last:
                return address
        self.distrust()
        raise exceptions.ConnectionError(f"no node of the cluster serves slot {slot}")

    async def primaries(self) -> list[Address]:
        """Every node that serves a slot."""
        return sorted({address for _, _, address in await self._slots()})

    async def _slots(self) -> _Slots:
        slots = await self._asking.answer(self._nodes, _read_slots)
        self._nodes = self._seeds.union(address for _, _, address in slots)
        return slots

    async def close(self) -> None:
        """Closes every connection."""
        await self._asking.close()


async def _read_slots(node: Redis, asked: Address) -> _Slots:
    found = await node.execute_command("CLUSTER SLOTS")  # type: ignore[no-untyped-call]  # untyped there
    return tuple(
        sorted(
            # A node that does not know its own name is the one that was asked.
            (int(first), int(last), (_text(primary[0] or asked[0]), int(primary[1])))
            for first, last, primary, *_ in found
        )
    )


class SlotRoute:
    """Leads to the node that serves a key, wherever its slot goes."""

    primary = False
    """A replica of a cluster redirects by itself."""

    def __init__(self, cluster: ClusterMap, key: str) -> None:
        self._cluster = cluster
        self._slot = key_slot(key.encode())

    async def address(self) -> Address:
        """See `Route`."""
        return await self._cluster.owner(self._slot)

    def distrust(self) -> None:
        """See `Route`."""
        self._cluster.distrust()


class NodeRoute:
    """Leads to one node of a cluster."""

    primary = False

    def __init__(self, cluster: ClusterMap, node: Address) -> None:
        self._cluster = cluster
        self._node = node

    async def address(self) -> Address:
        """See `Route`."""
        return self._node

    def distrust(self) -> None:
        """See `Route`."""
        self._cluster.distrust()


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _names(addresses: Iterable[Address]) -> str:
    return ", ".join(f"{host}:{port}" for host, port in addresses)
