"""Guests: players without an account, known again by a private token that rotates.

A test player is a guest that a load tester has made; its id begins with another letter, so that whoever
counts players can tell without asking.

A token is `<player>.<secret>`. The player's id is public; the secret is stored as its SHA-256 digest only.
Each use of a token brings the next one. The one used goes on being valid until the next one has been used too
and a while has passed: an answer may be lost, and several tabs may begin from one token.
"""

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import PlayerId
from croupier_server.store import keys, scripts
from croupier_server.store.scripts import Store, run
from croupier_server.store.seats import SCANNED
from croupier_server.store.secret_texts import NEW_PATTERN, digest_of, new_secret

GRACE_MS: Final = 60_000
"""How long a token is good after the one that followed it was first used."""

MOST_TOKENS: Final = 8
"""Tokens of one guest at a time: a few tabs, and answers that were lost. The oldest goes first."""

UNUSED_MS: Final = 30 * 24 * 3_600_000
"""A guest unused for this long is closed."""

CLOSED_AT_ONCE: Final = 100
"""Guests closed by one call, so that a call stays short."""

_GUEST: Final = "g"
_TEST: Final = "t"

_PLAYER: Final = re.compile(r"[gt][0-9a-f]{16}")
_TOKEN: Final = re.compile(rf"({_PLAYER.pattern})\.({NEW_PATTERN})")


def is_guest(player: PlayerId) -> bool:
    """Whether the id is one that guests have: players with an account never do."""
    return _PLAYER.fullmatch(player) is not None


def is_test(player: PlayerId) -> bool:
    """Whether the player is a load tester's, and left out of the counts that people see."""
    return player.startswith(_TEST) and is_guest(player)


class Guest(Struct, frozen=True):
    """A guest as a connection needs it: `name` is what it chose, or empty; `resume` is its next token."""

    player: PlayerId
    name: str
    resume: str


class Guests:
    """The guests of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open(self, name: str, *, test: bool = False) -> Guest:
        """A new guest, with a normalised name or an empty one; with `test`, a test player.

        Raises:
            StoreUnavailableError: no answer; nobody will ever be that guest.
        """
        player = PlayerId(f"{_TEST if test else _GUEST}{secrets.token_hex(8)}")
        secret = new_secret()
        # Listed before it is made, so that every guest that is made is found when its time is over.
        register = await self._store.holding(keys.GUESTS_KEY)
        listed = {str(player): register.clock.now_ms()}
        await run(register.client.zadd(keys.GUESTS_KEY, listed))
        store = await self._store.holding(keys.guest_key(player))
        await store.call(scripts.GUEST_OPEN, [keys.guest_key(player)], [digest_of(secret), name])
        return Guest(player, name, f"{player}.{secret}")

    async def resume(self, token: str, name: str = "") -> Guest | None:
        """The guest of `token`, from now on called `name` if one is given; None if it is no valid token.

        Raises:
            StoreUnavailableError: no answer; the token stays valid.
        """
        match = _TOKEN.fullmatch(token)
        if match is None:
            return None
        player, secret = PlayerId(match[1]), new_secret()
        store = await self._store.holding(keys.guest_key(player))
        reply = await store.call(
            scripts.GUEST_RESUME,
            [keys.guest_key(player)],
            [digest_of(match[2]), digest_of(secret), GRACE_MS, MOST_TOKENS, name],
        )
        if reply[0] != b"ok":
            return None
        return Guest(player, reply[2].decode(), f"{player}.{secret}")

    async def close_unused(self, retire: Callable[[PlayerId], Awaitable[None]]) -> int:
        """Closes guests unused for `UNUSED_MS`; returns how many. A worker calls it now and then.

        `retire` takes the chips of a closed guest out of play. It is called again for the same player when a
        call was cut short, and has to do it once.
        """
        register = await self._store.holding(keys.GUESTS_KEY)
        before = register.clock.now_ms() - UNUSED_MS
        found = await run(
            register.client.zrange(
                keys.GUESTS_KEY, "-inf", before, byscore=True, offset=0, num=CLOSED_AT_ONCE
            )
        )
        return [await self.close(PlayerId(one.decode()), retire, UNUSED_MS) for one in found].count(True)

    async def test_players(self) -> list[PlayerId]:
        """Every test player that has not been closed."""
        register = await self._store.holding(keys.GUESTS_KEY)
        found: set[PlayerId] = set()  # a scan may tell of one twice
        cursor = 0
        while True:
            cursor, step = await run(
                register.client.zscan(keys.GUESTS_KEY, cursor, match=f"{_TEST}*", count=SCANNED)
            )
            found.update(PlayerId(one.decode()) for one, _ in step)
            if cursor == 0:
                return list(found)

    async def close(
        self, player: PlayerId, retire: Callable[[PlayerId], Awaitable[None]], unused_ms: int = 0
    ) -> bool:
        """Closes a guest that nobody has been for so long; false if somebody has, or it is closed already.

        `retire` is as for `close_unused`.
        """
        register = await self._store.holding(keys.GUESTS_KEY)
        store = await self._store.holding(keys.guest_key(player))
        reply = await store.call(scripts.GUEST_CLOSE, [keys.guest_key(player)], [unused_ms])
        if reply[0] == b"kept":
            await run(register.client.zadd(keys.GUESTS_KEY, {str(player): reply[2]}))
            return False
        if reply[0] == b"closed":
            await retire(player)
            await run(store.client.delete(keys.guest_key(player)))
        await run(register.client.zrem(keys.GUESTS_KEY, player))
        return bool(reply[0] == b"closed")
