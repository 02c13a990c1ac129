"""Workers killed between any two chunks of a settlement and of a void: everybody is paid, nobody twice."""

import asyncio

import pytest

from croupier_protocol.messages.values import Phase, TableId
from croupier_server.dealer.settling import CHUNK
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.table.orders import Wish
from support.banking import a_bank, sit
from support.chunks import mortal_worker
from support.dealing import reach
from support.playing import all_settled, audited, returned_by, settlements
from support.seating import LISTING

SEATS = 90
TABLE = TableId("standard")
BUY_IN = 50_000

BOUNDARIES = [0, 1, 2, 3, 4, 5]
"""Chunks that are paid when the worker dies: 25, 25, 25 and 15 seats. With one more the table has gone on,
and the rounds that players keep are still to be written."""


def stakes(number: int, round_: int) -> dict[str, int]:
    """What player `number` stakes in a round."""
    return [{"player": 100}, {"banker": 300}, {"tie": 200, "banker": 500}][(number + round_) % 3]


@pytest.fixture
async def players(pit):
    """Players on seats that they have bought."""
    bank = a_bank(pit, BUY_IN)
    names = [f"p{number:03}" for number in range(SEATS)]
    for start in range(0, SEATS, 45):
        await asyncio.gather(*(sit(bank, name, BUY_IN) for name in names[start : start + 45]))
    return names


async def open_window(pit, round_) -> None:
    """Waits until the window of `round_` is open."""

    async def is_open():
        fields = await pit.client.hmget(keys.table_key(DEFAULT_PIT, TABLE), "phase", "round")
        return fields == [Phase.BETTING.encode(), str(round_).encode()]

    await reach(is_open, 30, f"the window of round {round_}")


async def bet(pit, players, round_) -> None:
    """Every player places a slip; all are taken."""
    for start in range(0, SEATS, 45):
        batch = range(start, start + 45)
        places = await pit.seats.privates(TABLE, [players[number] for number in batch])
        answers = await asyncio.gather(
            *(
                pit.seats.place(
                    TABLE,
                    players[number],
                    round_,
                    places[players[number]].rev,
                    f"round-{round_:05}",
                    LISTING,
                    stakes(number, round_),
                )
                for number in batch
            )
        )
        assert all(answer.accepted for answer in answers), answers


@pytest.mark.long
@pytest.mark.parametrize("ending", ["settle", "void"])
async def test_a_worker_killed_between_any_two_chunks_leaves_nobody_unpaid_and_nobody_paid_twice(
    store, pit, players, ending
):
    """G3, G4: given 90 slips in chunks of 25, when the worker dies at each border, then another goes on."""
    assert CHUNK == 25

    async def all_kept():
        return not await pit.client.exists(keys.outbox_key(DEFAULT_PIT, TABLE))

    for round_, chunks in enumerate(BOUNDARIES, start=1):
        async with mortal_worker(store.url, round_, chunks) as worker:
            await open_window(pit, round_)
            await bet(pit, players, round_)
            if ending == "void":
                assert await pit.orders.give(TABLE, f"void-{round_:05}", Wish.VOID, "misdeal")
            async with asyncio.timeout(30):
                assert await worker.wait() == -9
        left = await pit.seats.slips(TABLE)
        assert len(left) == max(SEATS - CHUNK * chunks, 0)
    async with mortal_worker(store.url, 0, 0):
        await open_window(pit, len(BOUNDARIES) + 1)
        await all_settled(pit)
        await reach(all_kept, what="own rounds that are kept")
    results = await pit.settled.all_results(TABLE, players)
    posted = await settlements(pit)
    rounds = {one.round: one for one in await pit.tables.rounds(TABLE, None, 100)}
    assert len(posted) == SEATS * len(BOUNDARIES)
    for number, player in enumerate(players):
        expected, bankroll = [], BUY_IN
        for round_ in range(1, len(BOUNDARIES) + 1):
            slip = stakes(number, round_)
            staked = sum(slip.values())
            returned = staked if ending == "void" else returned_by(slip, rounds[round_].outcome)
            assert posted[player, round_] == (staked, returned)
            bankroll += returned - staked
            expected.append((round_, returned, bankroll))
        told = [(one.payout.round, one.payout.returned, one.payout.bankroll) for one in results[player]]
        assert told == expected
        kept = [one.payout.round for _, one in await pit.settled.own_rounds(player, None, 100)]
        assert kept == [6, 5, 4, 3, 2, 1]
        assert (await pit.seats.private(TABLE, player)).bankroll == bankroll
    await audited(pit)
