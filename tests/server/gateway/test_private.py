"""What players are told of their own when something goes wrong, and in which order."""

import asyncio

import pytest

from croupier_protocol.messages.to_client import OwnRound, PaidOut
from croupier_protocol.messages.values import HandView, Payout, RulesRef
from croupier_server.gateway.private import PrivateState
from croupier_server.gateway.roster import Roster
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.seats import Private, SeatRecord
from support.gateways import gateway_on
from support.players import connected, op, sit, slip, standing
from support.proxies import proxy_to
from support.tasks import beside

ANA = "ana"


class Outlet:
    """A connection that keeps what it was told."""

    def __init__(self):
        self.told = []

    def reply(self, message):
        self.told.append(message)


class Places:
    """A store of places, which a test holds up and takes away."""

    def __init__(self):
        self.rev = 0
        self.away = False
        self.reads = 0
        self.held = None
        self.bets = {}
        self.rounds = []
        self.paying = None
        self.payings = 0

    async def privates(self, table, players):
        self.reads += 1
        rev, bets = self.rev, self.bets
        if self.held is not None:
            await self.held.wait()
        if self.away:
            raise StoreUnavailableError("away")
        seat = SeatRecord(seat=1, name="Ana", skeleton="ana")
        round_ = 378 if bets else 0
        place = Private(seat=seat, bankroll=10_000 - rev, rev=rev, round=round_, bets=bets, ready_round=0)
        return dict.fromkeys(players, place)

    async def all_results(self, table, players):
        return dict.fromkeys(players, self.rounds)

    async def newest_results(self, table, players):
        self.payings += 1
        if self.paying is not None:
            await self.paying.wait()
        return dict.fromkeys(players, self.rounds[-1])

    async def present(self, connected):
        pass


@pytest.fixture
def places():
    return Places()


@pytest.fixture
async def private(places):
    state = PrivateState(places, places, Roster())
    async with beside(state.run()):
        yield state


async def test_what_was_read_before_an_answered_slip_is_not_told_after_it(places, private):
    outlet = Outlet()
    private._roster.join(ANA, "standard", outlet, 0)
    places.held = asyncio.Event()
    asking = asyncio.create_task(private.tell("standard", ANA, outlet))
    while not places.reads:
        await asyncio.sleep(0)
    places.rev = 1
    private.answered("standard", ANA, outlet, 1)
    places.held.set()
    await asking
    assert [me.rev for me in outlet.told] == [1]


async def test_a_slip_that_is_paid_while_its_place_is_read_is_not_told_beside_its_payout(places, private):
    """Given a place that was read with its slip, and results that were read with its payout."""
    outlet = Outlet()
    private._roster.join(ANA, "standard", outlet, 377)
    places.rev, places.bets = 500, {"player": 500}  # 95.00 are left
    places.held = asyncio.Event()
    asking = asyncio.create_task(private.tell("standard", ANA, outlet))
    while not places.reads:
        await asyncio.sleep(0)
    places.bets, places.rounds = {}, [_own_round(378)]
    places.held.set()
    await asking
    (me,) = outlet.told
    assert (me.slip, [payout.round for payout in me.payouts]) == ({}, [378])
    assert me.bankroll == 10_000


async def test_payouts_that_passed_unseen_are_all_told_though_a_slip_is_answered_meanwhile(
    places, private, monkeypatch
):
    """Given settled rounds of which nothing was heard, when one more is settled, then none is left out."""
    monkeypatch.setattr("croupier_server.gateway.private.write", _write)
    outlet = Outlet()
    private._roster.join(ANA, "standard", outlet, 377)
    places.rounds = [_own_round(number) for number in (378, 379, 380, 381)]
    places.held = asyncio.Event()
    private.replaced("standard", None)
    private.settled("standard", 381)
    while not places.reads:
        await asyncio.sleep(0)
    places.rev = 1
    private.answered("standard", ANA, outlet, 1)
    places.held.set()
    async with asyncio.timeout(10):
        while _paid(outlet)[-1:] != [381]:
            await asyncio.sleep(0)
    assert _paid(outlet) == [378, 379, 380, 381]


@pytest.mark.parametrize("what", ["the player returns", "the table is read anew"])
async def test_a_round_settled_meanwhile_does_not_hide_those_before_it(places, private, monkeypatch, what):
    """Given a payout that is being looked up, when one who knows of none since round 377 waits for `me`."""
    monkeypatch.setattr("croupier_server.gateway.private.write", _write)
    outlet = Outlet()
    places.rounds = [_own_round(number) for number in (378, 379, 380, 381)]
    places.paying = asyncio.Event()
    private._roster.join(ANA, "standard", Outlet(), 380)
    if what == "the table is read anew":
        private._roster.join(ANA, "standard", outlet, 377)
    private.settled("standard", 381)
    while not places.payings:
        await asyncio.sleep(0)
    if what == "the table is read anew":
        private.replaced("standard", None)
        places.paying.set()
    else:
        private._roster.join(ANA, "standard", outlet, 377)
        returning = asyncio.create_task(private.tell("standard", ANA, outlet))
        await asyncio.sleep(0)
        places.paying.set()
        await returning
    async with asyncio.timeout(10):
        while _paid(outlet)[-1:] != [381]:
            await asyncio.sleep(0)
    assert _paid(outlet) == [378, 379, 380, 381]


def _own_round(number: int) -> OwnRound:
    payout = Payout(table="standard", round=number, bets=(), returned=0, bankroll=10_000)
    rules = RulesRef(name="standard", digest="")
    return OwnRound(
        table="standard",
        rules=rules,
        player=HandView(),
        banker=HandView(),
        outcome=None,
        payout=payout,
        bankroll_before=10_000,
        ended_at_ms=0,
    )


def _write(outlets, message) -> None:
    for outlet in outlets:
        outlet.told.append(message.message)


def _paid(outlet) -> list[int]:
    """The rounds whose payouts the connection was told, in order."""
    payouts = []
    for message in outlet.told:
        payouts += [message.payout] if isinstance(message, PaidOut) else message.payouts
    return [payout.round for payout in payouts]


async def test_many_that_ask_at_once_are_read_at_once(places, private):
    outlets = [Outlet() for _ in range(100)]
    for number, outlet in enumerate(outlets):
        private._roster.join(f"p{number}", "standard", outlet, 0)
    await asyncio.gather(
        *(private.tell("standard", f"p{number}", outlet) for number, outlet in enumerate(outlets))
    )
    assert [len(outlet.told) for outlet in outlets] == [1] * 100
    assert places.reads == 1


async def test_who_asks_while_the_store_is_away_is_refused_and_told_when_it_is_back(
    places, private, monkeypatch
):
    monkeypatch.setattr("croupier_server.gateway.private.RETRY_S", 0)
    outlet = Outlet()
    private._roster.join(ANA, "standard", outlet, 0)
    places.away = True
    with pytest.raises(StoreUnavailableError):
        await private.tell("standard", ANA, outlet)
    places.away = False
    async with asyncio.timeout(10):
        while not outlet.told:
            await asyncio.sleep(0)
    assert outlet.told[0].bankroll == 10_000


async def test_what_a_cash_out_brought_the_wallet_is_told_though_the_store_is_away(
    places, private, monkeypatch
):
    monkeypatch.setattr("croupier_server.gateway.private.RETRY_S", 0)
    outlet = Outlet()
    private._roster.join(ANA, "standard", outlet, 0)
    places.away = True
    private.cashed_out("standard", ANA, 0)
    private.cashed_out("standard", "nobody here", 5)
    async with asyncio.timeout(10):
        while places.reads < 3:
            await asyncio.sleep(0)
        places.away = False
        while not outlet.told:
            await asyncio.sleep(0)
    assert [me.wallet for me in outlet.told] == [0]


async def test_a_new_epoch_brings_every_player_its_place_whole(store, pit):
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url) as gateway,
        connected(gateway.url, watch=["standard"]) as client,
    ):
        rev = (await sit(client))["rev"]
        await slip(client, {"player": 500}, rev)
        await pit.stream.open(broken=await pit.stream.epoch())
        assert (await client.until("snapshot"))["table"] == "standard"
        me = await client.until("me")
        assert (me["slip"], me["bankroll"], me["rev"]) == ({"player": 500}, 9_500, rev + 1)


async def test_a_place_that_changed_while_the_store_was_away_is_told_when_it_is_back(store, pit):
    async with (
        standing(store.url, pit, "standard"),
        proxy_to(store.url) as proxy,
        gateway_on(proxy.url) as far,
        gateway_on(store.url) as near,
        connected(far.url, name="Ana", watch=["standard"]) as here,
    ):
        seated = await sit(here)
        async with connected(near.url, seated["welcome"]["resume"]) as there:
            proxy.lose_commands = True
            await here.until("stalled")
            await slip(there, {"player": 500}, seated["rev"])
            await there.ask(type="deal", table="standard", round=1, op=op())
            proxy.lose_commands = False
            while not (me := await here.until("me")).get("ready"):
                pass
            assert (me["slip"], me["bankroll"]) == ({"player": 500}, 9_500)
