"""`[webhooks]`: who is told, and the secrets that deliveries are signed with."""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from croupier_server.errors import SetupError

MOST_RECEIVERS: Final = 8

SECRET_MARK: Final = "whsec_"  # noqa: S105  # what is before the secret
"""How a secret is written: this, and 24 to 64 random bytes in base64 (as Standard Webhooks has it)."""


class WebhookTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """`[webhooks]`: addresses that are told of settled and void rounds and of players without chips."""

    urls: Annotated[
        tuple[str, ...],
        Meta(
            description="Addresses, http:// or https://, each of which gets every event by POST.",
            extra={"secret": True},
        ),
    ] = ()
    secret_file: Annotated[
        str | None,
        Meta(
            description=f"File with the secret that deliveries are signed with, `{SECRET_MARK}` and 24 to 64"
            " bytes in base64; with several, one a line, each signs. It is read again when it changes.",
            examples=["/etc/croupier/webhooks.secret"],
        ),
    ] = None


def receiver_id(url: str) -> str:
    """What the store calls a receiver: nothing of an address can be told from it."""
    return hashlib.sha256(url.encode()).hexdigest()[:16]


def read_webhook_secrets(terms: WebhookTerms) -> tuple[bytes, ...]:
    """The secrets of the file.

    Raises:
        SetupError: there is none, it cannot be read, or holds something else.
    """
    if terms.secret_file is None:
        raise SetupError("secret_file: name a file with the secret that deliveries are to be signed with")
    path = Path(terms.secret_file)
    try:
        lines = path.read_bytes().decode("ascii", "replace").split()
    except OSError as error:
        raise SetupError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        secrets = tuple(base64.b64decode(line.removeprefix(SECRET_MARK), validate=True) for line in lines)
    except ValueError:
        secrets = ()
    marked = all(line.startswith(SECRET_MARK) for line in lines)
    if not secrets or not marked or not all(24 <= len(secret) <= 64 for secret in secrets):
        raise SetupError(
            f"{path} must hold {SECRET_MARK} and 24 to 64 bytes in base64, or several, one a line"
        )
    return secrets


def webhook_faults(terms: WebhookTerms) -> Iterator[tuple[str, str]]:
    """What is wrong with them: key and reason."""
    if len(set(terms.urls)) != len(terms.urls) or len(terms.urls) > MOST_RECEIVERS:
        yield "urls", f"{MOST_RECEIVERS} different addresses at most"
    for index, url in enumerate(terms.urls):
        try:
            parts = urlsplit(url)
            fine = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            fine = False
        if not fine or not url.isascii() or not url.isprintable() or " " in url:
            yield f"urls[{index}]", "name an address such as https://house.example/croupier"
    if terms.urls or terms.secret_file is not None:
        try:
            read_webhook_secrets(terms)
        except SetupError as error:
            yield "secret_file", str(error).removeprefix("secret_file: ")
