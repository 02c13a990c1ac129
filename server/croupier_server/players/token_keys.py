"""The keys by which the operator's tokens are checked, from files that may change while the server runs."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, cast, get_args

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from msgspec import Struct

from croupier_server.errors import SetupError
from croupier_server.players.accounts import Algorithm, KeyFile
from croupier_server.watched_files import WatchedFiles

PublicKey = RSAPublicKey | EllipticCurvePublicKey | Ed25519PublicKey

LEAST_SECRET: Final = 32
"""Bytes of a secret that two share, at least: as many as the digest has (RFC 7518, 3.2)."""

LEAST_RSA: Final = 2048
"""Bits of an RSA key, at least (RFC 7518, 3.3)."""

MOST_KEYS: Final = 16
"""Keys in all. A token that names none of them may be tried with each."""


class TokenKey(Struct, frozen=True):
    """One key: what opens with it, and until when, in milliseconds since 1970."""

    algorithm: Algorithm
    id: str | None
    material: bytes | PublicKey
    until_ms: int | None

    def opens(self, algorithm: str, id_: str | None, now_ms: int) -> bool:
        """Whether it is a key for tokens of that algorithm that name that key, or none."""
        in_time = self.until_ms is None or now_ms < self.until_ms
        return in_time and self.algorithm == algorithm and (None in {id_, self.id} or self.id == id_)


def read_keys(files: Sequence[KeyFile]) -> tuple[TokenKey, ...]:
    """Every key of the files.

    Raises:
        SetupError: one cannot be read, or is no key for what it is to be.
    """
    found = tuple(key for file in files for key in _read(file))
    if len(found) > MOST_KEYS:
        raise SetupError(
            f"identity.keys: {len(found)} keys; {MOST_KEYS} at most, for a token may be tried with all"
        )
    return found


class KeyRing:
    """The keys as the files have them now. A change that breaks a file is told of, and changes nothing."""

    def __init__(self, files: Sequence[KeyFile], steady: Callable[[], float]) -> None:
        """`steady` is a clock in seconds that never goes back.

        Raises:
            SetupError: as `read_keys`.
        """
        paths = [one.file for one in files]
        self._files = WatchedFiles("the keys of tokens", paths, lambda: read_keys(files), steady)

    @property
    def keys(self) -> tuple[TokenKey, ...]:
        """The keys; looks at the files now and then."""
        return self._files.held


def _read(file: KeyFile) -> list[TokenKey]:
    path = Path(file.file)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SetupError(f"{path}: cannot be read: {error.strerror}") from error
    until_ms = None if file.until is None else int(file.until.timestamp() * 1000)
    if file.algorithm == "JWKS":
        return [TokenKey(*one, until_ms) for one in _set(path, content)]
    material = _secret(path, content) if file.algorithm == "HS256" else _public(path, content, file.algorithm)
    return [TokenKey(file.algorithm, file.id, material, until_ms)]


def _secret(path: Path, content: bytes) -> bytes:
    secret = content.strip()
    if secret.startswith(b"-----BEGIN"):
        raise SetupError(
            f"{path}: this is a key pair's, not a secret for HS256; say which `algorithm` it is for"
        )
    if len(secret) < LEAST_SECRET:
        raise SetupError(
            f"{path}: a secret for HS256 has at least {LEAST_SECRET} bytes, such as `openssl rand -hex 32`"
        )
    return secret


def _public(path: Path, content: bytes, algorithm: Algorithm) -> PublicKey:
    if b"PRIVATE KEY-----" in content:
        raise SetupError(f"{path}: this is a private key; a server that checks tokens needs the public one")
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SetupError(f"{path}: this is no public key in PEM: {error}") from error
    return _fitting(path, key, algorithm)


def _fitting(path: Path, key: object, algorithm: Algorithm) -> PublicKey:
    match algorithm, key:
        case "RS256", RSAPublicKey(key_size=size):
            if size < LEAST_RSA:
                raise SetupError(f"{path}: an RSA key has at least {LEAST_RSA} bits; this one has {size}")
        case ("ES256", EllipticCurvePublicKey(curve=SECP256R1())) | ("EdDSA", Ed25519PublicKey()):
            pass
        case _:
            raise SetupError(f"{path}: this is no key for {algorithm}")
    return cast(PublicKey, key)


def _set(path: Path, content: bytes) -> list[tuple[Algorithm, str | None, PublicKey]]:
    try:
        listed = jwt.PyJWKSet.from_dict(json.loads(content)).keys
    except (ValueError, AttributeError, TypeError, jwt.PyJWTError) as error:
        raise SetupError(f"{path}: this is no set of keys (JWKS): {error}") from error
    found = []
    for one in listed:
        if one.algorithm_name not in get_args(Algorithm) or one.algorithm_name == "HS256":
            raise SetupError(
                f"{path}: key {one.key_id}: tokens signed with {one.algorithm_name} are not taken"
            )
        algorithm = cast(Algorithm, one.algorithm_name)
        found.append((algorithm, one.key_id, _fitting(path, one.key, algorithm)))
    return found
