"""Processes killed for real, in every phase: the coup goes on with the same cards."""

import asyncio
import contextlib
import os
import signal
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import ConnectionClosed

from croupier_client.connection import connect
from croupier_client.timing import Timing
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import BettingOpened, CardDealt, RoundVoided
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.table.state import decode_state
from support.dealing import order_seed_of
from support.gateways import bare
from support.serving import Serving, command, serving, start_serving, until
from support.stores import open_pit

EAGER = Timing(base_s=0.02, cap_s=0.1)

PHASES = ["shuffling", "betting", "closed", "dealing", "settling", "result"]


class Log:
    """What a watcher has seen of one table over several servers: each round's cards, as the round ended."""

    def __init__(self) -> None:
        self.shoes = {}
        self.rounds = {}
        self.views = []
        self.voids = []

    def take(self, message, view: TableView) -> None:
        self.views.append(view)
        if isinstance(message, RoundVoided):
            self.voids.append(message.round)
        if view.shoe is not None and view.phase in {"dealing", "settling", "result"} and view.round:
            cards = hands(view)
            known = self.rounds.get(view.round, [])
            assert cards[: len(known)] == known, "a card that was shown is shown again"
            self.rounds[view.round] = cards
            self.shoes[view.round] = view.shoe.number


def hands(view: TableView) -> list[str]:
    """The cards on the table in dealing order."""
    both = (view.player.cards, view.banker.cards)
    return [hand[index] for index in range(3) for hand in both if index < len(hand)]


async def watch_until(server: Serving, log: Log, condition) -> None:
    """Follows the table at `server` until `condition(message, view)` holds."""
    async with asyncio.timeout(30), connect(server.url, timing=EAGER) as client:
        watcher = client.watch("standard")
        async for message in watcher:
            log.take(message, watcher.view)
            if condition(message, watcher.view):
                return


async def check_against_the_shoe(data, log: Log) -> None:
    """What was dealt of the last shoe, in order, is that shoe's order without a card twice or skipped."""
    embedded = EmbeddedStore(data / "store")
    await embedded.start()
    try:
        async with open_pit(embedded.url) as pit:
            record = (await pit.tables.read("standard")).record
            rounds = await pit.tables.rounds("standard", None, 200)
    finally:
        await embedded.stop()
    view = decode_state(record.state).view
    key = ShoeKey(bytes.fromhex((data / "shoe.key").read_text()))
    shoe = Shoe.open(RULE_SETS["standard"], order_seed_of(record, key))
    history = [one for one in reversed(rounds) if one.shoe == view.shoe.number]
    dealt = []
    for one in history:
        both = (one.player.cards, one.banker.cards)
        cards = [hand[index] for index in range(3) for hand in both if index < len(hand)]
        if one.round in log.rounds:
            assert cards[: len(log.rounds[one.round])] == log.rounds[one.round]
        dealt += cards
    if view.phase in {"closed", "dealing"}:
        dealt += hands(view)
    assert len(dealt) > 3
    assert tuple(dealt) == shoe.order(1)[shoe.start : shoe.start + len(dealt)]
    numbers = [one.round for one in reversed(rounds)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
async def test_a_worker_killed_in_every_phase_is_replaced_and_the_coup_goes_on(tmp_path):
    log = Log()
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        for phase in PHASES:
            await watch_until(
                server,
                log,
                lambda _, view, phase=phase: (
                    view.phase == phase or (phase == "shuffling" and view.phase == "betting")
                ),
            )
            worker = server.worker_id
            os.kill(worker, signal.SIGKILL)
            await until(lambda worker=worker: worker not in server.worker_ids)
        before = len(log.rounds)
        await watch_until(
            server, log, lambda _, view: len(log.rounds) > before + 2 and view.phase == "result"
        )
    assert log.voids == []
    await check_against_the_shoe(tmp_path / "data", log)


@pytest.mark.long
async def test_a_worker_killed_beside_another_is_replaced_and_the_other_untouched(tmp_path):
    async with (
        serving(tmp_path / "data", "--workers", "2", "--pace", "turbo") as server,
        AsyncExitStack() as stack,
    ):
        url = server.url.replace("http", "ws") + "/ws"
        clients = [await stack.enter_async_context(bare(url)) for _ in range(24)]
        for client in clients:
            await client.ask(type="ping")
        killed, kept = server.worker_ids
        os.kill(killed, signal.SIGKILL)
        await until(lambda: killed not in server.worker_ids and len(server.worker_ids) == 2)
        assert kept in server.worker_ids
        alive = 0
        for client in clients:
            with contextlib.suppress(ConnectionClosed):
                await client.ask(type="ping")
                alive += 1
        assert 0 < alive < 24
        async with bare(url) as client:
            await client.send(type="watch", table="standard")
            await client.until("card")


@pytest.mark.parametrize(
    "phases",
    [
        pytest.param(["dealing"], marks=pytest.mark.slow, id="while dealing"),
        pytest.param(PHASES, marks=pytest.mark.long, id="every phase"),
    ],
)
async def test_a_supervisor_that_is_killed_leaves_nothing_dealing_and_the_next_goes_on(tmp_path, phases):
    log = Log()
    for phase in phases:
        server = await start_serving(tmp_path / "data", "--pace", "turbo", "--workers", "2")
        workers, store = server.worker_ids, server.store_id
        await watch_until(
            server,
            log,
            lambda _, view, phase=phase: (
                view.phase == phase or (phase == "shuffling" and view.phase == "betting")
            ),
        )
        os.kill(server.process.pid, signal.SIGKILL)
        await server.process.wait()
        await until(lambda mine={*workers, store}: not any(command(one) for one in mine))
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        before = len(log.rounds)
        await watch_until(
            server, log, lambda _, view: len(log.rounds) > before + 2 and view.phase == "result"
        )
    assert log.voids == []
    await check_against_the_shoe(tmp_path / "data", log)


@pytest.mark.long
async def test_everything_killed_at_once_leaves_a_store_that_the_next_start_ends(tmp_path):
    log = Log()
    server = await start_serving(tmp_path / "data", "--pace", "turbo")
    worker, store = server.worker_id, server.store_id
    await watch_until(server, log, lambda message, _: isinstance(message, CardDealt))
    for one in (server.process.pid, worker):
        os.kill(one, signal.SIGKILL)
    await server.process.wait()
    assert "unixsocket" in command(store)
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        assert not command(store)
        await watch_until(server, log, lambda message, _: isinstance(message, BettingOpened))
    await check_against_the_shoe(tmp_path / "data", log)


@pytest.mark.slow
async def test_a_store_killed_under_a_running_server_is_started_again(tmp_path):
    log = Log()
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        await watch_until(server, log, lambda message, _: isinstance(message, CardDealt))
        before = log.views[-1]
        os.kill(server.store_id, signal.SIGKILL)
        await watch_until(
            server, log, lambda message, view: view.epoch != before.epoch and isinstance(message, CardDealt)
        )
        worker = server.worker_id
        await watch_until(server, log, lambda _, view: view.phase == "result")
        assert server.worker_id == worker
    await check_against_the_shoe(tmp_path / "data", log)
