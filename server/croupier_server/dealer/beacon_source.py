"""Asks the source of a public beacon for a round's value. Loaded when one is named: see `beacon.py`."""

from typing import Final

import aiohttp
import msgspec

from croupier_protocol.messages.values import Beacon
from croupier_server.table.beacon import ROUND

ATTEMPT_S: Final = 2.0
"""How long one answer may take."""

MOST_BYTES: Final = 65_536
"""An answer that is longer is none."""

LEAST_VALUE: Final = 16
MOST_VALUE: Final = 64
"""Bytes of a value."""

_OK: Final = 200


class BeaconError(Exception):
    """A source does not have a value now; says why."""


async def fetch(beacon: Beacon) -> bytes:
    """The value of a round that has been drawn.

    Raises:
        BeaconError: the source does not have it, or has something else.
    """
    url, _, member = beacon.source.replace(ROUND, str(beacon.round)).partition("#")
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ATTEMPT_S)) as session,
            session.get(url, allow_redirects=False) as response,
        ):
            if response.status != _OK:
                raise BeaconError(f"{url} answers with status {response.status}")
            body = bytearray()
            async for part in response.content.iter_any():
                body += part
                if len(body) > MOST_BYTES:
                    raise BeaconError(f"{url} answers with more than {MOST_BYTES} bytes")
        value = bytes.fromhex(msgspec.json.decode(body, type=dict[str, object])[member])  # type: ignore[arg-type]  # TypeError when it is no text
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise BeaconError(f"{url} does not answer: {error!r}") from error
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BeaconError(f"{url} has no value under {member!r}: {error!r}") from error
    if not LEAST_VALUE <= len(value) <= MOST_VALUE:
        raise BeaconError(f"{url} has a value of {len(value)} bytes, not of {LEAST_VALUE} to {MOST_VALUE}")
    return value
