"""The connections whose players an operator has signed in: each is ended when that counts no more."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final

from croupier_protocol.messages.errors import CloseCode, ErrorCode
from croupier_server.gateway.outlet import Outlet, cut
from croupier_server.gateway.replies import RefusedError
from croupier_server.players.accounts import BadTokenError, Holder, TokenReader
from croupier_server.store.errors import StoreError
from croupier_server.store.revocations import Revocations
from croupier_server.store.sign_ins import SignIn, SignIns

logger = logging.getLogger(__name__)

LOOK_S: Final = 1.0
"""Between two looks at all of them: a player whose tokens are revoked goes on for so long at most."""

LEFT_MS: Final = 15_000
"""How long a connection lasts after its token's time: for a new token, and to see a hand to its end."""

ASKED_AT_ONCE: Final = 500
"""Players whose revocations are asked for in one command."""


class Holders:
    """Who of one gateway's connections holds a token or a sign-in. `now_ms` is the store's clock."""

    def __init__(
        self,
        tokens: TokenReader | None,
        sign_ins: SignIns,
        revocations: Revocations,
        now_ms: Callable[[], int],
    ) -> None:
        """Without `tokens` players with an account come by codes alone."""
        self._tokens = tokens
        self._sign_ins = sign_ins
        self._revocations = revocations
        self._now_ms = now_ms
        self._held: dict[Outlet, Holder] = {}
        self._goodbyes: set[asyncio.Task[None]] = set()

    async def claim(self, outlet: Outlet, token: str) -> Holder:
        """Whose token it is; from now on `outlet` is looked after by it.

        Raises:
            RefusedError: nobody's here, or not any more; nothing has changed.
            StoreUnavailableError: nobody knows.
        """
        if self._tokens is None:
            raise RefusedError(ErrorCode.SIGN_IN_NEEDED)
        try:
            holder = self._tokens.read(token, self._now_ms())
        except BadTokenError as error:
            logger.info("a token was refused: %s", error)
            raise RefusedError(error.code) from error
        return await self._hold(outlet, holder)

    async def exchange(self, outlet: Outlet, code: str) -> tuple[str, Holder]:
        """Whom a one-time code signs in, and the resume token for it, as `claim`."""
        exchanged = await self._sign_ins.exchange(code)
        if exchanged is None:
            raise RefusedError(ErrorCode.BAD_CODE)
        resume, sign_in = exchanged
        return resume, await self._hold(outlet, _holder(sign_in))

    async def resume(self, outlet: Outlet, resume: str) -> Holder:
        """Whose the resume token of a sign-in is, as `claim`."""
        sign_in = await self._sign_ins.of(resume)
        if sign_in is None:
            raise RefusedError(ErrorCode.BAD_RESUME)
        if sign_in.expires_ms <= self._now_ms():
            raise RefusedError(ErrorCode.TOKEN_EXPIRED)
        return await self._hold(outlet, _holder(sign_in))

    def forget(self, outlet: Outlet) -> None:
        """The connection has ended, or is somebody else's."""
        self._held.pop(outlet, None)

    def check(self, outlet: Outlet) -> None:
        """Whether the connection may do what only a player may.

        Raises:
            RefusedError: its token's time is over.
        """
        holder = self._held.get(outlet)
        if holder is not None and holder.expires_ms <= self._now_ms():
            raise RefusedError(ErrorCode.TOKEN_EXPIRED)

    async def _hold(self, outlet: Outlet, holder: Holder) -> Holder:
        if _is_void(holder, (await self._revocations.of([holder.player])).get(holder.player)):
            raise RefusedError(ErrorCode.TOKEN_REVOKED)
        self._held[outlet] = holder
        return holder

    async def run(self) -> None:
        """Ends connections whose tokens count no more, until cancelled, whatever happens to the store."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self._look()
            except StoreError as error:
                logger.warning("nobody's tokens were looked at: %s", error)

    async def _look(self) -> None:
        over_ms = self._now_ms() - LEFT_MS
        for outlet, holder in list(self._held.items()):
            if holder.expires_ms <= over_ms:
                self._end(outlet, CloseCode.TOKEN_EXPIRED)
        players = list({holder.player for holder in self._held.values()})
        void = {}
        for first in range(0, len(players), ASKED_AT_ONCE):
            void.update(await self._revocations.of(players[first : first + ASKED_AT_ONCE]))
        for outlet, holder in list(self._held.items()):
            if _is_void(holder, void.get(holder.player)):
                self._end(outlet, CloseCode.TOKEN_REVOKED)

    def _end(self, outlet: Outlet, code: CloseCode) -> None:
        self.forget(outlet)
        goodbye = asyncio.create_task(_say_goodbye(outlet, code))
        self._goodbyes.add(goodbye)
        goodbye.add_done_callback(self._goodbyes.discard)


def _holder(sign_in: SignIn) -> Holder:
    return Holder(sign_in.player, sign_in.name, sign_in.issued_ms, sign_in.expires_ms)


def _is_void(holder: Holder, until_ms: int | None) -> bool:
    return until_ms is not None and holder.issued_ms <= until_ms


async def _say_goodbye(outlet: Outlet, code: CloseCode) -> None:
    logger.info("connection %s: %s", outlet.connection.id, code.name.lower().replace("_", " "))
    with contextlib.suppress(Exception):
        await cut(outlet, code)
