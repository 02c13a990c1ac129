"""Tables in literals, as the pictures of the terminal are made from."""

from msgspec.structs import replace

from croupier_client.terminal.state import Checks, Own, TableState
from croupier_protocol.game.cards import Card
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.messages.offers import offer_of
from croupier_protocol.messages.to_client import Me, ShoeView, TableView
from croupier_protocol.messages.values import (
    HandView,
    PastCoup,
    Payout,
    Phase,
    Player,
    RulesRef,
    TakenSeat,
)
from croupier_protocol.shoe.shoe import Burn

NOW_MS = 1_700_000_000_000

RULES = RulesRef(name="standard", digest="d" * 16)

SHOE = ShoeView(
    number=3,
    decks=8,
    cards=416,
    burn=Burn(shown=Card("Ts"), burnt=10),
    cut_at=400,
    coups=None,
    dealt=208,
    commitment=b"c" * 32,
    previous=None,
    contributions=(),
    digest=b"d" * 32,
)


def past(letters: str) -> tuple[PastCoup, ...]:
    """Coups that ended so, oldest first; a small letter is a coup with a pair of its winner."""
    outcomes = {"P": Outcome.PLAYER, "B": Outcome.BANKER, "T": Outcome.TIE}
    return tuple(
        PastCoup(number, outcomes[letter.upper()], 5, 3, False, letter == "p", letter == "b")
        for number, letter in enumerate(letters, 1)
    )


VIEW = TableView(
    table="standard",
    epoch="e1",
    seq=9,
    rules=RULES,
    phase=Phase.BETTING,
    round=1204,
    shoe=SHOE,
    coup=13,
    closes_at_ms=NOW_MS + 12_400,
    past=past("TBBPTTPPPBPb"),
    totals={"player": 350_00, "tie": 5_00},
    bettors=2,
    seats=(
        TakenSeat(seat=1, player=Player(id="p1", name="Ana")),
        TakenSeat(seat=2, player=Player(id="p2", name="Bob\u202e\x1b[31m")),
    ),
)

CARDS = replace(
    VIEW,
    phase=Phase.DEALING,
    player=HandView(cards=(Card("Kh"), Card("Td"), Card("2s")), total=2),
    banker=HandView(cards=(Card("9s"), Card("Ad")), total=0),
)

RESULT = replace(CARDS, phase=Phase.RESULT, outcome=Outcome.PLAYER, player_pair=True)

ME = Me(table="standard", rev=4, seat=1, bankroll=975_00, round=1204, slip={"player": 25_00})

PAYOUT = Payout(
    table="standard",
    round=1204,
    bets=(
        BetResult("player", 25_00, Result.WIN, 25_00, 0, 50_00),
        BetResult("banker", 50_00, Result.WIN, 50_00, 2_50, 97_50),
        BetResult("tie", 5_00, Result.LOSE, 0, 0, 0),
        BetResult("player_pair", 1_00, Result.PUSH, 0, 0, 1_00),
    ),
    returned=148_50,
    bankroll=1_123_50,
)

SEATED = TableState(
    table="standard",
    view=VIEW,
    limits=Limits(),
    offer=offer_of(RULE_SETS["standard"]),
    own=Own.SEATED,
    me=ME,
    player=Player(id="p1", name="Ana"),
    wanted={"player": 25_00},
    checks=Checks(checked=37),
    now_ms=float(NOW_MS),
    window_ms=15_000.0,
)
"""A seat of 975.00 with 25.00 on Player, while bets are open for 12.4 seconds more."""
