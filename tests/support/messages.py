"""One of each message, for golden frames."""

from msgspec.structs import replace

from croupier_protocol.game.bets import BetName
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import Combination, Rounding
from croupier_protocol.game.rules_text import Paragraph, Section, Table
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.messages import events, to_client, to_server
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.offers import CommissionOffer, Offer, OfferedBet, Ratio
from croupier_protocol.messages.values import (
    Contribution,
    HandView,
    Language,
    PastCoup,
    Payout,
    Phase,
    Player,
    RoundRecord,
    RulesRef,
    TakenSeat,
)
from croupier_protocol.shoe.shoe import Burn

RULES = RulesRef(name="standard", digest="0f" * 32)

BURN = Burn(shown="Td", burnt=10)

PLAYER = HandView(cards=("2s", "3d", "Kh"), total=5)

BANKER = HandView(cards=("4h", "Kc"), total=4)

PAST = (
    PastCoup(41, Outcome.TIE, 6, 6, False, True, False),
    PastCoup(42, Outcome.PLAYER, 5, 4, False, False, False),
)

CONTRIBUTIONS = (
    Contribution(seat=3, player="g4f1c0a9d3e2b5768", hash=b"\x0a" * 32, value=b"\xa0" * 32),
    Contribution(seat=12, player="g0123456789abcdef", hash=b"\x0b" * 32),
)

HEAD = {
    "table": "standard",
    "epoch": "7c1f",
    "seq": 1234,
    "due_ms": 1_700_000_000_000,
    "at_ms": 1_700_000_000_003,
}

NOW_MS = 1_700_000_000_250

ANA = Player(id="g4f1c0a9d3e2b5768", name="Ana")

RESUME = "g4f1c0a9d3e2b5768.c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"

OP = "b1946ac92492d234"

PAYOUT = Payout(
    table="standard",
    round=42,
    bets=(
        BetResult("player", 500, Result.WIN, 500, 0, 1_000),
        BetResult("banker", 2_000, Result.WIN, 2_000, 100, 3_900),
        BetResult("tie", 2**53 - 1, Result.LOSE, 0, 0, 0),
        BetResult("player_pair", 100, Result.PUSH, 0, 0, 100),
        BetResult("banker_pair", 100, Result.REFUND, 0, 0, 100),
    ),
    returned=5_100,
    bankroll=2**53 - 1,
)

COMMANDS = [
    to_server.Hello(id=1, language=Language.FRENCH, resume=RESUME, name="Ana"),
    to_server.Lobby(id=2, follow=True),
    to_server.Watch(id=3, table="standard", since=to_server.Since(epoch="7c1f", seq=1233), paid_round=41),
    to_server.Unwatch(id=4, table="standard"),
    to_server.Rules(id=7, table="standard", language=Language.FRENCH),
    to_server.History(id=5, table="standard", before=42, limit=10),
    to_server.Ping(id=6),
    to_server.Sit(id=7, table="standard", buy_in=10_000, op=OP, seat=12),
    to_server.TopUp(id=8, table="standard", amount=2**53 - 1, op=OP),
    to_server.Slip(id=9, table="standard", round=42, rev=6, op=OP, bets={"player": 500, "tie": 100}),
    to_server.Deal(id=10, table="standard", round=42, op=OP),
    to_server.Leave(id=11, table="standard", op=OP),
    to_server.Cut(id=13, table="standard", shoe=3, op=OP, hash=b"\x0a" * 32),
    to_server.MyRounds(id=12, before="1700000000250-0", limit=100),
    to_server.Wallet(id=13),
    to_server.MyLimits(id=14, round_stake=5_000, day_stake=0, day_minutes=120, reality_minutes=30, op=OP),
    to_server.Exclude(id=15, days=7, op=OP),
    to_server.GoOn(id=16),
]

EVENTS = [
    events.ShoeCommitted(
        shoe=3,
        rules=RULES,
        rules_text='{"decks":8}',
        commitment=b"\xc0" * 32,
        previous=b"\xe0" * 32,
        cut_until_ms=1_700_000_002_000,
        **HEAD,
    ),
    events.CutListed(
        shoe=3,
        contributions=(replace(CONTRIBUTIONS[0], value=None), CONTRIBUTIONS[1]),
        reveal_until_ms=1_700_000_004_000,
        **HEAD,
    ),
    events.ShoeOpened(
        shoe=3,
        decks=8,
        rules=RULES,
        cards=416,
        burn=BURN,
        cut_at=400,
        coups=None,
        contributions=CONTRIBUTIONS,
        digest=b"\xd1" * 32,
        burn_salt=b"\x5a" * 16,
        **HEAD,
    ),
    events.ShoeEnded(
        shoe=3,
        reason="a card was seen",
        seed=b"\x5e" * 32,
        contributions=CONTRIBUTIONS,
        burnt=("As", "Td"),
        chain=b"\xe0" * 32,
        **HEAD,
    ),
    events.BettingOpened(round=42, shoe=3, coup=7, closes_at_ms=1_700_000_015_000, last=True, **HEAD),
    events.BetsChanged(round=42, totals={"player": 2**53 - 1, "tie": 100}, bettors=2, ready=1, **HEAD),
    events.SeatChanged(seat=12, player=ANA, **HEAD),
    events.BettingClosed(round=42, **HEAD),
    events.CardDealt(
        round=42, hand=Side.BANKER, index=1, card="Kc", total=4, proof=b"\x00\x38" + b"\x5a" * 16, **HEAD
    ),
    events.RoundResult(
        round=42,
        outcome=Outcome.PLAYER,
        player=PLAYER,
        banker=BANKER,
        natural=False,
        player_pair=False,
        banker_pair=True,
        **HEAD,
    ),
    events.RoundSettled(round=42, staked=2**53 - 1, returned=0, paid=500, **HEAD),
    events.RoundVoided(round=42, reason="abandoned", **HEAD),
    events.Paused(reason="une pause – à bientôt", **HEAD),
    events.Resumed(**HEAD),
    events.TableClosed(reason="fermée pour travaux", **HEAD),
]

OTHERS = [
    to_client.TableView(
        table="standard",
        epoch="7c1f",
        seq=1234,
        rules=RULES,
        phase=Phase.SETTLING,
        round=42,
        shoe=to_client.ShoeView(
            3, 8, 416, BURN, 400, None, 57, b"\xc0" * 32, b"\xe0" * 32, CONTRIBUTIONS, b"\xd1" * 32
        ),
        cut=to_client.CutView(
            4, RULES, b"\xc1" * 32, b"\xe1" * 32, 1_700_000_002_000, True, CONTRIBUTIONS[1:]
        ),
        coup=7,
        last=True,
        closes_at_ms=1_700_000_015_000,
        player=PLAYER,
        banker=BANKER,
        outcome=Outcome.PLAYER,
        natural=False,
        player_pair=False,
        banker_pair=True,
        past=PAST,
        reason=None,
        totals={"player": 500, "tie": 100},
        bettors=2,
        ready=1,
        seats=(TakenSeat(seat=12, player=ANA),),
    ),
    to_client.Welcome(id=1, version="0.1.0", server_ms=NOW_MS, silence_ms=50_000, player=ANA, resume=RESUME),
    to_client.LobbyState(
        id=2,
        server_ms=NOW_MS,
        tables=(
            to_client.TableInfo(
                "standard", RULES, "speed", Phase.BETTING, 42, 7, 1_700_000_015_000, 12, 3, Limits(), PAST
            ),
        ),
    ),
    to_client.LobbyUpdate(server_ms=NOW_MS, tables=()),
    to_client.Watching(id=3, table="standard", epoch="7c1f", seq=1234, resumed=True),
    to_client.Unwatched(id=4, table="standard"),
    to_client.TableRules(
        id=7,
        table="standard",
        rules=RULES,
        limits=Limits(main_most=200_00, seats=20),
        language=Language.FRENCH,
        title="Règles « standard »",
        sections=(
            Section(
                "La commission",
                (
                    Paragraph("Il n’y a pas de commission."),
                    Paragraph("À votre avantage.", notable=True),
                    Table("Montants", ("Mise", "De"), (("Joueur", "1,00"),), (1,)),
                ),
            ),
        ),
        offer=Offer(
            decks=8,
            bets=(
                OfferedBet(BetName("banker"), (Ratio(1, 1),), commission=True),
                OfferedBet(BetName("lucky_6"), (Ratio(12, 1), Ratio(20, 1)), commission=False),
                OfferedBet(BetName("big"), (Ratio(27, 50),), commission=False),
            ),
            commission=CommissionOffer(Ratio(1, 20), 25, Rounding.UP),
            combination=Combination((BetName("player"), BetName("banker"), BetName("tie")), 2),
        ),
    ),
    to_client.HistoryPage(
        id=5,
        table="standard",
        rounds=(
            RoundRecord(42, 3, 7, RULES, PLAYER, BANKER, Outcome.PLAYER, False, False, True, NOW_MS),
            RoundRecord(41, 3, 6, RULES, PLAYER, HandView(), None, False, False, False, NOW_MS, "abandoned"),
        ),
        more=True,
    ),
    to_client.Me(
        id=7,
        table="standard",
        rev=6,
        seat=12,
        bankroll=2**53 - 1,
        round=42,
        slip={"player": 500, "tie": 100},
        ready=True,
        leaving=True,
        last_slip={"banker": 200},
        payouts=(PAYOUT,),
        wallet=90_000,
    ),
    to_client.SlipAccepted(
        id=9, table="standard", round=42, rev=7, bets={"player": 500, "tie": 100}, bankroll=9_400
    ),
    to_client.SlipChanged(id=9, table="standard", round=42, rev=8, bets={}, bankroll=10_000),
    to_client.CutTaken(id=13, table="standard", shoe=3),
    to_client.PaidOut(PAYOUT),
    to_client.SeatNotice(
        table="standard",
        code=NoticeCode.REMOVED,
        message="The house has given up your seat; its chips are in your wallet.",
        reason="closing time",
    ),
    to_client.OwnRounds(
        id=12,
        rounds=(
            to_client.OwnRound("standard", RULES, PLAYER, BANKER, Outcome.PLAYER, PAYOUT, 9_400, NOW_MS),
        ),
        next="1700000000250-1",
    ),
    to_client.WalletState(id=13, balance=90_000, refill_to=100_000, refill_at_ms=NOW_MS),
    to_client.OwnLimits(
        id=14,
        round_stake=5_000,
        day_stake=2**53 - 1,
        day_minutes=120,
        reality_minutes=30,
        reality_usual=60,
        waiting=(to_client.WaitingLimit("day_stake", None, NOW_MS),),
        excluded_until_ms=NOW_MS,
        played_minutes=45,
    ),
    to_client.RealityCheck(
        minutes=60,
        staked=120_000,
        net=-3_500,
        message="You have been at the tables for 60 minutes: 1,200.00 staked, 35.00 lost.",
    ),
    to_client.Pong(id=6, server_ms=NOW_MS),
    to_client.Heartbeat(server_ms=NOW_MS),
    to_client.Stalled(table="standard", since_ms=NOW_MS),
    to_client.Live(table="standard"),
    to_client.Error(
        id=3,
        code=ErrorCode.TOO_MANY_TABLES,
        message="This connection watches as many tables as it may.",
        server_ms=NOW_MS,
        table="standard",
        bet="tie",
        limit=8,
    ),
]

MESSAGES = {
    "commands": COMMANDS,
    "events": EVENTS,
    "others": OTHERS,
}


def tag(message) -> str:
    return message.__struct_config__.tag
