"""The guides: their links lead somewhere, the library's reference is whole, and its programs work."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from croupier_client import errors, notices
from croupier_client.connection import Client, connect
from croupier_client.play_safe import PlaySafe
from croupier_client.reconnecting import ConnectedClient
from croupier_client.seat import Seat
from croupier_client.watcher import Watcher
from support.gateways import gateway_on
from support.players import dealt

ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    ROOT / "deploy/README.md",
    ROOT / "examples/README.md",
]
LIBRARY = (ROOT / "docs" / "python.md").read_text()
SPECTATORS = (ROOT / "docs" / "spectators.md").read_text()


def anchors(page: Path) -> set[str]:
    """What a link may name behind `#`, as GitHub makes it from headings."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text())
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_of_the_guides_leads_to_a_file_and_a_heading_of_it():
    dead, seen = [], 0
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
            if "://" in target:
                continue
            seen += 1
            path, _, heading = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists() or (heading and heading not in anchors(file)):
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert seen > 100
    assert dead == []


def test_every_guide_is_in_the_readme():
    linked = re.findall(r"\]\(docs/(\w[\w-]*\.md)\)", (ROOT / "README.md").read_text())
    assert sorted(set(linked)) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def section(title: str) -> set[str]:
    """The names in the first column of a section's table."""
    text = re.search(rf"(?ms)^## `?{title}`?\n(.*?)(?=^## |\Z)", LIBRARY)[1]
    cells = re.findall(r"(?m)^\| (`.*?) \| ", text)
    return {name for cell in cells for name in re.findall(r"`(\w+)", cell)}


def members(kind: type, *but: str) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")} - set(but)


def test_the_library_s_reference_has_every_member_error_and_argument_and_no_other():
    assert section("connect") == set(inspect.signature(connect).parameters) - {"url"}
    assert section("Client") == members(Client) | members(ConnectedClient)
    own = {"view", "frame", "stalled_since_ms", "skipped"}
    assert section("Watcher") == members(Watcher, "put", "put_view", "finish") | own
    assert section("Seat") == members(Seat)
    assert section("PlaySafe") == members(PlaySafe)
    known = {
        name for name, one in vars(errors).items() if inspect.isclass(one) and issubclass(one, Exception)
    }
    assert section("Errors") == known - {"CroupierError"}
    told = re.findall(r"`(\w+)`", LIBRARY[LIBRARY.index("## Notices") :])
    assert {one.__name__ for one in notices.Notice.__args__} <= set(told)


@pytest.mark.long
async def test_the_programs_of_the_guides_do_what_they_say(store, capsys):
    """Against tables whose rounds take under a second; the spectator's is ended after its first event."""
    [plays], [watches] = (re.findall(r"(?s)```python\n(.*?)```", text) for text in (LIBRARY, SPECTATORS))
    async with dealt(store.url, "standard"), gateway_on(store.url) as gateway:
        await program(plays, gateway.port)["main"]()
        assert re.fullmatch(r"round \d+ got \d+\.\d+\n", capsys.readouterr().out)

        class EnoughError(Exception):
            pass

        def show(*words):
            shown.append(words)
            if len(shown) == 2:
                raise EnoughError

        shown = []
        with pytest.raises(EnoughError):
            await program(watches, gateway.port, print=show)["main"]()
        (first, kind, phase), (second, *_) = shown
        assert (kind, second) == ("TableView", first + 1)
        assert phase in {"shuffling", "betting", "closed", "dealing", "settling", "result"}


def program(text: str, port: int, **names) -> dict:
    """What a guide's program defines; its last line, which runs it, is left out."""
    tree = ast.parse(text.replace("localhost:8000", f"127.0.0.1:{port}"))
    assert ast.unparse(tree.body[-1]) == "asyncio.run(main())"
    tree.body.pop()
    exec(compile(tree, "guide", "exec"), names)
    return names
