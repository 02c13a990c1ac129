"""What counts of a table's stream: the rules of the follower, without a network."""

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_client.follower import Follower, Verdict
from croupier_protocol.messages.to_client import TableView, Watching
from croupier_protocol.messages.to_server import Since
from croupier_protocol.view import fold
from legal_rounds import Dealer


def watching(follower: Follower, request: int, resumed: bool) -> None:
    answer = Watching(id=request, table=follower.table, epoch="e1", seq=0, resumed=resumed)
    follower.watching(answer)


def started(dealer: Dealer) -> Follower:
    """A follower that has the dealer's present."""
    follower = Follower(dealer.table)
    assert follower.watch(1).since is None
    watching(follower, 1, resumed=False)
    assert follower.snapshot(dealer.view) is Verdict.DELIVER
    return follower


def test_before_the_answer_everything_is_old():
    dealer = Dealer()
    follower = started(dealer)
    first, second, *_ = dealer.deal(1)
    assert follower.event(first) is Verdict.DELIVER
    assert follower.watch(2).since == Since(epoch="e1", seq=1)
    assert follower.event(second) is Verdict.DROP
    assert follower.snapshot(dealer.view) is Verdict.DROP
    watching(follower, 1, resumed=True)
    assert follower.event(second) is Verdict.DROP
    watching(follower, 2, resumed=True)
    assert follower.event(second) is Verdict.DELIVER


def test_without_resume_events_wait_for_the_snapshot():
    dealer = Dealer()
    follower = started(dealer)
    first, *_ = dealer.deal(1)
    follower.watch(2)
    watching(follower, 2, resumed=False)
    assert follower.event(first) is Verdict.DROP
    assert follower.snapshot(dealer.view) is Verdict.DELIVER
    assert follower.view == dealer.view


def test_a_server_may_move_a_watcher_to_the_present():
    dealer = Dealer()
    follower = started(dealer)
    dealer.deal(2)
    assert follower.snapshot(dealer.view) is Verdict.DELIVER
    assert follower.event(dealer.deal(1)[0]) is Verdict.DELIVER


def test_a_second_misfit_in_a_row_asks_for_another_connection_and_a_snapshot():
    dealer = Dealer()
    follower = started(dealer)
    events = dealer.deal(2)
    assert follower.event(events[1]) is Verdict.WATCH_AGAIN
    assert follower.watch(2).since == Since(epoch="e1", seq=0)
    watching(follower, 2, resumed=True)
    assert follower.event(events[2]) is Verdict.RECONNECT
    assert follower.event(events[0]) is Verdict.DROP
    assert follower.watch(3).since is None


def test_an_event_in_order_makes_the_next_misfit_a_first_one():
    dealer = Dealer()
    follower = started(dealer)
    events = dealer.deal(2)
    for request, (right, wrong) in enumerate([(0, 2), (1, 5), (2, 4)], start=2):
        assert follower.event(events[right]) is Verdict.DELIVER
        assert follower.event(events[wrong]) is Verdict.WATCH_AGAIN
        follower.watch(request)
        watching(follower, request, resumed=True)


def test_the_third_since_ahead_is_believed():
    dealer = Dealer()
    follower = started(dealer)
    assert [follower.since_ahead() for _ in range(3)] == [
        Verdict.RECONNECT,
        Verdict.RECONNECT,
        Verdict.WATCH_AGAIN,
    ]
    assert follower.watch(9).since is None


def test_an_answer_between_two_since_ahead_starts_the_count_anew():
    follower = started(Dealer())
    follower.since_ahead()
    follower.since_ahead()
    follower.watch(5)
    watching(follower, 5, resumed=True)
    assert follower.since_ahead() is Verdict.RECONNECT


class Network:
    """A table, a follower of it, and between them a line that loses, repeats and delays as it is told."""

    def __init__(self, seed: int) -> None:
        self.dealer = Dealer(seed=seed)
        self.follower = Follower(self.dealer.table)
        self.delivered: list = []
        self.held: list = []
        self.requests = 0
        self.watch()

    def watch(self) -> None:
        self.requests += 1
        command = self.follower.watch(self.requests)
        view, since = self.dealer.view, command.since
        resumed = since is not None and since.epoch == view.epoch and since.seq <= view.seq
        watching(self.follower, self.requests, resumed=resumed)
        for message in self.dealer.events[since.seq :] if resumed else [view]:
            self.arrive(message)

    def arrive(self, message) -> None:
        if isinstance(message, TableView):
            verdict = self.follower.snapshot(message)
        else:
            verdict = self.follower.event(message)
        if verdict is Verdict.DELIVER:
            self.delivered.append(message)
        elif verdict in {Verdict.WATCH_AGAIN, Verdict.RECONNECT}:
            self.watch()

    def carry(self, event, fault: str) -> None:
        """Brings an event over, or not, with what befalls the line on the way."""
        match fault:
            case "send":
                arriving = [event]
            case "twice":
                arriving = [event, event]
            case "again":
                arriving = [event, self.dealer.events[0]]
            case "late":
                arriving, self.held = self.held, [event]
            case _:
                arriving = []
        for each in arriving:
            self.arrive(each)
        if fault == "cut":
            self.watch()

    def new_epoch(self) -> None:
        name = f"e{int(self.dealer.epoch[1:]) + 1}"
        self.dealer = Dealer(epoch=name, seed=self.requests)
        self.dealer.deal(1)


FAULT = st.sampled_from(["send", "send", "send", "lose", "twice", "again", "late", "cut", "epoch"])


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 1000), faults=st.lists(FAULT, max_size=60))
def test_whatever_the_line_does_what_is_delivered_joins_up(seed, faults):
    """VIEW and H1: each delivered event is the next of the view, and in the end the view is the table's."""
    network = Network(seed)
    steps = iter(())
    for fault in faults:
        event = next(steps, None)
        if event is None:
            steps = network.dealer.steps()
            event = next(steps)
        network.carry(event, fault)
        if fault == "epoch":
            network.new_epoch()
            steps = iter(())
    for event in network.dealer.deal(1):
        network.arrive(event)
    assert network.follower.view == network.dealer.view
    view = None
    for message in network.delivered:
        view = message if isinstance(message, TableView) else fold(view, message)
    assert view == network.dealer.view
