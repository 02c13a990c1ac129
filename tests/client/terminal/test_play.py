"""Playing at a terminal by keys and mouse, against a server that deals what the test says."""

import pytest

from croupier_client.shoes import NoShoeError
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import BetsChanged
from croupier_protocol.messages.to_client import Live, RealityCheck, SeatNotice, Stalled
from croupier_protocol.messages.to_server import Deal, GoOn, Slip, Watch
from legal_rounds import Dealer
from scripted_seats import RefusalError
from scripted_server import NOW_MS

pytestmark = pytest.mark.slow

CARDS = "Qd Kh 2s 9d Td" + " 9h 8s Kd Kc"
"""The first card of the shoe; then Player wins 9 to 2, 9 to 8, four cards each."""


@pytest.fixture(autouse=True)
def no_commitments(monkeypatch):
    """The scripted server has no HTTP side, so its cards cannot be checked."""

    async def fetch(*_shoe):
        raise NoShoeError

    monkeypatch.setattr("croupier_client.checking.fetch_commitments", fetch)


async def test_a_player_sits_bets_by_keys_deals_and_is_paid(server, at):
    server.tables["standard"] = Dealer(cards=CARDS)
    async with at(server.url, "standard") as sitting:
        await sitting.sees("Wallet  1,000.00", "S Take a seat")
        await sitting.press("s", "enter")
        await sitting.sees("Bankroll  100.00", "Bets open again with the next round.")
        await server.open_window()
        await sitting.sees("Place your bets")
        await sitting.press("p", "2", "plus", "t", "1", "right", "2", "minus")
        await sitting.sees("Bankroll  89.00   Stake  11.00", "● 10.00", "● 1.00")
        await sitting.press("u", "u")
        await sitting.until(lambda: server.commands(Slip)[-1].bets == {"player": 10_00, "tie": 1_00})
        await sitting.press("d")
        await sitting.sees("Stake  22.00", "● 20.00", "● 2.00")
        await sitting.press("g")
        await sitting.sees("Ready. The cards come when everyone is.")
        assert len(server.commands(Deal)) == 1
        await server.play_out()
        paid = await sitting.sees("Player wins, 9 to 2", "● +20.00", "○ −2.00 lost")
        assert "Round 1: 22.00 staked, 40.00 returned, +18.00" in paid
        await sitting.sees("Bankroll  118.00   Stake  0.00")
        await server.open_window()
        await sitting.press("r")
        await sitting.sees("Bankroll  96.00   Stake  22.00")
        await sitting.press("c")
        await sitting.sees("Bankroll  118.00   Stake  0.00")
    assert server.bank.wallets == {"p1": 900_00}


async def test_what_cannot_stand_is_said_with_its_limit_and_what_stands_stays(server, at):
    async with at(server.url, "standard") as sitting:
        await sitting.sees("S Take a seat")
        await sitting.press("s", "5", "enter")
        assert await sitting.told() == "Take 20.00 or more to the table."
        await sitting.press("home", *["delete"] * 3, *"2000", "enter")
        assert await sitting.told() == "no: wallet_short (1,000.00)"
        await sitting.press("escape", "s", "enter")
        await sitting.sees("Bankroll  100.00")
        await sitting.press("p", "1")
        await sitting.sees("No more bets: the window is closed.")
        await server.open_window()
        await sitting.press("p", "3")
        await sitting.sees("● 25.00")
        await sitting.press("4")
        await sitting.sees("The chips in front of you are not enough: you have 100.00.", "● 25.00")
        totals = {"round": 1, "totals": {"tie": 7_00}, "bettors": 1, "ready": 0}
        await server.push(server.tables["standard"].publish(BetsChanged, **totals))
        await sitting.sees("The chips in front of you are not enough", "Σ 7.00")
        server.errors[Slip].append(RefusalError(ErrorCode.LIMIT, bet="player", limit=20_00))
        await sitting.press("1")
        await sitting.sees("no: limit", "Bankroll  75.00   Stake  25.00", "● 25.00")
        await sitting.press("u")
        await sitting.sees("Bankroll  100.00   Stake  0.00")
        assert [slip.bets for slip in server.commands(Slip)] == [{"player": 25_00}, {"player": 26_00}, {}]
        await server.play_out()
        await sitting.until(lambda: "no: limit" not in sitting.text)


@pytest.mark.long
async def test_a_mouse_bets_takes_off_and_goes_back_to_the_tables(server, at):
    async with at(server.url) as sitting:
        await sitting.sees("▌ standard")
        await sitting.click("standard rules")
        await sitting.sees("S Take a seat")
        await sitting.click("S Take a seat")
        await sitting.press("enter")
        await sitting.sees("Bankroll  100.00")
        await server.open_window()
        await sitting.sees("Place your bets")
        await sitting.click("(25)")
        await sitting.click("B Banker")
        await sitting.sees("Stake  25.00")
        await sitting.click("B Pair")
        await sitting.sees("Stake  50.00")
        await sitting.click("B Banker", button=3)
        await sitting.sees("Stake  25.00")
        await sitting.click("Esc Tables")
        await sitting.sees("standard  your seat")


async def test_a_lost_connection_is_said_and_play_goes_on_where_it_was(server, at):
    async with at(server.url, "standard", size=(120, 40), language="fr", colour=False) as sitting:
        await sitting.sees("S Prendre place")
        await sitting.press("s", "enter")
        await sitting.sees("Jetons  100,00")
        await server.open_window()
        await sitting.press("j", "3")
        await sitting.sees("● 25,00", "Mes manches")
        server.refusals.extend([(503, {})] * 100_000)
        server.cut()
        await sitting.sees("Reconnexion", "○ nouvel essai", "Voici la table telle qu’elle était")
        await sitting.press("3")
        await sitting.sees("Pas de connexion pour le moment.", "● 25,00")
        server.refusals.clear()
        await sitting.sees("● connecté", "Jetons  75,00   Mise  25,00")
        assert len(server.commands(Watch)) > 1
        await server.play_out()
        await sitting.sees("Manche 1 : misé 25,00")


async def test_stalls_and_notices_of_the_house_are_said(server, at):
    async with at(server.url, "standard") as sitting:
        await sitting.sees("S Take a seat")
        await server.push(Stalled(table="standard", since_ms=NOW_MS))
        await sitting.sees("The table stands still")
        await server.push(Live(table="standard"))
        await sitting.sees("The first round begins shortly")
        notice = SeatNotice(table="standard", code="idle", message="You have not bet.", reason="\x1b[2Jhouse")
        await server.push(notice)
        await sitting.sees("You have not bet. (�[2Jhouse)")


async def test_a_reality_check_is_said_and_answered_by_the_next_bet(server, at):
    """The terminal repeats no bets by itself, so there is nothing else that an unanswered one would stop."""
    async with at(server.url, "standard", language="fr") as sitting:
        await sitting.press("s", "enter")
        await sitting.sees("Jetons  100,00")
        await server.open_window()
        text = "Vous jouez depuis 60 minutes : 120,00 misés, 35,00 perdus."
        await server.push(RealityCheck(minutes=60, staked=12_000, net=-3_500, message=text))
        await sitting.sees("Vous jouez depuis 60 minutes : 120,00 misés")
        assert server.commands(GoOn) == []
        await sitting.press("j", "2")
        await sitting.sees("Mise  5,00")
        await sitting.until(lambda: len(server.commands(GoOn)) == 1)


async def test_a_table_that_is_not_there_leads_to_the_tables_and_says_so(server, at):
    async with at(server.url, "nowhere") as sitting:
        await sitting.sees("▌ standard", "nowhere: no: unknown_table")


@pytest.mark.long
async def test_a_seat_is_left_or_kept_at_the_end(server, at):
    async with at(server.url, "standard") as sitting:
        await sitting.sees("S Take a seat")
        await sitting.press("s", "enter")
        await sitting.sees("Bankroll  100.00")
        await sitting.press("l", "left", "enter")
        await sitting.sees("Wallet  1,000.00", "S Take a seat")
        await sitting.press("s", "enter")
        await sitting.sees("Bankroll  100.00")
        await sitting.press("q", "left", "enter")
        await sitting.until(lambda: not sitting.app.is_running or sitting.app._exit)
    assert sitting.app.kept == [("standard", 100_00)]
    assert server.bank.wallets == {"p1": 900_00}
