"""`croupier archive`: what it prints, its exit status, and the process, killed, stopped and kept waiting."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from pathlib import Path

import msgspec
import pytest

from croupier_client.cli.app import run
from support.archiving import drain, in_ledger, opened, play, positions
from support.banking import HOUSE, LEDGER, a_bank, sit
from support.records import a_round

TESTS = Path(__file__).parents[2]


@pytest.fixture
def croupier(shared_store, capsys):
    """Runs `croupier archive …` on the store and an archive; returns status, standard output and error."""

    async def command(*tokens, to, store=True):
        place = ["--to", to, *(["--redis", shared_store.url] if store else [])]
        status = await asyncio.to_thread(run, ["archive", *tokens, *place])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers[:] = []  # one of an earlier command may write where nobody reads any more
    yield command
    logging.root.handlers[:], logging.root.level = handlers, level


@contextlib.asynccontextmanager
async def archiving(*arguments, script):
    """A process of `croupier archive` by a script, killed at the end if it is still there."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *script, *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def ended(process):
    """The exit status of a process and what it has printed."""
    async with asyncio.timeout(60):
        out, _ = await process.communicate()
    return process.returncode, out.decode()


async def test_a_player_sees_rounds_of_a_period_with_what_each_bet_came_to(pit, sqlite_to, croupier):
    to = sqlite_to
    await sit(a_bank(pit))
    await play(pit, 7)
    await play(pit, 8, void=True)
    await drain(pit.url, to)
    status, out, err = await croupier("player", "ana", to=to, store=False)
    assert (status, err) == (0, "")
    assert out == (
        "1970-01-01 00:00:00+00:00  standard #8  void  – / –  staked 6.00  returned 6.00  then 104.00\n"
        "    player 5.00: win, 5.00 back\n"
        "    tie 1.00: win, 1.00 back\n"
        "1970-01-01 00:00:00+00:00  standard #7  void  – / –  staked 6.00  returned 10.00  then 104.00\n"
        "    player 5.00: win, 10.00 back\n"
        "    tie 1.00: win, 0.00 back\n"
    )
    status, out, _ = await croupier("player", "ana", "--json", "--limit", "1", to=to, store=False)
    assert json.loads(out) == {
        "pit": "main",
        "table": "standard",
        "round": 8,
        "ended_ms": 0,
        "rules": "standard",
        "outcome": None,
        "player_cards": "",
        "banker_cards": "",
        "staked": 600,
        "returned": 600,
        "commission": 0,
        "bankroll": 10_400,
        "bets": [
            {"bet": "player", "stake": 500, "result": "win", "win": 0, "commission": 0, "returned": 500},
            {"bet": "tie", "stake": 100, "result": "win", "win": 0, "commission": 0, "returned": 100},
        ],
    }
    nothing = (0, "", "croupier: the archive has nothing of that\n")
    assert await croupier("player", "ana", "--until", "2026-01-01", to=to, store=False) == nothing
    assert await croupier("player", "bo", to=to, store=False) == nothing
    status, _, err = await croupier("player", "ana", "--since", "soon", to=to, store=False)
    assert (status, err) == (
        2,
        "croupier: 'soon' is no day or time: write 2026-11-30, or 2026-11-30T18:00\n",
    )


async def post(pit, day, **fields):
    """An entry of the ledger, on a day since 1970."""
    entry = {"t": "vegas", "p": "ana", **fields}
    await pit.client.xadd(LEDGER, entry, id=f"{day * 86_400_000 + 5}-*")


async def test_an_operator_sees_rounds_totals_and_balances(pit, to, croupier):
    await post(pit, 20_000, k="buy_in", n=1, a=5_000)
    await post(pit, 20_000, k="settle", r=1, s=600, w=1_000, h=-400)
    await post(pit, 20_000, k="settle", r=2, s=500, w=0, h=500)
    await post(pit, 20_000, k="round", p="", r=2, o=msgspec.msgpack.encode(a_round(2)))
    await post(pit, 20_001, k="settle", r=3, s=300, w=0, h=300)
    await drain(pit.url, to)

    async def rows(*tokens):
        status, out, err = await croupier(*tokens, "--json", to=to, store=False)
        assert (status, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    total = {"pit": "main", "table": "vegas", "commission": 0}
    first = {**total, "day": "2024-10-04", "slips": 2, "staked": 1_100, "returned": 1_000, "house": 100}
    second = {**total, "day": "2024-10-05", "slips": 1, "staked": 300, "returned": 0, "house": 300}
    assert await rows("totals") == [first, second]
    assert await rows("totals", "vegas", "--since", "2024-10-05") == [second]
    assert await rows("totals", "vegas", "--until", "2024-10-04T12:00") == [first]
    assert await rows("totals", "standard") == []
    assert await rows("balances") == [
        {"pit": "main", "account": "house", "cents": 400},
        {"pit": "main", "account": "seat:vegas|ana", "cents": 4_600},
        {"pit": "main", "account": "wallet:ana", "cents": -5_000},
    ]
    [round_] = await rows("rounds", "vegas")
    assert (round_["round"], round_["outcome"], round_["player_cards"]) == (2, "player", "8s As")
    assert await rows("rounds", "standard") == []
    _, out, _ = await croupier("rounds", to=to, store=False)
    assert out == "2023-11-14 22:13:20+00:00  vegas #2  player  8s As / 2h 6d\n"
    _, out, _ = await croupier("totals", "--until", "2024-10-05", to=to, store=False)
    assert out == (
        "2024-10-04  vegas                       2 slips  staked          11.00  returned          10.00"
        "  commission           0.00  house           1.00\n"
    )
    _, out, _ = await croupier("balances", to=to, store=False)
    assert out.splitlines()[0].split() == ["main", "house", "4.00"]


async def test_a_check_ends_with_0_when_archive_and_store_agree_and_tells_what_differs(pit, to, croupier):
    await sit(a_bank(pit))
    await play(pit, 7)
    await pit.client.hset("croupier:{main}:tables", "standard", "{}")
    status, out, err = await croupier("--once", to=to)
    assert (status, out.partition(" archived into ")[0]) == (0, "3 entries")
    assert "archived from here on" in err
    await play(pit, 8)  # which the archive does not have yet
    assert await croupier("check", to=to) == (0, "clean: 3 accounts, 2 postings\n", "")
    await pit.client.incr(HOUSE)
    status, out, _ = await croupier("check", to=to)
    assert (status, out.splitlines()) == (
        1,
        [
            "MISMATCH the house: it has -799 cents, and the ledger -800",
            "MISMATCH all money: there are 1 cents too many",
            "mismatches: 2, in 3 accounts, 2 postings",
        ],
    )
    with opened(to) as archive, archive.database.writing() as transaction:
        transaction.run("UPDATE postings SET returned = returned + 1 WHERE kind = 'settle'")
    status, out, _ = await croupier("check", "--json", to=to)
    told = [json.loads(line) for line in out.splitlines()]
    assert (status, told[0]) == (1, {"clean": False, "accounts": 3, "postings": 2})
    assert [one["mismatch"]["text"] for one in told[1:4]] == [
        "a slip and its posting differ",
        "the archive has -401 cents, and the ledger -400",
        "the archive has 10401 cents, and the ledger 10400",
    ]


async def test_wrong_usage_says_what_to_do(tmp_path, croupier, capsys):
    async def refused(to, *tokens):
        status, _, err = await croupier(*tokens, to=to, store=False)
        return status, err

    assert await refused("mysql://x", "rounds") == (
        2,
        "croupier: an archive is at sqlite:PATH or at postgresql://user@host/name\n",
    )
    path = tmp_path / "archive.db"
    assert await refused(f"sqlite:{path}", "rounds") == (
        2,
        f"croupier: there is no archive at {path}: `croupier archive` makes it\n",
    )
    status, err = await refused("postgresql:///x?host=/tmp/nowhere&password=secret", "rounds")
    assert status == 1
    assert "secret" not in err
    status = await asyncio.to_thread(run, ["archive", "--once", "--data", str(tmp_path / "data")])
    assert (status, "no server runs on" in capsys.readouterr().err) == (2, True)
    assert (tmp_path / "data" / "croupier.json").exists()  # or `serve` would not have this directory


async def test_an_archive_that_is_killed_between_its_commit_and_telling_the_store_goes_on(pit, sqlite_to):
    """A process, that kills itself with -9; `test_killed.py` has many."""
    await sit(a_bank(pit))
    await play(pit, 7)
    deadly = (str(TESTS / "support" / "archiver_process.py"), "told", "3")
    async with archiving("--redis", pit.url, "--to", sqlite_to, script=deadly) as process:
        status, out = await ended(process)
    assert status == -signal.SIGKILL, out
    assert len(positions(sqlite_to)) == 3
    assert await pit.client.hget("croupier:{main}:archive", "upto") == b"0-0"
    await play(pit, 8)
    assert await drain(pit.url, sqlite_to) == 2
    assert positions(sqlite_to) == await in_ledger(pit)
    assert await pit.client.hget("croupier:{main}:archive", "upto") != b"0-0"
