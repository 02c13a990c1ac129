"""Playing at a terminal against a real server: cards, money, and a connection that is cut."""

import re

import pytest
import pytest_asyncio

from support.relay import relay_to
from support.serving import start_serving

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long]

CONFIG = """\
[[tables]]
name = "quick"
rules = "standard"
pace = "speed"

[[tables]]
name = "patient"
rules = "standard"
pace = "standard"
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serving(tmp_path_factory):
    """One server with a quick table to watch and a patient one to bet at."""
    config = tmp_path_factory.mktemp("play") / "croupier.toml"
    config.write_text(CONFIG)
    server = await start_serving(config.with_name("data"), "--config", str(config))
    yield server
    await server.stop()


async def test_a_round_is_seen_card_by_card_and_each_card_is_checked(serving, at):
    counts = []
    async with at(serving.url, "quick", size=(120, 40)) as sitting:
        await sitting.sees("Place your bets")

        def shown() -> bool:
            text = sitting.text
            counts.append(sum(text.count(suit) for suit in "♠♥♦♣"))
            return bool(re.search(r"(Player|Banker) wins, \d to \d|Tie at \d", text))

        await sitting.until(shown)
        steps = sorted(set(counts))
        assert steps in ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6])
        assert counts == sorted(counts)
        await sitting.sees(f"✓ {steps[-1]} cards checked")


async def test_bets_by_keys_outlive_a_cut_connection_and_are_paid(serving, at):
    async with relay_to(serving.port) as relay, at(relay.url, "patient") as sitting:
        await sitting.sees("S Take a seat")
        await sitting.press("s", "1", "5", "enter")
        assert await sitting.told() == "Take 20.00 or more to the table."
        await sitting.press("escape", "s", "enter")
        await sitting.sees("Bankroll  100.00")
        await sitting.until(lambda: (sitting.app.screen.session.state.seconds or 0) > 10, "a fresh window")
        await sitting.press("p", "3")
        await sitting.sees("● 25.00", "Bankroll  75.00")
        await sitting.press("4")
        await sitting.sees("The chips in front of you are not enough: you have 100.00.")
        relay.cut()
        await sitting.until(lambda: relay.connections > 1)
        await sitting.sees("● connected", "● 25.00", "Stake  25.00")
        await sitting.press("g")
        text = await sitting.sees("25.00 staked")
        assert re.search(r"● \+25.00|○ −25.00 lost|● 25.00 push", text)
        await sitting.until(lambda: sitting.app.screen.session.state.rounds)
        await sitting.press("l", "left", "enter")
        await sitting.sees("Wallet", "S Take a seat")
    assert sitting.app.kept == []
