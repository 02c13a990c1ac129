"""What a step of a table can depend on, and what it comes to: what the functions of all steps share."""

from typing import Final, NamedTuple, TypedDict

from croupier_protocol.codec import UNTIMED
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Epoch, RoundRecord, TableId
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.table.held import Held
from croupier_server.table.state import CutSeen, Inputs, TableSettings, TableState
from croupier_server.table.transitions import Trigger

LATE_MS: Final = 1_000
"""A step at most this late keeps the rhythm: the next one is due as if it had been on time. A later one,
after a pause of the process, starts a new rhythm instead of dealing several steps in a burst."""


class Header(TypedDict):
    """The fields that every event has."""

    table: TableId
    epoch: Epoch
    seq: int
    due_ms: int
    at_ms: int


class Moment(NamedTuple):
    """Everything a step can depend on."""

    settings: TableSettings
    state: TableState
    held: Held | None
    now_ms: int
    seed: bytes
    inputs: Inputs
    trigger: Trigger

    @property
    def view(self) -> TableView:
        """What everyone sees before the step."""
        return self.state.view

    @property
    def running_shoe(self) -> Shoe:
        """The shoe of the running round."""
        if self.held is None or self.held.shoe is None:
            raise ValueError(f"{self.settings.table} is in {self.view.phase} without a shoe")
        return self.held.shoe

    @property
    def shoe_number(self) -> int:
        """The shoe that runs, or the last one that ended, by its number; 0 before the first."""
        return 0 if self.view.shoe is None else self.view.shoe.number

    def base_ms(self, late_ms: int = LATE_MS) -> int:
        """The time from which the next step counts: when this one was due, unless it is too late for that."""
        return self.state.due_ms if 0 <= self.now_ms - self.state.due_ms <= late_ms else self.now_ms

    def header(self) -> Header:
        """The fields that every event has."""
        due_ms = self.state.due_ms if 0 < self.state.due_ms <= self.now_ms else self.now_ms
        return {
            "table": self.view.table,
            "epoch": self.view.epoch,
            "seq": self.view.seq + 1,
            "due_ms": due_ms,
            "at_ms": UNTIMED,
        }


class Made(NamedTuple):
    """An event, and what changes besides the view: None means "as before"."""

    event: TableEvent
    due_ms: int | None = None
    position: int | None = None
    held: Held | None = None
    record: RoundRecord | None = None
    not_before_ms: int = 0
    not_after_ms: int = UNTIMED
    chain: bytes | None = None
    cut: CutSeen | None = None
    commitments: bytes = b""
    limits: Limits | None = None
