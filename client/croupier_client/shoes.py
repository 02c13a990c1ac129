"""Fetches what a server tells of its shoes by HTTP: see `docs/fairness.md`."""

import asyncio
import urllib.error
import urllib.request
from typing import Final

from croupier_client.address import ENDPOINT, Address
from croupier_client.errors import CroupierError, RejectedError, UnreachableError

FETCH_S: Final = 10.0
"""How long an answer may take."""

MOST_BYTES: Final = 16 * 1024 * 1024
"""A transcript is under a megabyte; what is longer than this is none."""

_NOT_FOUND: Final = 404


class NoShoeError(CroupierError):
    """The server does not have this shoe, or not any more; a transcript is there once its shoe has ended."""


async def fetch_commitments(address: Address, table: str, shoe: int) -> bytes:
    """The list of commitments to a shoe's cards; whether it is the right one, its digest tells.

    Raises:
        NoShoeError: it is not there.
        UnreachableError, RejectedError: there is no answer, or another.
    """
    return await asyncio.to_thread(_fetch, address, f"/shoes/{table}/{shoe}/commitments")


async def fetch_transcript(address: Address, table: str, shoe: int) -> bytes:
    """The events of a shoe that has ended, one JSON object a line; raises as `fetch_commitments` does."""
    return await asyncio.to_thread(_fetch, address, f"/shoes/{table}/{shoe}")


def _fetch(address: Address, path: str) -> bytes:
    url = "http" + address.url.removesuffix(ENDPOINT).removeprefix("ws") + path
    handlers = [urllib.request.ProxyHandler({})] if address.loopback else []
    try:
        with urllib.request.build_opener(*handlers).open(url, timeout=FETCH_S) as response:
            body: bytes = response.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == _NOT_FOUND:
                raise NoShoeError(f"{url}: {error.read(500).decode('utf-8', 'replace').strip()}") from error
            raise RejectedError(url, error.code) from error
    except (OSError, ValueError) as error:
        raise UnreachableError(f"{url}: {error}") from error
    if len(body) > MOST_BYTES:
        raise UnreachableError(f"{url}: the answer is longer than {MOST_BYTES} bytes")
    return body
