"""`croupier watch --json` at each rule set, against an independent reading of the seeds' tables.

Nothing here uses the product's game code: values and drawing rules are written out in `support.seed_rules`,
outcomes below.
"""

import asyncio
import json
import sys

import pytest

from support.seed_rules import points, read_coup
from support.serving import serving

ROUNDS = 20

TABLES = ["standard", "single-deck", "eight-deck", "two-field", "vegas"]


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """What `croupier watch --json` printed of twenty rounds at each rule set, all at once."""
    return asyncio.run(watch_all(tmp_path_factory.mktemp("serve") / "data"))


async def watch_all(data) -> dict[str, list[dict]]:
    """Serves a table of each rule set at turbo pace and watches each."""
    async with serving(data, "--pace", "turbo", tables=TABLES) as server:
        watchers = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "croupier_client.cli", "watch", server.url, table),
                *("--json", "--rounds", str(ROUNDS)),
                stdout=asyncio.subprocess.PIPE,
            )
            for table in TABLES
        ]
        async with asyncio.timeout(90):
            outputs = await asyncio.gather(*(watcher.communicate() for watcher in watchers))
        assert [watcher.returncode for watcher in watchers] == [0] * 5
    return {
        table: [json.loads(line) for line in output.decode().splitlines()]
        for table, (output, _) in zip(TABLES, outputs, strict=True)
    }


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_twenty_rounds_agree_with_the_seeds(watched, table):
    """A1-A7, A9."""
    snapshot, *events = watched[table]
    assert snapshot["type"] == "snapshot"
    assert [event["seq"] for event in events] == list(
        range(snapshot["seq"] + 1, snapshot["seq"] + 1 + len(events))
    )
    assert {event["table"] for event in events} == {table}
    whole = [event for event in events if event.get("round", 0) > snapshot["round"]]
    rounds = {}
    for event in whole:
        rounds.setdefault(event["round"], []).append(event)
    assert list(rounds) == list(range(snapshot["round"] + 1, snapshot["round"] + 1 + len(rounds)))
    assert len(rounds) >= ROUNDS
    for steps in rounds.values():
        check_round(steps)


def check_round(steps: list[dict]) -> None:
    """One round's events, from its window to its settlement."""
    kinds = [step["type"] for step in steps]
    cards = [step for step in steps if step["type"] == "card"]
    assert kinds == ["betting", "closed", *["card"] * len(cards), "result", "settled"]
    assert 4 <= len(cards) <= 6
    assert [card["hand"] for card in cards[:4]] == ["player", "banker", "player", "banker"]
    player, banker = read_coup([card["card"] for card in cards])
    for name, hand in (("player", player), ("banker", banker)):
        dealt = [card for card in cards if card["hand"] == name]
        assert [card["card"] for card in dealt] == hand
        assert [card["index"] for card in dealt] == list(range(len(hand)))
        assert [card["total"] for card in dealt] == [points(hand[: n + 1]) for n in range(len(hand))]
    result = steps[-2]
    assert result["player"] == {"cards": player, "total": points(player)}
    assert result["banker"] == {"cards": banker, "total": points(banker)}
    expected = (
        "tie"
        if points(player) == points(banker)
        else ("player" if points(player) > points(banker) else "banker")
    )
    assert result["outcome"] == expected
    natural = points(player[:2]) >= 8 or points(banker[:2]) >= 8
    assert result["natural"] is natural
    assert result["player_pair"] is (player[0][0] == player[1][0])
    assert result["banker_pair"] is (banker[0][0] == banker[1][0])
