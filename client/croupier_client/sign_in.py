"""Who a client says it is: at each connection, and before the time of an operator's token is over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec.structs import replace

from croupier_client.errors import LinkLostError
from croupier_client.link import Link
from croupier_client.timing import Timing
from croupier_protocol.messages.to_client import Welcome
from croupier_protocol.messages.to_server import Hello
from croupier_protocol.messages.values import RequestId

RENEW_S: Final = 30.0
"""So long before the end of its time a token is replaced; a short one after half of its time."""

RENEW_AGAIN_S: Final = 1.0
"""Between two attempts to get a new token."""

TokenSource = Callable[[], Awaitable[str]]
"""Gets a token of the operator's, as by asking its login."""

_log = logging.getLogger(__name__)


class SignIn:
    """What a client says in `hello`; the token is new each time where there is a source of tokens.

    A one-time code is said until it has been answered; from then on what it brought, a token to resume with.
    """

    def __init__(
        self,
        hello: Hello,
        token: str | TokenSource | None,
        timing: Timing,
        next_id: Callable[[], RequestId],
    ) -> None:
        self.hello = hello
        self._token = token
        self._timing = timing
        self._next_id = next_id
        self._renewing: asyncio.Task[None] | None = None

    async def say(self, link: Link, id_: RequestId) -> None:
        """Says hello. What the source of tokens raises is passed on."""
        token = self._token if self._token is None or isinstance(self._token, str) else await self._token()
        await link.send(replace(self.hello, id=id_, token=token))

    def welcomed(self, link: Link, welcome: Welcome) -> None:
        """Takes in the answer: a guest's next token, what a code has brought, or when a token is over."""
        self.hello = replace(self.hello, code=None, resume=welcome.resume or self.hello.resume)
        if welcome.expires_ms is not None and callable(self._token):
            self.lost()
            left_s = (welcome.expires_ms - welcome.server_ms) / 1000
            self._renewing = asyncio.create_task(self._renew(link, left_s))

    def lost(self) -> None:
        """The connection is gone: the next one begins anew."""
        if self._renewing is not None:
            self._renewing.cancel()
            self._renewing = None

    async def _renew(self, link: Link, left_s: float) -> None:
        await self._timing.sleep(max(left_s - RENEW_S, left_s / 2))
        while True:
            try:
                await self.say(link, self._next_id())
            except LinkLostError:
                return
            except Exception as error:  # noqa: BLE001 - it is the caller's, and may pass
                _log.warning("no new token: %r", error)
                await self._timing.sleep(RENEW_AGAIN_S)
            else:
                return
