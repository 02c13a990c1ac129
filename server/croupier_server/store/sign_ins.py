"""Sign-ins without a token: a code that is good once, and what it is exchanged for.

Both are random texts of which the store has only the digest, under a key that ends by itself. A code goes
through an address bar, so it is good for a minute and for one use. What it brings stays in one window of the
browser, and is that player's until it ends.
"""

import re
from typing import Final

import msgspec
from msgspec import Struct

from croupier_protocol.messages.values import PlayerId
from croupier_server.store import keys
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.scripts import Store, run
from croupier_server.store.secret_texts import NEW_PATTERN, digest_of, new_secret

CODE_MS: Final = 60_000
"""How long a code is good: to load a page. Whoever finds it later, in a history or a log, has nothing."""

SIGN_IN_MS: Final = 12 * 3_600_000
"""How long a sign-in by a code lasts: an evening at the tables. The next one needs another code."""

_CODE: Final = re.compile(NEW_PATTERN)
_SIGN_IN: Final = re.compile(rf"s\.{NEW_PATTERN}")


class Code(Struct, frozen=True):
    """A code, and until when it is good in store milliseconds; whoever shows it first is the player."""

    code: str
    expires_ms: int


class SignIn(Struct, frozen=True):
    """Whose sign-in it is; times in store milliseconds. `name` may be empty.

    It was issued when its code was: a revocation between the two voids both.
    """

    player: PlayerId
    name: str
    issued_ms: int
    expires_ms: int


def is_sign_in(resume: str) -> bool:
    """Whether a resume token has the form of a sign-in's, and not of a guest's.

    >>> is_sign_in("s." + "A" * 32), is_sign_in("g0123456789abcdef." + "A" * 32)
    (True, False)
    """
    return _SIGN_IN.fullmatch(resume) is not None


class SignIns:
    """The codes and sign-ins of a store, good at every server on it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def offer(self, player: PlayerId, name: str) -> Code:
        """A new code for `player`, with a normalised name or an empty one.

        Raises:
            StoreUnavailableError: no answer; nobody has the code.
        """
        code = new_secret()
        key = keys.code_key(digest_of(code))
        store = await self._store.holding(key)
        now_ms = await store.time_ms()
        record = SignIn(player, name, now_ms, now_ms + CODE_MS)
        await run(store.client.set(key, msgspec.json.encode(record), px=CODE_MS))
        return Code(code, record.expires_ms)

    async def exchange(self, code: str) -> tuple[str, SignIn] | None:
        """The sign-in of a code, with its resume token; None if it is none, or not any more.

        The code is gone whatever happens then.

        Raises:
            StoreUnavailableError: no answer; the code may be gone.
        """
        if _CODE.fullmatch(code) is None:
            return None
        key = keys.code_key(digest_of(code))
        store = await self._store.holding(key)
        found = await run(store.client.getdel(key))
        if found is None:
            return None
        offered = _record(key, found)
        resume = f"s.{new_secret()}"
        record = msgspec.structs.replace(offered, expires_ms=offered.issued_ms + SIGN_IN_MS)
        key = keys.sign_in_key(digest_of(resume))
        store = await self._store.holding(key)
        await run(store.client.set(key, msgspec.json.encode(record), px=SIGN_IN_MS))
        return resume, record

    async def of(self, resume: str) -> SignIn | None:
        """The sign-in of a resume token that `is_sign_in`; None if it is nobody's, or has ended.

        Raises:
            StoreUnavailableError: nobody knows.
        """
        key = keys.sign_in_key(digest_of(resume))
        store = await self._store.holding(key)
        found = await run(store.client.get(key))
        return None if found is None else _record(key, found)


def _record(key: str, found: bytes) -> SignIn:
    try:
        return msgspec.json.decode(found, type=SignIn)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedRecordError(f"{key}: {error}") from error
