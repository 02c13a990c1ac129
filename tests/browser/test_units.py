"""The browser table's unit tests, run by Node's own runner, and its types, checked by TypeScript."""

import posixpath
import re
import subprocess

import pytest

from croupier_server.browser_table import browser_table
from support import vectors
from support.node import FOLDER, modules, node

WEB = browser_table()


@pytest.mark.parametrize("script", sorted((FOLDER / "unit").glob("*.test.js")), ids=lambda path: path.stem)
def test_unit_tests_in_node(script):
    done = subprocess.run([node(), script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_types():
    compiler = modules() / "typescript" / "bin" / "tsc"
    done = subprocess.run(
        [node(), compiler, "--project", FOLDER / "tsconfig.json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_asks_at_once_for_all_that_it_is_made_of():
    """`index.html` lists what `app.js` imports, and what that imports, so that nothing waits for its turn."""
    needed, found = ["js/app.js"], set()
    while needed:
        name = needed.pop()
        found.add(name)
        for path in re.findall(r'(?ms)^import [^;]*?"(\.[^"]+)";', (WEB / name).read_text(encoding="utf-8")):
            imported = posixpath.normpath(f"{posixpath.dirname(name)}/{path}")
            needed += {imported} - found
    links = re.findall(r'<link rel="modulepreload" href="(.+?)">', (WEB / "index.html").read_text("utf-8"))
    assert links == sorted(found)


@pytest.mark.parametrize("name", ["views.json", "roads.json", "slips.json", "shoes.json"])
def test_what_python_says_is_up_to_date(name):
    expected = vectors.text_of(vectors.all_vectors()[name])
    assert (vectors.FOLDER / name).read_text(encoding="utf-8") == expected, (
        "run `PYTHONPATH=tests python -m support.vectors`"
    )
