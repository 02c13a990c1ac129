"""Players' own limits in tests: times that are set, limits that are brought to a pit, and what it counts."""

from croupier_protocol.messages.values import TableId
from croupier_server.bank.bank import Bank
from croupier_server.play_safe.applying import apply
from croupier_server.store import scripts
from croupier_server.store.placing import SlipToPlace
from croupier_server.store.wallets import WalletTerms
from support.banking import LISTING, STANDARD

TIME = b"redis.call('TIME')"

DAY_MS = 86_400_000

NOON_MS = 20_000 * DAY_MS + DAY_MS // 2
"""The middle of a day of UTC."""

RECORD = "croupier:{w:ana}:limits"


class AtTime:
    """A script that takes `now_ms` for the store's time."""

    def __init__(self, script, now_ms: int) -> None:
        fixed = f"{{{now_ms // 1000}, {now_ms % 1000 * 1000}}}".encode()
        assert script.source.count(TIME) == 1
        self.source = script.source.replace(TIME, fixed)


class Times:
    """Sets the time by which limits, slips and buy-ins are judged."""

    NAMES = ("OWN_LIMITS", "TELL_LIMITS", "PLACE", "SETTLE", "WALLET_MOVE")

    def __init__(self, pits, monkeypatch) -> None:
        self._pits = pits
        self._originals = {name: getattr(scripts, name) for name in self.NAMES}
        self._monkeypatch = monkeypatch

    async def set(self, now_ms: int, *names: str) -> None:
        for name in names or self.NAMES:
            script = AtTime(self._originals[name], now_ms)
            for pit in self._pits:
                await pit.client.script_load(scripts.own(script, pit.name)[0])
            self._monkeypatch.setattr(scripts, name, script)


def a_safe_bank(pit, start: int = 100_000) -> Bank:
    """The bank of `pit`, which keeps players to their own limits."""
    return Bank(pit.store, pit.name, WalletTerms(start=start), own_limits=pit.own_limits)


async def limit(pit, op="limit-0001", *others, who="ana", operator=False, **limits):
    """Sets a player's limits and has the pit, and others, go by them, as a gateway does."""
    record = await pit.own_limits.set(who, op, limits, reality_minutes=60, operator=operator)
    assert record is not None
    for each in (pit, *others):
        await apply(each.store, each.name, who, record)
    return record


async def place(pit, who="ana", round_=7, *, table=STANDARD, **bets):
    """Places a slip on the revision that stands; once more with the limits as they are if it is refused."""
    seat = await pit.seats.private(TableId(table), who)
    slip = SlipToPlace(who, round_, seat.rev, f"slip-{seat.rev + 1:08}", LISTING, bets)
    answer = await pit.slips.place(TableId(table), slip)
    if getattr(answer, "why", "") in {"own_day", "own_round", "excluded"}:
        wanted = answer.own_limit if answer.why == "own_day" else 0
        await pit.own_limits.raise_day(pit.name, pit.store, who, wanted)
        answer = await pit.slips.place(TableId(table), slip)
    return getattr(answer, "why", "taken")


async def staked(pit, who="ana") -> int:
    """What the pit has counted of the day's stake, in cents."""
    held = await pit.client.hget(f"croupier:{{{pit.name}}}:limits", who)
    return int(held.split(b"|")[5])
