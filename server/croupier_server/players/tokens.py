"""Tokens of the operator's own login: who somebody is, said and signed by the operator (JWT, RFC 7519).

sub   the player: letters, digits and `_.@-`, at most 64; also its public id at the tables
aud   this server's `identity.audience`        iss   `identity.issuer`, where that is set
exp   the end of its time                      iat   when it was issued
nbf   from when on it counts, if at all        name  what others see, if it is to be said here
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import jwt

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import PlayerId
from croupier_server.players.accounts import Algorithm, BadTokenError, Holder, IdentityTerms, is_player
from croupier_server.players.names import BadNameError, normalise
from croupier_server.players.token_keys import KeyRing, TokenKey

LEEWAY_MS: Final = 10_000
"""How far the clock of whoever issued a token may be ahead of ours."""

_REQUIRED: Final = ["sub", "aud", "exp", "iat"]

_LATEST_S: Final = 2**40
"""No time of a token is later: year 36,812."""


class Tokens:
    """Reads tokens by an operator's terms."""

    def __init__(self, terms: IdentityTerms, ring: KeyRing) -> None:
        self.cookie = terms.cookie
        self._terms = terms
        self._ring = ring

    def read(self, token: str, now_ms: int) -> Holder:
        """Whose token it is at that time.

        Raises:
            BadTokenError: nobody's.
        """
        claims = self._open(token, now_ms)
        issued_ms, expires_ms = _milliseconds(claims, "iat"), _milliseconds(claims, "exp")
        if expires_ms <= now_ms:
            raise BadTokenError("its time is over", ErrorCode.TOKEN_EXPIRED)
        if max(issued_ms, _milliseconds(claims, "nbf", issued_ms)) > now_ms + LEEWAY_MS:
            raise BadTokenError("its time has not come")
        player = claims["sub"]
        if not isinstance(player, str) or not is_player(player):
            raise BadTokenError("its `sub` is no player's id")
        return Holder(PlayerId(player), _name(claims.get("name")), issued_ms, expires_ms)

    def _open(self, token: str, now_ms: int) -> Mapping[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError) as error:
            raise BadTokenError("it is no token") from error
        algorithm, id_ = header.get("alg"), header.get("kid")
        fitting = [key for key in self._ring.keys if key.opens(str(algorithm), id_, now_ms)]
        if not fitting:
            raise BadTokenError("no key opens tokens of its kind")
        failure: Exception | None = None
        for key in fitting:
            try:
                return self._opened(token, key)
            except (jwt.InvalidSignatureError, jwt.InvalidKeyError) as error:
                failure = error
            except (jwt.PyJWTError, ValueError, TypeError) as error:
                raise BadTokenError(f"it is not for this server: {type(error).__name__}") from error
        raise BadTokenError("its signature is not of this server's keys") from failure

    def _opened(self, token: str, key: TokenKey) -> Mapping[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key.material,
            algorithms=[key.algorithm],
            audience=self._terms.audience,
            issuer=self._terms.issuer,
            options={
                "require": _REQUIRED,
                # By the store's clock, and not by that of this machine: see `read`.
                "verify_exp": False,
                "verify_nbf": False,
                "verify_iat": False,
            },
        )
        return claims


def reader(terms: IdentityTerms, steady: Callable[[], float]) -> Tokens:
    """What reads tokens by the terms; `steady` as for `KeyRing`.

    Raises:
        SetupError: as `read_keys`.
    """
    return Tokens(terms, KeyRing(terms.keys, steady))


def sign(
    player: PlayerId,
    name: str,
    terms: IdentityTerms,
    key: Any,
    algorithm: Algorithm,
    now_s: int,
    lasts_s: int,
) -> str:
    """A token of `player` that lasts so many seconds; `key` is a secret, or a private key in PEM.

    Raises:
        ValueError: `key` is none for the algorithm.
    """
    claims: dict[str, object] = {
        "sub": player,
        "aud": terms.audience,
        "iat": now_s,
        "exp": now_s + lasts_s,
    }
    if name:
        claims["name"] = name
    if terms.issuer is not None:
        claims["iss"] = terms.issuer
    id_ = next((file.id for file in terms.keys if file.algorithm == algorithm), None)
    try:
        return jwt.encode(claims, key, algorithm=algorithm, headers=None if id_ is None else {"kid": id_})
    except (jwt.PyJWTError, TypeError, ValueError) as error:
        raise ValueError(f"this is no key to sign with {algorithm}: {error}") from error


def _milliseconds(claims: Mapping[str, Any], name: str, default: int = 0) -> int:
    value = claims.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LATEST_S:
        raise BadTokenError(f"its `{name}` is no time")
    return int(value * 1000)


def _name(value: object) -> str:
    """What others see; nothing where it cannot be shown, for the player can do nothing about that."""
    try:
        return normalise(value) if isinstance(value, str) else ""
    except BadNameError:
        return ""
