"""Everything of one pit in the store, from one process: what dealers, gateways and operators work on."""

from typing import Self

from croupier_server.bank.bank import Bank
from croupier_server.store.cuts import Cuts
from croupier_server.store.durability import Confirmation, Confirming
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.ledger import Archiving
from croupier_server.store.orders import Orders
from croupier_server.store.own_limits import OwnLimits
from croupier_server.store.placing import SlipQueue
from croupier_server.store.seats import Seats
from croupier_server.store.settled import Settled
from croupier_server.store.shoes import Shoes
from croupier_server.store.significant import LARGE_WIN, SignificantEvents
from croupier_server.store.stores import Stores
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Tables
from croupier_server.store.wallets import WalletTerms


class Pit:
    """A pit, with connections of its own. `Stream.open` comes before anything else."""

    def __init__(
        self,
        stores: Stores,
        pit: PitId = DEFAULT_PIT,
        terms: WalletTerms | None = None,
        confirmation: Confirmation | None = None,
        large_win: int = LARGE_WIN,
        archiving: Archiving | None = None,
        *,
        play_safe: bool = False,
    ) -> None:
        """`play_safe` is whether players may have limits of their own, and get reality checks."""
        self.name = pit
        self.stores = stores
        self.store = stores.pit(pit)
        self.tables = Tables(self.store, pit, archived=archiving is not None)
        self.own_limits = OwnLimits(self.store)
        self.seats = Seats(self.store, pit, limited=play_safe)
        self.settled = Settled(self.store, pit, archived=archiving is not None, counted=play_safe)
        self.slips = SlipQueue(self.store, pit, limited=play_safe)
        self.bank = Bank(self.store, pit, terms, archiving, self.own_limits if play_safe else None)
        self.orders = Orders(self.store, pit)
        self.cuts = Cuts(self.store, pit)
        self.shoes = Shoes(self.store, pit)
        self.stream = Stream(self.store, pit, stores.reader(pit))
        self.confirming = Confirming(self.store, pit, confirmation)
        self.significant = SignificantEvents(self.store)
        self.large_win = large_win

    @classmethod
    def at(cls, url: str, terms: WalletTerms | None = None, pit: PitId = DEFAULT_PIT) -> Self:
        """A pit in the store at `url`, with wallets on these terms; connects on first use."""
        return cls(Stores(url), pit, terms)

    async def close(self) -> None:
        """Closes every connection to the store, also those of other pits."""
        await self.stores.close()
