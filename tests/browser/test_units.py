"""The browser table's unit tests, run by Node's own runner, and its types, checked by TypeScript."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

import vectors  # noqa: E402 - beside this file

from support.node import modules, node  # noqa: E402 - after the one above


@pytest.mark.parametrize("script", sorted((FOLDER / "unit").glob("*.test.js")), ids=lambda path: path.stem)
def test_unit_tests_in_node(script):
    done = subprocess.run(
        [node(), "--test", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


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


@pytest.mark.parametrize("name", ["views.json", "roads.json", "slips.json"])
def test_what_python_says_is_up_to_date(name):
    expected = vectors.text_of(vectors.all_vectors()[name])
    assert (vectors.FOLDER / name).read_text(encoding="utf-8") == expected, (
        "run `python tests/browser/vectors.py`"
    )
