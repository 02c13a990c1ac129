"""The diagram in the docs is the table of transitions."""

from pathlib import Path

from croupier_server.table.diagram import mermaid

ARCHITECTURE = Path(__file__).parents[3] / "docs" / "architecture.md"


def test_the_architecture_page_shows_the_table_of_transitions():
    remedy = "put what `python -m croupier_server.table.diagram` prints into docs/architecture.md"
    assert f"```mermaid\n{mermaid()}```\n" in ARCHITECTURE.read_text(encoding="utf-8"), remedy
