"""Draws the table of transitions as a Mermaid diagram: `python -m croupier_server.table.diagram`."""

import sys

from croupier_server.table.transitions import TRANSITIONS, Trigger


def mermaid() -> str:
    """The diagram of `docs/architecture.md`: each arrow is what happened, and the event that tells it.

    A changed seat is told in every phase and leads back to it; those arrows are left out.
    """
    lines = ["stateDiagram-v2", "    [*] --> result"]
    for (phase, trigger), (event, to) in TRANSITIONS.items():
        if trigger is Trigger.SEAT_CHANGED:
            continue
        tag = event.__struct_config__.tag
        lines.append(f"    {phase.value} --> {to.value}: {trigger.value} / {tag}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(mermaid())
