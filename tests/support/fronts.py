"""The shipped configurations of nginx, HAProxy and Caddy, run by the real programs in front of a server.

What a test must have otherwise is put into the shipped text: ports of its own on loopback, its certificate,
its folders. The programs run without rights, also where the tests do not.
"""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import needs
from support.certificates import Certificate, make_certificate
from support.clusters import free_ports
from support.serving import until

DEPLOY = Path(__file__).parents[2] / "deploy"
OLD_SOCKETS_S = 1
"""For how long after a reload nginx and HAProxy keep sockets that they had before."""

TRIES = 5
"""A port that was free a moment ago may have been taken since."""


@dataclass(frozen=True)
class Ends:
    """Where a front is to listen, and where what it stands before listens."""

    http: int
    https: int
    server: int
    admin: int


@dataclass(frozen=True)
class Front:
    """A proxy that runs."""

    name: str
    process: asyncio.subprocess.Process
    ends: Ends

    @property
    def origin(self) -> str:
        return f"https://localhost:{self.ends.https}"

    def reload(self) -> None:
        """Has nginx or HAProxy begin anew with the same configuration, as their units' `reload` does."""
        self.process.send_signal({"nginx": signal.SIGHUP, "haproxy": signal.SIGUSR2}[self.name])


def put(text: str, *changes: tuple[str, str]) -> str:
    """The text with each change made; what is to be changed must be there, as shipped."""
    for shipped, instead in changes:
        assert shipped in text, f"{shipped!r} is not in the shipped file"
        text = text.replace(shipped, instead)
    return text


def nginx(folder: Path, certificate: Certificate, ends: Ends) -> list[str]:
    """Writes the shipped file, and what Debian's nginx.conf would be around it."""
    shipped = (DEPLOY / "nginx" / "croupier.conf").read_text()
    without_ipv6 = re.sub(r"(?m)^ *listen \[::\].*\n", "", shipped)
    assert without_ipv6 != shipped
    (folder / "croupier.conf").write_text(
        put(
            without_ipv6,
            ("listen 80;", f"listen 127.0.0.1:{ends.http};"),
            ("listen 443 ", f"listen 127.0.0.1:{ends.https} "),
            ("server_name tables.example;", "server_name localhost;"),
            ("/etc/ssl/croupier/fullchain.pem", str(certificate.chain)),
            ("/etc/ssl/croupier/privkey.pem", str(certificate.key)),
            ("server 127.0.0.1:8000;\n    #", f"server 127.0.0.1:{ends.server};\n    #"),
        )
    )
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nworker_shutdown_timeout {OLD_SOCKETS_S}s;\n"
        f"events {{ worker_connections 512; }}\n"
        f"http {{\n    access_log off;\n{temporary}    include {folder}/croupier.conf;\n}}\n"
    )
    return ["-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def nginx_by_default(folder: Path, certificate: Certificate, ends: Ends) -> list[str]:
    """The same with nginx's own timeouts: whoever wrote it by hand forgot ours."""
    arguments = nginx(folder, certificate, ends)
    shipped = (folder / "croupier.conf").read_text()
    without_timeouts = re.sub(r"(?m)^ *proxy_(connect|read|send)_timeout .*\n", "", shipped)
    assert len(shipped.splitlines()) - len(without_timeouts.splitlines()) == 3
    (folder / "croupier.conf").write_text(without_timeouts)
    return arguments


def haproxy(folder: Path, certificate: Certificate, ends: Ends) -> list[str]:
    """Writes the shipped file."""
    (folder / "haproxy.cfg").write_text(
        put(
            (DEPLOY / "haproxy" / "haproxy.cfg").read_text(),
            ("bind :80\n", f"bind 127.0.0.1:{ends.http}\n"),
            ("bind :443 ", f"bind 127.0.0.1:{ends.https} "),
            ("/etc/haproxy/croupier.pem", str(certificate.both)),
            ('127.0.0.1}:8000" port 8001', f'127.0.0.1}}:{ends.server}" port {ends.admin}'),
            ("maxconn 20000", "maxconn 500"),  # what a test's limit of open files leaves room for
            ("hard-stop-after 30m", f"hard-stop-after {OLD_SOCKETS_S}s"),
        )
    )
    return ["-W", "-db", "-f", str(folder / "haproxy.cfg")]


def haproxy_before(servers: Sequence[tuple[int, int]], most: int) -> "Writes":
    """The shipped file with a line for each of several servers, port and admin port, for `most` visitors.

    What it counts is asked for at the socket `stats` in its folder.
    """

    def write(folder: Path, certificate: Certificate, ends: Ends) -> list[str]:
        first, *others = servers
        arguments = haproxy(folder, certificate, replace(ends, server=first[0], admin=first[1]))
        lines = (
            f"    server {number} 127.0.0.1:{port} port {admin}\n"
            for number, (port, admin) in enumerate(others, start=2)
        )
        text = put(
            (folder / "haproxy.cfg").read_text() + "".join(lines),
            ("maxconn 500", f"maxconn {most}"),
            ("global\n", f"global\n    stats socket {folder}/stats mode 600 level admin\n"),
        )
        (folder / "haproxy.cfg").write_text(text)
        return arguments

    return write


def caddy(folder: Path, certificate: Certificate, ends: Ends) -> list[str]:
    """Writes the shipped file."""
    ports = f"http_port {ends.http}\n\thttps_port {ends.https}\n\tdefault_bind 127.0.0.1\n\tadmin off\n"
    (folder / "Caddyfile").write_text(
        put(
            (DEPLOY / "caddy" / "Caddyfile").read_text(),
            ("\tservers {\n", f"\t{ports}\tservers {{\n"),
            ("\ntables.example {\n", f"\nlocalhost {{\n\ttls {certificate.chain} {certificate.key}\n"),
            ("reverse_proxy 127.0.0.1:8000 {", f"reverse_proxy 127.0.0.1:{ends.server} {{"),
        )
    )
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


Writes = Callable[[Path, Certificate, Ends], list[str]]
"""What writes a proxy's configuration and returns the arguments it is started with."""

FRONTS: dict[str, Writes] = {
    "nginx": nginx,
    "haproxy": haproxy,
    "caddy": caddy,
}


def system_program(name: str) -> Path:
    """The program, which Debian may keep where only root's PATH looks."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    return Path(found) if found else needs.program(name)


@asynccontextmanager
async def front(name: str, server: int, admin: int, writes: Writes | None = None):
    """The proxy `name` before the ports `server` and `admin`, with its shipped configuration or another."""
    program = system_program(name)
    folder = Path(tempfile.mkdtemp(prefix=f"croupier-{name}-"))
    try:
        certificate = make_certificate(folder)
        running = await _start(name, program, folder, certificate, server, admin, writes or FRONTS[name])
        try:
            yield running, certificate
        finally:
            with contextlib.suppress(ProcessLookupError):
                running.process.terminate()
            await running.process.wait()
    finally:
        shutil.rmtree(folder)


async def _start(name, program, folder, certificate, server, admin, writes) -> Front:
    for _ in range(TRIES):
        ends = Ends(*free_ports(2), server, admin)
        arguments = writes(folder, certificate, ends)
        with (folder / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                program,
                *arguments,
                stdout=log,
                stderr=log,
                env={"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)},
                **_without_rights(folder),
            )
        await until(
            lambda ends=ends, process=process: process.returncode is not None or _answers(ends.https),
            60,
            f"a port of {name}",
        )
        if process.returncode is None:
            return Front(name, process, ends)
    raise AssertionError(f"{name} does not start:\n{(folder / 'log').read_text()}")


def _without_rights(folder: Path) -> dict:
    """Arguments for a process that is nobody, where the tests are root; the folder becomes its own."""
    if os.geteuid() != 0:
        return {}
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, "nobody", "nogroup")
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0
