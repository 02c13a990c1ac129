"""What the players of one gateway share: the desk that serves them, beside what every spectator has."""

from croupier_server.gateway.private import PrivateState
from croupier_server.gateway.roster import Roster
from croupier_server.gateway.terms import Terms
from croupier_server.players.arrivals import ArrivalRate, Arrivals
from croupier_server.players.guests import Guests
from croupier_server.store.pit import Pit


class Desk:
    """A gateway's desk for the players of a pit. Without `arrivals` there are no guests."""

    def __init__(self, pit: Pit, arrivals: ArrivalRate | None) -> None:
        self.seats = pit.seats
        self.slips = pit.slips
        self.bank = pit.bank
        self.cuts = pit.cuts
        self.terms = Terms(pit.tables)
        self.roster = Roster()
        self.private = PrivateState(pit.seats, self.roster)
        self.guests = None if arrivals is None else Guests(pit.store)
        self.arrivals = Arrivals(arrivals or ArrivalRate(), pit.store.clock.steady)
