"""Deliveries to real receivers that fail, hang and die: nothing is lost, and a double has the same id."""

import asyncio
import base64
import contextlib
import json
import re
import time
from pathlib import Path

import aiohttp
import pytest
from msgspec.structs import replace

from croupier_server.configuring.reading import read_config
from croupier_server.errors import ConfigError
from croupier_server.store.deliveries import Deliveries
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.webhooks import collecting, running, sending, signing
from croupier_server.webhooks.running import Webhooks
from croupier_server.webhooks.sending import Sending
from croupier_server.webhooks.tally import Tally
from croupier_server.webhooks.terms import WebhookTerms, receiver_id
from support.players import LIVELY
from support.playing import played
from support.receivers import SECRET, SECRET_TEXT, receiving, verify
from support.serving import until as until_within
from support.stores import turbo
from support.tasks import beside

GUIDE = Path(__file__).parents[3] / "docs" / "operator-api.md"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(sending, "FIRST_WAIT_S", 0.02)
    monkeypatch.setattr(sending, "LONGEST_WAIT_S", 0.1)
    monkeypatch.setattr(sending, "LOOK_S", 0.02)
    monkeypatch.setattr(collecting, "POLL_S", 0.02)


async def until(condition):
    """Waits until it holds, on a machine however busy."""
    await until_within(condition, 60)


def body(name):
    return json.dumps({"id": name}).encode()


@contextlib.asynccontextmanager
async def sent(pit, receivers, *names, tally=None, secrets=(SECRET,), **clock):
    """Sends deliveries of these names to each of the receivers; gives the store's side of it."""
    deliveries = Deliveries(pit.store, pit.name, "a")
    held = await deliveries.hold(60_000, [receiver_id(one.url) for one in receivers])
    await deliveries.add(held.cursor, held.cursor, [body(name) for name in names])
    async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
        tasks = []
        for one in receivers:
            to = Sending(one.url, pit.name, deliveries, held, lambda: secrets, tally or Tally(), **clock)
            tasks.append(group.create_task(to.run(session)))
        yield deliveries
        for task in tasks:
            task.cancel()


def ids(told):
    return [one["id"] for one in told]


def once(receiver):
    """What it has taken, without doubles."""
    return list(dict.fromkeys(ids(receiver.taken)))


async def test_each_delivery_is_sent_until_it_is_taken_under_one_id_in_order(pit, caplog):
    async with receiving() as [receiver]:
        receiver.answers = [500, 302, "cut", 404, 204, 503, 204]
        tally = Tally()
        async with sent(pit, [receiver], "one", "two", "three", tally=tally):
            await until(lambda: len(receiver.taken) == 3)
            await until(lambda: tally.delivered == 3)
        assert ids(receiver.taken) == ["one", "two", "three"]
        assert ids(told for told, _, _ in receiver.attempts) == ["one"] * 5 + ["two"] * 2 + ["three"]
        assert len({bytes_ for _, _, bytes_ in receiver.attempts[:5]}) == 1
        assert tally.failed == 5
        assert receiver.requests == {("POST", "/hook?token=very-secret")}
    assert "webhooks: 127.0.0.1 does not take one: status 500; again in" in caplog.text
    assert "very-secret" not in caplog.text


async def test_attempts_wait_twice_as_long_each_time_up_to_five_minutes_and_anew_for_the_next(
    pit, monkeypatch
):
    monkeypatch.setattr(sending, "FIRST_WAIT_S", 1.0)
    monkeypatch.setattr(sending, "LONGEST_WAIT_S", 300.0)
    waits, go = [], asyncio.Semaphore(0)

    async def sleep(seconds):
        waits.append((seconds, len(receiver.attempts)))
        await go.acquire()

    async with receiving() as [receiver]:
        receiver.answers = [503] * 11 + [204, 503, 503, 204]
        async with sent(pit, [receiver], "one", "two", sleep=sleep, between=lambda _least, most: most):
            for number in range(1, 14):
                await until(lambda number=number: len(waits) == number)
                go.release()
            await until(lambda: len(receiver.taken) == 2)
    assert [seconds for seconds, _ in waits] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 1, 2]
    assert [attempts for _, attempts in waits] == [*range(1, 12), 13, 14]


def test_who_never_catches_up_is_behind_since_it_last_had_nothing_to_take():
    now_s = 0.0
    tally = Tally(lambda: now_s)
    tally.add("main", 7)
    tally.take("main", "quick", 7)
    tally.take("main", "slow", 7)
    assert (tally.waiting, tally.behind_s) == (0, 0)
    for second in range(1, 11):
        now_s = float(second)
        tally.add("main", 7 + 2 * second)
        tally.take("main", "quick", 7 + 2 * second)
        tally.take("main", "slow", 7 + second)
    assert (tally.waiting, tally.behind_s) == (10, 9)
    now_s = 15.0
    assert tally.behind_s == 14
    tally.take("main", "slow", 27)
    assert (tally.waiting, tally.behind_s) == (0, 0)
    tally.add("main", 28)
    assert (tally.waiting, tally.behind_s) == (2, 0)
    now_s = 16.0
    assert tally.behind_s == 1
    tally.leave("main")
    assert (tally.waiting, tally.behind_s) == (0, 0)


def test_who_is_behind_when_a_server_begins_to_deliver_is_so_from_then_on():
    now_s = 100.0
    tally = Tally(lambda: now_s)
    tally.take("main", "down", 3)
    tally.add("main", 9)
    now_s = 160.0
    assert (tally.waiting, tally.behind_s) == (6, 60)


async def test_every_attempt_is_signed_over_id_time_and_body_by_each_secret(pit):
    other = b"another secret of the operator's"
    async with receiving() as [receiver]:
        receiver.answers = [500]
        async with sent(pit, [receiver], "one", secrets=(other, SECRET)):
            await until(lambda: receiver.taken)
        for _, headers, told in receiver.attempts:
            assert verify(headers, told)
            assert verify(headers, told, other)
            assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
            assert not verify(headers, told + b" ")
            assert not verify({**headers, "webhook-id": "two"}, told)
            assert not verify({**headers, "webhook-timestamp": "1"}, told)
            assert not verify(headers, told, b"a wrong secret")


async def test_the_guide_s_own_check_takes_what_is_sent_and_nothing_else(pit):
    [code] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    guide = {}
    exec(code, guide)
    verified = guide["verified"]
    async with receiving() as [receiver], sent(pit, [receiver], "one"):
        await until(lambda: receiver.taken)
    [(_, headers, told)] = receiver.attempts
    assert verified(headers, told, SECRET_TEXT)
    assert not verified(headers, told + b" ", SECRET_TEXT)
    assert not verified(headers, told, f"whsec_{base64.b64encode(bytes(32)).decode()}")
    old = signing.headers("one", int(time.time()) - 301, told, [SECRET])
    assert verify(old, told)
    assert not verified(old, told, SECRET_TEXT)


async def test_a_receiver_that_hangs_or_is_dead_holds_nobody_up(pit, monkeypatch):
    monkeypatch.setattr(sending, "ANSWER_S", 0.5)  # a busy machine may need longer: then it is sent again
    async with receiving(3) as [hanging, dead, well]:
        hanging.answers = ["hang"] * 1_000
        await dead.die()
        async with sent(pit, [hanging, dead, well], "one", "two"):
            await until(lambda: once(well) == ["one", "two"])
            await until(lambda: len(hanging.attempts) >= 2)
            assert hanging.taken == []
            hanging.answers = []
            await until(lambda: once(hanging) == ["one", "two"])
            await dead.start()
            await until(lambda: once(dead) == ["one", "two"])


async def test_a_delivery_of_which_nobody_noted_that_it_was_taken_comes_again_under_its_id(pit, monkeypatch):
    """The server dies between the receiver's answer and its note."""
    async with receiving() as [receiver]:

        async def die(*_):
            raise StoreUnavailableError("killed")

        with monkeypatch.context() as killed:
            killed.setattr(Deliveries, "sent", die)
            with pytest.raises(ExceptionGroup):
                async with sent(pit, [receiver], "one", "two"):
                    await asyncio.Event().wait()
        async with sent(pit, [receiver]):
            await until(lambda: len(receiver.taken) == 3)
        assert ids(receiver.taken) == ["one", "one", "two"]


async def test_what_was_not_taken_in_time_is_told_in_the_log_and_counted(pit, caplog):
    async with receiving() as [receiver]:
        tally = Tally()
        deliveries = Deliveries(pit.store, pit.name, "a")
        held = await deliveries.hold(60_000, [receiver_id(receiver.url)])
        await deliveries.add(held.cursor, held.cursor, [body("one"), body("two"), body("three")])
        await pit.client.xtrim("croupier:{main}:deliveries", minid="3-0", approximate=False)
        async with sent(pit, [receiver], tally=tally):
            await until(lambda: receiver.taken)
        assert ids(receiver.taken) == ["three"]
        assert tally.lost == 2
    assert "127.0.0.1 has not taken 2 events of pit main in time" in caplog.text


def terms_of(tmp_path, *receivers):
    file = tmp_path / "webhooks.secret"
    file.write_text(f"{SECRET_TEXT}\n")
    return WebhookTerms(urls=tuple(one.url for one in receivers), secret_file=str(file))


@contextlib.asynccontextmanager
async def delivering(pit, terms):
    """The webhooks of one server, which is gone without a word at the end; gives what it counts."""
    tally = Tally()
    async with beside(Webhooks(pit.stores, terms, tally, time.monotonic).run()):
        yield tally


@pytest.mark.slow
async def test_every_round_that_is_dealt_is_told_whichever_server_delivers(
    pit, webhook_store, tmp_path, monkeypatch
):
    monkeypatch.setattr(running, "LEASE_MS", 1_000)
    monkeypatch.setattr(running, "RENEW_S", 0.05)
    table = replace(turbo("standard"), pace=LIVELY)
    async with receiving() as [receiver], played(webhook_store.url, table):
        terms = terms_of(tmp_path, receiver)
        async with contextlib.AsyncExitStack() as second:
            async with delivering(pit, terms):
                await until(lambda: receiver.taken)
                other = await second.enter_async_context(delivering(pit, terms))
                receiver.answers = [500, "cut"]
                taken = len(receiver.taken)
                await until(lambda: len(receiver.taken) > taken)
            taken, delivered = len(receiver.taken), other.delivered
            await until(lambda: len(receiver.taken) >= taken + 2)
            await until(lambda: other.delivered >= delivered + 2)
        rounds = {one["id"]: one["round"] for one in receiver.taken}
        first = min(rounds.values())
        assert sorted(rounds.values()) == list(range(first, first + len(rounds)))


async def test_a_bug_in_one_place_is_told_and_what_it_held_up_begins_anew(pit, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(running, "RENEW_S", 0.02)
    monkeypatch.setattr(running, "LOOK_S", 0.02)
    broken, done = ["hold", "known_pits", "events_after"], set()

    def breaking(name, whole):
        async def call(*arguments):
            if name not in done:
                done.add(name)
                raise RuntimeError(f"a bug in {name}")
            return await whole(*arguments)

        return call

    for owner, name in ((Deliveries, "hold"), (type(pit.stores), "known_pits"), (Deliveries, "events_after")):
        monkeypatch.setattr(owner, name, breaking(name, getattr(owner, name)))
    async with receiving() as [receiver], delivering(pit, terms_of(tmp_path, receiver)):
        bugs = [f"RuntimeError: a bug in {name}" for name in broken]
        await until(lambda: all(bug in caplog.text for bug in bugs))
        cursor, owner = await pit.client.hmget("croupier:{main}:webhooks", "cursor", "owner")
        deliveries = Deliveries(pit.store, pit.name, owner.decode())
        await deliveries.add(cursor.decode(), cursor.decode(), [body("one")])
        await until(lambda: receiver.taken)


def test_secrets_and_addresses_that_cannot_be_used_are_faults_of_the_configuration(tmp_path):
    file = tmp_path / "webhooks.secret"
    url = "https://house.example/hook"

    def faults(*urls, secret=SECRET_TEXT, named=True):
        file.write_text(secret)
        options = {("webhooks", "urls"): list(urls)}
        if named:
            options["webhooks", "secret_file"] = str(file)
        try:
            return read_config(None, options).webhooks.urls
        except ConfigError as error:
            return str(error)

    assert faults(url, "http://127.0.0.1:9/x") == (url, "http://127.0.0.1:9/x")
    assert "webhooks.secret_file: name a file" in faults(url, named=False)
    for secret in ("", "x", SECRET_TEXT[6:], "whsec_", "whsec_é", "whsec_AAAA", f"{SECRET_TEXT} x"):
        assert "must hold whsec_ and 24 to 64 bytes in base64" in faults(url, secret=secret)
    long = f"whsec_{base64.b64encode(bytes(65)).decode()}"
    assert "must hold whsec_" in faults(url, secret=long)
    for bad in (
        "house.example",
        "ftp://house.example",
        "https://",
        "https://a b",
        "https://h:99999/",
        "http://[::1",
    ):
        assert "webhooks.urls[0]: name an address such as" in faults(bad)
    assert "webhooks.urls: 8 different addresses at most" in faults(url, url)
    assert "8 different" in faults(*(f"{url}/{number}" for number in range(9)))
