"""The scoreboards of a shoe: bead plate, big road, and the three roads derived from it.

`Roads` is what has happened in a shoe so far, coup by coup. Everything in it is logical: columns are runs of
one winner, derived roads are lists of marks worked out from those columns. Where things are drawn, on how
many rows and through how narrow a window, comes last and changes nothing (`lay_out`, `latest`, `bead_plate`).
"""

from croupier_protocol.game.roads.bead import (
    LETTERS,
    Bead,
    FinishedCoup,
    PlacedBead,
    bead_plate,
    read_letters,
)
from croupier_protocol.game.roads.derived import DerivedRoad, Mark, next_mark
from croupier_protocol.game.roads.layout import ROWS, Spot, latest, lay_out
from croupier_protocol.game.roads.roads import Ask, Cell, Entry, Roads

__all__ = [
    "LETTERS",
    "ROWS",
    "Ask",
    "Bead",
    "Cell",
    "DerivedRoad",
    "Entry",
    "FinishedCoup",
    "Mark",
    "PlacedBead",
    "Roads",
    "Spot",
    "bead_plate",
    "latest",
    "lay_out",
    "next_mark",
    "read_letters",
]
