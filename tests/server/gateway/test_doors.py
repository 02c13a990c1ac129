"""Door × action × role at the players' port: an operator's actions are not there, for nobody and by no means.

The same at the admin port is in `tests/server/operator_api/test_doors.py`.
"""

import json

import aiohttp
import pytest

from croupier_server.browser_table import browser_table
from croupier_server.gateway.site import Site
from croupier_server.operator_api.methods import METHODS
from croupier_server.players.guests import Guests
from support.gateways import bare, gateway_on
from support.operator_api import KEY
from support.players import standing
from support.tokens import of, reader_of_secret

CODECS = ("croupier.v1.json", "croupier.v1.msgpack")
ROLES = ("nobody", "guest", "player")
ASKED = {"table": "standard", "player": "ana", "amount": 500, "reason": "because", "op": "an-op-001"}
ONES_OWN = {"limits", "exclude"}
"""Commands by which players limit themselves: they name nobody, and refuse to."""

OF_THE_ADMIN_PORT = ("/metrics", "/readyz", "/healthz", "/debug", "/api", "/api/openapi.json")


@pytest.fixture
async def gateway(store, pit, tmp_path):
    """A gateway for guests and for players with an account, with a table that stands in a window."""
    tokens = reader_of_secret(tmp_path)
    site = Site(browser_table())
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url, site=site, tokens=tokens) as running,
    ):
        yield running


@pytest.fixture
async def proofs(pit):
    """What each role says first."""
    guest = await Guests(pit.store).open("Ana")
    return {"nobody": {}, "guest": {"resume": guest.resume}, "player": {"token": of("ana")}}


async def everything(pit):
    """All that the store holds, but for when guests were last there."""
    keys = [key for key in await pit.client.keys() if not key.endswith((b":guest", b":guests"))]
    return {key: await pit.client.dump(key) for key in keys}


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("role", ROLES)
async def test_over_a_websocket_there_is_none_of_the_operators_actions(gateway, pit, proofs, role, codec):
    async with bare(gateway.url, codec) as client:
        assert (await client.ask(type="hello", **proofs[role]))["type"] == "welcome"
    before = await everything(pit)
    for method in METHODS:
        async with bare(gateway.url, codec) as client:
            await client.ask(type="hello", **proofs[role])
            for name in {method, method.partition(".")[2] or method, method.replace(".", "_")} - {"rounds"}:
                await client.send(type=name, key=KEY, **ASKED)
                answer = await client.until("error")
                assert (name, answer["code"]) == (name, "invalid" if name in ONES_OWN else "unknown_type")
            await client.send(type="deal", table="standard", round=1, op="an-op-002", order=method, key=KEY)
            assert (await client.until("error"))["code"] == "invalid"
    assert await everything(pit) == before


@pytest.mark.parametrize("role", ROLES)
async def test_over_http_there_is_nothing_of_the_admin_port(gateway, pit, proofs, role):
    base = gateway.url.replace("ws://", "http://").removesuffix("/ws")
    shown = next(iter(proofs[role].values()), None)
    keys = [{"X-API-Key": key} for key in (KEY, shown) if key] + [{"Authorization": f"Bearer {shown or KEY}"}]
    keys.append({"Cookie": f"__Host-croupier={shown}; X-API-Key={KEY}"})
    before = await everything(pit)
    async with aiohttp.ClientSession() as session:
        for path in (*(f"/api/{method}" for method in METHODS), *OF_THE_ADMIN_PORT):
            for headers in keys:
                for verb in ("GET", "POST", "PUT", "DELETE"):
                    status = await asked(session, verb, base + path, headers)
                    assert status in {404, 405, None}, (verb, path, headers)
    assert await everything(pit) == before


async def asked(session, verb: str, url: str, headers: dict[str, str]) -> int | None:
    """The status of the answer; None where the connection is ended for its body, which no file takes."""
    body = None if verb == "GET" else json.dumps(ASKED)
    try:
        async with session.request(verb, url, headers=headers, data=body) as answer:
            return answer.status
    except aiohttp.ServerDisconnectedError:
        return None
