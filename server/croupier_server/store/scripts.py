"""Loads the Lua files and runs them: one call, one try, one typed failure.

Scripts are never loaded on the fly. A server that does not know a script has restarted or been replaced, and
its stream may have begun a new life; so a call that finds its script missing fails with `ScriptsMissingError`
and the caller goes through `Stream.open` again, which settles the epoch first and loads after.

Several pits may live on one server, and each has to notice: so each loads the scripts under its own name, a
last line that makes them its own.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from redis import exceptions
from redis.asyncio import Redis

from croupier_server.store.clock import StoreClock
from croupier_server.store.errors import DamagedRecordError, StoreError, StoreUnavailableError

Argument = str | bytes | int


class ScriptsMissingError(StoreUnavailableError):
    """The server has forgotten the scripts: it is not the one they were loaded into."""


class Script:
    """One Lua file of this package."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.source = resources.files("croupier_server.store.lua").joinpath(f"{name}.lua").read_bytes()

    def __repr__(self) -> str:
        return f"<Script {self.name}>"


@cache
def own(script: Script, pit: str) -> tuple[bytes, str]:
    """The source of `script` as `pit` loads it, and the digest that it is called by."""
    source = script.source + f"-- {pit}\n".encode()
    return source, hashlib.sha1(source, usedforsecurity=False).hexdigest()


ACQUIRE: Final = Script("acquire")
RENEW: Final = Script("renew")
RELEASE: Final = Script("release")
COMMIT: Final = Script("commit")
READ: Final = Script("read")
LEASES: Final = Script("leases")
PLACE: Final = Script("place")
READY: Final = Script("ready")
CUT: Final = Script("cut")
ALARM: Final = Script("alarm")
CLEAR_ALARM: Final = Script("clear_alarm")
PRESENT: Final = Script("present")
LOOK: Final = Script("look")
PRIVATES: Final = Script("privates")
SETTLE: Final = Script("settle")
KEEP_ROUND: Final = Script("keep_round")
ORDER: Final = Script("order")
ANSWER_ORDER: Final = Script("answer_order")
TAKE_ANSWER: Final = Script("take_answer")
GUEST_OPEN: Final = Script("guest_open")
GUEST_RESUME: Final = Script("guest_resume")
GUEST_CLOSE: Final = Script("guest_close")
WALLET_OPEN: Final = Script("wallet_open")
WALLET_MOVE: Final = Script("wallet_move")
WALLET_CLOSE: Final = Script("wallet_close")
RESERVE: Final = Script("reserve")
TOP_UP: Final = Script("top_up")
LEAVE: Final = Script("leave")
END_TRANSFER: Final = Script("end_transfer")
TRANSFERS: Final = Script("transfers")
ROLL_LEDGER: Final = Script("roll_ledger")
ARCHIVED: Final = Script("archived")
BEAT: Final = Script("beat")
LIST_TABLES: Final = Script("list_tables")
CLOSE_TABLE: Final = Script("close_table")
HOLD_WEBHOOKS: Final = Script("hold_webhooks")
ADD_DELIVERIES: Final = Script("add_deliveries")
SENT_DELIVERY: Final = Script("sent_delivery")
OWN_LIMITS: Final = Script("own_limits")
TELL_LIMITS: Final = Script("tell_limits")
NOTE_ONCE: Final = Script("note_once")
OPEN_STREAM: Final = Script("open_stream")

LOADED: Final = (
    *(ACQUIRE, RENEW, RELEASE, COMMIT, READ, LEASES, LIST_TABLES, CLOSE_TABLE),
    *(PLACE, READY, CUT, PRESENT, LOOK, PRIVATES, SETTLE, KEEP_ROUND),
    *(ALARM, CLEAR_ALARM, ORDER, ANSWER_ORDER, TAKE_ANSWER, ARCHIVED, NOTE_ONCE),
    *(GUEST_OPEN, GUEST_RESUME, GUEST_CLOSE),
    *(WALLET_OPEN, WALLET_MOVE, WALLET_CLOSE, RESERVE, TOP_UP, LEAVE, END_TRANSFER, TRANSFERS, ROLL_LEDGER),
    *(OWN_LIMITS, TELL_LIMITS),
    *(BEAT, HOLD_WEBHOOKS, ADD_DELIVERIES, SENT_DELIVERY),
)
"""What a server is made to know once its epoch has been settled."""


Call = tuple[Sequence[str], Sequence[Argument]]
"""Keys and arguments of a script."""


class Store:
    """A connection pool to one server, its scripts as `pit` calls them, and its clock.

    The server has every key of the pit. `holder` finds the store of a key outside pits, where that may be on
    another server, with a clock of its own; without one this server holds everything.
    """

    def __init__(
        self,
        client: Redis,
        pit: str = "",
        holder: Callable[[str], Awaitable["Store"]] | None = None,
        clock: StoreClock | None = None,
    ) -> None:
        self.client = client
        self.clock = clock or StoreClock()
        self._pit = pit
        self._holder = holder

    async def holding(self, key: str) -> "Store":
        """The store of a key that belongs to no pit.

        Raises:
            StoreUnavailableError: nobody knows which server has it.
        """
        return self if self._holder is None else await self._holder(key)

    async def call(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> list[Any]:
        """Runs `script` once.

        Raises:
            ScriptsMissingError: the server does not have it.
            DamagedRecordError: a key is not what the script works on.
            StoreUnavailableError: no answer, or the server takes no writes now.
        """
        sent = self.clock.steady()
        reply = await run(self.send(script, keys, arguments))
        now_ms = reply[0] if isinstance(reply[0], int) else reply[1]
        self.clock.observe(sent, self.clock.steady(), now_ms)
        answer: list[Any] = reply
        return answer

    async def call_each(self, script: Script, calls: Sequence[Call]) -> None:
        """Runs `script` several times on one way there and back, each time by itself.

        Raises:
            StoreError: as `call`; some may have run.
        """
        pipe = self.client.pipeline(transaction=False)
        for keys, arguments in calls:
            self.queue(pipe, script, keys, arguments)
        await run(pipe.execute())

    def queue(self, pipe: Any, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> None:
        """Puts the command that runs `script` into a pipeline."""
        pipe.evalsha(own(script, self._pit)[1], len(keys), *keys, *arguments)

    def send(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """The command that runs `script`."""
        return self.client.evalsha(own(script, self._pit)[1], len(keys), *keys, *arguments)

    async def load_scripts(self) -> None:
        """Makes the server know every script; only after the stream's epoch has been settled."""
        pipe = self.client.pipeline(transaction=False)  # one way there and back: play waits for it
        for script in LOADED:
            pipe.script_load(own(script, self._pit)[0])
        await run(pipe.execute())

    async def time_ms(self) -> int:
        """The server's time, asked for.

        Raises:
            StoreUnavailableError: no answer.
        """
        seconds, microseconds = await run(self.client.time())
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def close(self) -> None:
        """Closes every connection."""
        await self.client.aclose()


class OutsideStore(Store):
    """A cluster's node for keys outside pits. Those have no epoch that loading a script could hide."""

    async def call(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> list[Any]:
        """As `Store.call`; where the server lacks the script, nothing has run, and it is loaded first."""
        try:
            return await super().call(script, keys, arguments)
        except ScriptsMissingError:
            await self.load_scripts()
            return await super().call(script, keys, arguments)

    async def call_each(self, script: Script, calls: Sequence[Call]) -> None:
        """As `Store.call_each`, loading the script before if need be."""
        try:
            await super().call_each(script, calls)
        except ScriptsMissingError:
            await self.load_scripts()
            await super().call_each(script, calls)


class OneOffStore(Store):
    """A store for a command of the operator, which loads no scripts and so hides no restart from a worker."""

    def send(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """The command that runs `script`, source and all."""
        return self.client.eval(script.source, len(keys), *keys, *arguments)  # type: ignore[arg-type]  # bytes are taken too


_FOR_NOW: Final = ("MISCONF ", "NOREPLICAS ", "BUSY ", "UNBLOCKED ")
"""How answers begin by which a server refuses for now, beside those that the client has types for. A read
that blocks is unblocked when its server is made a replica."""


async def run(command: Any) -> Any:
    """Awaits a command of the Redis client, with its failures as ours.

    Raises:
        StoreError: as `Store.call` says.
    """
    task = asyncio.current_task()
    cancelled_before = 0 if task is None else task.cancelling()
    try:
        return await _translated(command)
    finally:
        if task is not None and task.cancelling() > cancelled_before:
            # Python 3.11's wait_for, inside the client, loses a cancellation that comes with the result or
            # the failure.
            raise asyncio.CancelledError


async def _translated(command: Any) -> Any:
    try:
        return await command
    except exceptions.NoScriptError as error:
        raise ScriptsMissingError(str(error)) from error
    except (
        exceptions.ConnectionError,
        exceptions.TimeoutError,
        exceptions.ReadOnlyError,
        exceptions.OutOfMemoryError,
        exceptions.AskError,  # also MOVED: nothing ran, and the next connection leads to where the key is
        exceptions.TryAgainError,
        exceptions.ClusterDownError,
        OSError,
    ) as error:
        raise StoreUnavailableError(f"{type(error).__name__}: {error}") from error
    except exceptions.RedisError as error:
        text = str(error).rpartition(" of pipeline caused error: ")[2]
        if text.startswith("DAMAGED ") or "WRONGTYPE" in text:
            raise DamagedRecordError(text.removeprefix("DAMAGED ")) from error
        if text.startswith(_FOR_NOW):
            raise StoreUnavailableError(f"{type(error).__name__}: {text}") from error
        raise StoreError(text) from error
