"""Draws the table of transitions as a Mermaid diagram: `python -m croupier_server.table.diagram`."""

import sys

from croupier_server.table.transitions import TRANSITIONS


def mermaid() -> str:
    """The diagram of `docs/architecture.md`: each arrow is what happened, and the event that tells it."""
    lines = ["stateDiagram-v2", "    [*] --> result"]
    for (phase, trigger), (event, to) in TRANSITIONS.items():
        tag = event.__struct_config__.tag
        lines.append(f"    {phase.value} --> {to.value}: {trigger.value} / {tag}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(mermaid())
