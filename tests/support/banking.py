"""A bank for tests: players, a table that stands in a betting window, and all the money there is."""

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.settlement import BetResult
from croupier_protocol.messages.to_client import OwnRound
from croupier_protocol.messages.values import HandView, Payout, RulesRef, TableId
from croupier_server.bank.bank import Bank
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.records import Lease
from croupier_server.store.seats import SeatRecord
from croupier_server.store.settled import Paid
from croupier_server.store.wallets import WalletTerms

MOST = 9_007_199_254_740_991
"""2^53 - 1 cents."""

AMOUNTS = (0, 1, 100_000_000_000_001, MOST)

LIMITS = Limits()
ROOMY = Limits(buy_in_least=1, buy_in_most=MOST, main_least=1, main_most=MOST, step=1, slip_most=MOST)
LISTING = "a listing"
STANDARD = TableId("standard")
VEGAS = TableId("vegas")
LEASE = Lease(table=STANDARD, owner="0123456789abcdef", fence=1)

WALLET = "croupier:{w:ana}"
OPS = "croupier:{w:ana}:ops"
PLAYERS = "croupier:players"
SEATS = "croupier:{main}:t:standard:seats"
BANKROLLS = "croupier:{main}:t:standard:bankrolls"
SLIPS = "croupier:{main}:t:standard:slips"
REVISIONS = "croupier:{main}:t:standard:revisions"
TRANSFERS = "croupier:{main}:transfers"
HOUSE = "croupier:{main}:house"
LEDGER = "croupier:{main}:ledger"
BASE = "croupier:{main}:ledger_base"


def a_bank(pit, start: int = 100_000, **terms) -> Bank:
    """The bank of `pit`; a wallet starts with `start` cents."""
    return Bank(pit.store, DEFAULT_PIT, WalletTerms(start=start, **terms))


async def sit(bank, player="ana", buy_in=10_000, *, table=STANDARD, op=None, limits=LIMITS, seat=None):
    """`player` sits down; the name is the id in capitals, the skeleton the id."""
    op = op or f"sit-{player}-{table}"
    return await bank.sit(table, player, op, buy_in, limits, name=player.upper(), skeleton=player, seat=seat)


async def window(pit, round_=7, table=STANDARD, phase="betting"):
    """Puts the table into a phase of a round, under `LEASE`; a betting window closes in a distant future."""
    record = {
        "phase": phase,
        "round": round_,
        "closes_at_ms": MOST,
        "listing": LISTING,
        "owner": LEASE.owner,
        "fence": LEASE.fence,
    }
    await pit.client.hset(keys.table_key(DEFAULT_PIT, table), mapping=record)


async def slip(pit, who="ana", round_=7, op=None, *, table=STANDARD, **bets):
    """Places a slip on the revision that stands."""
    place = await pit.seats.private(table, who)
    op = op or f"slip-{place.rev + 1:08}"
    return await pit.seats.place(table, who, round_, place.rev, op, LISTING, bets)


async def settle(pit, returned, round_=7, *, table=STANDARD, void=False):
    """Settles every slip: `returned(player, bets)` says how many cents come back for each bet."""
    lease = Lease(table=table, owner=LEASE.owner, fence=LEASE.fence)
    await window(pit, round_, table, "voiding" if void else "settling")
    chunk = []
    for each in await pit.seats.slips(table):
        back = returned(each.player, each.bets)
        bets = tuple(
            BetResult(bet=bet, stake=stake, result="win", win=0, commission=0, returned=back.get(bet, 0))
            for bet, stake in each.bets.items()
        )
        payout = Payout(table=table, round=round_, bets=bets, returned=sum(back.values()), bankroll=0)
        own_round = OwnRound(
            table=table,
            rules=RulesRef(name="standard", digest=RULE_SETS["standard"].digest),
            player=HandView(),
            banker=HandView(),
            outcome=None,
            payout=payout,
            bankroll_before=0,
            ended_at_ms=0,
        )
        chunk.append(Paid(slip=each, own_round=own_round))
    return await pit.settled.settle(lease, round_, chunk, void=void)


async def money(client) -> dict[str, int]:
    """Every cent of the store by where it is, read on a system that rests; see `money_in`."""
    wallets = {
        key[len("croupier:{w:") : -1]: await client.hgetall(key)
        for key in await client.keys("croupier:{w:*}")
    }
    return money_in(
        wallets,
        [await client.hgetall(key) for key in await client.keys("*:bankrolls")],
        [await client.hgetall(key) for key in await client.keys("*:slips")],
        await client.get(HOUSE),
        await client.hgetall(TRANSFERS),
    )


def money_in(wallets, bankrolls, slips, house, transfers) -> dict[str, int]:
    """Every cent by where it is: wallets by player, the hashes of every table, all as stored.

    Transfers under way count once: a buy-in's from when the wallet has paid, a cash-out's until it is paid.
    """
    found = dict.fromkeys(("wallets", "in_flight", "bankrolls", "stakes", "house", "issued"), 0)
    verdicts = {}
    for player, wallet in wallets.items():
        found["wallets"] += int(wallet[b"balance"])
        found["issued"] += int(wallet[b"issued"]) - int(wallet[b"retired"])
        for field, verdict in wallet.items():
            if field.startswith(b"slot:"):
                verdicts[field.split(b"|")[1] + b"|" + player] = verdict
    found["bankrolls"] = sum(int(cents) for table in bankrolls for cents in table.values())
    found["stakes"] = sum(cents for table in slips for text in table.values() for cents in stakes_on(text))
    found["house"] = int(house or 0)
    for field, text in transfers.items():
        if field == b"number":
            continue
        number, kind, _, _, cents, _, _ = text.split(b"|")
        paid = verdicts.get(field) == number + b"|ok"
        if paid != (kind == b"cash_out"):
            found["in_flight"] += int(cents)
    return found


def stakes_on(slip: bytes) -> list[int]:
    """Cents of each bet on a stored slip."""
    return [int(bet.split(b"=")[1]) for bet in slip.split(b"|")[1].split(b",")]


async def check_conservation(client) -> dict[str, int]:
    """Fails unless every cent that was issued is somewhere, once."""
    return check_sum(await money(client))


def check_sum(found: dict[str, int]) -> dict[str, int]:
    """Fails unless what was found by `money` is what was issued, and nothing is below zero."""
    parts = {name: cents for name, cents in found.items() if name != "issued"}
    assert sum(parts.values()) == found["issued"], found
    assert all(cents >= 0 for name, cents in parts.items() if name != "house"), found
    return found


async def begin_buy_in(bank, player="ana"):
    """`player` opens a wallet and reserves a seat, and then the process dies."""
    await bank._open(player, f"sit-{player}-standard", "main|standard", new=True)
    record = (f"sit-{player}-standard", "sit:standard:0:10000", 10_000)
    seat = SeatRecord(seat=0, name=player.upper(), skeleton=player, state="buying")
    await bank.transfers.reserve(STANDARD, player, *record, seat, 500)
