"""`croupier tables` on running servers: tables added, shown and closed; what the next start makes of it."""

import asyncio
import contextlib
import io
import json
import signal

import pytest

from croupier_client.cli.app import run
from support.serving import serving

pytestmark = pytest.mark.long

CONFIG = """
[rules.house]
commission = { rate = 0.04 }

[[tables]]
name = "one"
pace = "turbo"

[[tables]]
name = "two"
pace = "turbo"
"""


async def tables(data, *arguments, status=0) -> list[dict]:
    """Runs the command line and returns what it prints."""
    tokens, output = ["tables", *map(str, arguments), "--data", str(data)], io.StringIO()
    with contextlib.redirect_stdout(output):
        assert await asyncio.to_thread(run, tokens) == status
    return [json.loads(line) for line in output.getvalue().splitlines()]


async def names(data) -> list[str]:
    return [row["table"] for row in await tables(data, "list")]


async def dealt(data, table) -> dict:
    """The table's row once it is dealt by somebody whom the register knows."""
    async with asyncio.timeout(20):
        while True:
            for row in await tables(data, "list", "--json"):
                if row["table"] == table and row.get("round", 0) >= 1 and row.get("process"):
                    return row


async def test_tables_are_added_closed_and_remembered(tmp_path):
    data, config = tmp_path / "data", tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    options = ("--config", str(config), "--workers", "1")
    async with serving(data, *options) as server:
        upstairs = await tables(data, "add", "upstairs", "--pace", "turbo", "--pit", "vip", "--new-pit")
        assert upstairs == [{"table": "upstairs", "order": "add", "answer": "done"}]
        added = await tables(
            *(data, "add", "late", "--rules", "house", "--pace", "turbo", "--limits", "main_most=200,step=5"),
            *("--config", config),
        )
        assert added == [{"table": "late", "order": "add", "answer": "done"}]
        row = await dealt(data, "late")
        assert (row["pit"], row["rules"]) == ("main", "house")
        assert "ownerless_ms" not in row
        await tables(data, "add", "upstairs", status=1)
        await tables(data, "add", "x", "--pit", "V I P", status=2)
        await tables(data, "add", "x", "--pit", "vpi", status=2)
        await tables(data, "add", "late", status=1)
        await tables(data, "add", "Late", status=2)
        await tables(data, "add", "x", "--rules", "nonsense", status=2)
        await tables(data, "add", "x", "--limits", "main_most", status=2)
        await tables(data, "add", "x", "--limits", "nonsense=3", status=2)
        await dealt(data, "two")
        closed = await tables(data, "close", "two", "--reason", "quiet night")
        assert closed == [{"table": "two", "order": "close", "answer": "done"}]
        await tables(data, "close", "two", status=2)
        assert await names(data) == ["late", "one", "upstairs"]
        assert (await dealt(data, "upstairs"))["pit"] == "vip"  # found by its worker within five seconds
        config.write_text(CONFIG.replace('name = "one"', 'name = "four"'))
        server.process.send_signal(signal.SIGHUP)
        await dealt(data, "four")
        assert await names(data) == ["four", "late", "one", "upstairs"]
    config.write_text(CONFIG.replace('name = "one"', 'name = "three"'))
    async with serving(data, *options):  # the file has `two` still and `one` no more; `late` it never had
        assert await names(data) == ["late", "three", "two", "upstairs"]
        row = await dealt(data, "two")
        assert row["phase"] != "ended"
