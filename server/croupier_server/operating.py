"""What every command of an operator does: find the store of a running server, work on it, say what failed.

Exit status: 0 done or clean, 1 refused or a mismatch, 2 wrong usage or no store to be found.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec

from croupier_server.configuring.reading import read_config
from croupier_server.data_directory import default_path
from croupier_server.errors import SetupError
from croupier_server.store.embedded import running_url
from croupier_server.store.errors import StoreError, StoreUnavailableError, UnsuitableStoreError
from croupier_server.store.stores import Stores

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2


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
        settings = read_config(config).store
        url = redis or settings.redis
        if url is None:
            directory = data or (Path(settings.data) if settings.data else default_path())
            url = running_url(directory / "store")
        return asyncio.run(connected(url))
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


def show(row: object) -> None:
    """Prints one JSON object on a line of its own."""
    sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
