"""Where a server is: the forms that people write, and whether that is this machine."""

import ipaddress
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from croupier_client.errors import AddressError

ENDPOINT: Final = "/ws"

_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


class Address(NamedTuple):
    """A websocket URL, and whether its host is this machine: then no proxy may come between."""

    url: str
    loopback: bool


def parse_address(text: str) -> Address:
    """The address that `text` means: ``ws://host:port``, ``http://host:port`` or ``host:port``.

    A path is kept as a prefix, so that a table behind a proxy's path is reached too.

    >>> parse_address("localhost:8000")
    Address(url='ws://localhost:8000/ws', loopback=True)
    >>> parse_address("https://tables.example.org").url
    'wss://tables.example.org/ws'
    >>> parse_address("http://[::1]:8000/ws").url
    'ws://[::1]:8000/ws'

    Raises:
        AddressError: when there is no such address.
    """
    full = text if "://" in text else f"ws://{text}"
    try:
        parts = urlsplit(full)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(f"{text!r} is no address: {error}") from None
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None:
        raise AddressError(f"{text!r} is no address: write ws://, wss://, http://, https:// or host:port")
    if not host or any(character.isspace() for character in text):
        raise AddressError(f"{text!r} is no address: write host:port, such as localhost:8000")
    if parts.username is not None or parts.query:
        raise AddressError(f"{text!r} is no address: it may have no user name and no query")
    path = parts.path.rstrip("/")
    if not path.endswith(ENDPOINT):
        path += ENDPOINT
    shown = f"[{host}]" if ":" in host else host
    return Address(f"{scheme}://{shown}{'' if port is None else f':{port}'}{path}", is_loopback(host))


def is_loopback(host: str) -> bool:
    """Whether `host` names this machine without asking anyone.

    >>> [is_loopback(host) for host in ("127.8.9.1", "::1", "localhost", "::ffff:127.0.0.1", "10.0.0.1")]
    [True, True, True, True, False]
    """
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or (mapped is not None and bool(mapped.is_loopback))
