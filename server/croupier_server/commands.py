"""The server's subcommands of `croupier`; `croupier_client.cli` loads them by name."""

import asyncio
import logging
import sys
from pathlib import Path
from typing import Final

from croupier_server.config import Config
from croupier_server.configuring.reading import COMMAND_LINE, read_config
from croupier_server.configuring.sections import Role
from croupier_server.errors import SetupError
from croupier_server.sight.logs import set_up_log
from croupier_server.supervisor import Supervisor
from croupier_server.table.pace import PACES

MISTAKE: Final = 2
"""Exit status when something has to be put right first."""

logger = logging.getLogger(__name__)


def serve(
    *,
    config: Path | None = None,
    bind: str | None = None,
    port: int | None = None,
    admin_port: int | None = None,
    redis: str | None = None,
    data: Path | None = None,
    workers: int | None = None,
    role: Role | None = None,
    pace: str | None = None,
    guests: bool | None = None,
) -> int:
    """Host live baccarat tables.

    Without a configuration it opens five tables, one per rule set, and keeps everything in the data
    directory. It prints one JSON line when it takes connections, and stops on Ctrl-C or SIGTERM. On SIGHUP
    it reads its configuration again, for tables and their settings.

    Args:
        config: Configuration file (TOML).
        bind: Address to listen on; 127.0.0.1 by default.
        port: Port for players and spectators; 8000 by default, 0 for a free one.
        admin_port: Port for health checks; 8001 by default, 0 for a free one.
        redis: URL of a running store instead of an embedded one: redis://, rediss://, unix://,
            redis+sentinel://host,host/name, redis+cluster://host,host.
        data: Data directory; $XDG_STATE_HOME/croupier by default.
        workers: Worker processes; one for each core by default.
        role: What each worker does: both, or as dealer or gateway alone, beside others on the same --redis.
        pace: Pace of every table: standard, speed or turbo.
        guests: Take players without an account; by default only when bound to this machine alone.

    Returns:
        Exit status: 0 after an orderly stop, 2 when something has to be put right first.
    """
    set_up_log("serve")
    try:
        options = {
            ("server", "bind"): bind,
            ("server", "port"): port,
            ("server", "admin_port"): admin_port,
            ("server", "workers"): workers,
            ("server", "role"): role,
            ("store", "redis"): redis,
            ("store", "data"): None if data is None else str(data),
            ("guests", "enabled"): guests,
        }

        def read() -> Config:
            settings = read_config(config, options)
            return settings if pace is None else _at_pace(settings, pace)

        settings = read()
        set_up_log("serve", settings.log)
    except SetupError as error:
        sys.stderr.write(f"croupier: {error}\n")
        return MISTAKE
    try:
        asyncio.run(Supervisor(settings, read).serve())
    except SetupError as error:
        if settings.log.format == "json":
            logger.critical("%s", error)  # the reason is in the message
        else:
            sys.stderr.write(f"croupier: {error}\n")
        return MISTAKE
    return 0


def _at_pace(settings: Config, pace: str) -> Config:
    if pace not in PACES:
        raise SetupError(f"{COMMAND_LINE}: pace: there is no pace {pace!r}; there are {', '.join(PACES)}")
    return settings.with_pace(pace)
