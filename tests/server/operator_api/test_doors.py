"""Door × action × role: whoever is not the operator gets through none of the API's methods, by no means."""

import json

import pytest

from croupier_server.operator_api.methods import METHODS
from croupier_server.players.guests import Guests
from support.operator_api import KEY
from support.tokens import of

NAMES = (
    "tables.list",
    "tables.add",
    "tables.void",
    "tables.pause",
    "tables.resume",
    "tables.abandon",
    "tables.close",
    "tables.remove",
    "tables.clear-alarm",
    "tables.rounds",
    "wallet.show",
    "wallet.credit",
    "wallet.debit",
    "players.code",
    "players.revoke",
    "players.limits",
    "players.limit",
    "players.exclude",
    "players.rounds",
    "significant.list",
    "audit",
)


def test_these_are_the_methods():
    assert tuple(METHODS) == NAMES


@pytest.fixture
async def roles(pit):
    """What each role has to show, as headers; only the operator's counts."""
    guest = await Guests(pit.store).open("Ana")
    token = of("ana")
    return {
        "nobody": {},
        "a stranger": {"X-API-Key": "a-wrong-key-that-is-long-enough-to-be-one"},
        "a player": {"X-API-Key": token},
        "a player as the bearer": {"X-API-Key": None, "Authorization": f"Bearer {token}"},
        "a guest": {"X-API-Key": guest.resume},
        "a page with a cookie": {"X-API-Key": None, "Cookie": f"X-API-Key={KEY}; token={token}"},
        "the key as bearer": {"X-API-Key": None, "Authorization": f"Bearer {KEY}"},
    }


@pytest.mark.parametrize("name", NAMES)
async def test_nobody_but_the_operator_may(operator, roles, pit, name):
    before = {key: await pit.client.dump(key) for key in await pit.client.keys()}
    body = json.dumps({"table": "standard", "player": "ana", "op": "an-op-001", "reason": "x"}).encode()
    for role, headers in roles.items():
        status, _, answer = await operator.send(f"/api/{name}", body=body, **{"key": None, **headers})
        assert (role, status, answer["code"]) == (role, 401, "bad_key")
    for path in (f"/api/{name}?X-API-Key={KEY}", f"/api/{name}?key={KEY}"):
        assert (await operator.send(path, body=body, key=None))[0] == 401
    assert {key: await pit.client.dump(key) for key in await pit.client.keys()} == before
    assert (await operator.send(f"/api/{name}", body=b"["))[0] == 400
