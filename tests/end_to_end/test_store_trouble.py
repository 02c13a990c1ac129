"""The store restarts, is replaced, refuses writes or has lost some: play goes on, and nobody restarts it."""

import asyncio
import contextlib
import json
import sys
import time
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from croupier_client.connection import connect
from croupier_client.errors import CroupierError
from croupier_client.timing import Timing
from croupier_protocol.messages.events import CardDealt, RoundSettled
from croupier_protocol.messages.to_client import TableView
from croupier_server.store.durability import Durability
from croupier_server.store.errors import UnsuitableStoreError
from croupier_server.store.fitness import check_servers
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.pit import Pit
from croupier_server.store.stores import Stores
from support.clusters import cluster_store, guarded_store, pair_of_servers
from support.dealing import reach
from support.gateways import gateway_on
from support.players import LIVELY, PATIENT
from support.playing import audited, connected, played, sit_down
from support.relay import relay_to
from support.serving import serving, start_serving, until
from support.stores import open_pit, turbo

pytestmark = pytest.mark.slow

KEY = {"CROUPIER_SHOE_KEY": "ab" * 32}
EAGER = Timing(base_s=0.02, cap_s=0.1)


class Watch:
    """Everything that one client was told of a table; fails where an event is missing within an epoch."""

    def __init__(self, watcher) -> None:
        self.watcher = watcher
        self.cards = {}
        self.repeated = 0
        self.events = 0
        self.settled = []
        self.epochs = []
        self.last = None
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.watcher:
            if isinstance(message, TableView):
                if message.epoch not in self.epochs:
                    self.epochs.append(message.epoch)
            else:
                assert (message.epoch, message.seq) == (self.last.epoch, self.last.seq + 1)
                self.events += 1
            if isinstance(message, CardDealt):
                place = (self.watcher.view.shoe.number, message.round, message.hand, message.index)
                self.repeated += place in self.cards
                assert self.cards.setdefault(place, message.card) == message.card, "another card was shown"
            if isinstance(message, RoundSettled):
                self.settled.append(message.round)
            self.last = self.watcher.view

    async def goes_on(self, seconds, events=5) -> None:
        """Returns after so many more events; fails after so many seconds."""
        mark = self.events + events
        await until(lambda: self.task.done() or self.events >= mark, seconds, "play")
        if self.task.done():
            self.task.result()


@asynccontextmanager
async def watching(url, *tables):
    """A client that watches tables."""
    async with connect(url, timing=EAGER) as client:
        watches = [Watch(client.watch(table)) for table in tables]
        try:
            yield watches
        finally:
            for one in watches:
                one.task.cancel()


@asynccontextmanager
async def behind_one_address(folder):
    """A primary with a replica behind one address that leads to the primary, as a virtual address would."""
    async with pair_of_servers(folder) as pair, relay_to(pair.servers[0].port) as relay:
        yield pair, relay, f"redis://127.0.0.1:{relay.port}"


async def bet_on(client, table, rounds) -> None:
    """Plays on and on, and counts the rounds that were paid."""
    seat = await client.sit(table, buy_in=500_00)

    async def count():
        async for payout in seat.payouts():
            rounds.append(payout.round)

    counting = asyncio.create_task(count())
    try:
        last = None
        while True:
            last = await seat.window(after=last)
            with contextlib.suppress(CroupierError):  # too late, or no store at the moment
                await seat.bet(player=2_00, tie=1_00)
    finally:
        counting.cancel()


async def command(*arguments) -> tuple[int, str]:
    """Exit status and output of a `croupier` command."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "croupier_client.cli", *arguments, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(60):
        output, _ = await process.communicate()
    return process.returncode, output.decode()


@pytest.mark.long
@pytest.mark.parametrize("restarts", [2, 5])
async def test_restarts_and_a_new_primary_under_load(tmp_path, restarts):
    """J2, J5: within five seconds each time; the audit finds every cent, and the worker is the same."""
    (tmp_path / "croupier.toml").write_text(
        "[[tables]]\nname = 'a'\npace = 'turbo'\n[[tables]]\nname = 'b'\npace = 'turbo'\n"
    )
    async with contextlib.AsyncExitStack() as stack:
        guarded = await stack.enter_async_context(guarded_store(tmp_path / "servers"))
        await guarded.patience(20_000)
        server = await start_serving(
            *(tmp_path / "unused", "--redis", guarded.url, "--config", str(tmp_path / "croupier.toml")),
            environment=KEY,
        )
        stack.push_async_callback(server.stop)
        worker = server.worker_id
        watches = await stack.enter_async_context(watching(server.url, "a", "b"))
        paid = {"a": [], "b": []}
        for table, rounds in paid.items():
            client = await stack.enter_async_context(connect(server.url, timing=EAGER))
            playing = asyncio.create_task(bet_on(client, table, rounds))
            stack.callback(playing.cancel)
        await until(lambda: all(len(rounds) > 2 for rounds in paid.values()), 30, "three paid rounds")
        primary, replica = guarded.servers
        for _ in range(restarts):
            await primary.kill()
            await primary.start()
            await asyncio.gather(*(one.goes_on(5) for one in watches))
        assert all(len(one.epochs) == restarts + 1 for one in watches)
        await guarded.in_step()
        await guarded.patience(500)
        await primary.kill()
        await guarded.primary_is(replica)
        await asyncio.gather(*(one.goes_on(5) for one in watches))
        assert all(len(one.epochs) == restarts + 2 for one in watches)
        before = {table: len(rounds) for table, rounds in paid.items()}
        await until(lambda: all(len(paid[table]) > before[table] for table in paid), 20, "a payout at each")
        status, output = await command("audit", "--json", "--redis", guarded.url)
        figures = json.loads(output.splitlines()[-1])
        assert (status, figures["clean"], figures["players"]) == (0, True, 2), output
        assert server.worker_id == worker


async def test_a_primary_that_lost_its_last_writes_deals_the_same_cards_again(tmp_path):
    """J8: the same shoe under a new epoch, from before what was shown."""
    async with (
        behind_one_address(tmp_path) as (pair, relay, url),
        played(url, turbo("standard")),
        gateway_on(url) as gateway,
        watching(gateway.url, "standard") as [watch],
    ):
        await until(lambda: len(watch.settled) > 1)
        await pair.in_step()
        primary, replica = pair.servers
        await replica.client.replicaof("NO", "ONE")
        mark = len(watch.settled)
        await until(lambda: len(watch.settled) > mark + 4)  # some are dealt again before anybody is told
        shown = watch.last
        await primary.kill()
        relay.target = replica.port
        relay.cut()
        await until(lambda: len(watch.epochs) > 1, 5, "a new epoch")
        assert watch.last.seq < shown.seq
        assert watch.last.shoe.number == shown.shoe.number
        await until(lambda: watch.last.round > shown.round, 20, "a round beyond those shown")
        assert watch.repeated > 0
        assert not watch.task.done()
        async with open_pit(url) as pit:
            await audited(pit)


async def test_a_slip_that_a_new_primary_has_lost_is_told_to_its_owner(tmp_path):
    """J8: no bet that was accepted vanishes without a word."""
    async with (
        behind_one_address(tmp_path) as (pair, relay, url),
        played(url, replace(turbo("standard"), pace=PATIENT)),
        gateway_on(url) as gateway,
        connected(gateway.url) as player,
    ):
        await sit_down(player)
        window = await player.next_window()
        slip = {"type": "slip", "table": "standard", "round": window["round"], "rev": player.me[1]}
        kept = await player.ask(**slip, op="slip-that-is-kept", bets={"player": 500})
        assert kept["type"] == "slip_accepted"
        await pair.in_step()
        primary, replica = pair.servers
        await replica.client.replicaof("NO", "ONE")
        lost = {**slip, "rev": kept["rev"], "op": "slip-that-is-lost", "bets": {"player": 900, "tie": 100}}
        answer = await player.ask(**lost)
        assert (answer["type"], answer["bankroll"]) == ("slip_accepted", 49_000)
        await primary.kill()
        relay.target = replica.port
        relay.cut()
        await player.until(lambda: player.me[1:] == (kept["rev"], 49_500, {"player": 500}), 10)
        again = await player.ask(**{**lost, "op": "slip-once-more"})
        assert (again["type"], again["bets"]) == ("slip_accepted", {"player": 900, "tie": 100})
        async with open_pit(url) as pit:
            await audited(pit)


async def test_payouts_of_rounds_that_are_played_again_are_told_again(tmp_path):
    """J8: what was paid and then lost is paid and told once more, with the bankroll that is true then."""
    async with (
        behind_one_address(tmp_path) as (pair, relay, url),
        played(url, replace(turbo("standard"), pace=replace(LIVELY, betting_ms=20_000))),
        gateway_on(url) as gateway,
        connected(gateway.url) as player,
    ):
        await sit_down(player)
        primary, replica = pair.servers
        window = await player.next_window()
        slip = {"type": "slip", "table": "standard", "round": window["round"], "rev": player.me[1]}
        accepted = await player.ask(**slip, op="slip-in-question", bets={"banker": 1_000})
        assert accepted["type"] == "slip_accepted"
        await pair.in_step()
        await replica.client.replicaof("NO", "ONE")
        deal = {"type": "deal", "table": "standard", "round": window["round"]}
        await player.ask(**deal, op="deal-as-first-1")
        await player.until(lambda: window["round"] in player.payouts)
        paid = player.payouts.pop(window["round"])
        await primary.kill()
        relay.target = replica.port
        relay.cut()
        await player.until(lambda: player.window["epoch"] != window["epoch"])
        assert (player.phase, player.window["round"]) == ("betting", window["round"])
        await player.ask(**deal, op="deal-as-before-2")
        await player.until(lambda: window["round"] in player.payouts)
        assert player.payouts[window["round"]] == paid
        async with open_pit(url) as pit:
            await audited(pit)


async def test_a_demoted_primary_is_left_although_it_goes_on_answering(tmp_path):
    """J5: READONLY on every connection of the pool, and nothing cuts them."""
    async with (
        behind_one_address(tmp_path) as (pair, relay, url),
        played(url, turbo("standard")),
        gateway_on(url) as gateway,
        watching(gateway.url, "standard") as [watch],
    ):
        await until(lambda: len(watch.settled) > 1)
        primary, replica = pair.servers
        await pair.in_step()
        await replica.client.replicaof("NO", "ONE")
        relay.target = replica.port
        await primary.client.replicaof("127.0.0.1", str(replica.port))
        await until(lambda: len(watch.epochs) > 1, 10, "a new epoch")
        await watch.goes_on(10)
        async with open_pit(url) as pit:
            await audited(pit)


async def test_a_store_without_memory_refuses_bets_and_goes_on_when_it_has_some(store):
    """J6: the slip that stands stays, the round waits, nothing is half done."""
    async with (
        open_pit(store.url) as pit,
        played(store.url, replace(turbo("standard"), pace=LIVELY)),
        gateway_on(store.url) as gateway,
        watching(gateway.url, "standard") as [watch],
        connected(gateway.url) as player,
    ):
        await sit_down(player)
        window = await player.next_window(player.window.get("round", 0))
        slip = {"type": "slip", "table": "standard", "round": window["round"], "rev": player.me[1]}
        first = await player.ask(**slip, op="slip-in-time-1", bets={"player": 700})
        assert first["type"] == "slip_accepted"
        await pit.client.config_set("maxmemory", "1")
        refused = await player.ask(**slip | {"rev": first["rev"]}, op="slip-in-vain-1", bets={"tie": 100})
        assert (refused["type"], refused["code"]) == ("error", "unavailable")
        await until(lambda: watch.watcher.stalled, 15, "the stall")
        events = watch.events
        assert (await pit.seats.private("standard", player.id)).bets == {"player": 700}
        await pit.client.config_set("maxmemory", "0")
        await player.until(lambda: window["round"] in player.payouts)
        assert [bet["stake"] for bet in player.payouts[window["round"]]["bets"]] == [700]
        assert watch.events > events
        assert len(watch.epochs) == 1
        await audited(pit)


async def test_strict_counts_a_round_as_settled_when_a_replica_has_it(tmp_path):
    """J8: while none confirms, the table says that it stands still, and then goes on."""
    async with guarded_store(tmp_path, "--appendfsync", "always") as guarded:
        await guarded.patience(60_000)
        stores = Stores(guarded.url)
        warnings, confirmation = await check_servers(stores.servers, Durability.STRICT, [DEFAULT_PIT])
        primary, replica = guarded.servers
        disks = (await primary.client.execute_command("COMMAND INFO", "WAITAOF"))[0] is not None
        assert (warnings, confirmation.replicas, confirmation.disks) == ([], 1, disks)
        async with (
            played(guarded.url, turbo("standard"), confirmation=confirmation),
            gateway_on(guarded.url) as gateway,
            watching(gateway.url, "standard") as [watch],
        ):
            await until(lambda: len(watch.settled) > 1)
            replica.freeze()
            await until(lambda: watch.watcher.stalled, 15, "the stall")
            assert watch.last.phase == "settling"
            replica.thaw()
            mark = len(watch.settled)
            await until(lambda: len(watch.settled) > mark + 1)
        await primary.client.config_set("appendfsync", "everysec")
        with pytest.raises(UnsuitableStoreError, match="appendfsync always, and the store has yes and every"):
            await check_servers(stores.servers, Durability.STRICT, [DEFAULT_PIT])
        await primary.client.config_set("appendfsync", "always")
        await replica.kill()
        with pytest.raises(UnsuitableStoreError, match="needs a replica that confirms writes"):
            await check_servers(stores.servers, Durability.STRICT, [DEFAULT_PIT])
        await stores.close()


async def test_a_server_with_a_store_of_its_own_starts_it_as_strict_as_asked(tmp_path):
    (tmp_path / "croupier.toml").write_text("[store]\ndurability = 'strict'\n")
    async with serving(tmp_path / "data", "--config", str(tmp_path / "croupier.toml"), "--pace", "turbo"):
        socket = json.loads((tmp_path / "data" / "store" / "running.json").read_text())["socket"]
        async with open_pit(f"unix://{socket}") as pit:
            assert await pit.client.config_get("appendfsync") == {"appendfsync": "always"}
            await reach(lambda: pit.tables.rounds("standard", None, 1))


async def test_a_node_of_a_cluster_that_dies_is_replaced_by_its_replica(tmp_path):
    """The pit goes on with the replica; the wallets of other nodes never noticed."""
    async with cluster_store(tmp_path, replicas=True) as cluster:
        name = cluster.pit_on(1)
        async with (
            played(cluster.url, turbo("standard"), name=name),
            gateway_on(cluster.url, name=name) as gateway,
            watching(gateway.url, "standard") as [watch],
            connected(gateway.url) as player,
        ):
            await sit_down(player)
            await until(lambda: len(watch.settled) > 1)
            await cluster.primaries[1].kill()
            died = time.monotonic()
            await until(lambda: len(watch.epochs) > 1, 15, "a new epoch")
            await watch.goes_on(5)
            assert time.monotonic() - died < 15
            stores = Stores(cluster.url)
            pit = Pit(stores, name)
            assert (await pit.seats.private("standard", player.id)).bankroll == 50_000
            await stores.close()
