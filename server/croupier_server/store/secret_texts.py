"""Secrets that somebody shows to be known again: random texts, of which the store has the digest alone."""

import hashlib
import secrets
from typing import Final

NEW_PATTERN: Final = r"[A-Za-z0-9_-]{32}"
"""What `new_secret` makes."""


def new_secret() -> str:
    """A text of 32 characters, with 192 bits of chance in it."""
    return secrets.token_urlsafe(24)


def digest_of(secret: str) -> str:
    """What the store keeps of a secret: its SHA-256, in hexadecimal digits.

    >>> digest_of("")[:16]
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(secret.encode()).hexdigest()
