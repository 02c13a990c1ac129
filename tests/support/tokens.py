"""Tokens made by hand, from RFC 7515 and 7519 alone, and what reads them as an operator would have it."""

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path

from croupier_server.players.accounts import IdentityTerms, KeyFile, TokenReader, open_tokens

SECRET = b"a secret that operator and server share, thirty-two bytes or more"


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(claims: dict, sign, **header) -> str:
    """A token whose signature is what `sign` makes of its other two parts."""
    parts = [b64(json.dumps(one).encode()) for one in ({"typ": "JWT", **header}, claims)]
    text = ".".join(parts)
    return f"{text}.{b64(sign(text.encode()))}"


def hs256(secret: bytes = SECRET, **claims) -> str:
    """A token signed with a shared secret."""
    return signed(claims, lambda text: hmac.digest(secret, text, hashlib.sha256), alg="HS256")


def of(player: str, lasts_s: float = 600, issued_s: float = 0, secret: bytes = SECRET, **claims) -> str:
    """A good token of `player`, by this machine's clock, which is the store's too."""
    now = time.time()
    times = {"iat": now + issued_s, "exp": now + lasts_s}
    return hs256(secret, **{"sub": player, "aud": "croupier", **times, **claims})


def reader_of_secret(folder: Path, cookie: str | None = None) -> TokenReader:
    """What reads tokens of `SECRET`, which is put into `folder`, also from a cookie of that name."""
    file = folder / "secret"
    file.write_bytes(SECRET)
    return open_tokens(IdentityTerms(keys=(KeyFile(str(file)),), cookie=cookie), time.monotonic)
