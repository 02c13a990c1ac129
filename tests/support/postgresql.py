"""A PostgreSQL server of the test's own, on a unix socket in a folder of its own."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import needs

DEBIAN = Path("/usr/lib/postgresql")
"""Debian keeps the server's programs here, a folder for each release, and not on PATH."""

SETTINGS = {"listen_addresses": "", "fsync": "off", "max_connections": "20", "shared_buffers": "8MB"}
"""What a killed archiver has committed is there without fsync: only the machine would have to stop."""


def find_programs() -> Path:
    """The folder with `initdb` and `postgres`."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    newest = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not newest:
        needs.missing("there is no PostgreSQL (`make test-deps` installs it on Debian)")
    return newest[-1].parent


class Postgresql:
    """A server on `folder`. `start` returns when it takes connections."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"postgresql:///postgres?host={folder}&user=tests"
        self._programs = find_programs()
        self._process = None
        # It refuses to run as root.
        self._identity = {"user": "nobody", "group": "nogroup"} if os.geteuid() == 0 else {}
        if self._identity:
            owner = pwd.getpwnam("nobody")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        options = ["--auth=trust", "--username=tests", "--encoding=UTF8", "--locale=C", "--no-sync"]
        subprocess.run(
            [self._programs / "initdb", *options, folder / "data"],
            check=True,
            capture_output=True,
            cwd=folder,
            **self._identity,
        )

    def start(self) -> None:
        """Starts it and waits until it takes connections."""
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.folder / "data", "-k", self.folder, *settings],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._identity,
            )
        ready = [self._programs / "pg_isready", "-q", "-h", self.folder, "-t", "60"]
        while subprocess.run(ready, check=False).returncode:
            assert self._process.poll() is None, (self.folder / "log").read_text()

    def stop(self) -> None:
        """Ends it with its connections."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGQUIT)
        self._process.wait(60)


@contextmanager
def running_postgresql():
    """A server; its folder is short, since a socket's path is."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-pg-"))
    try:
        server = Postgresql(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
