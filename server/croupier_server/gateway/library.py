"""What a table's shoes dealt, by HTTP: lists of commitments, and transcripts of shoes that have ended.

Both never change once they are there, so whoever stands between may keep them.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from websockets.http11 import Request, Response

from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.events import ShoeEnded
from croupier_protocol.messages.values import TableId
from croupier_server.gateway.http import NOTHING_INSIDE, names, plain, response
from croupier_server.store.errors import StoreError
from croupier_server.store.shoes import Shoes

MOST_REMEMBERED: Final = 32
"""Bodies kept at hand, of 13 kB for a list and about 200 kB for a transcript."""

_PATH: Final = re.compile(r"/shoes/([a-z0-9][a-z0-9-]{0,47})/([1-9][0-9]{0,14})(/commitments)?")

_FOR_EVER: Final = "public, max-age=31536000, immutable"


class Library:
    """Answers requests below `/shoes/`."""

    def __init__(self, shoes: Callable[[TableId], Shoes | None]) -> None:
        """`shoes` tells where those of a table are; None where there is no such table."""
        self._shoes = shoes
        self._remembered: OrderedDict[str, tuple[str, bytes]] = OrderedDict()

    async def respond(self, request: Request) -> Response | None:
        """The answer to a request; None when it asks for something else."""
        path = request.path.partition("?")[0]
        if not path.startswith("/shoes/"):
            return None
        wanted = _PATH.fullmatch(path)
        if wanted is None:
            return plain(HTTPStatus.NOT_FOUND, "Ask for /shoes/TABLE/SHOE[/commitments].\n")
        try:
            found = await self._find(path, TableId(wanted[1]), int(wanted[2]), listed=wanted[3] is not None)
        except StoreError:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, "The store is away; try again.\n")
        if found is None:
            return plain(
                HTTPStatus.NOT_FOUND,
                "There is no such shoe, or not any more; a transcript is there when its shoe has ended.\n",
            )
        kind, body = found
        tag = f'"{hashlib.sha256(body).hexdigest()}"'
        kept = (("ETag", tag), ("Cache-Control", _FOR_EVER), ("Access-Control-Allow-Origin", "*"))
        headers = (*kept, *NOTHING_INSIDE)
        if names(request.headers, tag):
            return response(HTTPStatus.NOT_MODIFIED, kind, b"", headers)
        return response(HTTPStatus.OK, kind, body, headers)

    async def _find(self, path: str, table: TableId, shoe: int, *, listed: bool) -> tuple[str, bytes] | None:
        found = self._remembered.get(path)
        if found is None:
            shoes = self._shoes(table)
            if shoes is None:
                return None
            made = await (shoes.commitments(table, shoe) if listed else _transcript(shoes, table, shoe))
            if made is None:
                return None
            found = ("application/octet-stream" if listed else "application/jsonl", made)
            self._remembered[path] = found
            while len(self._remembered) > MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        return found


async def _transcript(shoes: Shoes, table: TableId, shoe: int) -> bytes | None:
    """The events of a shoe that has ended, one JSON object a line, as `croupier watch --json` prints them."""
    events = [MSGPACK.decode_message(event) for event in await shoes.events(table, shoe)]
    if not events or not isinstance(events[-1], ShoeEnded):
        return None
    return b"".join(JSON.encode(event) + b"\n" for event in events)  # type: ignore[arg-type]  # all known
