"""The server's subcommands of `croupier`; `croupier_client.cli` loads them by name."""

import asyncio
import logging
import sys
from pathlib import Path

from msgspec.structs import replace

from croupier_server.config import Role, check_config, read_config
from croupier_server.errors import SetupError
from croupier_server.supervisor import Supervisor


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
    directory. It prints one JSON line when it takes connections, and stops on Ctrl-C or SIGTERM.

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
    logging.basicConfig(level=logging.INFO, format="%(asctime)s serve %(levelname)s %(message)s")
    try:
        settings = read_config(config)
        server = settings.server
        settings = replace(
            settings,
            server=replace(
                server,
                bind=server.bind if bind is None else bind,
                port=server.port if port is None else port,
                admin_port=server.admin_port if admin_port is None else admin_port,
                workers=server.workers if workers is None else workers,
                role=server.role if role is None else role,
            ),
            store=replace(
                settings.store,
                redis=settings.store.redis if redis is None else redis,
                data=settings.store.data if data is None else str(data),
            ),
            guests=replace(settings.guests, enabled=settings.guests.enabled if guests is None else guests),
        )
        if pace is not None:
            settings = settings.with_pace(pace)
        check_config(settings, "command line")
        asyncio.run(Supervisor(settings).serve())
    except SetupError as error:
        sys.stderr.write(f"croupier: {error}\n")
        return 2
    return 0
