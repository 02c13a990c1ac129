"""The keys that open the operator's API: kept as SHA-256 digests, compared in constant time."""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from croupier_server.errors import SetupError
from croupier_server.watched_files import WatchedFiles

_KEY: Final = re.compile(r"[!-~]{32,256}", re.ASCII)
"""Long enough that nobody guesses one, and no longer than a header takes."""

MOST_KEYS: Final = 16
"""Keys in all: each is compared with what a request brings."""

ID_DIGITS: Final = 8
"""So much of a key's digest names it in the log."""

HexDigest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class ApiTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """`[api]`: who may use the operator's API on the admin port. Without a key nobody may."""

    key_digests: Annotated[
        tuple[HexDigest, ...],
        Meta(
            description="SHA-256 digests of keys, in lower-case hexadecimal digits: `printf %s KEY |"
            " sha256sum` prints one. A key has 32 to 256 visible ASCII characters: `openssl rand -hex 32`"
            " makes one.",
        ),
    ] = ()
    key_files: Annotated[
        tuple[str, ...],
        Meta(description="Files with keys, one a line; they are read again when they change."),
    ] = ()

    @property
    def closed(self) -> bool:
        """Whether no key is configured."""
        return not self.key_digests and not self.key_files


class ApiKeys:
    """The keys as configuration and files have them now. `steady` is a clock that never goes back.

    Raises, when made:
        SetupError: as `read_keys`.
    """

    def __init__(self, terms: ApiTerms, steady: Callable[[], float]) -> None:
        self._files = WatchedFiles("the keys of the API", terms.key_files, lambda: read_keys(terms), steady)

    def open_with(self, key: str) -> str | None:
        """The short name of the key that this is; None when it is none.

        It takes as long whichever key it is like, and however far.
        """
        sent = hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
        found = [digest for digest in self._files.held if hmac.compare_digest(digest, sent)]
        return found[0].hex()[:ID_DIGITS] if found and _KEY.fullmatch(key) else None


def read_keys(terms: ApiTerms) -> tuple[bytes, ...]:
    """The digests of all keys.

    Raises:
        SetupError: a file cannot be read, or holds what is no key; or there are too many.
    """
    digests = [bytes.fromhex(one) for one in terms.key_digests]
    digests += [hashlib.sha256(key.encode()).digest() for file in terms.key_files for key in _keys_in(file)]
    if len(digests) > MOST_KEYS:
        raise SetupError(f"api: {len(digests)} keys; {MOST_KEYS} at most")
    return tuple(digests)


def _keys_in(file: str) -> Iterator[str]:
    try:
        lines = Path(file).read_bytes().decode("ascii", "replace").split()
    except OSError as error:
        raise SetupError(f"{file}: cannot be read: {error.strerror}") from error
    if not lines or not all(_KEY.fullmatch(line) for line in lines):
        raise SetupError(f"{file} must hold keys of 32 to 256 visible ASCII characters, one a line")
    yield from lines
