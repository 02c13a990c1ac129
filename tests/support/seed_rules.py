"""The seeds' words, typed by hand: what cards count, who draws, who wins, and what bets bring.

Nothing here uses the product's game code, so that it can be held against it.
"""

from collections.abc import Mapping, Sequence

POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))

# Seeds 000, 003, 004. Rows: the Banker's total, 0 to 7. In a row: no third card of the Player, then 0 to 9.
BANKER_DRAWS = [
    "D DDDDDDDDDD",
    "D DDDDDDDDDD",
    "D DDDDDDDDDD",
    "D DDDDDDDD-D",
    "D --DDDDDD--",
    "D ----DDDD--",
    "- ------DD--",
    "- ----------",
]


def points(cards: Sequence[str]) -> int:
    return sum(POINTS[card[0]] for card in cards) % 10


def banker_draws(total: int, third: str | None) -> bool:
    row = BANKER_DRAWS[total]
    return row[0 if third is None else 2 + POINTS[third[0]]] == "D"


def read_coup(cards: Sequence[str]) -> tuple[list[str], list[str]]:
    """The two hands that the cards, in the order they came, must have gone to; every card must be used."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    rest = list(cards[4:])
    if points(player) < 8 and points(banker) < 8:
        third = None
        if points(player) <= 5:
            third = rest.pop(0)
        if banker_draws(points(banker), third):
            banker.append(rest.pop(0))
        if third is not None:
            player.append(third)
    assert rest == []
    return player, banker


# What a winning bet brings beside its stake: `standard` and `single-deck` are seed 000, then 002, 003, 004.
# 000: "Winning bets on the Player's hand are paid at 1-to-1 ... on the Banker's hand are also paid at 1-to-1
#      ... 5% of the winning amount is automatically deducted"; "the Tie bet wins, paying 8-to-1".
# 002: "Mise gagnante sur la main du banquier: 1 contre 1"; "sur l'égalité: 8 contre 1".
# 003: "1 to 1 if you have made a bet on the banker and the banker wins"; tie "8 to 1".
# 004: "If you bet on Banker and win, you win even money minus a 5% commission"; "the commission is 5% of the
#      bet and is rounded up to the next quarter"; "If you bet on Tie and win, you win 9 times your wager."
TIE_PAYS = {"standard": 8, "single-deck": 8, "eight-deck": 8, "two-field": 8, "vegas": 9}


def commission(rules: str, stake: int) -> int:
    """Cents that the house keeps of a Banker win of `stake` cents."""
    if rules in {"eight-deck", "two-field"}:
        return 0
    if rules == "vegas":
        quarters, more = divmod(5 * stake, 100 * 25)
        return min(25 * (quarters + (more > 0)), stake)
    cents, more = divmod(5 * stake, 100)
    return cents + (more > 0)


def returned(rules: str, cards: Sequence[str], bet: str, stake: int) -> int:
    """Cents that come back for `stake` cents on `bet`, after the coup whose cards came in this order."""
    player, banker = (points(hand) for hand in read_coup(cards))
    if player == banker:
        return {"player": stake, "banker": stake, "tie": stake + TIE_PAYS[rules] * stake}[bet]
    if bet == "player" and player > banker:
        return stake + stake
    if bet == "banker" and banker > player:
        return stake + stake - commission(rules, stake)
    return 0


def bankrolls(
    rules: str,
    buy_in: int,
    slips: Mapping[int, Mapping[str, int]],
    coups: Mapping[int, Sequence[str] | None],
) -> dict[int, int]:
    """The bankroll after each round with a slip, in cents; a round whose cards are None was void."""
    bankroll = buy_in
    after = {}
    for number in sorted(slips):
        cards = coups[number]
        for bet, stake in slips[number].items():
            bankroll -= stake
            bankroll += stake if cards is None else returned(rules, cards, bet, stake)
        after[number] = bankroll
    return after
