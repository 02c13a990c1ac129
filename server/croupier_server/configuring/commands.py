"""`croupier checkconfig` and `croupier defaultconfig`."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from croupier_server.config import Config
from croupier_server.configuring.default_file import default_file, toml
from croupier_server.configuring.environment import from_environment
from croupier_server.configuring.reading import read_config
from croupier_server.configuring.shoe_keys import configured_shoe_keys
from croupier_server.configuring.showing import differences, shown
from croupier_server.errors import ConfigError, SetupError
from croupier_server.operating import DONE, FAILED, fail, show


def checkconfig(config: Path | None = None, /, *, json: bool = False) -> int:
    """Check a configuration as `serve` would read it, with the environment, and say what it comes to.

    Args:
        config: Configuration file (TOML); without one, the defaults with the environment.
        json: Print the whole configuration as one JSON object.

    Returns:
        Exit status: 0 it can be used, 1 it cannot; each fault is a line on standard error.
    """
    try:
        settings = read_config(config)
        configured_shoe_keys(settings)
    except ConfigError as error:
        for fault in error.faults:
            fail(fault)
        return FAILED
    except SetupError as error:
        return fail(str(error))
    variables = {".".join(one.path): one.origin.rpartition(" ")[2] for one in from_environment(os.environ)[0]}
    if json:
        file = None if config is None else str(config)
        show({"file": file, "environment": sorted(variables.values()), "config": shown(settings)})
    else:
        name = "the default configuration" if config is None else str(config)
        sys.stdout.write("".join(f"{line}\n" for line in _in_brief(settings, name, variables)))
    return DONE


def defaultconfig() -> int:
    """Print a configuration file with every key at its default, and what each is for."""
    sys.stdout.write(default_file())
    return DONE


def _in_brief(config: Config, name: str, variables: dict[str, str]) -> Iterator[str]:
    """What is served where, and what is not as it is by default."""
    server, rate = config.server, config.arrivals()
    yield f"{name}: no faults"
    yield f"players    {server.bind}, port {server.port}"
    yield f"health     {server.admin_bind}, port {server.admin_port}"
    yield f"store      {'one of its own' if config.store.redis is None else shown(config)['store']['redis']}"
    if rate is None:
        yield "guests     none"
    else:
        yield f"guests     {rate.burst} at once from one address, then {rate.a_minute} a minute"
    for table in config.tables:
        yield f"table      {table.name}: rules {table.rules}, pace {table.pace}, pit {table.pit}"
    yield from _set(config, variables)


def _set(config: Config, variables: dict[str, str]) -> Iterator[str]:
    for key, value in differences("", shown(config), shown(Config())):
        if key != "tables":
            origin = f"  (by {variables[key]})" if key in variables else ""
            yield f"set        {key} = {toml(value)}{origin}"
