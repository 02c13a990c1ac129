"""A copy of the embedded data, made while the server runs, is started elsewhere and goes on."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from croupier_server.store.embedded import running_url
from support.dealing import reach
from support.playing import audited, connected, sit_down
from support.serving import serving
from support.stores import open_pit

pytestmark = pytest.mark.long

SCRIPT = Path(__file__).parents[2] / "deploy" / "backup.sh"

QUICK = ("--pace", "turbo", "--workers", "1")


async def backup(*arguments) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        SCRIPT, *map(str, arguments), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    _, errors = await process.communicate()
    return process.returncode, errors.decode()


async def test_a_copy_made_under_play_goes_on_elsewhere_with_a_clean_audit(tmp_path):
    """Chips, seats and the table's events, also when the store writes its files anew meanwhile."""
    data, copy = tmp_path / "data", tmp_path / "copy"
    async with (
        serving(data, *QUICK) as server,
        connected(f"{server.url.replace('http', 'ws')}/ws") as player,
        open_pit(running_url(data / "store")) as pit,
    ):
        await sit_down(player, 50_000)
        left = (await pit.tables.read("standard")).record
        await pit.client.bgrewriteaof()
        assert await backup(data, copy) == (0, "")
        seat = player.id
    assert sorted(path.name for path in copy.iterdir()) == ["croupier.json", "shoe.key", "store"]
    async with serving(copy, *QUICK), open_pit(running_url(copy / "store")) as pit:

        async def went_on():
            return (await pit.tables.read("standard")).record.seq > left.seq + 20

        await reach(went_on)
        private = await pit.seats.private("standard", seat)
        assert (private.seat is not None, private.bankroll) == (True, 50_000)
        await audited(pit)


async def test_a_backup_is_never_written_over_another_and_says_what_is_missing(tmp_path):
    (tmp_path / "there").mkdir()
    status, errors = await backup(tmp_path / "nothing", tmp_path / "new")
    assert (status, errors) == (2, f"backup.sh: there is no store in {tmp_path / 'nothing'}\n")
    log = tmp_path / "data" / "store" / "appendonlydir"
    log.mkdir(parents=True)
    (log / "appendonly.aof.manifest").write_text("")
    status, _ = await backup(tmp_path / "data", tmp_path / "there")
    assert status != 0
    assert list((tmp_path / "there").iterdir()) == []
