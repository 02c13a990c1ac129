"""Whatever players, dealers and operators do, in whatever order, over broken connections: every cent counts.

After each step no cent has been lost or made; what stands on each slip and what each seat was told of its
rounds is what the answers made; and where every action has had its answer, wallets, seats and the house have
what the answers say. The bank's own audit looks at everything that is stored after each step that changed it.
"""

import asyncio
import contextlib
import json
import time

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from redis import Redis
from redis.exceptions import ConnectionError  # noqa: A004  # what the test's own commands fail with when cut

from croupier_protocol.codec import encode_untimed
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.events import BettingClosed
from croupier_protocol.messages.values import Phase, TableId
from croupier_server.bank.answers import Credited, Leaving, Left, Seated, ToppedUp
from croupier_server.bank.audit import Auditor
from croupier_server.store import keys
from croupier_server.store.errors import NotReadyError, OutOfStepError, StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.records import Commit, Lease
from croupier_server.store.seats import SlipRefusal, SlipState
from croupier_server.store.settled import RESULTS_KEPT
from support.banking import (
    BASE,
    HOUSE,
    LEASE,
    LEDGER,
    LISTING,
    MOST,
    TRANSFERS,
    a_bank,
    check_sum,
    money_in,
    settle,
    sit,
    stakes_on,
    window,
)
from support.cutting import cut_at, cuts
from support.stores import TestPit, running_store

NAMES = ("ana", "bo", "cy")
TABLE_NAMES = (TableId("standard"), TableId("vegas"))
PLAYERS = st.sampled_from(NAMES)
TABLES = st.sampled_from(TABLE_NAMES)
PLACES = st.integers(0, 59)
"""Picks a player and a table, mostly one where the player has a seat."""

CENTS = st.integers(1, 60) | st.sampled_from([1, 99, 100, 101])
CUTS = st.none() | st.tuples(st.integers(1, 8), st.sampled_from(["before", "after"]))
BETS = st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 30), max_size=3)
START = 100
HOUR_MS = 3_600_000
REFILL_MS = 24 * HOUR_MS
"""Longer than the longest run, whose wallets are all as old as the run."""

LIMITS = Limits(buy_in_least=1, buy_in_most=150, seats=2)


class MoneyMachine(RuleBasedStateMachine):
    """Two tables with two seats, three players with a wallet of 100 cents each."""

    loop: asyncio.AbstractEventLoop
    pit: TestPit
    reader: Redis
    epoch: str
    beginning: dict[bytes, bytes]

    def __init__(self):
        super().__init__()
        self.bank = bank_of(self.pit)
        self.rounds = dict.fromkeys(TABLE_NAMES, 1)
        self.closed = set()
        self.ops = 0
        self.unanswered = {}
        self.wallets = dict.fromkeys(NAMES, 40)
        self.seats = dict.fromkeys([("standard", "ana"), ("standard", "bo"), ("vegas", "cy")], 60)
        self.slips = {}
        self.sent = []
        self.paid = {}
        self.house = 0
        self.audited_last = None
        pipe = self.reader.pipeline()
        pipe.flushall()
        for key, content in self.beginning.items():
            pipe.restore(key, 0, content)
        for table, player in self.seats:
            pipe.hset(keys.present_key(DEFAULT_PIT, table), player, int(time.time() * 1000))
        pipe.execute()

    def run(self, awaitable):
        """Runs something to its end."""
        return self.loop.run_until_complete(asyncio.ensure_future(awaitable, loop=self.loop))

    def teardown(self):
        for name in list(self.unanswered):
            self.ask_again(name)
        self.compare(self.stored()[0])

    def open_window(self, table):
        """A new round with nothing on the table, as a dealer's commit begins it."""
        self.closed.discard(table)
        self.reader.delete(keys.totals_key(DEFAULT_PIT, table), keys.ready_key(DEFAULT_PIT, table))
        self.run(window(self.pit, self.rounds[table], table))

    def act(self, player, table, call, cut):
        """Does `call` with a new op; without an answer it stays to be asked again."""
        op = self.new_op()
        self.unanswered[op] = (player, table, call)
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.take_in(op, self.run(call(op)))

    def new_op(self):
        self.ops += 1
        return f"operation-{self.ops}"

    def cut(self, cut):
        """Cuts one command, or none."""
        return cuts(self.pit.client, cut_at(*cut) if cut else lambda _: None)

    def ask_again(self, op):
        self.take_in(op, self.run(self.unanswered[op][2](op)))

    def ask_again_all(self, player):
        """Of an action that ends a seat there must be no earlier one that still waits for its answer."""
        for op in [op for op, (who, _, _) in self.unanswered.items() if who == player]:
            self.ask_again(op)

    def take_in(self, op, answer):
        """Takes an answer into the account, once for each op."""
        player, table, _ = self.unanswered.pop(op)
        match answer:
            case Seated(bought=cents) | ToppedUp(bought=cents):
                self.move(player, table, cents)
            case Left(returned=cents):
                self.move(player, table, -cents)
            case Credited(amount=cents):
                self.wallets[player] = self.wallets.get(player, START) + (
                    cents if table == "credit" else -cents
                )

    def move(self, player, table, cents):
        self.wallets[player] = self.wallets.get(player, START) - cents
        self.seats[table, player] = self.seats.get((table, player), 0) + cents

    def place(self, number):
        """The player and the table that a number of `PLACES` picks."""
        everywhere = [(player, table) for player in NAMES for table in TABLE_NAMES]
        seated = [(player, table) for player, table in everywhere if (table, player) in self.seats]
        choice = [*everywhere, *seated, *seated, *seated]
        return choice[number % len(choice)]

    # Chips

    def ask_to_sit(self, player, table, cents, op, seat=None):
        return sit(self.bank, player, cents, table=table, op=op, limits=LIMITS, seat=seat)

    @rule(player=PLAYERS, table=TABLES, cents=CENTS, seat=st.sampled_from([None, None, 1, 2]), cut=CUTS)
    def sit(self, player, table, cents, seat, cut):
        self.act(player, table, lambda op: self.ask_to_sit(player, table, cents, op, seat), cut)

    @rule(place=PLACES, cents=CENTS, cut=CUTS)
    def top_up(self, place, cents, cut):
        player, table = self.place(place)
        self.act(player, table, lambda op: self.bank.top_up(table, player, op, cents, LIMITS), cut)

    @rule(place=PLACES, cut=CUTS)
    def leave(self, place, cut):
        player, table = self.place(place)
        self.ask_again_all(player)
        self.act(player, table, lambda op: self.bank.leave(table, player, op), cut)

    @rule(player=PLAYERS, cents=CENTS, cut=CUTS)
    def credit(self, player, cents, cut):
        self.act(player, "credit", lambda op: self.bank.credit(player, cents, op, "luck"), cut)

    @rule(player=PLAYERS, cents=CENTS, cut=CUTS)
    def debit(self, player, cents, cut):
        self.act(player, "debit", lambda op: self.bank.debit(player, cents, op, "bad luck"), cut)

    @rule(player=PLAYERS, cut=CUTS)
    def refill(self, player, cut):
        """A day passes for a wallet that has less than it is refilled to."""
        before = self.run(self.bank.wallet(player))
        if before is None or before.wallet.balance >= START:
            return
        self.run(self.pit.client.hincrby(keys.wallet_key(player), "refilled_at_ms", -REFILL_MS))
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.bank.refill(player))
        assert self.run(self.bank.refill(player)) == START
        self.wallets[player] = self.wallets.get(player, START) + START - before.wallet.balance

    # Rounds

    @rule(place=PLACES, everybody=st.booleans(), bets=BETS, cut=CUTS)
    def slip(self, place, everybody, bets, cut):
        """A slip on the revision that stands, of one or of all; `{}` clears it. Cut, it is sent again."""
        player, table = self.place(place)
        for one in NAMES if everybody else (player,):
            self.slip_of(one, table, bets, cut)

    def slip_of(self, player, table, bets, cut):
        rev = self.run(self.pit.seats.private(table, player)).rev
        arguments = (table, player, self.rounds[table], rev, self.new_op(), LISTING, bets)
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.pit.seats.place(*arguments))
        match self.run(self.pit.seats.place(*arguments)):
            case SlipState(accepted=True, bets=standing):
                assert (standing, table in self.closed) == (bets, False)
                self.slips[table, player] = bets
                self.sent.append(arguments)
            case SlipRefusal(why=why) if table in self.closed:
                assert why in {"phase", "seat", "leaving"}
            case SlipRefusal(why=why):
                assert why in {"short", "seat", "leaving"}
            case other:
                raise AssertionError(other)

    @rule(data=st.data())
    def late_copy_of_a_slip(self, data):
        """A slip of a socket that was given up arrives once more, however late: it changes nothing."""
        if self.sent:
            self.run(self.pit.seats.place(*data.draw(st.sampled_from(self.sent))))

    @rule(place=PLACES, everybody=st.booleans(), cut=CUTS)
    def deal(self, place, everybody, cut):
        player, table = self.place(place)
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            for one in NAMES if everybody else (player,):
                self.run(self.pit.seats.ready(table, one, self.rounds[table]))

    @rule(place=PLACES)
    def drop(self, place):
        """The player's connection is lost, and an hour passes for the gateway that had it."""
        player, table = self.place(place)
        present = keys.present_key(DEFAULT_PIT, table)
        if self.run(self.pit.client.hexists(present, player)):
            self.run(self.pit.client.hincrby(present, player, -HOUR_MS))

    @rule(place=PLACES)
    def reconnect(self, place):
        """The player is told its place and what its last rounds brought, each once."""
        player, table = self.place(place)
        self.run(self.pit.seats.present({table: [player]}))
        place = self.run(self.pit.seats.private(table, player))
        assert place.bets == self.slips.get((table, player), {})
        told = self.run(self.pit.settled.results(table, player, 0))
        assert [(one.payout.round, one.payout.returned) for one in told] == self.paid.get(
            (table, player), []
        )[-RESULTS_KEPT:]

    @rule(table=TABLES, cut=CUTS)
    def early_close(self, table, cut):
        """The window closes when every seat that is there is ready, and only then."""
        if table in self.closed:
            return
        seq = int(self.run(self.pit.client.hget(keys.table_key(DEFAULT_PIT, table), "seq")) or 0)
        ready = self.all_ready(table)
        lease = Lease(table=table, owner=LEASE.owner, fence=LEASE.fence)
        event = BettingClosed(
            round=self.rounds[table], table=table, epoch=self.epoch, seq=seq + 1, due_ms=5, at_ms=MOST
        )
        step = Commit(
            seq=seq,
            epoch=self.epoch,
            phase=Phase.CLOSED,
            round=self.rounds[table],
            closes_at_ms=MOST,
            state=b"",
            event=encode_untimed(event),
            early=True,
            listing=LISTING,
        )
        closed = False
        with self.cut(cut), contextlib.suppress(StoreUnavailableError, NotReadyError):
            self.run(self.pit.tables.commit(lease, step, 60_000, 1))
            closed = True
        if not closed:
            # As a dealer that has read the record again: the step is there, or it is taken again.
            with contextlib.suppress(NotReadyError, OutOfStepError):
                self.run(self.pit.tables.commit(lease, step, 60_000, 1))
        phase = self.run(self.pit.client.hget(keys.table_key(DEFAULT_PIT, table), "phase"))
        assert (phase == b"closed") == ready
        if ready:
            self.closed.add(table)

    def all_ready(self, table):
        """Whether somebody is there, and everybody who is has pressed Deal for this round."""
        pipe = self.reader.pipeline(transaction=False)
        for key in (keys.seats_key, keys.present_key, keys.ready_key):
            pipe.hgetall(key(DEFAULT_PIT, table))
        pipe.time()
        seats, present, ready, (seconds, _) = pipe.execute()
        taken = [player for player, seat in seats.items() if json.loads(seat)["state"] == "taken"]
        there = [player for player in taken if int(present.get(player, 0)) > seconds * 1000 - 60_000]
        return bool(there) and all(ready.get(player) == b"%d" % self.rounds[table] for player in there)

    @rule(
        table=TABLES,
        pays=st.fixed_dictionaries({bet: st.integers(0, 3) for bet in ("player", "banker", "tie")}),
        void=st.booleans(),
        cut=CUTS,
    )
    def settle(self, table, pays, void, cut):
        """Every slip comes back so many times over. Cut, it goes on from what is left."""
        if not any(bets for (at, _), bets in self.slips.items() if at == table):
            table = next((at for (at, _), bets in self.slips.items() if bets), table)

        def back(_, bets):
            return bets if void else {bet: pays[bet] * cents for bet, cents in bets.items()}

        round_ = self.rounds[table]
        for player in NAMES:
            if bets := self.slips.pop((table, player), {}):
                returned = sum(back(player, bets).values())
                won = returned - sum(bets.values())
                self.seats[table, player] = self.seats.get((table, player), 0) + won
                self.house -= won
                self.paid.setdefault((table, player), []).append((round_, returned))
        with self.cut(cut), contextlib.suppress(StoreUnavailableError, ConnectionError):
            self.run(settle(self.pit, back, round_, table=table, void=void))
        self.run(settle(self.pit, back, round_, table=table, void=void))
        self.rounds[table] += 1
        self.open_window(table)

    # What the dealer does beside

    @rule(place=PLACES)
    def cash_out(self, place):
        player, table = self.place(place)
        self.ask_again_all(player)
        answer = self.run(self.bank.cash_out(table, player))
        assert isinstance(answer, Left | Leaving | None)
        if isinstance(answer, Left):
            self.move(player, table, -answer.returned)

    @rule(table=TABLES, cut=CUTS)
    def finish(self, table, cut):
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.bank.finish(table, 0))

    @rule(table=TABLES, cut=CUTS)
    def empty_outbox(self, table, cut):
        """Own rounds are kept with their players, each once."""
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.pit.settled.empty_outbox(table))
        self.run(self.pit.settled.empty_outbox(table))
        for player in NAMES:
            kept = self.run(self.pit.settled.own_rounds(player, None, 100))
            rounds = sorted(one.payout.round for _, one in kept if one.table == table)
            assert rounds == [round_ for round_, _ in self.paid.get((table, player), [])]

    @rule(most=st.integers(1, 5), kept=st.integers(0, 10), cut=CUTS)
    def roll(self, most, kept, cut):
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.bank.ledger.roll(most=most, kept=kept))

    @rule(data=st.data())
    def ask_one_again(self, data):
        if self.unanswered:
            self.ask_again(data.draw(st.sampled_from(sorted(self.unanswered))))

    # What holds

    def stored(self):
        """All the money there is, as it is stored, and all else that an audit reads; in one trip."""
        pipe = self.reader.pipeline(transaction=False)
        for player in NAMES:
            pipe.hgetall(keys.wallet_key(player))
        for key in (keys.bankrolls_key, keys.slips_key):
            for table in TABLE_NAMES:
                pipe.hgetall(key(DEFAULT_PIT, table))
        pipe.get(HOUSE)
        pipe.hgetall(TRANSFERS)
        for key in (keys.seats_key, keys.revisions_key):
            for table in TABLE_NAMES:
                pipe.hgetall(key(DEFAULT_PIT, table))
        for key in (BASE, keys.players_key()):
            pipe.hgetall(key)
        pipe.xrevrange(LEDGER, count=1)
        pipe.xlen(LEDGER)
        found = pipe.execute()
        made = {name.encode(): wallet for name, wallet in zip(NAMES, found, strict=False) if wallet}
        return (made, found[3:5], found[5:7], found[7], found[8]), found

    @invariant()
    def conserved_and_as_told(self):
        stored, everything = self.stored()
        check_sum(money_in(*stored))
        for table, slips in zip(TABLE_NAMES, stored[2], strict=True):
            standing = {player: bets for (at, player), bets in self.slips.items() if at == table and bets}
            assert {player.decode(): sorted(stakes_on(text)) for player, text in slips.items()} == {
                player: sorted(bets.values()) for player, bets in standing.items()
            }
        if not self.unanswered:
            self.compare(stored)
        if everything != self.audited_last:
            report = self.run(Auditor(self.pit.stores, [DEFAULT_PIT]).run())
            assert (report.mismatches, report.unpinned, report.difference) == ((), (), 0)
            self.audited_last = everything

    def compare(self, stored):
        """What the store has is what the answers make, and nothing is on its way."""
        wallets, bankrolls, slips, house, transfers = stored
        for name in NAMES:
            player = name.encode()
            wallet = wallets.get(player)
            holds = START if wallet is None else int(wallet[b"balance"])
            assert holds == self.wallets.get(name, START)
            for index, table in enumerate(TABLE_NAMES):
                staked = sum(stakes_on(slips[index][player])) if player in slips[index] else 0
                seat = int(bankrolls[index].get(player, 0)) + staked
                assert seat == self.seats.get((table, name), 0)
        assert int(house or 0) == self.house
        assert set(transfers) <= {b"number"}


def bank_of(pit):
    return a_bank(pit, START, refill_to=START, refill_every_ms=REFILL_MS)


async def begin(pit):
    """What every example begins with: two windows, three seats. Returns the epoch."""
    epoch = await pit.stream.open()
    for table in TABLE_NAMES:
        await window(pit, 1, table)
    for player, table in (("ana", "standard"), ("bo", "standard"), ("cy", "vegas")):
        await sit(bank_of(pit), player, 60, table=table, limits=LIMITS)
    return epoch


def play(tmp_path, examples: int, steps: int) -> None:
    """Runs the machine on a store of its own."""

    async def with_store():
        async with running_store(tmp_path / "store") as store:
            await asyncio.to_thread(play_on, store.url, examples, steps)

    asyncio.run(with_store())


def play_on(url: str, examples: int, steps: int) -> None:
    MoneyMachine.loop = asyncio.new_event_loop()
    MoneyMachine.pit, MoneyMachine.reader = TestPit.at(url), Redis.from_url(url)
    try:
        MoneyMachine.epoch = MoneyMachine.loop.run_until_complete(begin(MoneyMachine.pit))
        MoneyMachine.beginning = {
            key: MoneyMachine.reader.dump(key) for key in MoneyMachine.reader.scan_iter("*")
        }
        run_state_machine_as_test(
            MoneyMachine,
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        MoneyMachine.loop.run_until_complete(MoneyMachine.pit.close())
        MoneyMachine.reader.close()
        MoneyMachine.loop.close()


@pytest.mark.slow
@pytest.mark.parametrize("half", [1, 2])  # of 200 examples, which two processes may play at once
def test_money_is_conserved_and_moved_once(tmp_path, half):
    play(tmp_path, examples=100, steps=15)


@pytest.mark.long
def test_money_is_conserved_and_moved_once_for_long(tmp_path):
    play(tmp_path, examples=5_000, steps=20)
