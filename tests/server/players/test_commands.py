"""`croupier players` on a real store."""

import asyncio
import json

from croupier_protocol.game.limits import Limits
from croupier_server.players.commands import purge
from croupier_server.players.guests import Guests
from support.playing import audited


async def test_purge_leaves_who_has_chips_at_a_table_and_says_so(pit, store, capsys):
    guests = Guests(pit.store)
    away, seated = await guests.open("", test=True), await guests.open("", test=True)
    await pit.tables.register({"standard": b"its listing"})
    await pit.bank.sit("standard", seated.player, "sit-op-01", 10_000, Limits(), name="Bot", skeleton="bot")
    assert await asyncio.to_thread(purge, redis=store.url) == 1
    assert capsys.readouterr().out == "1 test players closed, 1 left with chips at a table\n"
    assert await guests.test_players() == [seated.player]
    await pit.bank.leave("standard", seated.player, "leave-op-1")
    assert await asyncio.to_thread(purge, redis=store.url, json=True) == 0
    assert json.loads(capsys.readouterr().out) == {"closed": 1, "left": 0}
    assert await guests.resume(away.resume) is None
    assert await pit.client.keys("croupier:{w:*") == []
    await audited(pit)
