"""`croupier roads`: the scoreboards of a sequence of outcomes."""

import shutil
import sys
from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter

from croupier_client.cli import DONE, USAGE
from croupier_client.cli.scoreboard import Scoreboard, signs_for
from croupier_client.cli.terminal import Terminal
from croupier_protocol.game.coup import Side
from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.game.roads import LETTERS, DerivedRoad, Mark, Roads, read_letters
from croupier_protocol.language import Language

LEAST_WIDTH: Final = 60
"""A terminal narrower than this wraps lines rather than losing the roads' names."""


class RoadsReport(msgspec.Struct, frozen=True):
    """What `--json` prints: cells of the big road are column, row, winner and ties after it."""

    bead: str
    big_road: list[tuple[int, int, str, int]]
    big_eye_boy: str
    small_road: str
    cockroach_road: str
    ask: Mapping[Side, Mapping[DerivedRoad, Mark | None]]


def roads(
    sequence: str,
    /,
    *,
    json: Annotated[bool, Parameter(negative="")] = False,
    lang: Literal["en", "fr"] = "en",
) -> int:
    """Draw the scoreboards of a shoe.

    Args:
        sequence: The outcomes, oldest first: B for Banker, P for Player, T for a tie.
        json: Print one JSON object.
        lang: The language of the names.
    """
    try:
        beads = read_letters(sequence)
    except ValueError as error:
        sys.stderr.write(f"croupier: {error}\n")
        return USAGE
    shown = Roads.of(beads)
    if json:
        sys.stdout.write(msgspec.json.encode(report(shown)).decode() + "\n")
        return DONE
    for line in scoreboard_for(Terminal.of(sys.stdout), Language(lang)).full(shown):
        sys.stdout.write(f"{line}\n")
    return DONE


def scoreboard_for(terminal: Terminal, language: Language) -> Scoreboard:
    """A scoreboard for standard output."""
    width = max(LEAST_WIDTH, shutil.get_terminal_size().columns)
    return Scoreboard(GLOSSARIES[language], terminal.paint, signs_for(sys.stdout.encoding), width)


def report(shown: Roads) -> RoadsReport:
    """`shown` as `--json` prints it."""
    marks = {road: "".join(shown.derived[road]) for road in DerivedRoad}
    return RoadsReport(
        bead="".join(LETTERS[bead.outcome] for bead in shown.beads),
        big_road=[(*spot, LETTERS[entry.winner], entry.ties) for spot, entry in shown.big_road()],
        big_eye_boy=marks[DerivedRoad.BIG_EYE_BOY],
        small_road=marks[DerivedRoad.SMALL_ROAD],
        cockroach_road=marks[DerivedRoad.COCKROACH_ROAD],
        ask={side: shown.ask(side) for side in Side},
    )
