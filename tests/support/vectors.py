"""Writes what Python says into files that the browser table's unit tests compare with: views, roads and more.

Run as ``PYTHONPATH=tests python -m support.vectors`` after a change of the fold, the roads, the rules or the
limits that is meant; a test fails when the files are out of date.
"""

import base64
import json
import random
from pathlib import Path

import msgspec

from croupier_protocol.game.coup import Side
from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.game.roads import LETTERS, Bead, Roads, bead_plate, latest, lay_out
from croupier_protocol.game.rules import RULE_SETS, RuleSet
from croupier_protocol.game.settlement import CombinationError, SlipError, UnknownBetError, check_slip
from croupier_protocol.game.statistics import Statistics
from croupier_protocol.messages.events import BetsChanged, SeatChanged, TableClosed
from croupier_protocol.messages.offers import offer_of
from croupier_protocol.messages.values import PastCoup, Player, PlayerId
from croupier_protocol.view import opening_view
from legal_rounds import RULES, Dealer
from support.shoes import BEACON, Table

FOLDER = Path(__file__).parents[1] / "browser" / "vectors"

VIEW_EVERY = 4
"""A view is kept after so many events, and after the last."""

ROAD_COLUMNS = 8
"""A window so narrow that a shoe does not fit."""


def main() -> None:
    """Writes every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, vectors in all_vectors().items():
        (FOLDER / name).write_text(text_of(vectors), encoding="utf-8")


def all_vectors() -> dict[str, list]:
    """What each file has to hold."""
    return {
        "views.json": [views(seed) for seed in range(6)],
        "roads.json": [roads(seed) for seed in range(12)],
        "slips.json": [slips(rules) for rules in RULE_SETS.values()],
        "shoes.json": [shoe("standard"), shoe("single-deck")],
        "never-opened.json": [never_opened()],
    }


def text_of(vectors: list) -> str:
    """One vector a line, so that a difference can be read."""
    lines = ",\n".join(json.dumps(vector, ensure_ascii=False, separators=(",", ":")) for vector in vectors)
    return f"[\n{lines}\n]\n"


def views(seed: int) -> dict:
    """Some rounds of a table with faults, players and bets, and the views on the way."""
    dealer = Dealer(seed=seed)
    kept = {}
    for _ in range(6):
        for event in dealer.steps(faults=True):
            chance = dealer.random.random()
            if event.__struct_config__.tag == "betting" and chance < 0.7:
                totals = {"player": 500, "tie": dealer.random.randrange(1, 9) * 100}
                dealer.publish(BetsChanged, round=dealer.view.round, totals=totals, bettors=2, ready=1)
            if chance < 0.2:
                player = Player(id=PlayerId(f"g{dealer.random.randrange(16):016x}"), name="Éve")
                taken = player if dealer.random.random() < 0.7 else None
                dealer.publish(SeatChanged, seat=dealer.random.randrange(1, 5), player=taken)
            if dealer.view.seq % VIEW_EVERY == 0:
                kept[dealer.view.seq] = dealer.view
    dealer.publish(TableClosed, reason="the night is over")
    kept[dealer.view.seq] = dealer.view
    return {
        "opening": msgspec.to_builtins(opening_view(dealer.table, dealer.epoch, RULES)),
        "events": msgspec.to_builtins(dealer.events),
        "views": msgspec.to_builtins(list(kept.values())),
    }


def roads(seed: int) -> dict:
    """A shoe of up to 90 coups, its roads at full width and in a narrow window, and its statistics."""
    chance = random.Random(seed)
    coups = [past_coup(chance, number) for number in range(1, chance.choice([3, 20, 60, 91]))]
    beads = [Bead.of(coup) for coup in coups]
    seen = Roads.of(beads)
    counted = Statistics.of(beads)
    big = seen.big_road()
    return {
        "past": msgspec.to_builtins(coups),
        "derived": {road.value: "".join(marks) for road, marks in seen.derived.items()},
        "ask": {
            side.value: {road.value: mark and mark.value for road, mark in seen.ask(side).items()}
            for side in Side
        },
        "beads": [[*placed.spot, LETTERS[placed.bead.outcome]] for placed in bead_plate(beads)],
        "beads_window": [
            [*placed.spot, LETTERS[placed.bead.outcome]] for placed in bead_plate(beads, columns=ROAD_COLUMNS)
        ],
        "big": [cell_of(spot, entry) for spot, entry in big],
        "big_window": [cell_of(spot, entry) for spot, entry in latest(big, ROAD_COLUMNS)],
        "two_rows": [[*spot] for spot in lay_out([entry.winner for _, entry in big], rows=2)],
        "derived_cells": {
            road.value: [[*spot, mark.value] for spot, mark in zip(lay_out(marks), marks, strict=True)]
            for road, marks in seen.derived.items()
        },
        "statistics": {
            "coups": counted.coups,
            "outcomes": {outcome.value: number for outcome, number in counted.outcomes.items()},
            "naturals": counted.naturals,
            "playerPairs": counted.player_pairs,
            "bankerPairs": counted.banker_pairs,
            "bothPairs": counted.both_pairs,
            "streak": counted.streak and {"side": counted.streak.side.value, "length": counted.streak.length},
            "longest": {side.value: length for side, length in counted.longest.items()},
        },
    }


def past_coup(chance: random.Random, number: int) -> PastCoup:
    """A finished coup with long runs, some ties and pairs."""
    outcome = chance.choices(list(LETTERS), [45, 45, 10])[0]
    return PastCoup(number, outcome, 7, 7, *(chance.random() < 0.2 for _ in range(3)))


def cell_of(spot, entry) -> list:
    """A cell of the big road: column, row, winner, ties, its pairs and natural."""
    return [
        *spot,
        LETTERS[entry.winner],
        entry.ties,
        entry.player_pair,
        entry.banker_pair,
        entry.natural,
    ]


class OpenTable(Table):
    """A table that keeps the list of commitments of its shoe."""

    commitments = b""

    def step(self, **inputs):
        event = super().step(**inputs)
        if event.__struct_config__.tag == "shoe":
            self.commitments = self.held.shoe.commitments()
        return event


def shoe(rules: str) -> dict:
    """A shoe that three seats and a beacon cut, one seat keeping its value back, with voids, abandoned."""
    table = OpenTable(rules, seats=3, shy=(2,), beacon=BEACON).shoe(void_at=(3, 10), abandon_after=6)
    return {
        "commitments": base64.b64encode(table.commitments).decode(),
        "opening": msgspec.to_builtins(
            opening_view(table.settings.table, table.state.view.epoch, table.state.view.rules)
        ),
        "events": [json.loads(line) for line in table.lines],
    }


def never_opened() -> dict:
    """A short shoe, one that is abandoned in its cut, and the first events of the next."""
    table = Table(seats=2).shoe(abandon_after=1)
    table.step()
    table.step(cut_damaged=True)
    for _ in range(6):
        table.step()
    return {
        "opening": msgspec.to_builtins(
            opening_view(table.settings.table, table.state.view.epoch, table.state.view.rules)
        ),
        "events": [json.loads(line) for line in table.lines],
    }


def slips(rules: RuleSet) -> dict:
    """Slips at a table of a rule set, and what is said against each."""
    limits = Limits(main_least=5_00, main_most=300_00, other_least=2_00, other_most=50_00, slip_most=500_00)
    chance = random.Random(rules.name)
    names = [*rules.offered, *["player", "banker", "tie"] * 4, "lucky_6", "small"]
    amounts = [*[5_00, 25_00, 50_00] * 4, *[300_00] * 4, 1_00, 7_50, 51_00, 301_00]
    cases = []
    for _ in range(80):
        bets = {chance.choice(names): chance.choice(amounts) for _ in range(chance.randrange(1, 4))}
        cases.append({"bets": bets, "refused": refusal_of(rules, limits, bets)})
    return {
        "limits": msgspec.to_builtins(limits),
        "offer": msgspec.to_builtins(offer_of(rules)),
        "cases": cases,
    }


def refusal_of(rules: RuleSet, limits: Limits, bets: dict) -> dict | None:
    """Why a slip is refused, as the browser table says it."""
    try:
        check_slip(rules, bets)
        limits.check_slip(bets)
    except LimitError as error:
        about = {} if error.bet is None else {"bet": error.bet}
        return {"key": error.limit.value, "params": {**about, "limit": error.value}}
    except UnknownBetError as error:
        return {"key": "unknown_bet", "params": {"bet": error.bet}}
    except CombinationError as error:
        combination = error.combination
        return {
            "key": "combination",
            "params": {"bets": list(combination.bets), "limit": combination.most},
        }
    except SlipError as error:
        raise AssertionError(f"no word for {error!r}") from error
    return None


if __name__ == "__main__":
    main()
