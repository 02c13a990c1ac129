"""Whole shoes on a clock that jumps, with cuts, voids and abandoned shoes, as the lines of a transcript."""

import hashlib
import json

from msgspec.structs import replace

from croupier_protocol.codec import JSON
from croupier_protocol.fairness.seeds import value_hash
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import CardDealt, ShoeEnded
from croupier_protocol.messages.values import Contribution, Epoch, Phase, Player, TableId, TakenSeat
from croupier_server.table.beacon import BeaconSource
from croupier_server.table.held import Held
from croupier_server.table.machine import advance, wake_at
from croupier_server.table.pace import STANDARD
from croupier_server.table.state import (
    CutSeen,
    Drawn,
    Inputs,
    Order,
    SettledTotals,
    TableSettings,
    decode_state,
    encode_state,
    open_table,
)

BEGAN_MS = 1_700_000_000_000

BEACON = BeaconSource("https://beacon.example/{round}#randomness", genesis=1_692_803_367, period=3)


def beacon_value(round_):
    """What the beacon of the tests draws."""
    return hashlib.sha512(f"round {round_}".encode()).digest()


class Table:
    """A table with so many seats, who all cut; those in `shy` do not reveal what they sent.

    With `beacon`, one is named with each shoe; in shoes of the numbers in `undrawn` it does not come. With
    `takeovers`, another dealer goes on after each seventh event.
    """

    def __init__(self, rules="standard", seats=0, shy=(), name="t", beacon=None, undrawn=(), takeovers=False):
        self.takeovers = takeovers
        self.settings = TableSettings(
            table=TableId(name), rules=RULE_SETS[rules], pace=STANDARD, beacon=beacon
        )
        self.undrawn = undrawn
        self.values = {}
        self.state = open_table(self.settings, Epoch("e"))
        self.held = None
        self.now_ms = BEGAN_MS
        self.lines = []
        self.after_each = lambda: None
        self.seats = tuple(TakenSeat(seat, Player(f"p{seat}", f"P{seat}")) for seat in range(1, seats + 1))
        self.shy = shy

    def step(self, **inputs):
        """The next step: its event."""
        view = self.state.view
        if view.phase in {Phase.SETTLING, Phase.VOIDING}:
            inputs["settled"] = SettledTotals()
        if view.cut is not None:
            inputs["cut"] = self.cut(view.cut)
            if view.cut.beacon is not None:
                value = None if view.cut.shoe in self.undrawn else beacon_value(view.cut.beacon.round)
                inputs["beacon"] = Drawn(value)
                if value is not None:
                    self.values[view.cut.beacon.round] = value
        asked = Inputs(seats=self.seats, **inputs)
        self.now_ms = max(self.now_ms, wake_at(self.settings, self.state, asked) or 0)
        seed = hashlib.sha256(f"{self.settings.table} {view.seq}".encode()).digest()
        made = advance(self.settings, self.state, self.held, self.now_ms, seed, asked)
        self.state, self.held = decode_state(encode_state(made.state)), made.held
        if self.takeovers and self.state.view.seq % 7 == 0 and self.held is not None:
            self.take_over()
        event = replace(made.event, at_ms=self.now_ms)
        self.lines.append(JSON.encode(event).decode())
        self.after_each()
        return event

    def take_over(self):
        """Another dealer goes on: of the shoe it has what the store keeps, and makes the rest from that."""
        shoe, held = self.state.view.shoe, self.held
        self.held = Held(held.rules, held.seed)
        if self.state.view.cut is None and shoe.end is None:
            self.held = Held(held.rules, held.seed, held.cut(shoe.contributions, shoe.beacon))

    def cut(self, cut):
        """What the seats have sent: everybody its hash, and all but the shy ones their values once listed."""
        parts = []
        for taken in self.seats:
            value = hashlib.sha256(f"{taken.player.id} {cut.shoe}".encode()).digest()
            shown = value if cut.listed and taken.seat not in self.shy else None
            parts.append(Contribution(taken.seat, taken.player.id, value_hash(value), shown))
        return CutSeen(len(parts), tuple(parts), everybody=bool(parts))

    def shoe(self, void_at=(), abandon_after=None, after_each=lambda: None):
        """A shoe from its commitment to its end; the cards numbered in `void_at` are followed by a void."""
        self.after_each = after_each
        cards = rounds = 0
        while True:
            event = self.step()
            if isinstance(event, CardDealt):
                cards += 1
                if cards in void_at:
                    self.step(order=Order.VOID, reason="a card fell")
            if event.__struct_config__.tag == "settled":
                rounds += 1
                if rounds == abandon_after:
                    event = self.step(order=Order.ABANDON, reason="a card was seen")
            if isinstance(event, ShoeEnded):
                return self


def numbered(lines):
    """Lines as the verifier takes them."""
    return [(number, json.loads(line)) for number, line in enumerate(lines, 1)]
