"""The configuration: one TOML file, overridden by the command line, checked before anything starts."""

import os
import re
import time
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS, RulesError, RuleSet
from croupier_protocol.game.rules_config import RulesConfig
from croupier_protocol.messages.values import TABLE_ID_PATTERN, TableId
from croupier_server.data_directory import parse_secrets, read_secrets
from croupier_server.errors import SetupError
from croupier_server.gateway.addresses import network
from croupier_server.gateway.limits import GatewayLimits
from croupier_server.gateway.origins import origin
from croupier_server.money import Units, cents
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.players.token_keys import read_keys
from croupier_server.players.tokens import IdentityTerms
from croupier_server.ports import is_loopback
from croupier_server.store.durability import Durability
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.wallets import WalletTerms
from croupier_server.table.beacon import ROUND, BeaconSource
from croupier_server.table.pace import PACES
from croupier_server.table.state import TableSettings

SHOE_KEY_VARIABLE: Final = "CROUPIER_SHOE_KEY"
"""Environment variable with the shoe key, 64 hexadecimal digits: for servers that share a store.

Older keys may follow it after white space, as in a key file: the first seals, all open."""

_COOKIE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

MAX_PORT: Final = 65_535

MAX_WORKERS: Final = 256
"""Beyond this it is a slip of the finger: each is a process of its own."""

Port = Annotated[int, Meta(ge=0, le=MAX_PORT)]


Role = Literal["both", "dealer", "gateway"]
"""What a worker is: dealer and gateway, or one of them."""


class ServerSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[server]`: where to listen, and how many workers of which role do so.

    Port 0 takes a free one; the admin port is for this machine alone. Workers 0 is one for each core.
    """

    bind: str = "127.0.0.1"
    port: Port = 8000
    admin_bind: str = "127.0.0.1"
    admin_port: Port = 8001
    workers: Annotated[int, Meta(ge=0, le=MAX_WORKERS)] = 0
    role: Role = "both"


class StoreSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[store]`: a running store's URL, or nothing, and then the data directory holds one.

    `durability` is what a settled round has outlived before it counts: see `store.durability`.
    """

    redis: str | None = None
    data: str | None = None
    durability: Durability = Durability.USUAL


class ShoeSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[shoe]`: the file with the key that seals shoes, and older ones on lines of their own after it.

    It is needed with `redis`. `[shoe.beacon]` names a public beacon that has a part in every order.
    """

    key_file: str | None = None
    beacon: BeaconSource | None = None


class GuestsSection(ArrivalRate, frozen=True, forbid_unknown_fields=True):
    """`[guests]`: players without an account, and how many new ones an address may bring.

    Without `enabled` they are taken when only this machine can connect, and no proxy is trusted.
    """

    enabled: bool | None = None


class GatewaySection(GatewayLimits, frozen=True, forbid_unknown_fields=True):
    """`[gateway]`: how many websockets a worker takes, whose addresses are told apart, whose pages come."""


class IdentitySection(IdentityTerms, frozen=True, forbid_unknown_fields=True):
    """`[identity]`: players with an account, known by tokens that the operator's own login signs."""


class TableSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[tables]]`: one table, in a pit: tables of one pit share a server, and of a cluster a node.

    With `early_close` a window ends when every seat is ready. With `auto_rebet` the browser table may repeat
    a player's last slip by itself, round after round.
    """

    name: Annotated[str, Meta(pattern=TABLE_ID_PATTERN)]
    pit: Annotated[str, Meta(pattern=TABLE_ID_PATTERN)] = DEFAULT_PIT
    rules: str = "standard"
    pace: str = "standard"
    early_close: bool = True
    auto_rebet: bool = True
    limits: dict[str, Units | tuple[Units, ...]] = {}

    def table_limits(self) -> Limits:
        """The limits, in cents: what `limits` says in units, and the usual for the rest; `seats` is a count.

        Raises:
            ValueError: there is no such limit, or its value is none.
        """
        given: dict[str, object] = {}
        for name, value in self.limits.items():
            if name == "seats":
                given[name] = value
            else:
                given[name] = [cents(one) for one in value] if isinstance(value, tuple) else cents(value)
        return msgspec.convert(given, Limits)


class WalletSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`[wallet]`: what a new wallet holds; up to what it is refilled, every so many seconds (0: never)."""

    start: Units = 1000
    refill_to: Units = 0
    refill_every: Annotated[int, Meta(ge=0, le=366 * 86_400)] = 0

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
    wallet: WalletSection = WalletSection()
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
                    limits=one.table_limits(),
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

    def with_pace(self, pace: str) -> "Config":
        """The same with every table at one pace."""
        return replace(self, tables=tuple(replace(one, pace=pace) for one in self.tables))


def read_config(path: Path | None) -> Config:
    """The configuration in `path`, or the default one.

    Raises:
        SetupError: naming file, key and reason.
    """
    if path is None:
        return Config()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SetupError(f"{path}: cannot be read: {reason}") from error
    try:
        config = msgspec.convert(tomllib.loads(text), Config)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{path}: {error}") from error
    except msgspec.ValidationError as error:
        reason, _, key = str(error).partition(" - at ")
        key = key.strip("`").removeprefix("$").removeprefix(".") or "top level"
        raise SetupError(f"{path}: {key}: {reason}") from error
    check_config(config, str(path))
    return config


def _check_addresses(server: ServerSection, where: str) -> None:
    for name, port in (("port", server.port), ("admin_port", server.admin_port)):
        if not 0 <= port <= MAX_PORT:
            raise SetupError(f"{where}: server.{name}: there is no port {port}; the last is {MAX_PORT}")
    for name, address in (("bind", server.bind), ("admin_bind", server.admin_bind)):
        if not address or "\0" in address:
            raise SetupError(f"{where}: server.{name}: name an address, such as 127.0.0.1; 0.0.0.0 is all")


def _check_workers(config: Config, where: str) -> None:
    server = config.server
    if not 0 <= server.workers <= MAX_WORKERS:
        raise SetupError(f"{where}: server.workers: 1 to {MAX_WORKERS}, or 0 for one per core")
    if server.role not in get_args(Role):
        raise SetupError(f"{where}: server.role: {server.role!r} is none of {', '.join(get_args(Role))}")
    if server.role != "both" and config.store.redis is None:
        raise SetupError(
            f"{where}: server.role: a {server.role} alone needs a store that others share: name one with"
            " --redis URL"
        )


def _check_networks(gateway: GatewaySection, where: str) -> None:
    for name, listed in (("trusted_proxies", gateway.trusted_proxies), ("exempt", gateway.exempt)):
        for index, one in enumerate(listed):
            try:
                network(one)
            except ValueError as error:
                key = f"{where}: gateway.{name}[{index}]"
                raise SetupError(
                    f"{key}: {error}; name an address, such as 10.0.0.7, or a network, such as 10.0.0.0/8"
                ) from error


def _check_origins(gateway: GatewaySection, where: str) -> None:
    for index, one in enumerate(gateway.origins):
        try:
            origin(one)
        except ValueError as error:
            raise SetupError(f"{where}: gateway.origins[{index}]: {error}") from error


def _check_beacon(beacon: BeaconSource | None, where: str) -> None:
    if beacon is None:
        return
    source, key = beacon.source, f"{where}: shoe.beacon"
    if not source.isascii() or not source.isprintable() or " " in source:
        raise SetupError(f"{key}.source: an address is letters, digits and signs without spaces")
    address = urlsplit(source.replace(ROUND, "1"))
    secure = address.scheme == "https" or (address.scheme == "http" and is_loopback(address.hostname or ""))
    if not secure or not address.hostname or ROUND not in source.partition("#")[0] or not address.fragment:
        raise SetupError(
            f"{key}.source: name an https address with {ROUND} in it and, behind #, the member of its answer"
            f" that has the value, as https://beacon.example/public/{ROUND}#randomness"
        )
    if beacon.genesis > time.time():
        raise SetupError(f"{key}.genesis: the first round has to have come; it is in seconds since 1970")


def _check_identity(identity: IdentitySection, where: str) -> None:
    if not identity.audience:
        raise SetupError(f"{where}: identity.audience: name what tokens have as `aud`, such as croupier")
    if identity.cookie is not None and _COOKIE.fullmatch(identity.cookie) is None:
        raise SetupError(f"{where}: identity.cookie: a name is letters, digits, - and _, as __Host-croupier")
    for index, key in enumerate(identity.keys):
        if key.until is not None and key.until.tzinfo is None:
            raise SetupError(
                f"{where}: identity.keys[{index}].until: say of which time zone, such as 2027-01-31T00:00:00Z"
            )
    try:
        read_keys(identity.keys)
    except SetupError as error:
        raise SetupError(f"{where}: {error}") from error


def check_config(config: Config, where: str) -> None:
    """Checks what the types cannot say, and what the command line has changed past them.

    Raises:
        SetupError: naming `where`, the key and the reason.
    """
    _check_addresses(config.server, where)
    _check_workers(config, where)
    _check_networks(config.gateway, where)
    _check_origins(config.gateway, where)
    _check_beacon(config.shoe.beacon, where)
    _check_identity(config.identity, where)
    try:
        config.wallet.terms()
    except ValueError as error:
        raise SetupError(f"{where}: wallet: {error}") from error
    seen: set[str] = set()
    if not config.tables:
        raise SetupError(f"{where}: tables: there must be at least one")
    try:
        rule_sets = config.rule_sets()
    except RulesError as error:
        raise SetupError(f"{where}: {error}") from error
    for index, table in enumerate(config.tables):
        key = f"{where}: tables[{index}]"
        if table.rules not in rule_sets:
            raise SetupError(
                f"{key}.rules: there is no rule set {table.rules!r}; there are {', '.join(rule_sets)}"
            )
        if table.pace not in PACES:
            raise SetupError(f"{key}.pace: there is no pace {table.pace!r}; there are {', '.join(PACES)}")
        try:
            table.table_limits()
        except ValueError as error:
            raise SetupError(f"{key}.limits: {error}") from error
        if table.name in seen:
            raise SetupError(f"{key}.name: a second table named {table.name!r}")
        seen.add(table.name)


def configured_shoe_keys(config: Config) -> tuple[bytes, ...]:
    """The shoe keys that the environment or the configuration names, the newest first, if either does.

    Raises:
        SetupError: it cannot be read or is no key.
    """
    text = os.environ.get(SHOE_KEY_VARIABLE)
    if text is not None:
        return parse_secrets(text, f"the environment variable {SHOE_KEY_VARIABLE}")
    if config.shoe.key_file is None:
        return ()
    return read_secrets(Path(config.shoe.key_file))
