"""`croupier significant`: what an operator may want to look up later."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_server.bank.amounts import write_amount
from croupier_server.operating import DONE, show, with_store, write_time
from croupier_server.store.significant import Significant
from croupier_server.store.stores import Stores

LOOK_S: Final = 1.0
"""Between two looks while new ones are waited for."""

AT_ONCE: Final = 100


def significant(
    *,
    limit: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000))] = 20,
    follow: bool = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Show failed logins, large wins, void rounds, orders, adjustments, changed settings; the last come last.

    Args:
        limit: How many.
        follow: Go on with those that come, until Ctrl-C.
        json: Print one JSON object a line, amounts in cents.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.
    """

    def tell(event: Significant) -> None:
        if json:
            show(event)
        else:
            sys.stdout.write(line(event) + "\n")
        sys.stdout.flush()

    async def work(stores: Stores) -> int:
        events = stores.significant
        newest = await events.last(1)
        for event in reversed((await events.last(limit)).events):
            tell(event)
        mark = newest.mark
        while follow:
            page = await events.since(mark, AT_ONCE)
            for event in page.events:
                tell(event)
            mark = page.mark or mark
            if len(page.events) < AT_ONCE:
                await asyncio.sleep(LOOK_S)
        return DONE

    return with_store(config, redis, data, work)


def line(event: Significant) -> str:
    """The event for people.

    >>> from croupier_server.store.significant import Kind
    >>> line(Significant(Kind.LARGE_WIN, at_ms=0, table="vegas", round=7, player="ana", amount=150_000))
    '1970-01-01 00:00:00+00:00  large win  table vegas  round 7  player ana  1500.00'
    """
    parts = [write_time(event.at_ms), event.kind.value.replace("_", " ")]
    for name in ("table", "round", "player", "what", "address", "op"):
        value = getattr(event, name)
        if value is not None:
            parts.append(str(value) if name == "what" else f"{name} {value}")
    if event.amount is not None:
        parts.append(write_amount(event.amount))
    if event.times > 1:
        parts.append(f"{event.times} times")
    if event.reason:
        parts.append(event.reason)
    return "  ".join(parts)
