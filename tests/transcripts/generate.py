"""Records rare moments of a table for those who write clients and test pages.

The real phase machine deals from seeds that follow from a recording's name, on a clock that jumps, and this
prints what `croupier watch --json` would have printed. Run ``python tests/transcripts/generate.py`` to write
every recording anew; a test fails when the files are not what this makes.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from croupier_protocol.codec import JSON
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import (
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundSettled,
    ShoeOpened,
)
from croupier_protocol.messages.values import Epoch, Phase, TableId
from croupier_server.table.machine import advance, wake_at
from croupier_server.table.pace import STANDARD
from croupier_server.table.state import (
    Inputs,
    Order,
    SettledTotals,
    TableSettings,
    open_table,
)

FOLDER = Path(__file__).parent
BEGAN_MS = 1_700_000_000_000


class Recorder:
    """A table on a clock that jumps. It records from the last `mark` on."""

    def __init__(self, name: str) -> None:
        self.settings = TableSettings(table=TableId("standard"), rules=RULE_SETS["standard"], pace=STANDARD)
        self.state = open_table(self.settings, Epoch("first"))
        self.lines: list[bytes] = []
        self._name = name
        self._held = None
        self._now_ms = BEGAN_MS

    def mark(self) -> None:
        """Forgets what was recorded and begins again with a snapshot."""
        self.lines = [JSON.encode(self.state.view)]

    def step(self, order: Order | None = None, reason: str = ""):
        """The next step: its event."""
        if self.state.view.phase in {Phase.SETTLING, Phase.VOIDING}:
            inputs = Inputs(settled=SettledTotals())
        else:
            inputs = Inputs(order=order, reason=reason)
            if order is None:
                self._now_ms = max(self._now_ms, wake_at(self.settings, self.state) or 0)
        number = 0 if self.state.view.shoe is None else self.state.view.shoe.number
        seed = hashlib.sha256(f"{self._name} {number}".encode()).digest()
        made = advance(self.settings, self.state, self._held, self._now_ms, seed, inputs)
        self.state, self._held = made.state, made.held
        event = replace(made.event, at_ms=self._now_ms)
        self.lines.append(JSON.encode(event))
        return event

    def until(self, wanted: Callable[[object], bool]):
        """Goes on until an event of the kind, and returns it."""
        while not wanted(event := self.step()):
            pass
        return event

    def rounds(self, count: int) -> None:
        """Goes on to the end of so many rounds."""
        for _ in range(count):
            self.until(lambda event: isinstance(event, RoundSettled))

    def new_epoch(self) -> None:
        """What everyone sees when the stream had to begin again: a snapshot of the same table."""
        self.state = replace(self.state, view=replace(self.state.view, epoch=Epoch("second")))
        self.lines.append(JSON.encode(self.state.view))


def void(recorder: Recorder) -> None:
    """A round is voided with three cards on the table; the next one is played from where the shoe was."""
    recorder.rounds(3)
    recorder.mark()
    for _ in range(3):
        recorder.until(lambda event: isinstance(event, CardDealt))
    recorder.step(Order.VOID, "a card fell")
    recorder.rounds(2)


def new_epoch(recorder: Recorder) -> None:
    """The stream begins again while cards are dealt."""
    recorder.rounds(2)
    recorder.mark()
    recorder.rounds(1)
    for _ in range(2):
        recorder.until(lambda event: isinstance(event, CardDealt))
    recorder.new_epoch()
    recorder.rounds(2)


def tie_with_both_pairs(recorder: Recorder) -> None:
    """A tie on which both hands have a pair, and the round after it."""
    while True:
        recorder.mark()
        result = recorder.until(lambda event: isinstance(event, RoundResult))
        if result.outcome is Outcome.TIE and result.player_pair and result.banker_pair:
            break
        recorder.rounds(1)
    recorder.rounds(2)


def cut_card(recorder: Recorder) -> None:
    """The cut card comes out, the last coup is announced and played, and a new shoe is opened."""
    while True:
        recorder.mark()
        recorder.rounds(1)
        shoe = recorder.state.view.shoe
        if shoe.dealt > shoe.cut_at:
            break
    recorder.until(lambda event: isinstance(event, BettingOpened) and event.last)
    recorder.until(lambda event: isinstance(event, ShoeOpened))


def shoe_change(recorder: Recorder) -> None:
    """The last coup of a shoe, the new shoe with its burn, and its first two rounds."""
    recorder.until(lambda event: isinstance(event, BettingOpened) and event.last)
    recorder.mark()
    recorder.until(lambda event: isinstance(event, ShoeOpened))
    recorder.rounds(2)


RECORDINGS = (void, new_epoch, tie_with_both_pairs, cut_card, shoe_change)


def record(moment: Callable[[Recorder], None]) -> bytes:
    """The recording of a moment, as its file holds it."""
    recorder = Recorder(moment.__name__)
    moment(recorder)
    return b"\n".join(recorder.lines) + b"\n"


def path(moment: Callable[[Recorder], None]) -> Path:
    """The file of a moment."""
    return FOLDER / f"{moment.__name__.replace('_', '-')}.jsonl"


def main() -> None:
    for moment in RECORDINGS:
        path(moment).write_bytes(record(moment))


if __name__ == "__main__":
    main()
