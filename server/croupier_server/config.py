"""The configuration: what it may say, and what each key means.

A key's type has its bounds, and in `Meta` what people read of it: `description`; `examples`, for a key that
is not set by default; and as `extra` its `unit`, and `secret` where its value is nobody's to see. From that
come `croupier defaultconfig`, `docs/configuration.md` and the environment variables: a new section or key is
written here alone. `configuring/keys.py` has the rules for it, `configuring/checks.py` the checks.
"""

import os
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier_protocol.game.limits import Limits, Seats
from croupier_protocol.game.rules import RULE_SETS, RuleSet
from croupier_protocol.game.rules_config import RulesConfig
from croupier_protocol.messages.values import TABLE_ID_PATTERN, TableId
from croupier_server.data_directory import ARCHIVE_FILE, parse_secrets, read_secrets
from croupier_server.errors import SetupError
from croupier_server.gateway.limits import GatewayLimits
from croupier_server.gateway.origins import origin
from croupier_server.gateway.page_terms import PageTerms, SiteTerms
from croupier_server.money import Units, cents, units
from croupier_server.operator_api.keys import ApiTerms
from croupier_server.play_safe.terms import PlaySafeTerms
from croupier_server.players.accounts import IdentityTerms
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.ports import is_loopback
from croupier_server.sight.logs import LogTerms
from croupier_server.store.durability import Durability
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.ledger import Archiving
from croupier_server.store.significant import LARGE_WIN
from croupier_server.store.wallets import WalletTerms
from croupier_server.table.beacon import BeaconSource
from croupier_server.table.pace import PACES
from croupier_server.table.state import TableSettings
from croupier_server.webhooks.terms import WebhookTerms

SHOE_KEY_VARIABLE: Final = "CROUPIER_SHOE_KEY"
"""Environment variable with the shoe key, 64 hexadecimal digits: for servers that share a store.

Older keys may follow it after white space, as in a key file: the first seals, all open."""

MAX_PORT: Final = 65_535

MAX_WORKERS: Final = 256
"""Beyond this it is a slip of the finger: each is a process of its own."""

Port = Annotated[int, Meta(ge=0, le=MAX_PORT)]

TableName = Annotated[str, Meta(pattern=TABLE_ID_PATTERN)]

Role = Literal["both", "dealer", "gateway"]
"""What a worker is: dealer and gateway, or one of them."""


class ServerSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[server]`: where to listen, and how many workers of which role do so."""

    bind: Annotated[
        str,
        Meta(description="Address for players and spectators; 0.0.0.0 is every one of this machine."),
    ] = "127.0.0.1"
    port: Annotated[Port, Meta(description="Port for players and spectators; 0 takes a free one.")] = 8000
    admin_bind: Annotated[
        str,
        Meta(
            description="Address for health checks, metrics and the operator's API. Keep it off the public"
            " network: the first two have no password."
        ),
    ] = "127.0.0.1"
    admin_port: Annotated[
        Port, Meta(description="Port for health checks and the operator's API; 0 takes a free one.")
    ] = 8001
    workers: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_WORKERS,
            description="Worker processes; 0 is one for each core.",
            extra={"unit": "processes"},
        ),
    ] = 0
    role: Annotated[
        Role,
        Meta(
            description="What each worker does: `both`, or as `dealer` or `gateway` alone, beside others on"
            " the same `[store] redis`."
        ),
    ] = "both"


class StoreSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[store]`: where everything that lasts is kept."""

    redis: Annotated[
        str | None,
        Meta(
            description="URL of a running store: redis://, rediss://, unix://, redis+sentinel://host,host/name"
            " or redis+cluster://host,host. Without one the data directory holds a store.",
            examples=["redis://127.0.0.1:6379/0"],
            extra={"secret": True},
        ),
    ] = None
    data: Annotated[
        str | None,
        Meta(
            description="Data directory, for a server without `redis`; $XDG_STATE_HOME/croupier unless set.",
            examples=["/var/lib/croupier"],
        ),
    ] = None
    durability: Annotated[
        Durability,
        Meta(
            description="What a settled round has outlived before it counts: `usual` goes by the store's own"
            " settings, `strict` wants it on the disk and, where there is a replica, on that too."
        ),
    ] = Durability.USUAL


class ShoeSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[shoe]`: what seals undealt cards in the store."""

    key_file: Annotated[
        str | None,
        Meta(
            description="File with the key of 64 hexadecimal digits, and older ones on lines of their own"
            f" after it. {SHOE_KEY_VARIABLE} in the environment goes before it. With `[store] redis` one"
            " of the two is needed; else the data directory has a key of its own.",
            examples=["/etc/croupier/shoe.key"],
        ),
    ] = None
    beacon: BeaconSource | None = None


class GuestsSection(ArrivalRate, frozen=True, forbid_unknown_fields=True):
    """`[guests]`: players without an account, and how many new ones an address may bring."""

    enabled: Annotated[
        bool | None,
        Meta(
            description="Whether guests are taken. Unless set they are when only this machine can connect and"
            " no proxy is trusted.",
            examples=[True],
        ),
    ] = None


class GatewaySection(GatewayLimits, frozen=True, forbid_unknown_fields=True):
    """`[gateway]`: how many websockets a worker takes, whose addresses are told apart, whose pages come."""


class IdentitySection(IdentityTerms, frozen=True, forbid_unknown_fields=True):
    """`[identity]`: players with an account, known by tokens that the operator's own login signs."""


class SiteSection(SiteTerms, frozen=True, forbid_unknown_fields=True):
    """`[site]`: how the browser table is called and looks. Texts are the same in all languages."""


class PlaySafeSection(PlaySafeTerms, frozen=True, forbid_unknown_fields=True):
    """`[play_safe]`: limits that players set themselves, exclusion, and reality checks."""


class LogSection(LogTerms, frozen=True, forbid_unknown_fields=True):
    """`[log]`: how the log on standard error looks, and which wins are significant events."""

    large_win: Annotated[
        Units,
        Meta(
            description="What a player must have won in a round, over all its bets, for a significant event.",
            extra={"unit": "units of money"},
        ),
    ] = units(LARGE_WIN)


class ApiSection(ApiTerms, frozen=True, forbid_unknown_fields=True):
    """`[api]`: who may use the operator's API on the admin port; without a key nobody may."""


class WebhooksSection(WebhookTerms, frozen=True, forbid_unknown_fields=True):
    """`[webhooks]`: addresses that are told of settled and void rounds and of players without chips."""


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


def _default_tables() -> tuple[TableSection, ...]:
    return tuple(TableSection(name=name, rules=name) for name in RULE_SETS)


class ArchiveSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[archive]`: history that lasts, which `croupier archive` takes from the store into a database."""

    enabled: Annotated[
        bool,
        Meta(
            description="Whether there is an archive: the store then keeps what was dealt and paid until that"
            " has come for it."
        ),
    ] = False
    to: Annotated[
        Annotated[str, Meta(pattern="^(sqlite:.|postgres(ql)?://)")] | None,
        Meta(
            description="The database: sqlite:PATH, or postgresql://user@host/name; unless set the file"
            f" {ARCHIVE_FILE} in the data directory.",
            examples=["postgresql://croupier@db.example/croupier"],
            extra={"secret": True},
        ),
    ] = None
    backlog: Annotated[
        int,
        Meta(
            ge=1_000,
            le=100_000_000,
            description="Most of a pit's postings that the store keeps for an archive that does not come;"
            " beyond, the oldest are lost to it. Each takes about 460 bytes.",
            extra={"unit": "postings"},
        ),
    ] = 1_000_000

    def archiving(self) -> Archiving | None:
        """What the ledger does for the archive, if there is one."""
        return Archiving(backlog=self.backlog) if self.enabled else None


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. Without `[[tables]]` there is one table per rule set, named after it.

    `[rules.NAME]` adds a rule set, or replaces one, as `croupier_protocol.game.rules_config` describes.
    """

    server: ServerSection = ServerSection()
    store: StoreSection = StoreSection()
    shoe: ShoeSection = ShoeSection()
    gateway: GatewaySection = GatewaySection()
    guests: GuestsSection = GuestsSection()
    identity: IdentitySection = IdentitySection()
    site: SiteSection = SiteSection()
    api: ApiSection = ApiSection()
    webhooks: WebhooksSection = WebhooksSection()
    wallet: WalletSection = WalletSection()
    play_safe: PlaySafeSection = PlaySafeSection()
    archive: ArchiveSection = ArchiveSection()
    log: LogSection = LogSection()
    rules: dict[str, RulesConfig] = {}
    tables: tuple[TableSection, ...] = msgspec.field(default_factory=_default_tables)

    def rule_sets(self) -> dict[str, RuleSet]:
        """The rule sets that come with Croupier and those of the file, by name.

        Raises:
            RulesError: one of the file's cannot be played; says all that speaks against it.
        """
        return {**RULE_SETS, **{name: rules.rule_set(name) for name, rules in self.rules.items()}}

    def table_settings(self) -> list[TableSettings]:
        """The tables with their rule sets and paces looked up."""
        return [one for settings in self.pits().values() for one in settings]

    def pits(self) -> dict[PitId, list[TableSettings]]:
        """The same by the pit that each is in."""
        rule_sets = self.rule_sets()
        found: dict[PitId, list[TableSettings]] = {}
        for one in self.tables:
            found.setdefault(PitId(one.pit), []).append(
                TableSettings(
                    table=TableId(one.name),
                    rules=rule_sets[one.rules],
                    pace=PACES[one.pace],
                    limits=one.limits.limits(),
                    early_close=one.early_close,
                    beacon=self.shoe.beacon,
                    auto_rebet=one.auto_rebet,
                )
            )
        return found

    def arrivals(self) -> ArrivalRate | None:
        """How many guests may come; None where none are taken."""
        enabled = self.guests.enabled
        if enabled is None:
            enabled = is_loopback(self.server.bind) and not self.gateway.trusted_proxies
        return self.guests if enabled else None

    def page(self) -> PageTerms:
        """What the browser table is told of this server."""
        parents = tuple(origin(one) for one in self.gateway.origins)
        return PageTerms(
            parents, self.arrivals() is not None, self.identity.sign_in_url, self.site, self.play_safe.enabled
        )

    def with_pace(self, pace: str) -> "Config":
        """The same with every table at one pace."""
        return replace(self, tables=tuple(replace(one, pace=pace) for one in self.tables))


def configured_shoe_keys(config: Config) -> tuple[bytes, ...]:
    """The shoe keys that the environment or the configuration names, the newest first, if either does.

    Raises:
        SetupError: it cannot be read or is no key, or there is none for a store that others can reach.
    """
    text = os.environ.get(SHOE_KEY_VARIABLE)
    if text is not None:
        return parse_secrets(text, f"the environment variable {SHOE_KEY_VARIABLE}")
    if config.shoe.key_file is not None:
        return read_secrets(Path(config.shoe.key_file))
    if config.store.redis is not None:
        raise SetupError(
            f"with --redis a shoe key is needed: set {SHOE_KEY_VARIABLE}, or key_file under [shoe]"
        )
    return ()
