"""SIGHUP: what another reading of the configuration changes while a server runs, and what it does not."""

import asyncio
import os
import pty

import pytest
from msgspec.structs import replace

from croupier_server.config import Config
from croupier_server.configuring.reading import read_config
from croupier_server.configuring.sections import ServerSection, StoreSection
from croupier_server.configuring.table_sections import LimitsSection, TableSection, WalletSection
from croupier_server.errors import SetupError
from croupier_server.reloading import Reloading, Terminal, changes
from croupier_server.store.keys import PitId
from croupier_server.store.stores import Stores
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Tables
from croupier_server.table.listing import encode_listing, read_listing
from support.serving import until

MAIN = PitId("main")


@pytest.fixture
async def stores(store):
    opened = Stores(store.url)
    yield opened
    await opened.close()


@pytest.fixture(autouse=True)
def all_told(caplog):
    caplog.set_level("INFO")


def config(*tables: TableSection, **sections) -> Config:
    return Config(tables=tables, **sections)


async def begun(stores, running: Config) -> None:
    """Lists the tables as a start does."""
    for pit, settings in running.pits().items():
        await stores.name_pits([pit])
        await Stream(stores.pit(pit), pit).open()
        await Tables(stores.pit(pit), pit).register({one.table: encode_listing(one) for one in settings})


async def listed(stores, pit=MAIN) -> dict:
    return {
        name: read_listing(one) for name, one in (await Tables(stores.pit(pit), pit).registered()).items()
    }


async def test_new_tables_and_settings_are_listed_and_the_rest_is_left_alone(stores, caplog):
    running = config(TableSection("a"), TableSection("closed"), TableSection("gone"))
    await begun(stores, running)
    await Tables(stores.pit(MAIN), MAIN).take_off(["closed"])
    table = TableSection(
        "a", pace="speed", early_close=False, auto_rebet=False, limits=LimitsSection(main_most=7)
    )
    read = config(table, TableSection("closed"), TableSection("new"), TableSection("far", pit="vip"))
    reloading = Reloading(running, lambda: read, stores)
    await reloading.reload()
    found = await listed(stores)
    assert set(found) == {"a", "gone", "new"}
    assert (found["a"].pace.name, found["a"].early_close, found["a"].auto_rebet) == ("speed", False, False)
    assert found["a"].limits.main_most == 700
    assert set(await listed(stores, PitId("vip"))) == {"far"}
    assert await stores.known_pits() == ["main", "vip"]
    assert "new or changed tables: a, far, new" in caplog.text
    assert "the file has these tables no longer" in caplog.text
    assert caplog.messages[-1].endswith(": gone")
    await reloading.reload()
    assert caplog.messages[-1] == "the configuration was read again; new or changed tables: none"


async def test_what_needs_a_new_start_is_told_in_one_line_and_again_the_next_time(stores, caplog):
    running = config(TableSection("a"))
    read = config(
        TableSection("a"), server=ServerSection(port=9000, workers=3), wallet=WalletSection(start=5)
    )
    reloading = Reloading(running, lambda: read, stores)
    await reloading.reload()
    await reloading.reload()
    told = "these need a new start to change: server.port, server.workers, wallet.start"
    assert caplog.messages == ["the configuration was read again; new or changed tables: none", told] * 2


async def test_a_table_does_not_change_its_pit(stores):
    running = config(TableSection("a"), TableSection("b"))
    await begun(stores, running)
    read = config(TableSection("a", pit="vip"), TableSection("b", pace="turbo"))
    with pytest.raises(SetupError, match=r"table a is in pit main, .* puts it into pit vip"):
        await Reloading(running, lambda: read, stores).reload()
    assert (await listed(stores))["b"].pace.name == "standard"


async def test_a_broken_file_changes_nothing_and_a_mended_one_is_taken(stores, tmp_path, caplog):
    file = tmp_path / "croupier.toml"
    file.write_text("[[tables]]\nname = 'a'")
    running = read_config(file)
    await begun(stores, running)
    asked = asyncio.Event()
    task = asyncio.create_task(Reloading(running, lambda: read_config(file), stores).run(asked))
    file.write_text("[[tables]]\nname = 'a'\npace = 'slow'\n[[tables]]\nname = 'b'")
    asked.set()
    await until(lambda: "the configuration stays as it was" in caplog.text)
    assert f"{file}: tables[0].pace: there is no pace 'slow'" in caplog.text
    assert set(await listed(stores)) == {"a"}
    file.write_text("[[tables]]\nname = 'a'\n[[tables]]\nname = 'b'")
    asked.set()
    await until(lambda: "new or changed tables: b" in caplog.text)
    assert set(await listed(stores)) == {"a", "b"}
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_tables_that_could_not_be_listed_are_listed_the_next_time(stores, monkeypatch):
    running, read = config(TableSection("a")), config(TableSection("a"), TableSection("b"))
    reloading = Reloading(running, lambda: read, stores)
    with monkeypatch.context() as away:

        async def refuse():
            raise SetupError("away")

        away.setattr(stores, "known_pits", refuse)
        with pytest.raises(SetupError):
            await reloading.reload()
    await reloading.reload()
    assert set(await listed(stores)) == {"b"}


def test_a_secret_is_not_told_where_its_key_needs_a_new_start():
    before = Config(store=StoreSection(redis="redis://:old@h"))
    found = changes(before, replace(before, store=StoreSection(redis="redis://:new@h")))
    assert found.kept == ["store.redis"]


def test_a_terminal_that_has_gone_is_told_from_one_that_is_there_or_never_was():
    master, terminal = pty.openpty()
    started = Terminal(terminal)
    assert not started.gone
    os.close(master)
    assert started.gone
    assert not Terminal(terminal).gone
    os.close(terminal)
