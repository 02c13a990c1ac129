"""The image as far as it can be tried without an engine: its steps, its wheels, and croupier as process 1."""

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.asyncio.client import connect as websocket
from websockets.exceptions import ConnectionClosed

import needs
from support.programs import run
from support.serving import READY_S, STOP_S, children, until
from support.serving import command as command_of

ROOT = Path(__file__).parents[2]
CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text()
_, BUILD, FINAL = re.split(r"(?m)^(?=FROM )", CONTAINERFILE)


def test_croupier_is_process_1_of_the_image():
    """A shell between would get the signal to stop and keep it."""
    commands = dict(re.findall(r"(?m)^(ENTRYPOINT|CMD) (.+)$", FINAL))
    assert json.loads(commands["ENTRYPOINT"]) == ["/opt/croupier/bin/croupier"]
    assert json.loads(commands["CMD"])[0] == "serve"


def test_the_image_does_not_run_as_root():
    assert re.search(r"(?m)^USER [1-9]\d*$", FINAL)


def test_the_image_has_what_an_archive_in_postgresql_needs():
    assert '"-r", "locks/image.txt"' in BUILD
    lock = (ROOT / "locks" / "image.txt").read_text()
    assert re.search(r"(?m)^psycopg-binary==", lock)


def test_the_image_installs_no_package_of_the_system():
    assert not re.search(r"\b(apt|apt-get|apk|gcc|make)\b", BUILD + FINAL)


@pytest.mark.long
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_locked_package_has_a_wheel_for_the_image(machine, tmp_path):
    """Its Python is 3.13 and its glibc 2.36."""
    assert BUILD.startswith("FROM python:3.13-slim-bookworm")
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(5, 37)]
    names = [*platforms, f"manylinux2014_{machine}", f"linux_{machine}"]
    pip = (sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps")
    wheels = ("--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.13")
    said = run(
        *(*pip, *wheels, *(f"--platform={name}" for name in names), "--target", tmp_path),
        *("--require-hashes", "-r", ROOT / "locks" / "image.txt"),
    )
    assert "Would install" in said


@dataclass
class Stage:
    """The first stage of the image, replayed in a folder that stands for its root."""

    root: Path
    folder: Path
    path: Path

    def copy(self, *names: str) -> None:
        *sources, target = names
        for name in sources:
            source = ROOT / name
            into = self.folder / target if len(sources) == 1 and not target.endswith("/") else self.folder
            into.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, into, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, into)

    def run(self, line: str) -> None:
        command = json.loads(line) if line.startswith("[") else shlex.split(line)
        moved = [word.replace("/opt/croupier", str(self.root / "opt/croupier")) for word in command]
        if "/" not in moved[0]:
            moved[0] = str(self.path / moved[0])
        run(*moved, cwd=self.folder, env={"PATH": str(self.path), "HOME": str(self.root)})


@pytest.mark.long
async def test_the_steps_of_the_image_make_a_croupier_that_serves_without_a_compiler(tmp_path):
    """With nothing on PATH but Python."""
    stage = Stage(tmp_path, tmp_path / "build", tmp_path / "bin")
    stage.folder.mkdir()
    stage.path.mkdir()
    (stage.path / "python").symlink_to(sys._base_executable)
    for instruction, line in re.findall(r"(?m)^([A-Z]+) (.+)$", BUILD):
        if instruction == "COPY":
            stage.copy(*line.split())
        elif instruction == "RUN":
            stage.run(line)
        else:
            assert (instruction, line.split()[0]) in {
                ("FROM", "python:3.13-slim-bookworm"),
                ("WORKDIR", "/build"),
            }
    croupier = tmp_path / "opt/croupier/bin/croupier"
    assert (tmp_path / "opt/croupier/bin").is_dir()
    run(croupier.with_name("python"), "-c", "import psycopg")
    async with process_1(croupier, tmp_path / "data", unshared=False) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


@asynccontextmanager
async def process_1(croupier: Path, data: Path, *, unshared: bool = True):
    """`croupier serve` as process 1 of processes of its own, and what it says of itself when it is ready."""
    alone = (needs.program("unshare"), "--pid", "--fork", "--mount-proc") if unshared else ()
    with data.with_suffix(".log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(*alone, croupier, "serve", "--data", data),
            *("--port", "0", "--admin-port", "0", "--workers", "2"),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**os.environ, "XDG_RUNTIME_DIR": ""},
        )
    try:
        async with asyncio.timeout(READY_S):
            yield process, json.loads(await process.stdout.readline())
    finally:
        if process.returncode is None:
            for child in children(process.pid) if unshared else (process.pid,):
                os.kill(child, signal.SIGKILL)
            await process.wait()


def states(first: int) -> dict[str, str]:
    """The states of all processes that see `first` as process 1, by process id and command; see proc(5)."""
    space = Path(f"/proc/{first}/ns/pid").readlink()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "ns/pid").readlink() == space:
                found[folder.name] = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue  # it has ended
    return found


@pytest.fixture
def may_unshare():
    """Some systems let root alone make name spaces of processes."""
    command = (needs.program("unshare"), "--pid", "--fork", "--mount-proc", "true")
    if subprocess.run(command, check=False).returncode != 0:
        needs.missing("unshare --pid --mount-proc is not allowed here; as root it is")


@pytest.mark.long
async def test_as_process_1_croupier_reaps_its_workers_and_drains_when_told_to_stop(may_unshare, tmp_path):
    croupier = Path(sys.executable).parent / "croupier"
    async with process_1(croupier, tmp_path / "data") as (process, ready):
        (first,) = children(process.pid)
        workers = [one for one in children(first) if "croupier_server.worker" in command_of(one)]
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        await until(
            lambda: str(workers[0]) not in states(first) and len(children(first)) == 3, 60, "another worker"
        )
        assert "Z" not in states(first).values()
        async with websocket(ready["url"].replace("http", "ws") + "/ws", proxy=None) as spectator:
            os.kill(first, signal.SIGTERM)
            with pytest.raises(ConnectionClosed):
                while True:
                    await spectator.recv()
            assert 4000 <= spectator.close_code <= 4499  # come again
        async with asyncio.timeout(STOP_S):
            assert await process.wait() == 0
    assert "INFO drained" in (tmp_path / "data.log").read_text()  # the other has hardly begun
