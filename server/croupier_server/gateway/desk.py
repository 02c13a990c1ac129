"""What the players of one gateway share: the desk that serves them, beside what every spectator has."""

from croupier_server.bank.bank import Bank
from croupier_server.gateway.private import PrivateState
from croupier_server.gateway.roster import Roster
from croupier_server.gateway.terms import Terms
from croupier_server.players.arrivals import ArrivalRate, Arrivals
from croupier_server.players.guests import Guests
from croupier_server.store.seats import Seats
from croupier_server.store.tables import Tables


class Desk:
    """A gateway's desk for players. Without `arrivals` there are no guests."""

    def __init__(self, tables: Tables, arrivals: ArrivalRate | None) -> None:
        store, pit = tables.store, tables.pit
        self.seats = Seats(store, pit)
        self.bank = Bank(store, pit)
        self.terms = Terms(tables)
        self.roster = Roster()
        self.private = PrivateState(self.seats, self.roster)
        self.guests = None if arrivals is None else Guests(store)
        self.arrivals = Arrivals(arrivals or ArrivalRate(), store.clock.steady)
