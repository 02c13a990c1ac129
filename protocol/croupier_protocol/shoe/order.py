"""The order of a shoe: an unbiased shuffle that anybody can repeat from its seed.

The rule, complete enough to write it anew in another language:

1. *Stream.* Block ``i``, from 0, is HMAC-SHA-256 with the seed as its key and as its message the ASCII
   bytes ``croupier shoe order 1``, then the deck index and then ``i``, each as four bytes, big-endian. The
   stream is the blocks one after another, read as big-endian 32-bit numbers, eight to a block. The deck
   index is 0 for a shoe; in a series of fresh decks it is 0 for the first coup, 1 for the second and so on.
2. *Arrangement.* The cards lie in the order of `DECK` (spades, hearts, diamonds, clubs, ace to king in
   each), once for each deck, one deck behind the other.
3. *Shuffle.* For ``last`` from N - 1 down to 1, a number from 0 to ``last`` is drawn, and the cards at that
   place and at ``last``, counted from 0, change places (Fisher and Yates). To draw a number from 0 to
   ``last``, the next number of the stream is taken; while it is not below the largest multiple of ``last +
   1`` that is at most 2^32, it is passed over for the one after it; the remainder of its division by ``last
   + 1`` is the number drawn. So every number is equally likely.

The first card of the result is the first out of the shoe. A seed gives its order away: whoever holds it knows
every card to come.
"""

import hmac
from collections.abc import Iterator
from itertools import chain, count
from struct import Struct
from typing import Final

from croupier_protocol.game.cards import DECK, Card

SEED_BYTES: Final = 32
"""The length of a seed."""

_LABEL: Final = b"croupier shoe order 1"
_NUMBERS: Final = Struct(">8I")
_FAIR: Final = (0, *(2**32 - 2**32 % choices for choices in range(1, 8 * 52 + 1)))
"""For each number of choices the first number of the stream that is skipped."""


def order(seed: bytes, decks: int, index: int = 0) -> tuple[Card, ...]:
    """The shuffled cards of `decks` decks, the first to be dealt first; `index` counts the decks of a series.

    >>> order(bytes(32), 1)[:4]
    ('7s', '7h', 'Kc', 'Ks')

    Raises:
        ValueError: the seed is not 32 bytes long. The message does not repeat it.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes long, not {len(seed)}")
    cards = list(DECK * decks)
    numbers = chain.from_iterable(map(_NUMBERS.unpack, _blocks(seed, index)))
    for last in range(len(cards) - 1, 0, -1):
        number = next(numbers)
        while number >= _FAIR[last + 1]:
            number = next(numbers)
        drawn = number % (last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return tuple(cards)


def _blocks(seed: bytes, index: int) -> Iterator[bytes]:
    """The blocks of the stream, without end."""
    start = hmac.new(seed, _LABEL + index.to_bytes(4, "big"), "sha256")
    for counter in count():
        block = start.copy()
        block.update(counter.to_bytes(4, "big"))
        yield block.digest()
