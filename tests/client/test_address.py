"""The forms of an address that people write."""

import pytest

from croupier_client.address import parse_address
from croupier_client.errors import AddressError


@pytest.mark.parametrize(
    ("text", "url", "loopback"),
    [
        ("ws://tables.example:8000", "ws://tables.example:8000/ws", False),
        ("http://tables.example:8000", "ws://tables.example:8000/ws", False),
        ("tables.example:8000", "ws://tables.example:8000/ws", False),
        ("tables.example", "ws://tables.example/ws", False),
        ("https://tables.example/", "wss://tables.example/ws", False),
        ("wss://tables.example/ws", "wss://tables.example/ws", False),
        ("https://example.org/baccarat/", "wss://example.org/baccarat/ws", False),
        ("localhost:8000", "ws://localhost:8000/ws", True),
        ("LOCALHOST:8000", "ws://localhost:8000/ws", True),
        ("a.localhost:8000", "ws://a.localhost:8000/ws", True),
        ("127.1.2.3:8000", "ws://127.1.2.3:8000/ws", True),
        ("[::1]:8000", "ws://[::1]:8000/ws", True),
        ("http://[::ffff:127.0.0.1]:8000", "ws://[::ffff:127.0.0.1]:8000/ws", True),
        ("[2001:db8::1]:8000", "ws://[2001:db8::1]:8000/ws", False),
        ("127.example.org:8000", "ws://127.example.org:8000/ws", False),
    ],
)
def test_every_form_leads_to_the_endpoint(text, url, loopback):
    assert parse_address(text) == (url, loopback)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ftp://example.org",
        "http://",
        "ws://:8000",
        "host:port",
        "host:99999",
        "a b",
        "ws://user:secret@example.org",
        "ws://example.org?token=x",
        "[::1",
    ],
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(AddressError):
        parse_address(text)
