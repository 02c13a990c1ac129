"""The programs of locks/audit.txt, in an environment of their own that is made when it is first wanted."""

import fcntl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "locks" / "audit.txt"
FOLDER = ROOT / ".venv-audit"
INSTALL_S = 280


def audit_tool(name: str) -> Path:
    """The program `name`, installed by hash as the lock says."""
    stamp = FOLDER / "lock"
    with (ROOT / "tools" / "audit.in").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # tests run beside each other
        if not stamp.exists() or stamp.read_text() != LOCK.read_text():
            subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
            install = ("pip", "install", "--quiet", "--only-binary", ":all:", "--require-hashes", "-r", LOCK)
            subprocess.run([FOLDER / "bin" / "python", "-m", *install], check=True, timeout=INSTALL_S)
            stamp.write_text(LOCK.read_text())
    return FOLDER / "bin" / name
