"""Players on bare sockets at a table that is dealt for real, and what becomes of their money."""

import asyncio
import contextlib
from collections import Counter
from contextlib import asynccontextmanager

import msgpack

from croupier_protocol.messages.values import TableId
from croupier_server.bank.audit import Auditor
from croupier_server.dealer.dealer import Dealer
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.table.listing import encode_listing
from support.gateways import Bare, bare
from support.stores import KEY, open_pit

MSGPACK_PROTOCOL = "croupier.v1.msgpack"
DEADLINE_S = 20.0


@asynccontextmanager
async def played(url, *settings, name=DEFAULT_PIT, confirmation=None):
    """A dealer of `settings` that hears what players do, on the store at `url`; released at the end."""
    async with open_pit(url, name, confirmation) as pit:
        await pit.tables.register({one.table: encode_listing(one) for one in settings})
        dealer = Dealer(pit, KEY)
        tasks = [asyncio.create_task(dealer.run()), asyncio.create_task(dealer.hear_notes())]
        try:
            yield dealer
        finally:
            await dealer.release()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class Player:
    """One socket of a player, read all the time.

    `me` is what the socket was told last of its own place: seat, rev, bankroll, slip; `wallet` what it was
    told last of that. `answers` are the messages that echo an id; `payouts` are those that it was told, by
    round; `notices` all that came.
    """

    def __init__(self, client: Bare) -> None:
        self.client = client
        self.id = ""
        self.resume = ""
        self.window = {}
        self.settled = {"round": 0}
        self.phase = ""
        self.me = None
        self.wallet = None
        self.answers = {}
        self.payouts = {}
        self.told_twice = []
        self.notices = []
        self._changed = asyncio.Event()
        self._numbers = iter(range(1, 1_000_000))
        self.task = asyncio.create_task(self._read())
        self.task.add_done_callback(lambda _: self._changed.set())

    async def send(self, **command) -> int:
        """Sends a command and returns the id that its answer will echo."""
        number = next(self._numbers)
        await self.client.connection.send(msgpack.packb({**command, "id": number}))
        return number

    async def ask(self, **command) -> dict:
        """Sends a command and returns its answer."""
        number = await self.send(**command)
        await self.until(lambda: number in self.answers)
        return self.answers[number]

    async def until(self, condition, seconds=DEADLINE_S):
        """Waits until `condition()` holds after some message."""
        async with asyncio.timeout(seconds):
            while not condition():
                if self.task.done():
                    await self.task
                    raise AssertionError("the connection ended")
                self._changed.clear()
                await self._changed.wait()

    async def next_window(self, after: int = 0) -> dict:
        """The window that is open, or the next one to open, of a round later than `after`."""
        await self.until(lambda: self.phase == "betting" and self.window["round"] > after)
        return self.window

    async def _read(self) -> None:
        async for frame in self.client.connection:
            self._take(msgpack.unpackb(frame))
            self._changed.set()

    def _take(self, message: dict) -> None:
        match message["type"]:
            case "snapshot" | "betting":
                self.phase, self.window = message.get("phase", "betting"), message
            case "closed" | "card" | "result" | "settled" | "void":
                self.phase = message["type"]
                self.settled = message if self.phase == "settled" else self.settled
            case "welcome" if message.get("player") is not None:
                self.id = message["player"]["id"]
                self.resume = message.get("resume") or self.resume
            case "me":
                seat, bankroll = message.get("seat"), message.get("bankroll", 0)
                self.me = (seat, message["rev"], bankroll, message.get("slip", {}))
                self.wallet = message.get("wallet", self.wallet)
                for payout in message.get("payouts", ()):
                    self._pay(payout)
            case "slip_accepted" | "slip_changed" if self.me is not None:
                self.me = (self.me[0], message["rev"], message["bankroll"], message.get("bets", {}))
            case "payout":
                self._pay(message["payout"])
            case "notice":
                self.notices.append(message)
        if message.get("id") is not None:
            self.answers[message["id"]] = message

    def _pay(self, payout: dict) -> None:
        if payout["round"] in self.payouts:
            self.told_twice.append(payout["round"])
        self.payouts[payout["round"]] = payout
        if self.me is not None and self.me[3] and payout["round"] == self.window.get("round"):
            self.me = (self.me[0], self.me[1], payout["bankroll"], {})


@asynccontextmanager
async def connected(url, resume=None, **hello):
    """A socket of whoever `resume` names, or of nobody yet; `hello` says more about it."""
    async with bare(url, MSGPACK_PROTOCOL) as client:
        player = Player(client)
        try:
            hello = await player.ask(type="hello", **({} if resume is None else {"resume": resume}), **hello)
            assert hello["type"] == "welcome", hello
            yield player
        finally:
            player.task.cancel()
            await asyncio.gather(player.task, return_exceptions=True)


@asynccontextmanager
async def seated(url, number, buy_in=50_000, table="standard"):
    """`number` new players, each on a socket of its own that watches, and on a seat with chips."""
    async with contextlib.AsyncExitStack() as stack:
        players = [await stack.enter_async_context(connected(url)) for _ in range(number)]
        await asyncio.gather(*(sit_down(player, buy_in, table) for player in players))
        yield players


async def sit_down(player: Player, buy_in=50_000, table="standard") -> None:
    """Watches a table and takes a seat there."""
    watching = await player.ask(type="watch", table=table)
    assert watching["type"] == "watching", watching
    me = await player.ask(type="sit", table=table, buy_in=buy_in, op="sit-down-1")
    assert (me["type"], me["bankroll"]) == ("me", buy_in), me


async def audited(pit) -> None:
    """Fails unless the bank's own audit finds every cent, and nothing that contradicts anything."""
    report = await Auditor(pit.stores, [DEFAULT_PIT]).run()
    assert report.clean, report.mismatches
    assert report.difference == 0
    assert report.unpinned == ()


async def settlements(pit, table="standard") -> dict[tuple[str, int], tuple[int, int]]:
    """Cents staked and returned by (player, round), from the ledger; fails where there are two of one."""
    entries = await pit.client.xrange(keys.ledger_key(DEFAULT_PIT))
    posted = [
        ((fields[b"p"].decode(), int(fields[b"r"])), (int(fields[b"s"]), int(fields[b"w"])))
        for _, fields in entries
        if fields[b"k"] in {b"settle", b"void"} and fields[b"t"] == table.encode()
    ]
    twice = [key for key, times in Counter(key for key, _ in posted).items() if times > 1]
    assert twice == []
    return dict(posted)


async def bankroll_of(pit, player: str, table="standard") -> int:
    """What stands in front of a player, from the store."""
    return (await pit.seats.private(TableId(table), player)).bankroll


async def all_settled(pit, table="standard") -> None:
    """Waits until no slip stands at the table."""
    async with asyncio.timeout(DEADLINE_S):
        while await pit.seats.slips(TableId(table)):
            await asyncio.sleep(0.01)


def returned_by(stakes: dict[str, int], outcome: str) -> int:
    """What a slip on Player, Banker and Tie returns by the seeds' words at a standard table."""
    returned = 0
    for bet, stake in stakes.items():
        if bet == "tie":
            returned += 9 * stake if outcome == "tie" else 0
        elif outcome == "tie":
            returned += stake
        elif bet == outcome:
            win = stake - (stake * 5 + 99) // 100 if bet == "banker" else stake
            returned += stake + win
    return returned
