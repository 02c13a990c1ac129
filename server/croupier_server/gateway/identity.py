"""Who a connection is: nobody, until an operator or a guest's token says who, or it becomes a new guest."""

from typing import NamedTuple

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Hello
from croupier_protocol.messages.values import Language, Player, PlayerId, TableId
from croupier_server.gateway.addresses import Caller
from croupier_server.gateway.desk import Desk, PitDesk
from croupier_server.gateway.details import Detail
from croupier_server.gateway.outlet import Outlet
from croupier_server.gateway.replies import RefusedError
from croupier_server.players.accounts import Holder
from croupier_server.players.guests import Guest, Guests
from croupier_server.players.names import BadNameError, guest_name, normalise
from croupier_server.store.sign_ins import is_sign_in


class Claimed(NamedTuple):
    """What a `hello` has come to: a next token to resume with, and when what it showed will be over."""

    resume: str | None = None
    expires_ms: int | None = None


class Identity:
    """The player of one connection, and the tables that it watches as that player.

    `caller` is where it comes from, where that counts; `name` is the name that it chose, or that its operator
    gave it, or empty; `test` is whether it says that it is a load tester's.
    """

    def __init__(self, desk: Desk, outlet: Outlet, caller: Caller | None) -> None:
        self.player: PlayerId | None = None
        self.name = ""
        self.test = False
        self._name_is_given = False
        self._desk = desk
        self._outlet = outlet
        self._caller = caller
        self._watching: dict[TableId, tuple[PitDesk, int]] = {}

    @property
    def watching(self) -> list[TableId]:
        """The tables that the connection watches."""
        return list(self._watching)

    def shown(self, language: Language) -> Player | None:
        """The player as others will see it; None while it is nobody."""
        if self.player is None:
            return None
        return Player(id=self.player, name=self.name or guest_name(self.player, language))

    async def claim(self, said: Hello) -> Claimed:
        """Takes in what a `hello` says.

        Raises:
            RefusedError: the name cannot be shown, or what it shows is not valid; nothing has changed, but
                that a code is used up.
            StoreUnavailableError: nobody knows; a guest's token stays valid.
        """
        try:
            chosen = "" if said.name is None else normalise(said.name)
        except BadNameError as error:
            raise RefusedError(ErrorCode.BAD_NAME, Detail(error.english, error.french)) from error
        holders = self._desk.holders
        if said.token is not None:
            return self._become_holder(await holders.claim(self._outlet, said.token), chosen)
        if said.code is not None:
            resume, holder = await holders.exchange(self._outlet, said.code)
            return self._become_holder(holder, chosen)._replace(resume=resume)
        if said.resume is None:
            if not self._name_is_given:
                self.name = chosen or self.name
            return Claimed()
        if is_sign_in(said.resume):
            return self._become_holder(await holders.resume(self._outlet, said.resume), chosen)
        guest = await self._guests().resume(said.resume, chosen)
        if guest is None:
            raise RefusedError(ErrorCode.BAD_RESUME)
        self._become_guest(guest)
        return Claimed(resume=guest.resume)

    def refused(self, code: ErrorCode) -> None:
        """A `claim` was refused."""
        self._desk.failed_logins.refused(code, self._caller)

    def check(self) -> None:
        """Whether the player may act.

        Raises:
            RefusedError: the time of its token is over.
        """
        self._desk.holders.check(self._outlet)

    async def arrive(self) -> Guest:
        """Makes nobody a new guest.

        Raises:
            RefusedError: this server takes no guests, or no more from this address for now.
            StoreUnavailableError: it is nobody still.
        """
        guests = self._guests()
        if self._caller is not None and not self._desk.arrivals.admit(self._caller):
            raise RefusedError(ErrorCode.TOO_MANY_GUESTS)
        guest = await guests.open(self.name, test=self.test)
        self._become_guest(guest)
        return guest

    def end(self) -> None:
        """The connection has ended."""
        for table in self.watching:
            self.unwatch(table)
        self._desk.holders.forget(self._outlet)

    def watch(self, table: TableId, paid_round: int) -> None:
        """The connection watches `table`, and knows its player's payouts up to `paid_round`."""
        pit = self._desk.at(table)
        if pit is None:
            return  # the table has closed meanwhile
        self._watching[table] = pit, paid_round
        if self.player is not None:
            pit.roster.join(self.player, table, self._outlet, paid_round)

    def unwatch(self, table: TableId) -> None:
        """Ends what `watch` began."""
        watched = self._watching.pop(table, None)
        if watched is not None and self.player is not None:
            watched[0].roster.part(self.player, table, self._outlet)

    def _become_holder(self, holder: Holder, chosen: str) -> Claimed:
        self._become(holder.player, holder.name or chosen)
        self._name_is_given = bool(holder.name)
        return Claimed(expires_ms=holder.expires_ms)

    def _become_guest(self, guest: Guest) -> None:
        self._name_is_given = False
        self._desk.holders.forget(self._outlet)
        self._become(guest.player, guest.name)

    def _become(self, player: PlayerId, name: str) -> None:
        watching = dict(self._watching)
        for table in watching:
            self.unwatch(table)
        self.player, self.name = player, name
        for table, (_, paid_round) in watching.items():
            self.watch(table, paid_round)

    def _guests(self) -> Guests:
        if self._desk.guests is None:
            raise RefusedError(ErrorCode.SIGN_IN_NEEDED)
        return self._desk.guests
