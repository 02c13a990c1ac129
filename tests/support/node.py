"""Node and what npm installs for the browser table's tests, or a named reason why they cannot run."""

import fcntl
import hashlib
import subprocess
from pathlib import Path

import needs

FOLDER = Path(__file__).parents[1] / "browser"
MODULES = FOLDER / "node_modules"
LEAST_NODE = 18
INSTALL_S = 180


def node() -> Path:
    """The `node` on PATH, if it is new enough."""
    program = needs.program("node")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.removeprefix("v").partition(".")[0]) < LEAST_NODE:
        needs.missing(f"node is {version.strip()}, and these tests need {LEAST_NODE} or newer")
    return program


def modules() -> Path:
    """The folder with the packages of `package-lock.json`, installed when they are not there yet."""
    wanted = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    stamp = MODULES / ".stamp"
    with (FOLDER / ".install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run beside each other
        if not stamp.exists() or stamp.read_text() != wanted:
            npm = needs.program("npm")
            done = subprocess.run(
                [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
                cwd=FOLDER,
                capture_output=True,
                text=True,
                timeout=INSTALL_S,
                check=False,
            )
            if done.returncode != 0:
                needs.missing(f"npm could not install what these tests need: {done.stderr[-500:]}")
            stamp.write_text(wanted)
    return MODULES
