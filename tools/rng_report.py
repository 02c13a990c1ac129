"""What shuffles look like: a report for people, or raw bytes for the usual batteries of tests.

    make rng-report                         the report, over 200,000 decks
    python tools/rng_report.py --raw 1000   so many megabytes of the order's stream on standard output

Seeds come from the operating system, as those of shoes do. Every statistic is a chi-square sum with its
degrees of freedom and its p-value: the chance that honest shuffles give a sum as large. One in a hundred is
below 0.01; one below 0.0001 asks for another run. Pairs and gaps of one deck hang together a little, so their
p-values are near enough and not exact; the most uneven card and place are the worst of 52.
"""

import argparse
import hmac
import math
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from croupier_protocol.game.cards import DECK
from croupier_protocol.shoe.order import order

CARDS = len(DECK)
GAPS = 20
"""Gaps between two cards of one rank are counted up to this; longer ones together."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", type=int, default=200_000, help="how many decks are shuffled")
    parser.add_argument("--raw", type=int, default=0, metavar="MB", help="write raw bytes instead")
    arguments = parser.parse_args()
    if arguments.raw:
        for block in raw(arguments.raw):
            sys.stdout.buffer.write(block)
        return
    lines = report(arguments.decks)
    for line in lines:
        print(line)


def report(decks: int) -> Iterator[str]:
    """The report over so many shuffles of one deck."""
    number = {card: index for index, card in enumerate(DECK)}
    places = [[0] * CARDS for _ in range(CARDS)]
    pairs, runs, gaps, stayed = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for _ in range(decks):
        cards = [number[card] for card in order(secrets.token_bytes(32), 1)]
        for place, card in enumerate(cards):
            places[card][place] += 1
        pairs.update((after - before) % CARDS for before, after in pairwise(cards))
        runs[sum(after > before for before, after in pairwise(cards))] += 1
        gaps.update(_gaps(cards))
        stayed[min(sum(place == card for place, card in enumerate(cards)), 6)] += 1
    yield f"{decks} shuffles of one deck, seeds of the operating system"
    every = [count for row in places for count in row]
    yield _line("every card at every place", _sum(every), (CARDS - 1) ** 2)
    worst = min(range(CARDS), key=lambda card: tail(_sum(places[card]), CARDS - 1))
    yield _line(f"the most uneven card, {DECK[worst]}, over places", _sum(places[worst]), CARDS - 1)
    columns = [[row[place] for row in places] for place in range(CARDS)]
    worst = min(range(CARDS), key=lambda place: tail(_sum(columns[place]), CARDS - 1))
    yield _line(f"the most uneven place, {worst}, over cards", _sum(columns[worst]), CARDS - 1)
    yield _line("first card", _sum(columns[0]), CARDS - 1)
    yield _line("last card", _sum(columns[-1]), CARDS - 1)
    yield _line(
        "serial pairs: steps to the next card", _sum([pairs[step] for step in range(1, CARDS)]), CARDS - 2
    )
    yield _against("runs: rises in a deck", runs, _rises(), decks)
    yield _against("gaps: cards between two of one rank", gaps, _gap_chances(), sum(gaps.values()))
    yield _against("cards that stay in their place", stayed, _stays(), decks)


def raw(megabytes: int) -> Iterator[bytes]:
    """The stream that orders are drawn from, of seed after seed."""
    for _ in range(megabytes * 8):
        seed = secrets.token_bytes(32)
        label = b"croupier shoe order 1" + bytes(4)
        yield b"".join(hmac.digest(seed, label + block.to_bytes(4, "big"), "sha256") for block in range(4096))


def tail(total: float, freedom: int) -> float:
    """The chance that chi-square with `freedom` degrees is at least `total`: the upper incomplete gamma.

    >>> round(tail(3.841, 1), 3), round(tail(68.669, 51), 3), round(tail(2601.0, 2601), 2)
    (0.05, 0.05, 0.5)
    """
    a, x = freedom / 2, total / 2
    if x <= 0:
        return 1.0
    factor = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # the series of the lower part
        term = part = 1 / a
        step = a
        while term > part * 1e-15:
            step += 1
            term *= x / step
            part += term
        return 1 - factor * part
    b = x + 1 - a  # the continued fraction of the upper part, after Lentz
    c, d = 1e300, 1 / b
    part = d
    for index in range(1, 10_000):
        weight = -index * (index - a)
        b += 2
        d = 1 / (weight * d + b)
        c = b + weight / c
        part *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return factor * part


def _sum(counts: list[int]) -> float:
    """Chi-square of counts that should be alike."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def _against(name: str, counts: Counter[int], chances: dict[int, float], total: int) -> str:
    """Chi-square against chances; classes of fewer than ten expected are taken together."""
    rest = {value for value, chance in chances.items() if chance * total < 10}
    classes = [(counts[value], chance * total) for value, chance in chances.items() if value not in rest]
    expected = total - sum(one for _, one in classes)
    if expected > 1e-6 * total:
        classes.append((total - sum(count for count, _ in classes), expected))
    return _line(name, sum((count - one) ** 2 / one for count, one in classes), len(classes) - 1)


def _line(name: str, total: float, freedom: int) -> str:
    return f"{name:48} chi-square {total:10.1f}  of {freedom:5}  p = {tail(total, freedom):.4f}"


def _rises() -> dict[int, float]:
    """Chances of so many rises in a permutation of a deck: Eulerian numbers."""
    row = [1.0]
    for length in range(2, CARDS + 1):
        row = [
            (
                (rises + 1) * (row[rises] if rises < len(row) else 0)
                + (length - rises) * (row[rises - 1] if rises else 0)
            )
            / length
            for rises in range(length)
        ]
    return dict(enumerate(row))


def _gaps(cards: list[int]) -> Iterator[int]:
    """Between each two cards of one rank that follow one another: how many others."""
    last: dict[int, int] = {}
    for place, card in enumerate(cards):
        rank = card % 13
        if rank in last:
            yield min(place - last[rank] - 1, GAPS)
        last[rank] = place


def _gap_chances() -> dict[int, float]:
    """Chances of a gap: of the four places of a rank, two that follow one another."""
    ways = {gap: math.comb(CARDS - gap - 1, 3) / math.comb(CARDS, 4) for gap in range(CARDS - 3)}
    chances = {gap: ways[gap] for gap in range(GAPS)}
    chances[GAPS] = sum(ways[gap] for gap in ways if gap >= GAPS)
    return chances


def _stays() -> dict[int, float]:
    """Chances that so many cards stay where they lay; six and more together."""
    chances = {
        count: sum((-1) ** other / math.factorial(other) for other in range(CARDS - count + 1))
        / math.factorial(count)
        for count in range(6)
    }
    chances[6] = 1 - sum(chances.values())
    return chances


if __name__ == "__main__":
    main()
