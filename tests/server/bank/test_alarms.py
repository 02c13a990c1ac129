"""`croupier tables clear-alarm`: bets are taken again once nothing is wrong any more, and not before."""

import asyncio
import json

import pytest

from croupier_client.cli.app import run
from croupier_server.store.seats import SlipRefusal, SlipState
from croupier_server.table.listing import encode_listing
from support.banking import BANKROLLS, STANDARD, WALLET, a_bank, sit, slip, window
from support.stores import turbo

ALARM = "croupier:{main}:t:standard:bankrolls has no bankroll of ana"


@pytest.fixture
def clear(shared_store, capsys):
    """Clears the alarm of a table; returns status, the lines of standard output, and standard error."""

    async def command(table="standard", *, reason="put right by hand"):
        place = ["--reason", reason, "--redis", shared_store.url]
        status = await asyncio.to_thread(run, ["tables", "clear-alarm", table, *place])
        shown = capsys.readouterr()
        return status, [json.loads(line) for line in shown.out.splitlines()], shown.err

    return command


@pytest.fixture
async def alarmed(pit):
    """Ana's seat in an open window, its bankroll vanished, and the alarm that this has raised."""
    await pit.tables.register({STANDARD: encode_listing(turbo(STANDARD))})
    await sit(a_bank(pit))
    await window(pit)
    await pit.client.hdel(BANKROLLS, "ana")
    await pit.seats.alarm(STANDARD, ALARM)
    return pit


async def test_an_alarm_stays_while_the_audit_finds_its_damage(alarmed, clear):
    status, lines, err = await clear()
    assert (status, lines) == (
        1,
        [
            {
                "table": "standard",
                "alarm": ALARM,
                "where": "table standard, ana",
                "mismatch": "the seat has no bankroll",
            },
            {
                "table": "standard",
                "alarm": ALARM,
                "where": "table standard, ana",
                "mismatch": "the seat has 0 cents (bankroll and slip), and the ledger 10000",
            },
        ],
    )
    assert err == "croupier: standard takes no bets until this is put right; see `croupier audit`\n"
    assert await alarmed.seats.alarmed(STANDARD) == ALARM


async def test_a_table_put_right_takes_bets_again_and_keeps_why(alarmed, clear):
    await alarmed.client.hset(BANKROLLS, "ana", 10_000)
    assert (await slip(alarmed, player=500)).why == "alarm"
    assert await clear() == (
        0,
        [{"table": "standard", "cleared": ALARM, "reason": "put right by hand"}],
        "",
    )
    assert isinstance(await slip(alarmed, player=500), SlipState)
    kept = await alarmed.client.hget("croupier:{main}:t:standard", "cleared_alarm")
    assert kept.decode().split("|", 1)[1] == f"put right by hand|{ALARM}"
    assert (await clear())[::2] == (2, "croupier: there is no alarm at standard\n")


@pytest.mark.parametrize("seated", [True, False])
async def test_a_wallet_that_has_vanished_keeps_the_alarm_that_it_raised(pit, clear, seated):
    await pit.tables.register({STANDARD: encode_listing(turbo(STANDARD))})
    bank = a_bank(pit)
    await sit(bank)
    if not seated:
        await bank.leave(STANDARD, "ana", "leave-001")
    wallet = await pit.client.dump(WALLET)
    await pit.client.delete(WALLET)
    await pit.seats.alarm(STANDARD, f"{WALLET} has vanished")
    status, lines, _ = await clear()
    assert (status, [line["where"] for line in lines]) == (1, ["wallet of ana"])
    await pit.client.restore(WALLET, 0, wallet)
    assert (await clear())[0] == 0


async def test_damage_elsewhere_does_not_keep_a_tables_alarm(alarmed, clear):
    await alarmed.client.hset(BANKROLLS, "ana", 10_000)
    await sit(a_bank(alarmed), "bo", table="vegas")
    await alarmed.client.hset("croupier:{main}:t:vegas:bankrolls", "bo", 1)
    await alarmed.client.hset("croupier:{w:bo}", "balance", 7)
    assert (await clear())[0] == 0


async def test_an_alarm_that_came_meanwhile_is_not_cleared(alarmed):
    assert not await alarmed.seats.clear_alarm(STANDARD, "another alarm", "looked into")
    assert await alarmed.seats.alarmed(STANDARD) == ALARM
    assert isinstance(await slip(alarmed, "bo", player=500), SlipRefusal)


async def test_an_alarm_is_cleared_for_a_reason_in_one_line(alarmed, clear):
    status, lines, err = await clear(reason="two\nlines")
    assert (status, lines, err) == (
        2,
        [],
        "croupier: --reason takes a line of text, 200 characters at most\n",
    )
