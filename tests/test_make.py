"""How `make` chooses a Python and decides whether an environment can be kept.

A small shell script stands in for Python, so that no test installs anything: it writes down how it was
called and does of `-m venv` what matters here.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

STAND_IN = """#!/bin/sh
[ "$1" = -c ] || echo "$*" >>"$CALLS"
case "$1 $2" in
--version*) echo "Python 3.12.1" ;;
"-c import sys; print"*) echo 3.12 ;;
"-c import ensurepip"*) [ -z "$NO_ENSUREPIP" ] ;;
"-c import pip") [ -z "$NO_ENSUREPIP" ] ;;
"-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip") [ -z "$PIP_FAILS" ] ;;
esac
"""
UV_STAND_IN = """#!/bin/sh
echo "uv $*" >>"$CALLS"
[ "$1" != venv ] || { mkdir -p .venv/bin && cp "$4" .venv/bin/python; }
"""
NOT_ACTIVE = "#!/bin/sh\nexit 127\n"
TOO_OLD = "#!/bin/sh\nexit 1\n"


@dataclass
class Checkout:
    """A copy of what `make` reads, on a PATH that holds only what a test puts there."""

    folder: Path
    bin: Path

    def put(self, name: str, script: str) -> Path:
        path = self.bin / name
        path.write_text(script)
        path.chmod(0o755)
        return path

    def run(self, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env={"PATH": str(self.bin), "CALLS": str(self.folder / "calls"), **env},
            check=False,
            capture_output=True,
            text=True,
        )

    def make(self, target: str, **env: str) -> list[str]:
        """Run make, which must succeed; returns the calls of Python and uv but for looks at the version."""
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        result = self.run("make", target, **env)
        assert result.returncode == 0, result.stderr
        calls = log.read_text().splitlines() if log.exists() else []
        return [call for call in calls if call != "--version"]


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ["Makefile", "pyproject.toml"]:
        shutil.copy(ROOT / name, folder)
    for name in ["tools", "locks"]:
        shutil.copytree(ROOT / name, folder / name)
    path = tmp_path / "bin"
    path.mkdir()
    for name in ["sh", "make", "cat", "cksum", "cp", "dirname", "head", "mkdir", "rm"]:
        program = shutil.which(name)
        assert program, name
        (path / name).symlink_to(os.path.realpath(program))
    return Checkout(folder, path)


FRESH = [
    "-m venv .venv",
    "-m pip install --quiet --require-hashes -r locks/serve.txt",
    "-m pip install --quiet --no-index --no-deps --no-build-isolation --editable .",
]
WITH_TESTS = [
    "-m pip install --quiet --require-hashes -r locks/test.txt",
    "-m pip install --quiet --no-index --no-deps --no-build-isolation --editable .",
]


class TestChoiceOfPython:
    def test_the_newest_that_runs_is_taken(self, checkout):
        checkout.put("python3.14", NOT_ACTIVE)
        checkout.put("python3.13", TOO_OLD)
        fitting = checkout.put("python3.12", STAND_IN)
        checkout.put("python3.11", STAND_IN)
        result = checkout.run("sh", "tools/python")
        assert (result.returncode, result.stdout) == (0, f"{fitting}\n")

    def test_the_one_asked_for_comes_first(self, checkout):
        checkout.put("python3.12", STAND_IN)
        result = checkout.run("sh", "tools/python", PYTHON=sys.executable)
        assert result.stdout == f"{sys.executable}\n"

    def test_one_asked_for_that_does_not_run_is_passed_over(self, checkout):
        fitting = checkout.put("python3", STAND_IN)
        result = checkout.run("sh", "tools/python", PYTHON=str(checkout.put("mine", NOT_ACTIVE)))
        assert result.stdout == f"{fitting}\n"

    def test_without_one_it_says_what_to_install(self, checkout):
        checkout.put("python3", TOO_OLD)
        result = checkout.run("make", "serve")
        assert result.returncode == 2
        assert "Croupier needs Python 3.11 or newer" in result.stderr
        assert "sudo apt-get install python3 python3-venv" in result.stderr
        assert "sudo dnf install python3" in result.stderr
        assert "brew install python@3.13" in result.stderr
        assert not (checkout.folder / ".venv").exists()


class TestEnvironment:
    @pytest.fixture(autouse=True)
    def python(self, checkout):
        checkout.put("python3.12", STAND_IN)

    def test_the_first_start_makes_it_and_the_second_does_nothing(self, checkout):
        assert checkout.make("venv-serve") == FRESH
        assert checkout.make("venv-serve") == []

    def test_one_without_a_stamp_is_made_again(self, checkout):
        checkout.make("venv-serve")
        (checkout.folder / ".venv" / "croupier-stamp").unlink()
        (checkout.folder / ".venv" / "half").touch()
        assert checkout.make("venv-serve") == FRESH
        assert not (checkout.folder / ".venv" / "half").exists()

    def test_a_failed_installation_leaves_no_stamp(self, checkout):
        assert checkout.run("make", "venv-serve", PIP_FAILS="yes").returncode == 2
        assert not (checkout.folder / ".venv" / "croupier-stamp").exists()
        assert checkout.make("venv-serve") == FRESH

    def test_tests_add_to_what_serves(self, checkout):
        checkout.make("venv-serve")
        assert checkout.make("venv-test") == WITH_TESTS
        assert checkout.make("venv-serve") == []

    @pytest.mark.parametrize("changed", ["pyproject.toml", "locks/serve.txt"])
    def test_a_change_of_what_it_is_made_from_brings_it_up_to_date(self, checkout, changed):
        checkout.make("venv-serve")
        with (checkout.folder / changed).open("a") as file:
            file.write("# changed\n")
        assert checkout.make("venv-serve") == FRESH[1:]

    def test_one_that_was_moved_is_made_again(self, checkout):
        """The scripts in it name the folder it was made in."""
        checkout.make("venv-serve")
        checkout.folder = checkout.folder.rename(checkout.folder.with_name("elsewhere"))
        assert checkout.make("venv-serve") == FRESH

    def test_one_whose_python_is_gone_is_made_again(self, checkout):
        checkout.make("venv-serve")
        (checkout.folder / ".venv" / "bin" / "python").unlink()
        assert checkout.make("venv-serve") == FRESH

    def test_another_version_asked_for_makes_it_again(self, checkout):
        checkout.make("venv-serve")
        newer = checkout.put("newer", STAND_IN.replace("3.12.1", "3.13.0"))
        assert checkout.make("venv-serve", PYTHON=str(newer)) == FRESH
        assert checkout.make("venv-serve", PYTHON=str(newer)) == []


class TestWithoutEnsurepip:
    def test_it_says_what_to_type(self, checkout):
        checkout.put("python3.12", STAND_IN)
        result = checkout.run("make", "serve", NO_ENSUREPIP="yes")
        assert result.returncode == 2
        assert "sudo apt-get install python3.12-venv" in result.stderr
        assert "sudo dnf install python3.12" in result.stderr
        assert "brew install python@3.12" in result.stderr
        assert not (checkout.folder / ".venv").exists()

    def test_uv_does_without(self, checkout):
        python = checkout.put("python3.12", STAND_IN)
        checkout.put("uv", UV_STAND_IN)
        install = "uv pip install --quiet --python .venv/bin/python"
        assert checkout.make("venv-serve", NO_ENSUREPIP="yes") == [
            f"uv venv --quiet --python {python} .venv",
            f"{install} --require-hashes -r locks/serve.txt",
            f"{install} --no-index --no-deps --no-build-isolation --editable .",
        ]
        assert checkout.make("venv-serve", NO_ENSUREPIP="yes") == []
