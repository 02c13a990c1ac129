"""How fast complete shoes are dealt and settled, beside pybaccarat 0.18 from PyPI in the same run.

    make bench

Both sides deal the same eight-deck shoes, shuffled beforehand: burn, coups, cut card, one more coup.
Croupier also settles a bet on every coup, Player, Banker and Tie in turn, with 25 different stakes;
pybaccarat settles nothing, so its side only deals and finds the winner (`Game.play_hand`, without its
scoreboards). The sides take turns on one core. What counts is the ratio of the medians of their own time
on that core, since the speed of a shared machine changes from minute to minute.

pybaccarat is downloaded as its sdist into build/ and never installed: it imports a module of Windows.
"""

import os
import subprocess
import sys
import tarfile
import types
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from itertools import cycle
from pathlib import Path
from platform import python_version
from statistics import median
from time import process_time
from typing import TypeAlias

from croupier_protocol.game.cards import RANKS, Card, rank, suit
from croupier_protocol.game.coup import Coup, deal
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.settlement import settle
from croupier_protocol.shoe.shoe import Shoe

FOLDER = Path(__file__).parents[2] / "build" / "pybaccarat"
SHOES = 30
ROUNDS = 61

RULES = RULE_SETS["standard"]
CHIPS = (100, 500, 2_500, 10_000, 50_000)
SLIPS = [
    {bet: chip * count} for count in range(1, 6) for chip in CHIPS for bet in ("player", "banker", "tie")
]

STUB = """\
import subprocess, sys, types
sys.modules["msvcrt"] = types.SimpleNamespace(getch=None)
"""
"""Stands in for the module of Windows, after `subprocess`, which would take its presence for Windows."""


Keep: TypeAlias = Callable[[object], None]
"""Is called with each coup."""


def fetch() -> Path:
    """The folder with pybaccarat's package, downloaded and unpacked if it is not there yet."""
    unpacked = FOLDER / "pybaccarat-0.18"
    if not unpacked.is_dir():
        tools = FOLDER / "tools"  # pip asks the package's setup.py for its name, which takes the stub
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--target", tools, "setuptools"], check=True)
        (tools / "sitecustomize.py").write_text(STUB)
        sdist_only = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
        subprocess.run(
            [*pip, "download", *sdist_only, "--dest", FOLDER, "pybaccarat==0.18"],
            check=True,
            env=os.environ | {"PYTHONPATH": str(tools)},
        )
        with tarfile.open(FOLDER / "pybaccarat-0.18.tar.gz") as sdist:
            sdist.extractall(FOLDER, filter="data")
    return unpacked


class Croupier:
    """Our side, with the shoes as the dealer has them."""

    def __init__(self, shoes: Iterable[Shoe]) -> None:
        self._shoes = [(shoe.order(1), shoe.start, shoe.cut_at) for shoe in shoes]

    def deal(self, keep: Keep, *, settling: bool) -> None:
        """Deal every shoe; with `settling`, settle a bet on every coup."""
        slips = cycle(SLIPS)
        for order, start, cut_at in self._shoes:
            position, last = start, False
            while not last:
                last = position >= cut_at
                coup = deal(order, position)
                position += len(coup.cards)
                if settling:
                    settle(RULES, coup, next(slips))
                keep(coup)


class Pybaccarat:
    """Their side, with the cards in the same order."""

    def __init__(self, orders: Iterable[Sequence[Card]]) -> None:
        sys.modules["msvcrt"] = types.SimpleNamespace(getch=None)
        sys.path.insert(0, str(fetch()))
        baccarat = import_module("pybaccarat.baccarat")
        playing_cards = import_module("pybaccarat.playingcards")
        self._game, self._hand = baccarat.Game, baccarat.Hand
        self._shoes = [
            playing_cards.Shoe(
                [playing_cards.Card(RANKS.index(rank(card)) + 1, suit(card)) for card in order]
            )
            for order in orders
        ]

    def deal(self, keep: Keep) -> None:
        """Deal every shoe."""
        for shoe in self._shoes:
            player, banker = self._hand(), self._hand()
            game = self._game(shoe, player, banker)
            shoe.reset()
            shoe.set_cut_card(-16)
            for _ in range(min(shoe.deal().get_rank(), 10)):
                shoe.deal()
            last = False
            while not last:
                player.empty()
                banker.empty()
                last = shoe.cut_card_seen()
                keep(game.play_hand())


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    shoes = [Shoe.open(RULES, bytes([number]) * 32) for number in range(SHOES)]
    ours, theirs = Croupier(shoes), Pybaccarat(shoe.order(1) for shoe in shoes)
    coups: list[Coup] = []
    hands: list[tuple[str, str, str]] = []
    ours.deal(coups.append, settling=True)
    theirs.deal(hands.append)
    if [coup.outcome[0].upper() for coup in coups] != [winner for winner, *_ in hands]:
        sys.exit("the two sides do not deal the same coups")

    def rate(side: Callable[[Keep], None]) -> float:
        """How many coups `side` deals in a second of this process."""
        begin = process_time()
        side(deque(maxlen=0).append)
        return len(coups) / (process_time() - begin)

    sides = (theirs.deal, partial(ours.deal, settling=False), partial(ours.deal, settling=True))
    rounds = [tuple(rate(side) for side in sides) for _ in range(ROUNDS)]
    pybaccarat, dealing, settling = (median(rates) for rates in zip(*rounds, strict=True))
    single = sorted(settling / pybaccarat for pybaccarat, _, settling in rounds)
    low, high = single[len(single) // 4], single[-len(single) // 4]
    print(f"{len(coups)} coups of {SHOES} shoes, medians of {ROUNDS} rounds, Python {python_version()}")
    print(f"pybaccarat 0.18, dealing        {pybaccarat:8.0f} coups/s")
    print(f"Croupier, dealing               {dealing:8.0f} coups/s, {dealing / pybaccarat:.2f} times")
    print(f"Croupier, dealing and settling  {settling:8.0f} coups/s, {settling / pybaccarat:.2f} times")
    print(f"                                in half of the rounds {low:.2f} to {high:.2f} times")


if __name__ == "__main__":
    main()
