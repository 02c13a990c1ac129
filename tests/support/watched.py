"""A server as an operator watches it: by a key of the API, by webhooks, and by a real Prometheus."""

from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import aiohttp

from support.operator_api import DIGEST, Caller
from support.prometheus import Prometheus, prometheus
from support.receivers import SECRET_TEXT, Receiver, receiving
from support.serving import Serving, serving

CONFIG = """
[guests]
enabled = true
[api]
key_digests = ["{digest}"]
[webhooks]
urls = ["{hook}"]
secret_file = "{secret}"
"""


class Watched(NamedTuple):
    server: Serving
    running: Prometheus
    operator: Caller
    receiver: Receiver


@asynccontextmanager
async def watched(folder: Path, config: str, workers: int, change: Callable[[str], str]):
    """All of it, as an operator would start it: `config` comes besides, in `folder` / croupier.toml.

    `change` is made to the configuration and the rules of Prometheus that are shipped.
    """
    secret = folder / "webhooks.secret"
    secret.write_text(SECRET_TEXT)
    file = folder / "croupier.toml"
    async with receiving() as [receiver], aiohttp.ClientSession() as session:
        file.write_text(CONFIG.format(digest=DIGEST, hook=receiver.url, secret=secret) + config)
        async with (
            serving(folder / "data", "--config", str(file), "--workers", str(workers)) as server,
            prometheus(folder / "prometheus", server.admin, change) as running,
        ):
            yield Watched(server, running, Caller(session, server.admin, None), receiver)
