"""Whatever players, dealers and operators do, in whatever order, over broken connections: every cent counts.

After each step no cent has been lost or made, and the audit is clean. Each answer is taken into an account of
what wallets, seats and the house must have by it; once every action has had its answer, they have it.
"""

import asyncio
import contextlib

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from redis.exceptions import ConnectionError  # noqa: A004  # what the test's own commands fail with when cut

from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.values import TableId
from croupier_server.bank.answers import Credited, Leaving, Left, Seated, ToppedUp
from croupier_server.bank.audit import Auditor
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from support.banking import LISTING, TRANSFERS, a_bank, check_conservation, settle, sit, window
from support.cutting import cut_at, cuts
from support.stores import TestPit, running_store

PLAYERS = st.sampled_from(["ana", "bo", "cy"])
TABLES = st.sampled_from([TableId("standard"), TableId("vegas")])
CENTS = st.integers(1, 60) | st.sampled_from([1, 99, 100, 101])
CUTS = st.none() | st.tuples(st.integers(1, 8), st.sampled_from(["before", "after"]))
BETS = st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 40), max_size=3)
START = 100
HOUR_MS = 3_600_000
LIMITS = Limits(buy_in_least=1, buy_in_most=150, seats=2)


class MoneyMachine(RuleBasedStateMachine):
    """Two tables with two seats, three players with a wallet of 100 cents each."""

    loop: asyncio.AbstractEventLoop
    url: str

    def __init__(self):
        super().__init__()
        self.pit = TestPit.at(self.url)
        self.bank = a_bank(self.pit, START, refill_to=START, refill_every_ms=HOUR_MS)
        self.round = 1
        self.ops = self.steps = 0
        self.unanswered = {}
        self.wallets = {}
        self.seats = {}
        self.house = 0
        self.run(self.pit.client.flushall())
        self.run(self.pit.stream.open())
        self.open_windows()

    def run(self, awaitable):
        """Runs something to its end."""
        return self.loop.run_until_complete(asyncio.ensure_future(awaitable, loop=self.loop))

    def teardown(self):
        try:
            for name in list(self.unanswered):
                self.ask_again(name)
            self.compare()
        finally:
            self.run(self.pit.close())

    def open_windows(self):
        for table in ("standard", "vegas"):
            self.run(window(self.pit, self.round, table))

    def act(self, player, table, call, cut):
        """Does `call` with a new op; without an answer it stays to be asked again."""
        self.ops += 1
        op = f"operation-{self.ops}"
        self.unanswered[op] = (player, table, call)
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.take_in(op, self.run(call(op)))

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

    @rule(player=PLAYERS, table=TABLES, cents=CENTS, seat=st.sampled_from([None, None, 1, 2]), cut=CUTS)
    def sit(self, player, table, cents, seat, cut):
        self.act(
            player,
            table,
            lambda op: sit(self.bank, player, cents, table=table, op=op, limits=LIMITS, seat=seat),
            cut,
        )

    @rule(player=PLAYERS, table=TABLES, cents=CENTS, cut=CUTS)
    def top_up(self, player, table, cents, cut):
        self.act(player, table, lambda op: self.bank.top_up(table, player, op, cents, LIMITS), cut)

    @rule(player=PLAYERS, table=TABLES, cut=CUTS)
    def leave(self, player, table, cut):
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
        """An hour passes for a wallet that has less than it is refilled to."""
        before = self.run(self.bank.wallet(player))
        if before is None or before.wallet.balance >= START:
            return
        self.run(self.pit.client.hincrby(f"croupier:{{w:{player}}}", "refilled_at_ms", -HOUR_MS))
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.bank.refill(player))
        assert self.run(self.bank.refill(player)) == START
        self.wallets[player] = self.wallets.get(player, START) + START - before.wallet.balance

    @rule(player=PLAYERS, table=TABLES, bets=BETS, cut=CUTS)
    def slip(self, player, table, bets, cut):
        """A slip on the revision that stands; `{}` clears it. Cut, it is sent once more."""
        rev = self.run(self.pit.seats.private(table, player)).rev
        self.ops += 1
        arguments = (table, player, self.round, rev, f"operation-{self.ops}", LISTING, bets)
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.pit.seats.place(*arguments))
        self.run(self.pit.seats.place(*arguments))

    @rule(
        table=TABLES,
        pays=st.fixed_dictionaries({bet: st.integers(0, 3) for bet in ("player", "banker", "tie")}),
        void=st.booleans(),
        cut=CUTS,
    )
    def settle(self, table, pays, void, cut):
        """Every slip comes back so many times over. Cut, it goes on from what is left."""

        def back(_, bets):
            return bets if void else {bet: pays[bet] * cents for bet, cents in bets.items()}

        for slip in self.run(self.pit.seats.slips(table)):
            won = sum(back(slip.player, slip.bets).values()) - sum(slip.bets.values())
            self.seats[table, slip.player] = self.seats.get((table, slip.player), 0) + won
            self.house -= won
        with self.cut(cut), contextlib.suppress(StoreUnavailableError, ConnectionError):
            self.run(settle(self.pit, back, self.round, table=table, void=void))
        self.run(settle(self.pit, back, self.round, table=table, void=void))
        self.round += 1
        self.open_windows()

    @rule(player=PLAYERS, table=TABLES)
    def cash_out(self, player, table):
        self.ask_again_all(player)
        answer = self.run(self.bank.cash_out(table, player))
        assert isinstance(answer, Left | Leaving | None)
        if isinstance(answer, Left):
            self.move(player, table, -answer.returned)

    @rule(table=TABLES, cut=CUTS)
    def finish(self, table, cut):
        with self.cut(cut), contextlib.suppress(StoreUnavailableError):
            self.run(self.bank.finish(table, 0))

    @rule(most=st.integers(1, 5), kept=st.integers(0, 10))
    def roll(self, most, kept):
        self.run(self.bank.ledger.roll(most=most, kept=kept))

    @rule(data=st.data())
    def ask_one_again(self, data):
        if self.unanswered:
            self.ask_again(data.draw(st.sampled_from(sorted(self.unanswered))))

    @invariant()
    def conserved(self):
        self.run(check_conservation(self.pit.client))

    @invariant()
    def audited(self):
        """At every third step: it takes as long as all the rest."""
        self.steps += 1
        if self.steps % 3:
            return
        report = self.run(Auditor(self.pit.stores, [DEFAULT_PIT]).run())
        assert (report.mismatches, report.unpinned, report.difference) == ((), (), 0)

    @invariant()
    def as_told(self):
        if not self.unanswered:
            self.compare()

    def compare(self):
        """What the store has is what the answers make, and nothing is on its way."""
        for player in ("ana", "bo", "cy"):
            statement = self.run(self.bank.wallet(player))
            assert (START if statement is None else statement.wallet.balance) == self.wallets.get(
                player, START
            )
            for table in ("standard", "vegas"):
                place = self.run(self.pit.seats.private(table, player))
                assert place.bankroll + sum(place.bets.values()) == self.seats.get((table, player), 0)
        assert int(self.run(self.pit.client.get("croupier:{main}:house")) or 0) == self.house
        assert set(self.run(self.pit.client.hkeys(TRANSFERS))) <= {b"number"}


def play(tmp_path, examples: int, steps: int) -> None:
    """Runs the machine on a store of its own."""

    async def with_store():
        async with running_store(tmp_path / "store") as store:
            MoneyMachine.loop, MoneyMachine.url = asyncio.new_event_loop(), store.url
            try:
                await asyncio.to_thread(
                    run_state_machine_as_test,
                    MoneyMachine,
                    settings=settings(
                        max_examples=examples,
                        stateful_step_count=steps,
                        deadline=None,
                        suppress_health_check=list(HealthCheck),
                    ),
                )
            finally:
                MoneyMachine.loop.close()

    asyncio.run(with_store())


@pytest.mark.slow
def test_money_is_conserved_and_moved_once(tmp_path):
    play(tmp_path, examples=200, steps=15)


@pytest.mark.long
def test_money_is_conserved_and_moved_once_for_long(tmp_path):
    play(tmp_path, examples=5_000, steps=30)
