"""A table of the phase machine on a manual clock."""

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import Epoch, Phase, TableId
from croupier_protocol.view import fold
from croupier_server.table.machine import advance, wake_at
from croupier_server.table.pace import STANDARD
from croupier_server.table.state import (
    Inputs,
    SettledTotals,
    TableSettings,
    open_table,
)

T0 = 1_700_000_000_000


class Play:
    """A table on a manual clock: jumps to whatever is due next."""

    def __init__(self, rules="standard", pace=STANDARD, seed=b"\1" * 32, start=T0):
        self.settings = TableSettings(table=TableId("t"), rules=RULE_SETS[rules], pace=pace)
        self.state = open_table(self.settings, Epoch("e"))
        self.held = None
        self.now = start
        self.seed = seed
        self.events = []
        self.records = []
        self.last = None

    def step(self, **inputs):
        """One call at the present moment; returns the event, if there was one."""
        if self.state.view.phase in {Phase.SETTLING, Phase.VOIDING} and not inputs:
            inputs = {"settled": SettledTotals()}
        before = self.state.view
        self.last = advance(self.settings, self.state, self.held, self.now, self.seed, Inputs(**inputs))
        self.state, self.held = self.last.state, self.last.held
        if self.last.event is not None:
            assert fold(before, self.last.event) == self.state.view
            self.events.append((self.now, self.last.event))
        if self.last.record is not None:
            self.records.append(self.last.record)
        return self.last.event

    @property
    def shoe(self):
        """The shoe that the dealer holds."""
        return self.held.shoe

    def due(self):
        """When the next step is due."""
        return wake_at(self.settings, self.state)

    def go(self):
        """Jumps to the next due time and takes the step."""
        self.now = max(self.now, self.due() or 0)
        return self.step()

    def until(self, kind, most=100_000):
        """Goes on until an event of `kind` and returns it."""
        for _ in range(most):
            event = self.go()
            if isinstance(event, kind):
                return event
        raise AssertionError(f"no {kind.__name__}")

    def reach(self, phase):
        """Goes on until the table has come to `phase`; in `shuffling`, until the shoe is opened."""
        self.go()
        while self.state.view.phase is not phase or self.state.view.cut is not None:
            self.go()
        return self
