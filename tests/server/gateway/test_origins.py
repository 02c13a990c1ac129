"""A page of another site gets no websocket; the server's own page, a named one and programs do."""

import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus

from croupier_server.gateway.origins import Origins
from support.gateways import bare, gateway_on


@pytest.mark.parametrize(
    ("origin", "admitted"),
    [
        (None, True),
        ("https://tables.example:8443", True),
        ("http://Tables.Example:8443", True),
        ("https://house.example", True),
        ("https://tables.example", False),
        ("https://house.example:8443", False),
        ("https://house.example.evil.example", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("https://tables.example:8443/", False),
        ("tables.example:8443", False),
        ("https://house.example https://evil.example", False),
    ],
)
def test_whose_pages_may_connect(origin, admitted):
    headers = Headers({"Host": "tables.example:8443"})
    if origin is not None:
        headers["Origin"] = origin
    assert Origins(["https://House.example"]).admits(headers) is admitted


def test_two_origins_or_no_host_are_nobodys():
    twice = Headers({"Host": "a.example", "Origin": "https://a.example"})
    twice["Origin"] = "https://a.example"
    assert not Origins().admits(twice)
    assert not Origins().admits(Headers({"Origin": "https://a.example"}))


async def test_over_a_socket_a_foreign_page_is_refused_before_the_handshake(store):
    async with gateway_on(store.url, origins=("https://house.example",)) as running:
        for foreign in ("https://evil.example", "null"):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(running.url, proxy=None, origin=foreign):
                    pass
            assert refused.value.response.status_code == 403
        for own in (f"http://127.0.0.1:{running.port}", "https://house.example"):
            async with bare(running.url, origin=own) as client:
                assert (await client.ask(type="ping"))["type"] == "pong"
