"""B6, L6: while a table runs, nobody who reads all of Redis learns a card before it is dealt."""

import asyncio
import base64
import json

import msgspec
import pytest

from croupier_protocol.codec import CODECS
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import BettingClosed, BettingOpened, CardDealt, ShoeOpened
from croupier_protocol.messages.values import Phase
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.gateway.feed import Feed
from croupier_server.gateway.private import PrivateState
from croupier_server.gateway.roster import Roster
from croupier_server.table.listing import encode_listing
from croupier_server.table.state import decode_state
from support.dealing import dealer_on, dealt, order_seed_of, until_round
from support.records import TABLE_KEY, everything
from support.serving import until
from support.stores import KEY, open_pit, running_store, turbo

SECRET = bytes(range(32))
RULES = RULE_SETS["standard"]


class Listener:
    """An audience that only remembers."""

    def __init__(self):
        self.messages = []

    def event(self, table, event):
        self.messages.append(event)

    def snapshot(self, table, snapshot):
        self.messages.append(snapshot)

    def stalled(self, table, since_ms):
        pass

    def closed(self, table):
        pass

    def live(self, table):
        pass


async def values(client):
    """Every value that the store holds, as whoever reads it would see it."""
    found = []
    for key in await client.keys():
        kind = await client.type(key)
        if kind == b"hash":
            found += [part for pair in (await client.hgetall(key)).items() for part in pair]
        elif kind == b"stream":
            found += [
                part for _, fields in await client.xrange(key) for pair in fields.items() for part in pair
            ]
        else:
            raise AssertionError(f"{key} is a {kind}")
    return found


def forms(secret):
    """The ways in which a secret of bytes may be written down; a part of it gives it away as well."""
    return [
        secret[:16],
        *([secret[16:]] if len(secret) > 16 else []),
        secret[::-1][:16],
        secret.hex().encode()[:32],
        secret.hex().upper().encode()[:32],
        base64.b64encode(secret)[:20],
        base64.urlsafe_b64encode(secret)[:20],
        str(list(secret)).encode()[1:40],
        str(int.from_bytes(secret, "big")).encode()[:20],
        str(int.from_bytes(secret, "little")).encode()[:20],
    ]


def sequences(cards):
    """The ways in which a row of cards may be written down."""
    separators = ("", " ", ",", ", ", '","', '", "', "', '")
    return [
        *(separator.join(cards).encode() for separator in separators),
        msgspec.msgpack.encode(cards)[1:],
        "".join(card[0] for card in cards).encode(),
    ]


def test_the_search_finds_what_it_looks_for():
    seed = bytes(range(100, 132))
    for written in (seed, seed.hex(), base64.b64encode(seed), list(seed), int.from_bytes(seed, "big")):
        text = written if isinstance(written, bytes) else str(written).encode()
        assert any(form in b"x" + text + b"y" for form in forms(seed))
    cards = ["As", "Td", "2h", "Kc", "9s"]
    for text in (json.dumps(cards), " ".join(cards), str(cards), "AT2K9"):
        assert any(form in text.encode() for form in sequences(cards))
    assert any(form in msgspec.msgpack.encode({"order": cards}) for form in sequences(cards))


@pytest.mark.slow
async def test_no_key_and_no_message_holds_a_seed_or_the_cards_to_come(pit, way, store):
    """In every phase, all keys, the stream, the feed's snapshot and every message that it hands out."""
    settings = turbo("standard")
    await pit.tables.register({settings.table: encode_listing(settings)})
    seen = set()

    async with open_pit(store.url) as gateway:
        listener = Listener()
        feed = Feed(
            gateway.tables, gateway.stream, listener, PrivateState(gateway.seats, gateway.settled, Roster())
        )
        following = asyncio.create_task(feed.run())
        reached = asyncio.Queue()

        def taken(table, step):
            """Stops the dealer where it is, until this moment has been looked at."""
            if (step.phase, step.round) not in seen and step.round < 4:
                way.gate.clear()
                reached.put_nowait((step.phase, step.round, step.seq + 1))

        way.taken = taken
        async with dealer_on(pit, "standard", way=way) as dealer:
            while (Phase.RESULT, 3) not in seen:
                async with asyncio.timeout(20):
                    phase, number, seq = await reached.get()
                await until(
                    lambda seq=seq: "standard" in feed.tables and feed.tables["standard"].view.seq == seq
                )
                record = (await pit.tables.read("standard")).record
                state = decode_state(record.state)
                seed = KEY.open(record.sealed, "standard", 1)
                secrets, upcoming, burnt = [seed, SECRET], (), ()
                if state.view.shoe is not None:
                    shoe = Shoe.open(RULES, order_seed_of(record))
                    upcoming = shoe.order(1)[state.position : state.position + 10]
                    burnt = shoe.burnt
                    secrets.append(order_seed_of(record))
                    undealt = [*range(1, shoe.start), *range(state.position, 416)]
                    secrets += [shoe.salt(1, position) for position in undealt]
                looked_at = [*await values(pit.client), *(await everything(pit.client)).values()]
                for message in (*listener.messages, feed.tables["standard"].snapshot):
                    looked_at += [message.payload(codec) for codec in CODECS.values()]
                looked_for = {form for secret in secrets for form in forms(secret)}
                looked_for |= set(sequences(upcoming)) if upcoming else set()
                looked_for |= set(sequences(burnt)) if len(burnt) > 4 else set()
                for value in looked_at:
                    for form in looked_for:
                        assert form not in value
                seen.add((phase, number))
                way.gate.set()
            await dealer.release()
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    assert {phase for phase, _ in seen} == {
        Phase.SHUFFLING,
        Phase.BETTING,
        Phase.CLOSED,
        Phase.DEALING,
        Phase.SETTLING,
        Phase.RESULT,
    }


async def test_the_record_shows_a_shoe_only_sealed(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 2)  # the first one has been settled
        await dealer.release()
    fields = await pit.client.hgetall(TABLE_KEY)
    assert set(fields) == {
        b"owner",
        b"fence",
        b"lease_until_ms",
        b"schema",
        b"seq",
        b"phase",
        b"round",
        b"closes_at_ms",
        b"cut",
        b"state",
        b"sealed",
        b"key_id",
        b"rules",
        b"listing",
        b"settling_round",
        b"staked",
        b"returned",
        b"paid",
    }
    assert len(fields[b"sealed"]) == 60
    assert fields[b"key_id"].decode() == ShoeKey(SECRET).id


async def test_shoes_of_tables_and_starts_have_nothing_in_common(pit):
    """B5: the same moment, the same process, another table."""
    async with dealer_on(pit, "a", "b") as dealer:
        for table in ("a", "b"):
            await until_round(pit, 2, table)
        await dealer.release()
    seeds = []
    for table in ("a", "b"):
        record = (await pit.tables.read(table)).record
        seeds.append(KEY.open(record.sealed, table, 1))
    assert seeds[0] != seeds[1]
    assert len(set(seeds[0])) > 16
    first, second = [
        [event.card for event in await dealt(pit, table) if isinstance(event, CardDealt)][:8]
        for table in ("a", "b")
    ]
    assert first != second


async def test_two_starts_in_one_frozen_millisecond_have_unrelated_shoes(tmp_path, monkeypatch):
    """B5: two servers, each on a store of its own, for which no time passes."""
    for name, value in (("time", 1_700_000_000.0), ("time_ns", 1_700_000_000_000_000_000)):
        monkeypatch.setattr(f"time.{name}", lambda value=value: value)
    monkeypatch.setattr("os.getpid", lambda: 4321)
    seeds = []
    for number in range(2):
        async with running_store(tmp_path / str(number)) as store, open_pit(store.url) as pit:
            async with dealer_on(pit, "standard") as dealer:
                await until_round(pit, 1)
                await dealer.release()
            record = (await pit.tables.read("standard")).record
            seeds.append(KEY.open(record.sealed, "standard", 1))
    shoes = [Shoe.open(RULES, seed).order(1) for seed in seeds]
    same = sum(one == other for one, other in zip(*shoes, strict=True))
    assert seeds[0] != seeds[1]
    assert same < 40  # eight of 416 on average


async def test_what_is_sent_before_the_first_card_has_the_same_size_whatever_comes(pit):
    """L6: a window and its end are as long at one table as at another, whose shoe is another."""
    names = [f"t{number}" for number in range(8)]
    async with dealer_on(pit, *names) as dealer:
        for name in names:
            await until_round(pit, 2, name)
        await dealer.release()
    sizes = {}
    for entry in await pit.stream.recent(20_000):
        for event in await _decoded(entry):
            if isinstance(event, BettingOpened | BettingClosed | CardDealt) and event.round == 1:
                sizes.setdefault(type(event), set()).add(len(entry.message))
    assert {kind: len(found) for kind, found in sizes.items()} == {
        BettingOpened: 1,
        BettingClosed: 1,
        CardDealt: 1,
    }


async def _decoded(entry):
    if entry.table is None:
        return []
    message = CODECS["croupier.v1.msgpack"].decode_message(entry.message)
    return [] if isinstance(message, ShoeOpened) else [message]
