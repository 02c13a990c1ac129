"""What each section of the configuration may say, and what its keys mean; see `croupier_server.config`.

Those of tables and wallets, with amounts, are in `table_sections`.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from croupier_server.data_directory import ARCHIVE_FILE
from croupier_server.gateway.limits import GatewayLimits
from croupier_server.gateway.page_terms import SiteTerms
from croupier_server.money import Units, units
from croupier_server.operator_api.keys import ApiTerms
from croupier_server.play_safe.terms import PlaySafeTerms
from croupier_server.players.accounts import IdentityTerms
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.sight.logs import LogTerms
from croupier_server.store.durability import Durability
from croupier_server.store.ledger import Archiving
from croupier_server.store.significant import LARGE_WIN
from croupier_server.table.beacon import BeaconSource
from croupier_server.webhooks.terms import WebhookTerms

SHOE_KEY_VARIABLE: Final = "CROUPIER_SHOE_KEY"
"""Environment variable with the shoe key, 64 hexadecimal digits: for servers that share a store.

Older keys may follow it after white space, as in a key file: the first seals, all open."""

MAX_PORT: Final = 65_535

MAX_WORKERS: Final = 256
"""Beyond this it is a slip of the finger: each is a process of its own."""

Port = Annotated[int, Meta(ge=0, le=MAX_PORT)]

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
