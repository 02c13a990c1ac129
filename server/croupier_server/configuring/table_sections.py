"""What the configuration may say of tables with their limits, and of wallets; see `Config`."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from croupier_protocol.game.limits import Limits, Seats
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import TABLE_ID_PATTERN
from croupier_server.money import Units, cents, units
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.wallets import WalletTerms
from croupier_server.table.pace import PACES

TableName = Annotated[str, Meta(pattern=TABLE_ID_PATTERN)]

_MONEY: Final = {"unit": "units of money"}

_USUAL: Final = Limits()


class LimitsSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[tables.limits]`: what this table takes."""

    main_least: Annotated[Units, Meta(description="Least bet on Player and on Banker.", extra=_MONEY)] = (
        units(_USUAL.main_least)
    )
    main_most: Annotated[Units, Meta(description="Most on Player and on Banker.", extra=_MONEY)] = units(
        _USUAL.main_most
    )
    other_least: Annotated[Units, Meta(description="Least on every other bet.", extra=_MONEY)] = units(
        _USUAL.other_least
    )
    other_most: Annotated[Units, Meta(description="Most on every other bet.", extra=_MONEY)] = units(
        _USUAL.other_most
    )
    step: Annotated[Units, Meta(description="Every bet is a whole number of these.", extra=_MONEY)] = units(
        _USUAL.step
    )
    slip_most: Annotated[
        Units, Meta(description="Most of all bets of a player in one round together.", extra=_MONEY)
    ] = units(_USUAL.slip_most)
    chips: Annotated[
        tuple[Units, ...], Meta(description="Chips that the browser table offers.", extra=_MONEY)
    ] = tuple(units(chip) for chip in _USUAL.chips)
    buy_in_least: Annotated[Units, Meta(description="Least to sit down with.", extra=_MONEY)] = units(
        _USUAL.buy_in_least
    )
    buy_in_most: Annotated[Units, Meta(description="Most that a player may bring up to.", extra=_MONEY)] = (
        units(_USUAL.buy_in_most)
    )
    seats: Annotated[Seats, Meta(description="How many may sit at once.", extra={"unit": "seats"})] = (
        _USUAL.seats
    )

    def limits(self) -> Limits:
        """The same in cents.

        Raises:
            ValueError: an amount is none, or is out of its bounds; or a least is above a most.
        """
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        in_cents = {
            name: [cents(one) for one in value] if isinstance(value, tuple) else cents(value)
            for name, value in given.items()
            if name != "seats"
        }
        limits = msgspec.convert({**in_cents, "seats": self.seats}, Limits)
        wrong = limits.contradiction()
        if wrong is not None:
            raise ValueError(wrong)
        return limits


class TableSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[tables]]`: one table. Without any there is one for each rule set, named after it."""

    name: Annotated[
        TableName,
        Meta(
            description="Its name, in addresses and everywhere; it stays with the table.", examples=["home-1"]
        ),
    ]
    pit: Annotated[
        TableName,
        Meta(
            description="The pit that it is in for good: tables of one pit share a server of the store, and"
            " of a cluster a node."
        ),
    ] = DEFAULT_PIT
    rules: Annotated[
        str,
        Meta(
            description=f"Its rule set: {', '.join(f'`{name}`' for name in RULE_SETS)}, or one of"
            " `[rules.NAME]`."
        ),
    ] = "standard"
    pace: Annotated[
        str, Meta(description=f"How long its steps take: {', '.join(f'`{name}`' for name in PACES)}.")
    ] = "standard"
    early_close: Annotated[
        bool, Meta(description="Whether a betting window ends when every seat is ready.")
    ] = True
    auto_rebet: Annotated[
        bool,
        Meta(
            description="Whether the browser table may repeat a player's last slip by itself, round"
            " after round."
        ),
    ] = True
    limits: LimitsSection = LimitsSection()


class WalletSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[wallet]`: what a new wallet holds, and how it is refilled."""

    start: Annotated[Units, Meta(description="What a new wallet holds.", extra=_MONEY)] = 1000
    refill_to: Annotated[
        Units, Meta(description="Up to what a wallet is refilled; 0 is never.", extra=_MONEY)
    ] = 0
    refill_every: Annotated[
        int,
        Meta(
            ge=0,
            le=366 * 86_400,
            description="How long after one refill the next may come; 0 is never.",
            extra={"unit": "seconds"},
        ),
    ] = 0

    def terms(self) -> WalletTerms:
        """The same in cents and milliseconds.

        Raises:
            ValueError: one is no amount.
        """
        return WalletTerms(
            start=cents(self.start),
            refill_to=cents(self.refill_to),
            refill_every_ms=self.refill_every * 1000,
        )
