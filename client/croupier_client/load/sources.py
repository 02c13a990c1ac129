"""The addresses of this machine to connect from: one has about 28,000 ports, and so as many sockets."""

import ipaddress
import itertools
from collections.abc import Sequence
from typing import Final

from croupier_client.load.errors import SourceError

MOST_SOURCES: Final = 4096
"""Addresses taken from one network: enough for a hundred million sockets."""


def parse_sources(texts: Sequence[str]) -> tuple[str, ...]:
    """The addresses that the texts mean, each an address or a network.

    >>> parse_sources(["127.0.0.8/30", "10.0.0.1"])
    ('127.0.0.9', '127.0.0.10', '10.0.0.1')

    Raises:
        SourceError: a text means none.
    """
    found: list[str] = []
    for text in texts:
        try:
            network = ipaddress.ip_network(text, strict=False)
        except ValueError:
            raise SourceError(f"{text!r} is neither an address nor a network such as 127.0.0.0/8") from None
        found += [str(host) for host in itertools.islice(network.hosts(), MOST_SOURCES)]
    return tuple(found)


def source_for(sources: Sequence[str], number: int) -> str | None:
    """Where connection `number` comes from: each address in turn; None lets the system choose."""
    return sources[number % len(sources)] if sources else None
