"""`croupier bet` in a process of its own, against the scripted server."""

import asyncio
import json
import signal

import pytest

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import Live, Stalled
from croupier_protocol.messages.to_server import Deal, Leave, Slip
from legal_rounds import Dealer
from scripted_seats import RefusalError
from scripted_server import NOW_MS

CARDS = "Qd Kh 2s 9d Td" + " 9h 8s Kd Kc" + " Kh 9s Kd Tc"
"""The first card of the shoe; then Player wins 9 to 2, 9 to 8 and loses 0 to 9, four cards each."""


async def play(server, until, rounds: int) -> None:
    """Deals rounds, each as soon as the player has said that it is ready."""
    for number in range(1, rounds + 1):
        await until(lambda: any(session.player is not None for session in server.open_sessions))
        await until(lambda: any("standard" in session.watched for session in server.open_sessions))
        await until(lambda: server.bank.chairs)
        await server.open_window()
        await until(lambda number=number: server.bank.chairs["p1", "standard"].ready_round == number)
        await server.play_out()


async def test_bet_json_prints_slips_payouts_and_the_final_bankroll(server, until, croupier):
    server.tables["standard"] = Dealer(cards=CARDS)
    command = await croupier(
        *("bet", server.url, "standard", "--slip", "player=5,tie=1", "--rounds", "3", "--json")
    )
    await play(server, until, 3)
    out, err, status = await command.end()
    assert (err, status) == ("", 0)
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["type"] for line in lines] == ["slip", "payout"] * 3 + ["bankroll"]
    assert lines[0] == {
        "type": "slip",
        "table": "standard",
        "round": 1,
        "bets": {"player": 500, "tie": 100},
        "bankroll": 9_400,
    }
    assert lines[1] == {
        "type": "payout",
        "table": "standard",
        "round": 1,
        "bets": [
            {"bet": "player", "stake": 500, "result": "win", "win": 500, "commission": 0, "returned": 1000},
            {"bet": "tie", "stake": 100, "result": "lose", "win": 0, "commission": 0, "returned": 0},
        ],
        "returned": 1000,
        "bankroll": 10_400,
    }
    assert [line["bankroll"] for line in lines] == [9_400, 10_400, 9_800, 10_800, 10_200, 10_200, 10_200]
    assert lines[-1] == {"type": "bankroll", "table": "standard", "bankroll": 10_200}
    assert server.bank.wallets == {"p1": 1_002_00}


ENGLISH = """\
Round 1: Player 5.00, Tie 1.25; 93.75 left
Round 1: Player 5.00 won, Tie 1.25 lost; 10.00 back, bankroll 103.75
Bankroll: 103.75
"""

FRENCH = """\
Manche 1 : Joueur 5,00, Égalité 1,25 ; reste 93,75
Manche 1 : Joueur 5,00 gagnée, Égalité 1,25 perdue ; 10,00 rendus, jetons : 103,75
Jetons : 103,75
"""


@pytest.mark.parametrize(("language", "golden"), [("en", ENGLISH), ("fr", FRENCH)])
async def test_bet_tells_a_round_in_each_language(server, until, croupier, language, golden):
    server.tables["standard"] = Dealer(cards=CARDS)
    server.bank.limits = type(server.bank.limits)(step=25)
    arguments = ("--slip", "player=5,tie=1.25", "--rounds", "1", "--lang", language)
    command = await croupier("bet", server.url, "standard", *arguments)
    await play(server, until, 1)
    assert await command.end() == (golden, "", 0)


async def test_without_deal_the_window_is_left_to_end(server, until, croupier):
    arguments = ("--slip", "banker=1", "--rounds", "1", "--no-deal", "--json")
    command = await croupier("bet", server.url, "standard", *arguments)
    await until(lambda: server.bank.chairs)
    await server.open_window()
    await until(lambda: server.bank.chairs["p1", "standard"].slip)
    await server.play_out()
    assert (await command.end())[2] == 0
    assert server.commands(Deal) == []


async def test_a_round_that_was_missed_is_not_counted(server, until, croupier):
    server.errors[Slip].append(RefusalError(ErrorCode.BETTING_CLOSED))
    command = await croupier(
        *("bet", server.url, "standard", "--slip", "player=1", "--rounds", "1", "--json")
    )
    await until(lambda: server.bank.chairs)
    await server.open_window()
    await until(lambda: server.commands(Slip))
    await server.play_out()
    await server.open_window()
    await until(lambda: server.bank.chairs["p1", "standard"].ready_round == 2)
    await server.play_out()
    out, _, status = await command.end()
    assert [json.loads(line).get("round") for line in out.splitlines()] == [2, 2, None]
    assert status == 0


async def test_c11_a_player_told_to_stake_all_never_stakes_more_and_stops_when_there_is_nothing_left(
    server, until, croupier
):
    server.tables["standard"] = Dealer(cards="Qd Kh 9s Kd Tc")
    command = await croupier(
        *("bet", server.url, "standard", "--slip", "player=all", "--buy-in", "99.99", "--json")
    )
    await play(server, until, 1)
    await server.open_window()
    out, err, status = await command.end()
    assert [json.loads(line)["bankroll"] for line in out.splitlines()] == [99, 99, 99]
    assert [each.bets for each in server.commands(Slip)] == [{"player": 99_00}]
    assert (err, status) == ("croupier: there is nothing left to stake\n", 1)


async def test_a_refused_slip_is_status_1_and_the_player_leaves(server, until, croupier):
    command = await croupier("bet", server.url, "standard", "--slip", "tie=101", "--json")
    await until(lambda: server.bank.chairs)
    await server.open_window()
    out, err, status = await command.end()
    assert [json.loads(line) for line in out.splitlines()] == [
        {"type": "bankroll", "table": "standard", "bankroll": 10_000}
    ]
    assert (err, status) == ("croupier: standard: no: limit\n", 1)
    assert server.bank.wallets == {"p1": 1_000_00}


async def test_a_seat_that_is_refused_is_status_1(server, croupier):
    command = await croupier("bet", server.url, "nowhere", "--slip", "player=5")
    why = "croupier: nowhere: no: unknown_table `croupier watch URL` lists those that there are.\n"
    assert await command.end() == ("", why, 1)


async def test_lost_connections_change_nothing_of_what_is_printed(server, until, croupier):
    server.tables["standard"] = Dealer(cards=CARDS)
    server.lose_replies.extend([Slip, Leave])
    server.lose_commands.append(Deal)
    arguments = ("--slip", "player=5", "--rounds", "2", "--json")
    command = await croupier("bet", server.url, "standard", *arguments)
    await play(server, until, 2)
    out, _, status = await command.end()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["type"] for line in lines] == ["slip", "payout"] * 2 + ["bankroll"]
    assert lines[-1]["bankroll"] == 11_000
    assert status == 0
    assert set(server.bank.done.values()) == {1}
    assert server.bank.wallets == {"p1": 1_010_00}


async def test_an_interrupted_player_leaves_its_seat(server, until, croupier):
    command = await croupier("bet", server.url, "standard", "--slip", "player=5", "--json")
    await until(lambda: server.bank.chairs)
    await server.push(Stalled(table="standard", since_ms=NOW_MS))
    async with asyncio.timeout(20):
        assert b"stands still" in await command.process.stderr.readline()
        await server.push(Live(table="standard"))  # what comes in a turn of its own finds it seated
        assert b"moves again" in await command.process.stderr.readline()
    command.process.send_signal(signal.SIGINT)
    out, err, status = await command.end()
    assert json.loads(out)["type"] == "bankroll"
    assert (err, status) == ("", 130)
    assert server.bank.wallets == {"p1": 1_000_00}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--slip", "player=0.001"),
        ("--slip", "player=5", "--buy-in", "0"),
        ("--slip", "player=5", "--rounds", "0"),
    ],
)
async def test_wrong_usage_is_status_2_before_anything_is_sent(server, croupier, arguments):
    out, err, status = await (await croupier("bet", server.url, "standard", *arguments)).end()
    assert (out, status) == ("", 2)
    assert err
    assert "Traceback" not in err
    assert server.handshakes == 0
