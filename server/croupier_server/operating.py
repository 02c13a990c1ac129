"""What every command of an operator does: find the store of a running server, work on it, say what failed.

Exit status: 0 done or clean, 1 refused or a mismatch, 2 wrong usage or no store to be found.
"""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from croupier_server.config import Config
from croupier_server.configuring.reading import read_config
from croupier_server.data_directory import default_path
from croupier_server.errors import SetupError
from croupier_server.store.embedded import running_url
from croupier_server.store.errors import StoreError, StoreUnavailableError, UnsuitableStoreError
from croupier_server.store.stores import Stores

OPERATION: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
"""How an operator may name an operation."""

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2


def data_directory(config: Config, data: Path | None) -> Path:
    """The data directory that the command line or the configuration names, or the usual one."""
    return data or (Path(config.store.data) if config.store.data else default_path())


def store_url(config: Config, redis: str | None, data: Path | None) -> str:
    """Where the store is, as `serve` would find it, or that of a running server.

    Raises:
        SetupError: no server runs on the data directory.
    """
    return redis or config.store.redis or running_url(data_directory(config, data) / "store")


def with_store(
    config: Path | None, redis: str | None, data: Path | None, work: Callable[[Stores], Awaitable[int]]
) -> int:
    """Finds the store as `serve` would, or that of a running server, and does `work` on it."""

    async def connected(url: str) -> int:
        stores = Stores(url, one_off=True)
        try:
            return await work(stores)
        finally:
            await stores.close()

    try:
        return asyncio.run(connected(store_url(read_config(config), redis, data)))
    except (SetupError, UnsuitableStoreError) as error:
        return fail(str(error), USAGE)
    except StoreUnavailableError as error:
        return fail(f"the store does not answer: {error}", USAGE)
    except StoreError as error:
        return fail(str(error))


def fail(text: str, status: int = FAILED) -> int:
    """Says in one line why a command ends with `status`."""
    sys.stderr.write(f"croupier: {text}\n")
    return status


def write_time(at_ms: int) -> str:
    """A time for people, in UTC.

    >>> write_time(1_700_000_000_999)
    '2023-11-14 22:13:20+00:00'
    """
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(sep=" ", timespec="seconds")


def show(row: object) -> None:
    """Prints one JSON object on a line of its own."""
    sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
