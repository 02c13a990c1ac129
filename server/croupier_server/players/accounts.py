"""Players with an account: what the configuration says of them, and what a token of the operator's comes to.

What reads tokens is in `tokens.py`, which is loaded where there are keys: its libraries take every process a
tenth of a second.
"""

import importlib
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, Protocol, cast

from msgspec import Meta, Struct

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import PlayerId
from croupier_server.players.guests import is_guest

Algorithm = Literal["HS256", "RS256", "ES256", "EdDSA"]
"""How a token is signed, as RFC 7518 and RFC 8037 name it."""

READER: Final = "croupier_server.players.tokens"
KEYS: Final = "croupier_server.players.token_keys"

_PLAYER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")


class KeyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[identity.keys]]`: a file with a key, and how its tokens are signed; several may count at a time."""

    file: Annotated[
        str,
        Meta(
            description="The file: a public key in PEM, a secret for HS256, or a set of keys.",
            examples=["/etc/croupier/login.pem"],
        ),
    ]
    algorithm: Annotated[
        Literal["HS256", "RS256", "ES256", "EdDSA", "JWKS"],
        Meta(
            description="How tokens are signed. `JWKS` is a set of public keys (RFC 7517) that says so"
            " itself.",
            examples=["EdDSA"],
        ),
    ] = "HS256"
    id: Annotated[
        str | None,
        Meta(
            description="The `kid` of the tokens that the key is for, where they name one.",
            examples=["2027"],
        ),
    ] = None
    until: Annotated[
        datetime | None,
        Meta(
            description="After it the key opens nothing: one that was replaced is good for as long as tokens"
            " signed with it are.",
            examples=[datetime(2028, 1, 2, tzinfo=UTC)],
        ),
    ] = None


CookieName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]


class IdentityTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """`[identity]`: players with an account of the operator's, known by tokens that these keys open."""

    audience: Annotated[str, Meta(description="What tokens have as `aud`.")] = "croupier"
    issuer: Annotated[
        str | None,
        Meta(
            description="What tokens have as `iss`; not asked for unless set.",
            examples=["https://house.example"],
        ),
    ] = None
    cookie: Annotated[
        CookieName | None,
        Meta(
            description="The cookie in which the operator's login leaves a token for the browser table.",
            examples=["__Host-croupier"],
        ),
    ] = None
    sign_in_url: Annotated[
        str | None,
        Meta(
            description="Where players sign in: the browser table leads there whoever may only watch.",
            examples=["https://house.example/login"],
        ),
    ] = None
    keys: tuple[KeyFile, ...] = ()


class Holder(Struct, frozen=True):
    """Who a token says its holder is; times in milliseconds since 1970. `name` may be empty."""

    player: PlayerId
    name: str
    issued_ms: int
    expires_ms: int


class BadTokenError(Exception):
    """A token that is none, or whose time is over: `code` is `bad_token` or `token_expired`.

    Says why, for logs; never what the token holds.
    """

    def __init__(self, reason: str, code: ErrorCode = ErrorCode.BAD_TOKEN) -> None:
        super().__init__(reason)
        self.code = code


class TokenReader(Protocol):
    """Reads tokens by an operator's terms; `cookie` is the name of the cookie that may hold one, or None."""

    cookie: str | None

    def read(self, token: str, now_ms: int) -> Holder:
        """Whose token it is at that time.

        Raises:
            BadTokenError: nobody's.
        """
        ...


def open_tokens(terms: IdentityTerms, steady: Callable[[], float]) -> TokenReader | None:
    """What reads tokens by the terms; None where there are no keys. `steady` as for `KeyRing`.

    Raises:
        SetupError: as `read_keys`.
    """
    if not terms.keys:
        return None
    return cast(TokenReader, importlib.import_module(READER).reader(terms, steady))


def check_keys(files: Sequence[KeyFile]) -> None:
    """Reads every key once.

    Raises:
        SetupError: one cannot be read, or is no key for what it is to be.
    """
    if files:
        importlib.import_module(KEYS).read_keys(files)


def is_player(text: str) -> bool:
    """Whether a token may name such a player.

    >>> is_player("ana.42"), is_player("g0123456789abcdef"), is_player("a|b")
    (True, False, False)
    """
    return _PLAYER.fullmatch(text) is not None and not is_guest(PlayerId(text))
