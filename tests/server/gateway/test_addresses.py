"""Who counts for a request: which forwarding headers are believed, and what is one subscriber."""

import pytest

from croupier_server.gateway.addresses import Addresses, network

PROXIES = [network("10.0.0.0/8"), network("2001:db8:f::/48")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "caller"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["203.0.113.5"], "192.0.2.1"),
        ("192.0.2.1", ["127.0.0.1"], "192.0.2.1"),
        ("10.0.0.1", ["203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["198.51.100.7, 203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["198.51.100.7", "203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["10.9.9.9, 203.0.113.5 ,10.0.0.2, 10.0.0.3"], "203.0.113.5"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5, _hidden, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5:4711"], "203.0.113.5"),
        ("10.0.0.1", ["[2001:db8:1:2::9]:4711"], "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", ["::ffff:203.0.113.5"], "203.0.113.5"),
        ("2001:db8:f:1::1", ["203.0.113.5"], "203.0.113.5"),
        ("fe80::1%eth0", [], "fe80::/64"),
        ("", [], ""),
    ],
)
def test_a_forwarding_header_is_believed_as_far_as_trusted_proxies_wrote_it(peer, forwarded, caller):
    """L8: the rightmost one that is no proxy's; what stands left of it anybody may have written."""
    assert Addresses(PROXIES).caller(peer, forwarded) == caller


def test_all_addresses_of_one_ipv6_subscriber_are_one_caller_and_its_neighbour_is_another():
    """L8."""
    addresses = Addresses()
    assert {addresses.caller(f"2001:db8:1:2::{number:x}", []) for number in range(100)} == {
        "2001:db8:1:2::/64"
    }
    assert addresses.caller("2001:db8:1:3::1", []) == "2001:db8:1:3::/64"


def test_a_header_of_many_forged_hops_is_not_walked_through():
    forged = ",".join(["10.0.0.2"] * 100_000)
    assert Addresses(PROXIES).caller("10.0.0.1", [f"203.0.113.5,{forged}"]) == "10.0.0.2"


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "198.51.100.7"])
def test_this_machine_and_exempt_networks_are_not_counted(peer):
    addresses = Addresses(exempt=[network("198.51.100.0/24")])
    assert addresses.caller(peer, []) is None
    assert addresses.caller("198.51.101.7", []) == "198.51.101.7"


def test_behind_a_trusted_proxy_on_this_machine_its_visitors_are_counted():
    addresses = Addresses([network("127.0.0.1")])
    assert addresses.caller("127.0.0.1", ["127.0.0.1, 203.0.113.5"]) == "203.0.113.5"


def test_a_proxy_on_this_machine_that_is_not_trusted_counts_as_one_caller():
    """L8: not counting this machine would lift the limit for all its visitors."""
    assert Addresses().caller("127.0.0.1", ["203.0.113.5"]) == "127.0.0.1"
