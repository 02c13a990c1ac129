"""Ports: bound, or refused in one line."""

import socket

import pytest

from croupier_server import ports
from croupier_server.errors import SetupError


@pytest.mark.parametrize("host", ["x" * 64 + ".example", "192.0.2.1"])
async def test_an_address_that_cannot_be_bound_is_a_setup_error(host):
    with pytest.raises(SetupError, match=f"cannot listen on {host} port 0"):
        await ports.bind_port(host, 0)


async def test_what_is_no_address_and_no_name_is_told_as_such():
    with pytest.raises(SetupError, match=r"cannot listen on ::zz port 0: [A-Za-z ,]*(known|name)[a-z ,]*$"):
        await ports.bind_port("::zz", 0)


async def test_a_taken_port_is_a_setup_error_after_a_few_tries(monkeypatch):
    """A few, because the worker of a killed supervisor needs a moment to end."""
    monkeypatch.setattr(ports, "PORT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SetupError, match=f"port {port}: Address already in use"):
            await ports.bind_port("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.0.2.1", False),
        ("casino.example", False),
        ("localhost.example", False),
    ],
)
def test_who_can_connect_to_an_address(host, alone):
    assert ports.is_loopback(host) is alone
