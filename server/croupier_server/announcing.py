"""What a server says when it is ready."""

import asyncio
import json
import logging
import sys

from croupier_protocol.game.odds import odds
from croupier_protocol.game.rules import RuleSet
from croupier_server.config import Config

logger = logging.getLogger(__name__)


async def announce(config: Config, url: str | None, admin_url: str) -> None:
    """Prints the line of JSON that programs wait for; `url` is None where no port is served."""
    sys.stdout.write(json.dumps({"ready": True, "url": url, "admin": admin_url}) + "\n")
    sys.stdout.flush()
    if url is not None:
        logger.info("open %s in a browser, or watch from another terminal: croupier watch %s", url, url)
    for line in await asyncio.to_thread(_favours, config):
        logger.warning("%s", line)


def _favours(config: Config) -> list[str]:
    """What an operator should know of the rules: bets that cost the house money in the long run."""
    tables: dict[RuleSet, list[str]] = {}
    for settings in config.table_settings():
        tables.setdefault(settings.rules, []).append(settings.table)
    return [
        f"table {', '.join(names)}: {bet} favours the bettor by {-100 * float(found.edge):.4f} %"
        for rules, names in tables.items()
        for bet, found in odds(rules).bets.items()
        if found.favours_bettor
    ]
