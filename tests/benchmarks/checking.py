"""What it costs a dealer that shoes can be checked: CPU time at turbo pace, for each rule set.

Two figures of one process: the CPU time of a dealer for a round, on a real store, and that of all that is
made for checking alone (the list of a shoe, the salts of its cards, the chain), spread over the rounds of a
shoe.
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
from croupier_server.store.tables import Commit
from support.dealing import Way, dealer_on
from support.shoes import Table
from support.stores import open_pit, running_store, turbo

ROUNDS = 60
SHOES = 20


async def dealing(rules: str, rounds: int = ROUNDS) -> float:
    """CPU seconds of a dealer for one round."""
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running_store(Path(folder)) as store,
            open_pit(store.url) as pit,
        ):
            way, begun, done = Way(pit.store), asyncio.Event(), asyncio.Event()

            def taken(_table: str, step: Commit) -> None:
                if step.record is not None:
                    (done if step.round >= 2 + rounds else begun).set()

            way.taken = taken
            async with dealer_on(pit, turbo(rules, rules), way=way):
                await begun.wait()
                began = process_time()
                await done.wait()
                return (process_time() - began) / rounds


def checking(rules: str, shoes: int = SHOES) -> float:
    """CPU seconds of what is made for checking, for one round."""
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
    return (spent - (process_time() - began)) / shoes / rounds


async def main() -> None:
    for rules in RULE_SETS:
        whole, part = await dealing(rules), checking(rules)
        print(
            f"{rules:12} a round {whole * 1000:6.2f} ms, checking {part * 1000:6.3f} ms: {part / whole:.2%}"
        )


if __name__ == "__main__":
    asyncio.run(main())
