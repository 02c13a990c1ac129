"""What it costs a dealer that shoes can be checked: CPU time at turbo pace, for each rule set.

Three figures of one process: the CPU time of a dealer for a round, on a real store; that of all that is made
for checking alone (the list of a shoe, the salts of its cards, the chain), spread over the rounds of a shoe;
and that of the commits that a shoe has for checking alone, each taken to cost what the others cost.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier_protocol.fairness.chain import add_round
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.store.records import Commit
from support.dealing import Way, dealer_on
from support.shoes import Table
from support.stores import open_pit, running_store, turbo

ROUNDS = 60
SHOES = 20
COMMITS = 3
"""A shoe's commitment, the list of its cut, and its end."""


async def dealing(rules: str, rounds: int = ROUNDS) -> tuple[float, float]:
    """CPU seconds of a dealer for one round, and for one commit."""
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running_store(Path(folder)) as store,
            open_pit(store.url) as pit,
        ):
            way, begun, done, commits = Way(pit.store), asyncio.Event(), asyncio.Event(), 0

            def taken(_table: str, step: Commit) -> None:
                nonlocal commits
                commits += begun.is_set()
                if step.record is not None:
                    (done if step.round >= 2 + rounds else begun).set()

            way.taken = taken
            async with dealer_on(pit, turbo(rules, rules), way=way):
                await begun.wait()
                began = process_time()
                await done.wait()
                spent = process_time() - began
                return spent / rounds, spent / commits


def checking(rules: str, shoes: int = SHOES) -> tuple[float, int]:
    """CPU seconds of what is made for checking, for one round, and the rounds of a shoe."""
    events = [event for event in Table(rules).shoe().lines if '"type":"card"' in event]
    rounds = sum('"type":"betting"' in line for line in Table(rules).shoe().lines)
    began = process_time()
    for number in range(shoes):
        shoe = Shoe.open(RULE_SETS[rules], bytes([number]) * 32)
        shoe.commitments()
        for position in range(len(events)):
            shoe.salt(1, position % shoe.cards)
        chain = bytes(32)
        for round_ in range(rounds):
            chain = add_round(chain, round_, 1, "player", ("As", "Td"), ("2h", "3c"))
    spent = process_time() - began
    began = process_time()
    for number in range(shoes):
        Shoe.open(RULE_SETS[rules], bytes([number]) * 32)
    return (spent - (process_time() - began)) / shoes / rounds, rounds


async def main() -> None:
    for rules in RULE_SETS:
        (whole, commit), (part, rounds) = await dealing(rules), checking(rules)
        commits = COMMITS * commit / rounds
        print(
            f"{rules:12} a round {whole * 1000:6.2f} ms, checking {part * 1000:6.3f} ms,"
            f" commits {commits * 1000:6.3f} ms: {(part + commits) / whole:.2%}"
        )


if __name__ == "__main__":
    asyncio.run(main())
