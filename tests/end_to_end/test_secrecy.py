"""B6, L6, L7: nobody who reads all that a running table writes and says learns a card before it is dealt.

Frames of players and spectators in both forms, answers of all kinds, resumes, HTTP, log lines and every key
of the store, after every step of a table that is stopped there to be looked at.
"""

import asyncio
import base64
import hashlib
import json
import logging
import socket
import urllib.error
import urllib.request
from contextlib import AsyncExitStack, asynccontextmanager

import msgpack
import pytest
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.values import Phase
from croupier_server.admin import open_admin
from croupier_server.sight.exposition import families, page
from croupier_server.sight.readiness import Readiness
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from support.dealing import Way, dealer_hears, dealer_on, last_round, reach
from support.gateways import bare, gateway_on
from support.hidden import Secrets, Seen, forms, rows, secrets_of
from support.serving import until
from support.stores import turbo

JSON, MSGPACK = "croupier.v1.json", "croupier.v1.msgpack"
PATIENT = Pace("patient", 10, 100, 10, 10, 10, cut_ms=600_000, reveal_ms=600_000)
"""A cut at this pace ends when everybody has sent theirs, and not before."""

AT_ONCE = Pace("at once", 0, 0, 0, 0, 0)

EVENTS = {str(kind.__struct_config__.tag) for kind in TableEvent.__args__}


class Ear:
    """A socket that keeps every frame, as bytes and read."""

    def __init__(self, client):
        self.client = client
        self.frames = []
        self.messages = []
        self.task = asyncio.create_task(self._hear())

    async def _hear(self):
        async for frame in self.client.connection:
            self.frames.append(frame.encode() if self.client.json else frame)
            self.messages.append(json.loads(frame) if self.client.json else msgpack.unpackb(frame))

    async def ask(self, **command):
        """Sends a command and returns what answers it."""
        number = len(self.frames) + 1_000
        await self.client.send(**command, id=number)
        await until(lambda: any(one.get("id") == number for one in self.messages), what=str(command))
        return next(one for one in self.messages if one.get("id") == number)

    def events(self):
        return [one for one in self.messages if one["type"] in EVENTS]


@asynccontextmanager
async def ear(url, subprotocol, *tables):
    async with bare(url, subprotocol) as client:
        heard = Ear(client)
        try:
            await heard.ask(type="hello")
            for table in tables:
                await heard.ask(type="watch", table=table)
            yield heard
        finally:
            heard.task.cancel()
            await asyncio.gather(heard.task, return_exceptions=True)


async def values(client):
    """Every value that the store holds, as whoever reads it would see it."""
    found = []
    for key in await client.keys():
        match await client.type(key):
            case b"hash":
                found += [part for pair in (await client.hgetall(key)).items() for part in pair]
            case b"stream":
                entries = await client.xrange(key)
                found += [part for _, fields in entries for pair in fields.items() for part in pair]
            case b"string":
                found.append(await client.get(key))
            case b"zset":
                found += await client.zrange(key, 0, -1)
            case b"list":
                found += await client.lrange(key, 0, -1)
            case kind:
                raise AssertionError(f"{key} is a {kind}")
    return found


async def fetched(base, *paths):
    """What an HTTP server answers, headers and all."""

    def fetch(path):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(base + path, timeout=10) as response:
                return str(response.headers).encode() + response.read()
        except urllib.error.HTTPError as error:
            with error:
                return str(error.headers).encode() + error.read()

    return [await asyncio.to_thread(fetch, path) for path in paths]


def test_the_search_finds_what_it_looks_for():
    seed = bytes(range(100, 132))
    secrets = Secrets([seed], [["As", "Td", "2h", "Kc", "9s"]])

    def is_told_by(text):
        seen = Seen()
        seen.add([b"x" + text + b"y"])
        return bool(seen.told(secrets))

    base64s = [base64.b64encode(bytes(before) + seed) for before in range(3)]
    integer = int.from_bytes(seed, "big")
    for written in (seed, seed[16:], seed.hex(), *base64s, list(seed), integer):
        text = written if isinstance(written, bytes) else str(written).encode()
        assert is_told_by(text), written
    cards = ["As", "Td", "2h", "Kc", "9s"]
    for written in (json.dumps(cards), " ".join(cards), str(cards), "AT2K9"):
        assert is_told_by(written.encode())
    assert is_told_by(msgpack.packb({"order": cards}))
    assert not is_told_by(bytes(1_000))
    assert {len(form) for form in forms(bytes(range(16)))} == {10}
    assert len(rows(cards)) == 9


class Scene:
    """A table whose dealer stops after each step until `go`; `steps` are those that it stopped at."""

    def __init__(self, pit):
        self.way = Way(pit.store)
        self.way.taken = self._taken
        self._reached = asyncio.Queue()

    def _taken(self, _table, step):
        self.way.gate.clear()
        self._reached.put_nowait(step)

    async def step(self):
        async with asyncio.timeout(20):
            return await self._reached.get()

    def go(self):
        self.way.gate.set()


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, marks=pytest.mark.slow if rules == "standard" else pytest.mark.long)
        for rules in RULE_SETS
    ],
)
async def test_nothing_that_a_table_says_or_writes_tells_a_seed_a_salt_or_a_card_to_come(
    pit, store, caplog, rules
):
    """Through a whole round, a void, the end of a shoe, the open cut of the next, and a pause."""
    caplog.set_level(logging.DEBUG)
    settings = replace(turbo("standard", rules), pace=PATIENT)
    scene, said, seen = Scene(pit), Seen(), set()
    async with AsyncExitStack() as stack:
        dealer = await stack.enter_async_context(dealer_hears(pit, settings, way=scene.way))
        step = await scene.step()
        server = await stack.enter_async_context(gateway_on(store.url))
        admin = await admin_on(stack, dealer, server.gateway)
        ears = [
            await stack.enter_async_context(ear(server.url, subprotocol, "standard"))
            for subprotocol in (JSON, MSGPACK, MSGPACK)
        ]
        player, value = ears[-1], b"v" * 32
        while True:
            await until(lambda seq=step.seq + 1: server.gateway.feed.tables["standard"].view.seq == seq)
            await until(lambda seq=step.seq + 1: all(_newest(one) >= seq for one in ears))
            record = (await pit.tables.read("standard")).record
            said.add(await values(pit.client))
            said.add(frame for one in ears for frame in one.frames)
            stage = "" if step.cut is None else step.cut.partition("|")[2].partition("|")[0]
            if (step.phase, stage, step.round) not in seen:
                said.add(await answers(server, player, step))
                said.add(await fetched(admin, "/healthz", "/readyz", "/metrics"))
            said.add(caplog.text.encode().splitlines())
            assert said.told(secrets_of(record)) == [], (step.phase, step.seq)
            seen.add((step.phase, stage, step.round))
            if step.phase is Phase.PAUSED:
                break
            await play(pit, player, step, value)
            scene.go()
            step = await scene.step()
        scene.go()
    assert {phase for phase, _, _ in seen} == set(Phase) - {Phase.ENDED}
    assert {stage for _, stage, _ in seen} >= {"", "hashes", "values", "over"}
    assert "another dealer" not in caplog.text


def _newest(one):
    return max([message["seq"] for message in one.messages if "seq" in message], default=0)


class Told:
    """What an admin port tells of a dealer and a gateway."""

    def __init__(self, dealer, gateway):
        self.metrics_of = {"1": dealer._metrics, "2": gateway._metrics}

    async def readiness(self):
        return Readiness(ready=True)

    async def metrics(self):
        return page({name: families(one.registry) for name, one in self.metrics_of.items()}, ())


async def admin_on(stack, dealer, gateway):
    """The admin port: its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)
    runner = await open_admin(listening, Told(dealer, gateway))
    stack.push_async_callback(runner.cleanup)
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


async def answers(server, player, step):
    """All that can be asked for now, on a fresh socket: also what a client is sent that comes back."""
    subprotocol = (JSON, MSGPACK)[step.seq % 2]
    async with ear(server.url, subprotocol) as fresh:
        since = {"epoch": step.epoch, "seq": max(step.seq - 12, 0)}
        await fresh.ask(type="watch", table="standard", since=since)
        await fresh.ask(type="lobby")
        await fresh.ask(type="history", table="standard", limit=50)
        await fresh.ask(type="watch", table="standard")
        found = list(fresh.frames)
    await player.ask(type="my_rounds", limit=20)
    base = server.url.replace("ws", "http", 1).removesuffix("/ws")
    paths = [f"/shoes/standard/{shoe}{rest}" for shoe in (1, 2) for rest in ("", "/commitments")]
    return found + await fetched(base, *paths)


async def play(pit, player, step, value):
    """What players and operators do at this step, so that the table comes to the next phase of the story."""
    shoe = 2
    stage = "" if step.cut is None else step.cut.partition("|")[2].partition("|")[0]
    if stage == "hashes":
        hash_ = hashlib.sha256(value).digest()
        await player.ask(type="cut", table="standard", shoe=shoe, op="hash-0001", hash=hash_)
    elif stage == "values":
        await player.ask(type="cut", table="standard", shoe=shoe, op="value-001", value=value)
    elif step.phase is Phase.BETTING and step.round == 1:
        await player.ask(type="sit", table="standard", buy_in=10_000, op="sit-00001")
    elif step.phase is Phase.DEALING and step.round == 2:
        await pit.orders.give("standard", "void-00001", Wish.VOID, "a card fell")
    elif step.phase is Phase.RESULT and step.round == 2:
        await pit.orders.give("standard", "abandon-001", Wish.ABANDON, "enough")
    elif stage == "over" and step.shoe == shoe:
        await pit.orders.give("standard", "pause-00001", Wish.PAUSE, "a break")


PUBLIC_NUMBERS = ("seq", "round", "coup", "shoe", "due_ms", "at_ms", "closes_at_ms")


@pytest.mark.parametrize(
    "rounds", [pytest.param(12, marks=pytest.mark.slow), pytest.param(400, marks=pytest.mark.long)]
)
async def test_frames_before_a_reveal_have_the_same_size_whatever_comes(pit, store, rounds):
    """Windows, their ends and cards of many coups of every rule set, at a gateway, in both forms.

    The numbers that count rounds and events are written in as many digits as they have; apart from them every
    frame of a kind is as long as every other. `result` comes when all its cards have been shown.
    """
    tables = [replace(turbo(rules, rules), pace=AT_ONCE) for rules in RULE_SETS]
    async with (
        dealer_on(pit, *tables),
        gateway_on(store.url) as server,
    ):
        names = [one.table for one in tables]
        await until(lambda: all(name in server.gateway.feed.tables for name in names))
        async with ear(server.url, JSON, *names) as text, ear(server.url, MSGPACK, *names) as binary:

            async def played():
                return min([await last_round(pit, name) for name in names]) >= rounds

            await reach(played, 30 + rounds, f"round {rounds} at every table")
    for heard, size_of in ((text, lambda one: len(str(one))), (binary, lambda one: len(msgpack.packb(one)))):
        sizes, cards = {}, 0
        for frame, message in zip(heard.frames, heard.messages, strict=True):
            kind = message["type"]
            if kind in {"betting", "closed", "card"} and not message.get("last"):
                public = sum(size_of(message[name]) for name in PUBLIC_NUMBERS if name in message)
                public += len(message["table"]) + len(message["epoch"])
                sizes.setdefault(kind, set()).add(len(frame) - public)
                cards += kind == "card"
        assert {kind: len(found) for kind, found in sizes.items()} == {"betting": 1, "closed": 1, "card": 1}
        assert cards > 4 * rounds * len(names) / 2
        assert number_of_silent_gaps(heard) == 0


def number_of_silent_gaps(heard):
    """How often something else than a card or the result came behind a card, which would tell something."""
    last, wrong = {}, 0
    for message in heard.events():
        wrong += last.get(message["table"]) == "card" and message["type"] not in {"card", "result", "void"}
        last[message["table"]] = message["type"]
    return wrong


@pytest.mark.slow
async def test_spectators_get_exactly_the_public_events_that_players_get(pit, store):
    """L7: byte for byte, in either form, and nothing that is a player's own."""
    async with (
        dealer_hears(pit, replace(turbo("standard"), pace=PATIENT)),
        gateway_on(store.url) as server,
    ):
        await until(lambda: "standard" in server.gateway.feed.tables)
        for subprotocol in (JSON, MSGPACK):
            async with (
                ear(server.url, subprotocol, "standard") as player,
                ear(server.url, subprotocol, "standard") as spectator,
            ):
                await player.ask(type="sit", table="standard", buy_in=10_000, op="sit-00001")
                await bet_on_the_next_window(player)
                await until(lambda player=player: "payout" in {one["type"] for one in player.messages})
                first = max(one.events()[0]["seq"] for one in (player, spectator))
                last = player.events()[-1]["seq"]
                await until(lambda spectator=spectator, last=last: _newest(spectator) >= last)
                public = [
                    [
                        frame
                        for frame, message in zip(one.frames, one.messages, strict=True)
                        if message["type"] in EVENTS and first <= message["seq"] <= last
                    ]
                    for one in (player, spectator)
                ]
                assert len(public[0]) >= 8
                assert public[0] == public[1]
                private = {one["type"] for one in spectator.messages} - EVENTS
                assert private <= {"welcome", "watching", "snapshot", "heartbeat"}
                await player.ask(type="leave", table="standard", op="leave-0001")


async def bet_on_the_next_window(player):
    """A slip that stands in a window that was opened after now."""
    begun = len(player.messages)

    def opened():
        return next((one for one in player.messages[begun:] if one["type"] == "betting"), None)

    while True:
        window = await until(opened)
        begun = len(player.messages)
        rev = next(one["rev"] for one in reversed(player.messages) if "rev" in one)
        answer = await player.ask(
            type="slip",
            table="standard",
            round=window["round"],
            rev=rev,
            op=f"slip-{begun:05}",
            bets={"tie": 100},
        )
        if answer["type"] == "slip_accepted":
            return
