"""`faults.md` is whole, and names only tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINES = re.findall(r"(?m)^\| ([A-Z]\d+) \| (.+?) \| (.+?) \|$", (ROOT / "tests" / "faults.md").read_text())
SECTIONS = {
    "A": 9,
    "B": 6,
    "C": 13,
    "D": 4,
    "E": 10,
    "F": 11,
    "G": 9,
    "H": 11,
    "I": 7,
    "J": 9,
    "K": 4,
    "L": 13,
    "M": 8,
    "N": 12,
}
# Tests, and where something cannot be tested here a remark on what.
CELL = re.compile(r"(?P<tests>`[^`]+`(?:, `[^`]+`)*)(?: — cannot be tested here: \S.*)?")


def test_every_fault_is_listed_once_and_in_order():
    expected = [f"{letter}{n}" for letter, count in SECTIONS.items() for n in range(1, count + 1)]
    assert [fault for fault, _, _ in LINES] == expected


def test_every_fault_names_tests_that_exist():
    problems = []
    for fault, _, cell in LINES:
        parts = CELL.fullmatch(cell)
        if parts is None:
            problems.append(f"{fault}: not tests, nor a remark behind them: {cell}")
            continue
        for name in re.findall(r"`([^`]+)`", parts["tests"]):
            file, _, inside = name.partition("::")
            if inside not in names_of_tests(ROOT / file):
                problems.append(f"{fault}: there is no {name}")
    assert not problems


@cache
def names_of_tests(path: Path) -> frozenset[str]:
    """Names of the tests in a file, those in a class as `Class::test`; none where there is no such file.

    A test of the browser table in JavaScript is called by its sentence.
    """
    if not path.is_file():
        return frozenset()
    if path.suffix == ".js":
        return frozenset(re.findall(r'(?m)^test\(\s*"([^"]+)"', path.read_text(encoding="utf-8")))
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{item.name}" for item in node.body if is_test(item)}
        elif is_test(node):
            names.add(node.name)
    return frozenset(names)


def is_test(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
