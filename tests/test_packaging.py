"""What is shipped, what it depends on, and which package may import which."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PACKAGES = {
    "croupier_protocol": ROOT / "protocol" / "croupier_protocol",
    "croupier_server": ROOT / "server" / "croupier_server",
    "croupier_client": ROOT / "client" / "croupier_client",
}
NOT_OURS = {"__pycache__", "node_modules"}
SERVE_LOCK = ROOT / "locks" / "serve.txt"
IMAGE_LOCK = ROOT / "locks" / "image.txt"
TEST_LOCK = ROOT / "locks" / "test.txt"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> set[str]:
    """Names of the files in a wheel built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [path] = folder.glob("*.whl")
    return set(zipfile.ZipFile(path).namelist())


def test_the_wheel_marks_all_three_packages_as_typed(wheel):
    assert {name for name in wheel if name.endswith("py.typed")} == {
        "croupier_protocol/py.typed",
        "croupier_server/py.typed",
        "croupier_client/py.typed",
    }


def test_the_wheel_has_every_file_of_the_packages(wheel):
    """Scripts in Lua and the web folder are data: build tools lose such files without a word."""
    in_tree = {
        f"{name}/{path.relative_to(folder).as_posix()}"
        for name, folder in PACKAGES.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    in_wheel = {name for name in wheel if not name.startswith("croupier-")}
    assert in_wheel == in_tree


def test_the_wheel_has_the_licence_and_the_command(wheel):
    assert "croupier-0.1.0.dist-info/licenses/LICENSE" in wheel
    assert "croupier-0.1.0.dist-info/entry_points.txt" in wheel


def test_the_project_table():
    project = read_pyproject()["project"]
    assert project["requires-python"] == ">=3.11"
    assert project["scripts"] == {"croupier": "croupier_client.cli:main"}
    base = {Requirement(line).name for line in project["dependencies"]}
    assert base == {"cyclopts", "msgspec", "websockets"}


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("croupier_protocol", {"croupier_server", "croupier_client"}),
        ("croupier_server", {"croupier_client"}),
        ("croupier_client", {"croupier_server"}),
    ],
)
def test_imports_run_one_way(package, forbidden):
    crossings = {
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in PACKAGES[package].rglob("*.py")
        for module, line in imports_of(path)
        if module.partition(".")[0] in forbidden
    }
    assert not crossings


@pytest.mark.parametrize(
    ("lock", "extras"),
    [(SERVE_LOCK, ["server"]), (IMAGE_LOCK, ["server", "archive"]), (TEST_LOCK, ["server", "dev"])],
    ids=["serve", "image", "test"],
)
def test_a_lock_pins_what_pyproject_asks_for(lock, extras):
    """Fails when a dependency was added or moved without `make lock`."""
    pyproject = read_pyproject()
    wanted = [*pyproject["project"]["dependencies"], *pyproject["dependency-groups"]["build"]]
    for extra in extras:
        wanted += pyproject["project"]["optional-dependencies"][extra]
    pins = pins_of(lock)
    for requirement in map(Requirement, wanted):
        versions = pins.get(requirement.name, set())
        assert any(requirement.specifier.contains(version) for version in versions), requirement


def test_tests_run_on_the_versions_that_serve():
    assert pins_of(SERVE_LOCK).items() <= pins_of(IMAGE_LOCK).items() <= pins_of(TEST_LOCK).items()


@pytest.mark.parametrize("lock", [SERVE_LOCK, IMAGE_LOCK, TEST_LOCK], ids=["serve", "image", "test"])
def test_a_lock_is_hashed_and_names_no_place(lock):
    text = lock.read_text()
    logical_lines = text.replace("\\\n", "").splitlines()
    pinned = [line for line in logical_lines if not line.lstrip().startswith("#")]
    assert pinned
    assert all(re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line) for line in pinned)
    assert not re.search(r"://|--index|--find-links|--extra| @ ", text)


@pytest.mark.slow
def test_n10_every_module_is_loaded_without_a_warning():
    """On each Python that the tests run on: what it warns of, a later one does without."""
    modules = sorted(
        ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        for folder in PACKAGES.values()
        for path in folder.rglob("*.py")
        if path.name != "__main__.py"
    )
    assert len(modules) > 200
    loading = f"import importlib, sys\nfor module in {modules}: importlib.import_module(module)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", loading], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_is_left_for_later():
    marks = re.compile(r"\b(?:TO" + "DO|FIX" + r"ME)\b")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if marks.search(line)
    ]
    assert not found


def test_n10_nothing_takes_an_event_loop_that_does_not_run_yet():
    """Python 3.14 makes none when asked; `asyncio.run` and `get_running_loop` are the same everywhere."""
    sources = [path for path in text_files() if path.suffix == ".py" and path != Path(__file__)]
    assert len(sources) > 200
    assert [path for path in sources if re.search(r"\b[gs]et_event_loop\b", path.read_text("utf-8"))] == []


def read_pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def imports_of(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every module that the file names in an import, wherever it stands, with its line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno


def pins_of(lock: Path) -> dict[str, set[str]]:
    pins: dict[str, set[str]] = {}
    for name, version in re.findall(r"(?m)^([a-z0-9-]+)==(\S+)", lock.read_text()):
        pins.setdefault(name, set()).add(version)
    return pins


def text_files() -> Iterator[Path]:
    """Yield the project's own files, as far as they are text."""
    folders = ["protocol", "server", "client", "tests", "docs", "examples", "deploy", "tools", ".ci"]
    suffixes = {"", ".css", ".html", ".js", ".lua", ".md", ".py", ".service", ".toml", ".txt", ".yaml"}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes and not NOT_OURS & set(path.parts):
                yield path
    for path in sorted(ROOT.iterdir()):
        if path.is_file() and path.suffix in suffixes and not path.name.startswith("."):
            yield path
