"""Reloads of nginx and HAProxy, with the shipped configurations, while visitors are connected."""

import asyncio
from contextlib import AsyncExitStack, suppress

import pytest

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_client.notices import Reconnecting
from croupier_protocol.messages.to_client import TableView
from support.fronts import front
from support.serving import serving, until

CONFIG = """
[gateway]
trusted_proxies = ["127.0.0.1"]

[guests]
enabled = true

[[tables]]
name = "standard"
pace = "turbo"
"""


async def bet(seat) -> int:
    """Bets in the next window that is met; returns its round."""
    while True:
        await seat.window()
        with suppress(BettingClosedError):  # the machine was too slow for this window
            return (await seat.bet(player=5_00)).round


class Visitor:
    """Watches a table and plays at it through one proxy, and notes what reaches it."""

    def __init__(self, proxy) -> None:
        self.proxy = proxy
        self.seen = []
        self.losses = []
        self.paid = []

    async def visit(self) -> None:
        url = self.proxy.origin.replace("https", "wss")
        async with connect(url, on_notice=self._notice) as client, asyncio.TaskGroup() as group:
            group.create_task(self._watch(client))
            group.create_task(self._play(await client.sit("standard", buy_in=500_00)))

    def _notice(self, notice) -> None:
        if isinstance(notice, Reconnecting):
            self.losses.append(notice.reason)

    async def _watch(self, client) -> None:
        async for message in client.watch("standard"):
            self.seen.append(message)

    async def _play(self, seat) -> None:
        payouts = seat.payouts()
        while True:
            number = await bet(seat)
            # A slip whose answer was cut off, and which was settled before the next try, is paid first.
            async for payout in payouts:
                assert [one.stake for one in payout.bets] == [5_00]
                self.paid.append(payout.round)
                if payout.round >= number:
                    break
            assert payout.round == number


@pytest.mark.long
async def test_n3_sockets_that_a_reload_cuts_resume_without_gap_or_duplicate(tmp_path, monkeypatch):
    """A second after the reload the old workers are gone, and with them every socket through them."""
    config = tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    async with (
        serving(tmp_path / "data", "--config", str(config)) as server,
        AsyncExitStack() as stack,
    ):
        admin = int(server.admin.rpartition(":")[2])
        fronts = [
            await stack.enter_async_context(front(name, server.port, admin)) for name in ("nginx", "haproxy")
        ]
        trusted = tmp_path / "trusted.pem"
        trusted.write_bytes(b"".join(certificate.chain.read_bytes() for _, certificate in fronts))
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        visitors = [Visitor(proxy) for proxy, _ in fronts]
        visits = [asyncio.create_task(visitor.visit()) for visitor in visitors]
        for visit in visits:
            stack.callback(visit.cancel)

        def further(marks) -> bool:
            """Whether everybody has seen and been paid more than `marks`; what stops one stops the test."""
            for visit in visits:
                if visit.done():
                    visit.result()
            return all(
                len(visitor.seen) > seen + 5 and len(visitor.paid) > paid
                for visitor, (seen, paid) in zip(visitors, marks, strict=True)
            )

        await until(lambda: further([(0, 0)] * 2), 60)
        assert [visitor.losses for visitor in visitors] == [[], []]
        for visitor in visitors:
            visitor.proxy.reload()
        await until(lambda: all(visitor.losses for visitor in visitors), 60)
        marks = [(len(visitor.seen), len(visitor.paid)) for visitor in visitors]
        await until(lambda: further(marks), 60)
        for visitor in visitors:
            first = visitor.seen[0].seq
            assert [one.seq for one in visitor.seen] == list(range(first, first + len(visitor.seen)))
            assert [type(one) for one in visitor.seen].count(TableView) == 1
            assert visitor.paid == sorted(set(visitor.paid))
            assert visitor.losses[0] == "the connection broke"
