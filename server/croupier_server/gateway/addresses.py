"""Who counts for a request, as far as limits can tell: where it comes from, or whom a trusted proxy names.

Any peer can write `X-Forwarded-For`. It is believed only as far as trusted proxies have written it: from its
right end, up to the first address that is none of theirs.
"""

import functools
import ipaddress
from collections.abc import Iterable, Sequence
from typing import Final, NewType

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

Caller = NewType("Caller", str)
"""What counts as one: an IPv4 address, or the /64 that one IPv6 subscriber has whole."""

SUBSCRIBER_BITS: Final = 64
"""Of an IPv6 address; the rest is the subscriber's own to choose."""

MOST_HOPS: Final = 16
"""Proxies behind each other that are looked at; nobody has so many."""

LONGEST_ADDRESS: Final = 100
"""Characters, with port, zone and white space around it."""

LOOPBACK: Final[tuple[Network, ...]] = (
    ipaddress.ip_network("127.0.0.0/8"),
    ipaddress.ip_network("::1/128"),
)
"""This machine, whose users could stop the server anyway. A load test comes from here too."""


class Addresses:
    """Finds the caller behind a request. Loopback and `exempt` networks are nobody's that counts.

    >>> addresses = Addresses(trusted=[network("10.0.0.0/8")])
    >>> addresses.caller("192.0.2.1", ["203.0.113.5"])
    '192.0.2.1'
    >>> addresses.caller("10.0.0.1", ["198.51.100.9, 203.0.113.5, 10.0.0.2"])
    '203.0.113.5'
    >>> addresses.caller("::1", []) is None
    True
    """

    def __init__(self, trusted: Iterable[Network] = (), exempt: Iterable[Network] = ()) -> None:
        self._trusted = tuple(trusted)
        self._exempt = (*LOOPBACK, *exempt)

    def caller(self, peer: str, forwarded: Sequence[str]) -> Caller | None:
        """Who counts for a request from `peer` with these `X-Forwarded-For`; None where no limit does.

        An exempt peer that passes a request on for others, and is not trusted to name them, counts as one:
        it is a proxy that nobody has configured, and its visitors would be under no limit at all.
        """
        parsed = parse(peer)
        if parsed is None:
            return Caller(peer)
        found = self._behind(parsed, forwarded)
        if _within(found, self._exempt) and not (forwarded and found == parsed):
            return None
        return caller_of(found)

    def _behind(self, peer: Address, forwarded: Sequence[str]) -> Address:
        """The peer, or the last one that trusted proxies name and that is none of them."""
        found = peer
        for hop in reversed(",".join(forwarded).rsplit(",", MOST_HOPS)[-MOST_HOPS:]):
            named = parse(hop)
            if named is None or not _within(found, self._trusted):
                break
            found = named
        return found


def parse(text: str) -> Address | None:
    """An address as sockets and proxies write it, with or without port or zone; None if it is none.

    >>> [str(parse(text)) for text in ("[2001:db8::1]:443", " 192.0.2.1:80", "::ffff:192.0.2.1", "fe80::1%1")]
    ['2001:db8::1', '192.0.2.1', '192.0.2.1', 'fe80::1']
    >>> parse("unknown") is None
    True
    """
    return _parsed(text) if len(text) <= LONGEST_ADDRESS else None


@functools.lru_cache(maxsize=1024)  # most requests come from a few proxies, or from this machine
def _parsed(text: str) -> Address | None:
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed


def caller_of(address: Address) -> Caller:
    """What an address counts as.

    >>> caller_of(ipaddress.ip_address("2001:db8:1:2:3:4:5:6"))
    '2001:db8:1:2::/64'
    """
    if isinstance(address, ipaddress.IPv4Address):
        return Caller(str(address))
    return Caller(str(ipaddress.ip_network((address, SUBSCRIBER_BITS), strict=False)))


def network(text: str) -> Network:
    """A network of the configuration, such as `10.0.0.0/8`, or one address.

    Raises:
        ValueError: it is none, or has bits set beyond its length.
    """
    return ipaddress.ip_network(text)


def _within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in one for one in networks)
