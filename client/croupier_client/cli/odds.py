"""`croupier odds`: the exact odds of a rule set, counted, and on demand played as well."""

import sys
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_client.cli import DONE, USAGE
from croupier_client.cli.odds_report import report
from croupier_client.cli.odds_table import OddsTable
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import TEXTS
from croupier_client.errors import in_words
from croupier_protocol.game.cards import parse_cards
from croupier_protocol.game.odds import Odds
from croupier_protocol.game.odds import odds as count_odds
from croupier_protocol.game.rules import RULE_SETS, RuleSet
from croupier_protocol.game.rules_config import RulesConfig
from croupier_protocol.game.settlement import MAX_CENTS
from croupier_protocol.game.simulation import Played, Simulation
from croupier_protocol.messages.values import Language

BAR_STEPS: Final = 100
BAR_WIDTH: Final = 50
LOGGED_STEPS: Final = 10
"""Where nobody is looking, the bar is written so many times less often."""


def odds(
    *,
    rules: str = "standard",
    config: Path | None = None,
    decks: Annotated[int | None, Parameter(validator=Number(gte=1, lte=8))] = None,
    removed: Annotated[list[str] | None, Parameter(negative="", consume_multiple=True)] = None,
    stake: Decimal | None = None,
    simulate: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    seed: int = 1,
    json: Annotated[bool, Parameter(negative="")] = False,
    lang: Literal["en", "fr"] = "en",
) -> int:
    """Count the exact odds of a rule set.

    Args:
        rules: Which rule set: one of Croupier's or one of the configuration's.
        config: A configuration file with [rules.NAME] sections.
        decks: How many decks, 1 to 8, in place of the rule set's own number.
        removed: Cards that are gone from the shoe, as in --removed As Td 9h.
        stake: Show the edge of this stake too, with its commission rounded as at the table.
        simulate: Play so many coups too, and compare.
        seed: What the coups that are played start from; one seed always plays the same coups.
        json: Print one JSON object.
        lang: The language of the table.
    """
    try:
        cents = None if stake is None else _cents(stake)
        chosen = _rule_set(rules, config)
        found = count_odds(chosen, decks, parse_cards(" ".join(removed or ())))
    except (ValueError, OSError) as error:
        sys.stderr.write(f"croupier: {in_words(error) if isinstance(error, OSError) else error}\n")
        return USAGE
    played = None if simulate is None else _play(found, simulate, seed)
    if json:
        sys.stdout.write(msgspec.json.encode(report(found, cents, played)).decode() + "\n")
        return DONE
    table = OddsTable(found, TEXTS[Language(lang)], Terminal.of(sys.stdout))
    for line in table.counted(cents):
        sys.stdout.write(f"{line}\n")
    if played is not None:
        sys.stdout.write("\n")
        for line in table.played(played):
            sys.stdout.write(f"{line}\n")
    return DONE


def _rule_set(name: str, config: Path | None) -> RuleSet:
    """The rule set called `name`; those of the configuration come before Croupier's own.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no configuration, its rules cannot be played, or there is no such rule set.
    """
    sections = {} if config is None else tomllib.loads(config.read_text("utf-8")).get("rules", {})
    try:
        configured = msgspec.convert(sections, dict[str, RulesConfig])
    except msgspec.ValidationError as error:
        raise ValueError(f"{config}: rules: {error}") from error
    if name in configured:
        return configured[name].rule_set(name)
    if name not in RULE_SETS:
        raise ValueError(f"there is no rule set {name!r}; there are {', '.join([*RULE_SETS, *configured])}")
    return RULE_SETS[name]


def _cents(stake: Decimal) -> int:
    """A stake in cents.

    Raises:
        ValueError: it is no possible stake.
    """
    if not stake.is_finite() or not 0 < stake * 100 <= MAX_CENTS or stake * 100 % 1:
        raise ValueError(f"{stake} is no stake; one is a whole number of cents, such as 5 or 0.25")
    return int(stake * 100)


def _play(found: Odds, coups: int, seed: int) -> Played:
    """Play so many coups, while a bar on standard error fills up."""
    simulation = Simulation(found.rules, seed, found.decks, found.removed)
    live = sys.stderr.isatty()
    for step in range(1, BAR_STEPS + 1):
        simulation.play(coups * step // BAR_STEPS - coups * (step - 1) // BAR_STEPS)
        if live:
            sys.stderr.write(f"\r{progress_bar(step)}")
        elif step % LOGGED_STEPS == 0:
            sys.stderr.write(f"{progress_bar(step)}\n")
        sys.stderr.flush()
    if live:
        sys.stderr.write("\n")
    return simulation.played()


def progress_bar(step: int) -> str:
    """A bar that is full at `BAR_STEPS`.

    >>> progress_bar(25)
    '[############......................................]  25 %'
    """
    filled = BAR_WIDTH * step // BAR_STEPS
    return f"[{'#' * filled:.<{BAR_WIDTH}}] {100 * step // BAR_STEPS:3} %"
