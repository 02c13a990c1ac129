"""The configuration as a whole: its sections, and what they come to.

The sections are in `configuring/sections.py`, those of tables and wallets in `configuring/table_sections.py`.
A key's type has its bounds, and in `Meta` what people read of it: `description`; `examples`, for a key that
is not set by default; and as `extra` its `unit`, and `secret` where its value is nobody's to see. From that
come `croupier defaultconfig`, `docs/configuration.md` and the environment variables: a new section or key is
written at its type alone. `configuring/keys.py` has the rules for it, `configuring/checks.py` the checks.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS, RuleSet
from croupier_protocol.game.rules_config import RulesConfig
from croupier_protocol.messages.values import TableId
from croupier_server.configuring.sections import (
    ApiSection,
    ArchiveSection,
    GatewaySection,
    GuestsSection,
    IdentitySection,
    LogSection,
    PlaySafeSection,
    ServerSection,
    ShoeSection,
    SiteSection,
    StoreSection,
    WebhooksSection,
)
from croupier_server.configuring.table_sections import TableSection, WalletSection
from croupier_server.gateway.origins import origin
from croupier_server.gateway.page_terms import PageTerms
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.ports import is_loopback
from croupier_server.store.keys import PitId
from croupier_server.table.pace import PACES
from croupier_server.table.state import TableSettings


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
