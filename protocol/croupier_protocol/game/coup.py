"""A coup: the cards of one deal, the hands they make, and who won.

A coup is its cards in dealing order: Player, Banker, Player, Banker, then the third cards that the tableau
calls for, Player's first. Everything else follows from them. The order is that of seed 000: "The first and
third cards dealt from the shoe constitute the Player's hand and the second and forth cards constitute the
Banker's hand."
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum, StrEnum
from itertools import product
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

import msgspec

from croupier_protocol.game.cards import POINTS, BadCardError, Card, parse_cards, rank, total
from croupier_protocol.game.tableau import banker_draws, player_draws

LONGEST_COUP: Final = 6
"""The most cards a coup takes."""


class Side(StrEnum):
    """One of the two hands."""

    PLAYER = "player"
    BANKER = "banker"


class Outcome(StrEnum):
    """Who won a coup."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


_OUTCOMES: Final = (Outcome.TIE, Outcome.PLAYER, Outcome.BANKER)
"""Who won, by the sign of Player's lead: 0, 1 or -1; on Python 3.11 naming a member each time is slow."""


class CoupError(ValueError):
    """Cards that no coup can have, or a question that an unfinished coup cannot answer."""


class Score(NamedTuple):
    """How a complete coup ended, without its cards: all that most bets look at."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int

    @property
    def cards(self) -> int:
        """How many cards both hands have together, 4 to 6."""
        return self.player_cards + self.banker_cards

    @property
    def outcome(self) -> Outcome:
        player, banker = self.player_total, self.banker_total
        return _OUTCOMES[(player > banker) - (player < banker)]

    @property
    def margin(self) -> int:
        """By how many points the winner won; 0 on a tie."""
        return abs(self.player_total - self.banker_total)

    @property
    def natural(self) -> bool:
        """Whether a two-card 8 or 9 ended the coup; a hand of three is never natural (seed 000)."""
        return self.cards == 4 and max(self.player_total, self.banker_total) >= 8


SCORES: Final = {each: Score(*each) for each in product(range(10), range(10), (2, 3), (2, 3))}
"""Every score there could be, made once; no coup ends with some of them."""


class Alike(IntEnum):
    """How alike the first two cards of a hand are; values do not matter, so K and Q are not alike."""

    NO = 0
    RANK = 1
    RANK_AND_SUIT = 2


_ALIKES: Final = tuple(Alike)


class Pairs(NamedTuple):
    """How alike the first two cards of each hand are: all that pair bets look at."""

    player: Alike
    banker: Alike

    @property
    def player_pair(self) -> bool:
        return self.player >= Alike.RANK

    @property
    def banker_pair(self) -> bool:
        return self.banker >= Alike.RANK

    @property
    def either_pair(self) -> bool:
        """Whether at least one hand has a pair."""
        return self.player_pair or self.banker_pair

    @property
    def perfect_pairs(self) -> int:
        """How many hands have two cards of one rank and one suit, 0 to 2."""
        return [*self].count(Alike.RANK_AND_SUIT)


PAIRS: Final = {each: Pairs(*each) for each in product(Alike, Alike)}
"""Every kind of pairs there is, made once."""

NO_PAIRS: Final = PAIRS[Alike.NO, Alike.NO]

Ending: TypeAlias = "Score | list[Ending]"
"""How a coup goes on: it has ended with a score, or one of ten endings follows by the next card's value."""


def _ending(player: int, banker: int) -> Ending:
    """How a coup goes on from two-card totals of 0 to 9: here the tableau is applied."""
    if player >= 8 or banker >= 8:
        return SCORES[player, banker, 2, 2]
    if player_draws(player):
        return [_ending_after_third((player + third) % 10, banker, third) for third in range(10)]
    if banker_draws(banker, None):
        return [SCORES[player, (banker + third) % 10, 2, 3] for third in range(10)]
    return SCORES[player, banker, 2, 2]


def _ending_after_third(player: int, banker: int, third: int) -> Ending:
    """How a coup goes on when `third` has brought Player to a total of `player`."""
    if banker_draws(banker, third):
        return [SCORES[player, (banker + last) % 10, 3, 3] for last in range(10)]
    return SCORES[player, banker, 3, 2]


ENDINGS: Final = [[_ending(player, banker) for banker in range(10)] for player in range(10)]
"""How a coup goes on from the two-card totals of Player and Banker."""


def _scores(ending: Ending) -> Iterator[Score]:
    if isinstance(ending, Score):
        yield ending
    else:
        for each in ending:
            yield from _scores(each)


FINAL_SCORES: Final = frozenset(score for row in ENDINGS for score in _scores(row))
"""The scores that coups end with."""

Branch: TypeAlias = "Score | dict[Card, Branch]"
"""How a coup goes on: it has ended with a score, or a branch follows for each card that may come next."""

_Following = TypeVar("_Following")


def _by_card(by_value: Sequence[_Following]) -> dict[Card, _Following]:
    return {card: by_value[value] for card, value in POINTS.items()}


def _tree() -> dict[Card, dict[Card, dict[Card, dict[Card, Branch]]]]:
    """All coups, from the first card on; branches that go on alike are one object."""

    def grown(ending: Ending) -> Branch:
        return ending if isinstance(ending, Score) else _by_card([grown(each) for each in ending])

    value = range(10)
    after_4 = [[grown(ending) for ending in row] for row in ENDINGS]
    after_3 = [
        [_by_card([after_4[player][(banker + card) % 10] for card in value]) for banker in value]
        for player in value
    ]
    after_2 = [
        [_by_card([after_3[(player + card) % 10][banker] for card in value]) for banker in value]
        for player in value
    ]
    return _by_card([_by_card(row) for row in after_2])


TREE: Final = _tree()
"""All coups by their cards. Following it finds a score in half the time that adding up points takes."""


class Coup(msgspec.Struct, frozen=True, gc=False):
    """The cards of one deal so far, in dealing order.

    `final` is the score of a complete coup and follows from the cards; only `deal`, which has just found it,
    hands it over.

    >>> coup = Coup.of("2s 4h 3d Kc Kh")
    >>> coup.player, coup.player_total
    (('2s', '3d', 'Kh'), 5)
    >>> coup.banker, coup.banker_total
    (('4h', 'Kc'), 4)
    >>> coup.complete, coup.outcome.value
    (True, 'player')

    Raises:
        BadCardError: one of the cards is not a card.
        CoupError: more cards than the tableau allows.
    """

    cards: tuple[Card, ...] = ()
    final: Score | None = None

    def __post_init__(self) -> None:
        if self.final is not None:
            return
        branch = cast(Branch, TREE)
        for card in self.cards:
            if isinstance(branch, Score):
                raise CoupError(
                    f"the tableau ends this coup after {branch.cards} cards, not {len(self.cards)}"
                )
            if card not in branch:
                raise BadCardError(card)
            branch = branch[card]
        if isinstance(branch, Score):
            msgspec.structs.force_setattr(self, "final", branch)

    def __repr__(self) -> str:
        return f"Coup.of('{' '.join(self.cards)}')"

    @classmethod
    def of(cls, text: str) -> "Coup":
        """The coup whose cards `text` names in dealing order, as in ``Coup.of("9s 8h Kd Kc")``."""
        return cls(parse_cards(text))

    def add(self, card: Card) -> "Coup":
        """This coup with one more card.

        Raises:
            BadCardError: `card` is not a card.
            CoupError: the coup is complete.
        """
        return Coup((*self.cards, card))

    @property
    def complete(self) -> bool:
        """Whether no more cards come."""
        return self.final is not None

    @property
    def score(self) -> Score:
        """Totals and numbers of cards of both hands.

        Raises:
            CoupError: the coup is not complete.
        """
        if self.final is None:
            raise CoupError(
                f"this coup is not complete after {len(self.cards)} cards: {self.next_side} is next"
            )
        return self.final

    @property
    def outcome(self) -> Outcome:
        """Who won.

        Raises:
            CoupError: the coup is not complete.
        """
        return self.score.outcome

    @property
    def next_side(self) -> Side | None:
        """Whose card comes next; None when the coup is complete."""
        if self.complete:
            return None
        dealt = len(self.cards)
        if dealt < 4:
            return Side.BANKER if dealt % 2 else Side.PLAYER
        return Side.PLAYER if dealt == 4 and self._player_draws else Side.BANKER

    @property
    def player(self) -> tuple[Card, ...]:
        """Player's cards."""
        return self.cards[0:4:2] + (self.cards[4:5] if self._player_draws else ())

    @property
    def banker(self) -> tuple[Card, ...]:
        """Banker's cards."""
        return self.cards[1:4:2] + self.cards[5 if self._player_draws else 4 :]

    @property
    def player_total(self) -> int:
        """The score of Player's cards so far, 0 to 9."""
        return total(self.player)

    @property
    def banker_total(self) -> int:
        """The score of Banker's cards so far, 0 to 9."""
        return total(self.banker)

    @property
    def natural(self) -> bool:
        """Whether either hand has 8 or 9 in its first two cards and so ended the coup."""
        return self.final is not None and self.final.natural

    @property
    def pairs(self) -> Pairs:
        """How alike the first two cards of each hand are.

        Raises:
            CoupError: these cards are not all dealt.
        """
        if len(self.cards) < 4:
            raise CoupError(f"pairs show after four cards, not after {len(self.cards)}")
        return pairs(self.cards)

    @property
    def player_pair(self) -> bool:
        """Whether Player's first two cards have the same rank; K and Q are no pair, though both count 0."""
        return len(self.cards) > 2 and rank(self.cards[0]) == rank(self.cards[2])

    @property
    def banker_pair(self) -> bool:
        """Whether Banker's first two cards have the same rank."""
        return len(self.cards) > 3 and rank(self.cards[1]) == rank(self.cards[3])

    @property
    def _player_draws(self) -> bool:
        """Whether a fifth card is Player's."""
        return total(self.cards[0:4:2]) < 8 and player_draws(total(self.cards[0:4:2]))


def alike(first: Card, second: Card) -> Alike:
    """How alike two cards are.

    >>> alike(Card("Ks"), Card("Kd")).name, alike(Card("Ks"), Card("Qs")).name
    ('RANK', 'NO')
    """
    return _ALIKES[(rank(first) == rank(second)) + (first == second)]


def pairs(order: Sequence[Card], position: int = 0) -> Pairs:
    """The pairs of the coup whose first card is ``order[position]``.

    Raises:
        IndexError: `order` ends before the coup's fourth card.
    """
    return PAIRS[
        alike(order[position], order[position + 2]),
        alike(order[position + 1], order[position + 3]),
    ]


def deal(order: Sequence[Card], position: int = 0) -> Coup:
    """The whole coup whose first card is ``order[position]``.

    >>> deal(parse_cards("Ks 8h Qs Kd As 2s"))
    Coup.of('Ks 8h Qs Kd')

    Raises:
        CoupError: `order` ends before the coup does.
    """
    try:
        branch = TREE[order[position]][order[position + 1]][order[position + 2]][order[position + 3]]
        end = position + 4
        while isinstance(branch, dict):
            branch = branch[order[end]]
            end += 1
    except IndexError:
        raise CoupError(f"{len(order) - position} cards are left, too few to finish a coup") from None
    return Coup(tuple(order[position:end]), branch)
