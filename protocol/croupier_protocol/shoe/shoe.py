"""A shoe: shuffled cards in the order they come, with burn and cut card.

A position counts the cards of the order from 0, burnt ones included; in a series every coup begins at 0 of a
deck of its own. A shoe does not move: whoever deals from it keeps the position, so the same card can be asked
for again after a crash.
"""

import msgspec

from croupier_protocol.fairness.cards import SALT_BYTES, SERIES_POSITIONS, Salts, card_commitment
from croupier_protocol.game.cards import PIPS, Card
from croupier_protocol.game.coup import LONGEST_COUP
from croupier_protocol.game.rules import RuleSet, Series
from croupier_protocol.shoe.order import order


class ShoeError(ValueError):
    """A coup or a card that this shoe does not have."""


class Burn(msgspec.Struct, frozen=True):
    """What is taken off after the shuffle: one card that is shown, and `burnt` cards after it, unseen."""

    shown: Card
    burnt: int


class Shoe:
    """One shoe of a rule set.

    `cards` is how many cards are shuffled together, burnt ones included; `burn` and `start` say what is burnt
    and at which position the first coup begins; `cut_at` is the position of the first card behind the cut
    card; `coups` is the number of coups of a series. A series has neither burn nor cut card, other shoes have
    no number of coups. The seed is that of the order (`croupier_protocol.fairness.seeds.order_seed`).

    Undealt cards are secret: neither the seed nor any card but the one shown is in the representation.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> Shoe.open(RULE_SETS["standard"], bytes(32))
    <Shoe of 'standard': 416 cards, burn Burn(shown='Qc', burnt=10), cut at 400>
    """

    __slots__ = (
        "_fronts",
        "_latest",
        "_rules",
        "_salted",
        "_salts",
        "_seed",
        "burn",
        "cards",
        "coups",
        "cut_at",
        "start",
    )

    burn: Burn | None
    cards: int
    coups: int | None
    cut_at: int | None
    start: int
    _salts: bytes
    _fronts: tuple[tuple[Card, ...], ...]

    def __init__(self, rules: RuleSet, seed: bytes) -> None:
        first_order = order(seed, rules.decks)
        self._rules, self._seed, self._latest = rules, seed, (0, first_order)
        self._salted = Salts(seed)
        self._salts, self._fronts = b"", ()  # what `commitments` has made, so that it need not be made again
        self.cards = rules.cards
        if isinstance(rules.shoe, Series):
            self.burn, self.start, self.cut_at, self.coups = None, 0, None, rules.shoe.coups
        else:
            shown = first_order[0]
            self.burn = Burn(shown, PIPS[shown])
            self.start = 1 + self.burn.burnt
            self.cut_at, self.coups = rules.cards - rules.shoe.behind, None

    @classmethod
    def open(cls, rules: RuleSet, seed: bytes) -> "Shoe":
        """The shoe that `seed`, 32 random bytes, makes for `rules`.

        Raises:
            ValueError: the seed is not 32 bytes long.
        """
        return cls(rules, seed)

    def __repr__(self) -> str:
        return f"<Shoe of {self._rules.name!r}: {self.cards} cards, burn {self.burn}, cut at {self.cut_at}>"

    def order(self, coup: int) -> tuple[Card, ...]:
        """The cards that `coup`, counted from 1, is dealt from; in a series they are its own.

        Raises:
            ShoeError: the shoe has no such coup.
        """
        index = self._deck(coup)
        if self._latest[0] != index:
            self._latest = (index, order(self._seed, self._rules.decks, index))
        return self._latest[1]

    def card(self, coup: int, position: int) -> Card:
        """The card at `position`, for `coup`, counted from 1.

        Raises:
            ShoeError: the shoe has no such coup, or no such card that can be dealt.
        """
        deck = self._deck(coup)
        if not self.start <= position < self.cards:
            raise ShoeError(f"{self!r} has no card to deal at position {position}")
        if deck < len(self._fronts) and position < len(self._fronts[deck]):
            return self._fronts[deck][position]
        return self.order(coup)[position]

    def salt(self, coup: int, position: int) -> bytes:
        """The salt in the commitment to the card at `position`, for `coup`."""
        if not self._salts:
            return self._salted.salt(self._deck(coup), position)
        at = position if self.coups is None else SERIES_POSITIONS * self._deck(coup) + position
        return self._salts[at * SALT_BYTES : (at + 1) * SALT_BYTES]

    @property
    def burnt(self) -> tuple[Card, ...]:
        """The cards that were burnt unseen."""
        return self.order(1)[1 : self.start]

    def commitments(self) -> bytes:
        """The commitments to every card that can be dealt, and to the burnt ones: 32 bytes each.

        In the order of their positions; in a series, the first six of each deck, deck after deck.
        """
        entries, salts, fronts = [], [], []
        for deck in range(self.coups or 1):
            cards = self.order(deck + 1)[: None if self.coups is None else SERIES_POSITIONS]
            fronts.append(cards)
            for position, card in enumerate(cards):
                salt = self._salted.salt(deck, position)
                salts.append(salt)
                entries.append(card_commitment(deck, position, card, salt))
        self._salts, self._fronts = b"".join(salts), tuple(fronts)
        return b"".join(entries)

    def can_start(self, position: int) -> bool:
        """Whether a coup may begin at `position`: the six cards that it may take must be there."""
        return self.start <= position <= self.cards - LONGEST_COUP

    def is_last_coup(self, position: int, coup: int) -> bool:
        """Whether `coup`, counted from 1, which begins at `position`, is the last before the shuffle.

        It is when the cut card has come out before its first card: during the coup before, right after that
        coup's last card, or instead of this coup's first card. A cut card that comes out during a coup thus
        means one more coup. The last of a series is its last by number.
        """
        if self.coups is not None:
            return coup == self.coups
        return self.cut_at is not None and position >= self.cut_at

    def _deck(self, coup: int) -> int:
        if coup < 1 or (self.coups is not None and coup > self.coups):
            raise ShoeError(f"{self!r} has no coup {coup}")
        return 0 if self.coups is None else coup - 1
