"""Players over real sockets, at tables that stand still in a betting window or are really dealt."""

import itertools
from contextlib import asynccontextmanager

from msgspec.structs import replace

from croupier_protocol.codec import MSGPACK
from croupier_server.table.pace import Pace
from support.dealing import reach
from support.gateways import bare, dealing
from support.stores import turbo
from support.tasks import beside

PATIENT = Pace("patient", shuffling_ms=0, betting_ms=600_000, closing_ms=10, card_ms=10, result_ms=20)
"""A table at this pace opens a window at once, and it stays open for the length of a test."""

LIVELY = Pace("lively", shuffling_ms=20, betting_ms=300, closing_ms=20, card_ms=20, result_ms=100)

_operations = itertools.count()


def op() -> str:
    """A new name for an operation."""
    return f"test-op-{next(_operations):06}"


def table_key(table: str = "standard") -> str:
    """The key of a table's record."""
    return f"croupier:{{main}}:t:{table}"


@asynccontextmanager
async def standing(url, pit, *names):
    """Tables, each named after its rule set, that stand in the window of round 1 with nobody to deal them."""
    tables = [replace(turbo(name, name), pace=PATIENT) for name in names]

    async def open_everywhere():
        phases = [await pit.client.hget(table_key(name), "phase") for name in names]
        return phases == [b"betting"] * len(names)

    async with dealing(url, tables):
        await reach(open_everywhere)
    yield


@asynccontextmanager
async def dealt(url, *names):
    """Tables that are dealt, a round in under a second, and whose dealer hears of players."""
    tables = [replace(turbo(name, name), pace=LIVELY) for name in names]
    async with dealing(url, tables) as dealer, beside(dealer.hear_notes()):
        yield dealer


@asynccontextmanager
async def connected(url, resume=None, *, name=None, watch=(), **hello):
    """A connection that has said who it is, and watches tables."""
    async with bare(url) as client:
        who = {"resume": resume, "name": name, **hello}
        client.welcome = await client.ask(type="hello", **{key: value for key, value in who.items() if value})
        for table in watch:
            await client.ask(type="watch", table=table)
        yield client


async def sit(client, table="standard", buy_in=10_000, **fields) -> dict:
    """Takes a seat; returns the answer, with the `welcome` of a new guest under that name."""
    await client.send(type="sit", table=table, buy_in=buy_in, op=op(), id=31, **fields)
    welcome = None
    while (message := await client.receive()).get("id") != 31:
        if message["type"] == "welcome":
            welcome = message
    return {**message, "welcome": welcome}


async def slip(client, bets, rev, round_=1, table="standard", name=None) -> dict:
    """Sends a slip and returns the answer."""
    return await client.ask(type="slip", table=table, round=round_, rev=rev, op=name or op(), bets=bets)


async def heard(client, until="pong") -> list[dict]:
    """Everything that comes until the answer to a ping, that one left out."""
    await client.send(type="ping", id=99)
    messages = []
    while (message := await client.receive())["type"] != until:
        messages.append(message)
    return messages


async def moved(pit) -> dict[bytes, bytes]:
    """Every key of the store byte for byte, but for who is present, and what is told of failed logins."""
    left_out = (b":present", b":significant")
    return {
        key: await pit.client.dump(key)
        for key in sorted(await pit.client.keys())
        if not key.endswith(left_out)
    }


async def events(pit) -> list[object]:
    """Every event of the pit's stream."""
    return [MSGPACK.decode_message(entry.message) for entry in await pit.stream.recent(20_000) if entry.table]
