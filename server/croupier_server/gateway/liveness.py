"""Finding connections whose peer is gone, or does not go: one look at all of them, and no task for each."""

from collections.abc import Iterable
from typing import Final

from croupier_server.gateway.outlet import Outlet
from croupier_server.gateway.replies import SILENCE_MS

PING_S: Final = 20.0
"""A connection from which nothing has come for this long gets a websocket ping, which its library answers."""

ANSWER_S: Final = SILENCE_MS / 1000 - PING_S
"""Without anything for this long after the ping it is taken for dead."""


def look_after(outlets: Iterable[Outlet], now: float) -> list[Outlet]:
    """Pings the quiet, at the loop's time `now`; returns those that have been silent for too long.

    Also those that were closed, and whose peers have not hung up in the time for that: the library leaves a
    connection that it has closed over a bad frame to its peer.
    """
    silent = []
    for outlet in outlets:
        connection = outlet.connection
        if connection.close_deadline is not None:
            if connection.close_deadline < now:
                silent.append(outlet)
            continue
        if connection.heard_at > now - PING_S:
            continue
        if connection.heard_at < connection.pinged_at:
            if connection.pinged_at < now - ANSWER_S:
                silent.append(outlet)
        else:
            connection.pinged_at = now
            outlet.ping()
    return silent
