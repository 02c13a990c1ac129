"""What has to hold for a configuration beyond what the types of its keys say."""

import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from croupier_protocol.game.rules import RULE_SETS, RulesError
from croupier_server.config import Config
from croupier_server.configuring.sections import GatewaySection, IdentitySection, ServerSection
from croupier_server.errors import Fault, SetupError
from croupier_server.gateway.addresses import network
from croupier_server.gateway.origins import origin
from croupier_server.gateway.page_terms import (
    DARK_GROUNDS,
    LEAST_CONTRAST,
    LIGHT_GROUNDS,
    MOST_LINKS,
    SiteTerms,
    contrast,
    unreadable_on,
)
from croupier_server.money import cents
from croupier_server.operator_api.keys import ApiTerms, read_keys
from croupier_server.players.accounts import check_keys
from croupier_server.ports import is_loopback
from croupier_server.table.beacon import ROUND, BeaconSource
from croupier_server.table.pace import PACES
from croupier_server.webhooks.terms import webhook_faults

MOST_OF_A_NAME: Final = 40
"""Characters of a rule set's name: everyone who watches is told it, with each shoe and in each snapshot."""


def faults_of(config: Config) -> Iterator[Fault]:
    """What is wrong with a configuration beyond what the types say."""
    yield from _address_faults(config.server)
    yield from _role_faults(config)
    yield from _network_faults(config.gateway)
    yield from _origin_faults(config.gateway)
    yield from _beacon_faults(config.shoe.beacon)
    yield from _identity_faults(config.identity)
    yield from _site_faults(config.site)
    yield from _api_faults(config.api)
    yield from (Fault(f"webhooks.{key}", reason) for key, reason in webhook_faults(config.webhooks))
    try:
        config.wallet.terms()
    except ValueError as error:
        yield Fault("wallet", str(error))
    try:
        cents(config.log.large_win)
    except ValueError as error:
        yield Fault("log.large_win", str(error))
    yield from _rules_faults(config)
    yield from _table_faults(config)


def _address_faults(server: ServerSection) -> Iterator[Fault]:
    for name, address in (("bind", server.bind), ("admin_bind", server.admin_bind)):
        if not address:
            yield Fault(f"server.{name}", "name an address, such as 127.0.0.1; 0.0.0.0 is all")


def _role_faults(config: Config) -> Iterator[Fault]:
    role = config.server.role
    if role != "both" and config.store.redis is None:
        reason = f"a {role} alone needs a store that others share: name one with --redis URL"
        yield Fault("server.role", reason)


def _network_faults(gateway: GatewaySection) -> Iterator[Fault]:
    for name, listed in (("trusted_proxies", gateway.trusted_proxies), ("exempt", gateway.exempt)):
        for index, one in enumerate(listed):
            try:
                network(one)
            except ValueError as error:
                yield Fault(
                    f"gateway.{name}[{index}]",
                    f"{error}; name an address, such as 10.0.0.7, or a network, such as 10.0.0.0/8",
                )


def _origin_faults(gateway: GatewaySection) -> Iterator[Fault]:
    for index, one in enumerate(gateway.origins):
        try:
            origin(one)
        except ValueError as error:
            yield Fault(f"gateway.origins[{index}]", str(error))


def _beacon_faults(beacon: BeaconSource | None) -> Iterator[Fault]:
    if beacon is None:
        return
    source = beacon.source
    if not source.isascii() or not source.isprintable() or " " in source:
        yield Fault("shoe.beacon.source", "an address is letters, digits and signs without spaces")
        return
    address = urlsplit(source.replace(ROUND, "1"))
    secure = address.scheme == "https" or (address.scheme == "http" and is_loopback(address.hostname or ""))
    if not secure or not address.hostname or ROUND not in source.partition("#")[0] or not address.fragment:
        yield Fault(
            "shoe.beacon.source",
            f"name an https address with {ROUND} in it and, behind #, the member of its answer"
            f" that has the value, as https://beacon.example/public/{ROUND}#randomness",
        )
    if beacon.genesis > time.time():
        yield Fault("shoe.beacon.genesis", "the first round has to have come; it is in seconds since 1970")


def _identity_faults(identity: IdentitySection) -> Iterator[Fault]:
    if not identity.audience:
        yield Fault("identity.audience", "name what tokens have as `aud`, such as croupier")
    if identity.sign_in_url is not None and not _is_link(identity.sign_in_url, here=True):
        yield Fault("identity.sign_in_url", "name an https address, such as https://house.example/login")
    for index, key in enumerate(identity.keys):
        if key.until is not None and key.until.tzinfo is None:
            reason = "say of which time zone, such as 2027-01-31T00:00:00Z"
            yield Fault(f"identity.keys[{index}].until", reason)
    try:
        check_keys(identity.keys)
    except SetupError as error:
        yield Fault("identity.keys", str(error).removeprefix("identity.keys: "))


def _site_faults(site: SiteTerms) -> Iterator[Fault]:
    for key in ("name", "currency", "footer"):
        text = getattr(site, key)
        if text is not None and not (text.isprintable() and text.strip()):
            yield Fault(f"site.{key}", "write it on one line, with signs that can be seen")
    for key, accent, grounds in (
        ("accent_dark", site.accent_dark, DARK_GROUNDS),
        ("accent_light", site.accent_light, LIGHT_GROUNDS),
    ):
        ground = None if accent is None else unreadable_on(accent, grounds)
        if accent is not None and ground is not None:
            found = f"{contrast(accent, ground):.2f}:1 on {ground}"
            yield Fault(f"site.{key}", f"text in {accent} has {found}; {LEAST_CONTRAST}:1 is the least")
    if len(site.links) > MOST_LINKS:
        yield Fault("site.links", f"{MOST_LINKS} at most")
    for index, link in enumerate(site.links):
        if not (link.text.isprintable() and link.text.strip()):
            yield Fault(f"site.links[{index}].text", "write it on one line, with signs that can be seen")
        if not _is_link(link.url):
            yield Fault(f"site.links[{index}].url", "name an https address, such as https://house.example")


def _is_link(text: str, *, here: bool = False) -> bool:
    """Whether a page may lead there: by https, or with `here` to what is tried out on this machine."""
    if not text.isascii() or not text.isprintable() or " " in text:
        return False
    try:
        address = urlsplit(text)
    except ValueError:
        return False
    host = address.hostname or ""
    local = here and address.scheme == "http" and is_loopback(host)
    return bool(host) and (address.scheme == "https" or local)


def _api_faults(api: ApiTerms) -> Iterator[Fault]:
    try:
        read_keys(api)
    except SetupError as error:
        yield Fault("api", str(error).removeprefix("api: "))


def _rules_faults(config: Config) -> Iterator[Fault]:
    for name, rules in config.rules.items():
        if len(name) > MOST_OF_A_NAME or not name.isprintable():
            reason = f"is no name: {MOST_OF_A_NAME} characters at most, all of which can be seen"
            yield Fault("rules", f"{name[:MOST_OF_A_NAME]!r} {reason}")
            continue
        try:
            rules.rule_set(name)
        except RulesError as error:
            yield Fault(f"rules.{name}", str(error).removeprefix(f"rule set {name!r}: "))


def _table_faults(config: Config) -> Iterator[Fault]:
    if not config.tables:
        yield Fault("tables", "there must be at least one")
    known = {**RULE_SETS, **config.rules}
    seen: set[str] = set()
    for index, table in enumerate(config.tables):
        key = f"tables[{index}]"
        if table.rules not in known:
            yield Fault(f"{key}.rules", f"there is no rule set {table.rules!r}; there are {', '.join(known)}")
        if table.pace not in PACES:
            yield Fault(f"{key}.pace", f"there is no pace {table.pace!r}; there are {', '.join(PACES)}")
        try:
            table.limits.limits()
        except ValueError as error:
            yield Fault(f"{key}.limits", str(error))
        if table.name in seen:
            yield Fault(f"{key}.name", f"a second table named {table.name!r}")
        seen.add(table.name)
