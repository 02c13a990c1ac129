"""Counting coups: in how many ways the cards left in a shoe deal each kind of coup; nothing is simulated.

A coup takes at most six cards, so all coups are counted over the ordered ways to draw six cards from the N
that are left, N!/(N - 6)! in all. A coup of fewer cards stands for all the ways in which the cards after it
can lie. Cards are taken by the value they count, with the number of cards of each value left in the shoe: a
few tens of thousands of cases, where the cards themselves would be 10^14. Only where a hand begins with two
cards of one value are ranks and suits looked at, since only there can be a pair.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Final, NewType, TypeAlias, TypeVar

from croupier_protocol.game.cards import DECK, POINTS, Card
from croupier_protocol.game.coup import ENDINGS, LONGEST_COUP, PAIRS, Alike, Ending, Pairs, Score, alike

MAX_DECKS: Final = 8

Composition = NewType("Composition", tuple[int, ...])
"""How many of each card are left, in the order of `DECK`."""

Counts: TypeAlias = Mapping[tuple[Score, Pairs], int]
"""How many coups end with each score and pairs; what never comes is left out."""

_Kind = TypeVar("_Kind", bound=Hashable)
"""What cards are counted by: their values, or the cards themselves."""


def composition(decks: int, removed: Iterable[Card] = ()) -> Composition:
    """What is left of `decks` decks without the cards `removed`.

    >>> composition(1, [Card("As"), Card("2s")])[:4]
    (0, 0, 1, 1)

    Raises:
        ValueError: `decks` is not 1 to 8, more of a card are removed than there are, or fewer than the six
        cards that a coup may take are left.
    """
    if not 1 <= decks <= MAX_DECKS:
        raise ValueError(f"decks must be 1 to {MAX_DECKS}, not {decks}")
    gone = Counter(removed)
    for card, count in gone.items():
        if count > decks:
            raise ValueError(f"{card} is removed {count} times, but there are only {decks} of it")
    left = 52 * decks - gone.total()
    if left < LONGEST_COUP:
        raise ValueError(f"a coup may take six cards, but only {left} are left")
    return Composition(tuple(decks - gone[card] for card in DECK))


@lru_cache(maxsize=32)
def count_coups(shoe: Composition) -> Counts:
    """In how many ordered draws of six cards from `shoe` a coup ends with each score and pairs."""
    left = dict.fromkeys(range(10), 0)  # cards of each value
    for card, count in zip(DECK, shoe, strict=True):
        left[POINTS[card]] += count
    alikes = [_Alikes(shoe, value) for value in range(10)]
    counts: dict[Pairs, dict[Score, int]] = {pairs: defaultdict(int) for pairs in PAIRS.values()}
    hands = [*combinations_with_replacement(range(10), 2)]
    for player, banker in product(hands, hands):
        ways = _take(left, player) * _take(left, banker)
        if ways:
            following = [*_following(ENDINGS[sum(player) % 10][sum(banker) % 10], left)]
            for pairs, beginning in _split(ways, player, banker, alikes):
                by_score = counts[pairs]
                for score, rest in following:
                    by_score[score] += beginning * rest
        _put_back(left, banker)
        _put_back(left, player)
    cards = sum(shoe)
    return {
        (score, pairs): ways * perm(cards - score.cards, LONGEST_COUP - score.cards)
        for pairs, by_score in counts.items()
        for score, ways in by_score.items()
        if ways
    }


def _take(left: dict[_Kind, int], hand: tuple[_Kind, _Kind]) -> int:
    """Take the two cards of a hand from what is left, and say in how many ways they come, in either order."""
    first, second = hand
    ways = left[first]
    left[first] -= 1
    ways *= left[second]
    left[second] -= 1
    return ways if first == second else 2 * ways


def _put_back(left: dict[_Kind, int], hand: tuple[_Kind, _Kind]) -> None:
    for card in hand:
        left[card] += 1


def _following(ending: Ending, left: dict[int, int]) -> Iterator[tuple[Score, int]]:
    """How a coup goes on with `left[value]` cards of each value in the shoe, and in how many ways."""
    if isinstance(ending, Score):
        yield ending, 1
        return
    for value, following in enumerate(ending):
        ways = left[value]
        left[value] -= 1
        for score, rest in _following(following, left):
            yield score, ways * rest
        left[value] += 1


class _Alikes:
    """In how many ordered ways cards of one value are alike.

    `two` is for two cards, by how alike they are; `four` for Player's two and then Banker's two, by pairs.
    """

    def __init__(self, shoe: Composition, value: int) -> None:
        self.two: Counter[Alike] = Counter()
        self.four: Counter[Pairs] = Counter()
        left = {card: count for card, count in zip(DECK, shoe, strict=True) if POINTS[card] == value}
        hands = [(hand, alike(*hand)) for hand in combinations_with_replacement(left, 2)]
        for player, player_alike in hands:
            ways = _take(left, player)
            self.two[player_alike] += ways
            for banker, banker_alike in hands:
                self.four[PAIRS[player_alike, banker_alike]] += ways * _take(left, banker)
                _put_back(left, banker)
            _put_back(left, player)


def _split(
    ways: int, player: tuple[int, int], banker: tuple[int, int], alikes: list[_Alikes]
) -> list[tuple[Pairs, int]]:
    """In how many of the `ways` in which cards make hands of these values there are which pairs.

    Only two cards of one value can be alike. How many of their ways have them alike does not depend on the
    other hand, unless that has two cards of the same value.
    """
    if player == banker and player[0] == player[1]:
        return [*alikes[player[0]].four.items()]
    player_two = alikes[player[0]].two if player[0] == player[1] else _NEVER_ALIKE
    banker_two = alikes[banker[0]].two if banker[0] == banker[1] else _NEVER_ALIKE
    all_ways = player_two.total() * banker_two.total()
    return [
        (PAIRS[player_alike, banker_alike], ways * player_ways * banker_ways // all_ways)
        for player_alike, player_ways in player_two.items()
        for banker_alike, banker_ways in banker_two.items()
    ]


_NEVER_ALIKE: Final = Counter({Alike.NO: 1})
