"""What the manifests allow a pod, made with bubblewrap: no rights, another user, a disk that is read-only."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
import yaml

import needs
from support.clusters import Server, free_ports
from support.playing import connected, sit_down
from support.postgresql import running_postgresql
from support.programs import run
from support.serving import READY_S, STOP_S, children, until

ROOT = Path(__file__).parents[2]
SHOE_KEY = "ab" * 32


def manifest(file: str, kind: str) -> dict:
    found = yaml.safe_load_all((ROOT / "deploy" / "kubernetes" / file).read_text())
    return next(one for one in found if one["kind"] == kind)


def walls(spec: dict, volumes: dict[str, Path], *seen: Path) -> list[str | Path]:
    """Bubblewrap's options for the only container of a pod.

    `volumes` are folders for its volumes; those that are not named are memory. `seen` is shown beside what
    an image has, which here is this machine's own disk.
    """
    [container] = spec["containers"]
    rights, user = container["securityContext"], spec["securityContext"]
    assert rights == {
        "allowPrivilegeEscalation": False,  # as always behind bubblewrap
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    options = ["--unshare-user", "--uid", str(user["runAsUser"]), "--gid", str(user["runAsGroup"])]
    options += ["--unshare-pid", "--as-pid-1", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent"]
    options += ["--clearenv", "--chdir", "/"]
    for path in (*Path("/").iterdir(), *Path("/etc").iterdir()):
        if path.is_symlink():
            options += ["--symlink", path.readlink(), path]
        elif path.name not in {"proc", "dev", "etc", "croupier", "tmp"}:
            options += ["--ro-bind", path, path]
    options += ["--proc", "/proc", "--dev", "/dev", "--dir", "/tmp"]
    for mount in container.get("volumeMounts", []):
        where = mount["mountPath"]
        folder = volumes.get(mount["name"])
        options += ["--tmpfs", where] if folder is None else ["--ro-bind", folder, where]
    for path in (Path(sys.prefix), ROOT, *seen):
        options += ["--ro-bind", path, path]
    return [*options, "--remount-ro", "/"]


@asynccontextmanager
async def pod(options: list, arguments: list[str], environment: dict[str, str], log: Path):
    """The container's command behind its walls, as process 1, with these variables and no others."""
    variables = [word for one in environment.items() for word in ("--setenv", *one)]
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(needs.program("bwrap"), *options, *variables),
            *(sys.executable, "-m", "croupier_client.cli", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def stop(process) -> int:
    """SIGTERM to process 1 behind the walls, as Kubernetes sends it; returns the exit status."""
    [first] = children(process.pid)
    os.kill(first, signal.SIGTERM)
    async with asyncio.timeout(STOP_S):
        return await process.wait()


@pytest.mark.long
async def test_server_and_archive_do_their_work_behind_the_walls_of_their_pods(tmp_path):
    (tmp_path / "configuration").mkdir()
    text = manifest("configuration.yaml", "ConfigMap")["data"]["croupier.toml"]
    tables = '[archive]\nenabled = true\n[[tables]]\nname = "quick"\npace = "turbo"\n'
    (tmp_path / "configuration" / "croupier.toml").write_text(f"{text}\n{tables}")
    serving = manifest("deployment.yaml", "Deployment")["spec"]["template"]["spec"]
    archiving = manifest("archive.yaml", "Deployment")["spec"]["template"]["spec"]
    store_port, port, admin_port = free_ports(3)
    store = Server(tmp_path / "store", store_port)
    await store.start()
    redis = {"CROUPIER_STORE_REDIS": f"redis://127.0.0.1:{store_port}", "CROUPIER_SHOE_KEY": SHOE_KEY}
    ports = {"CROUPIER_SERVER_PORT": str(port), "CROUPIER_SERVER_ADMIN_PORT": str(admin_port)}
    options = walls(serving, {"configuration": tmp_path / "configuration"})
    looks_walled_in(options)
    arguments = serving["containers"][0]["args"]
    try:
        with running_postgresql() as database:
            async with (
                pod(options, arguments, {**redis, **ports}, tmp_path / "serve.log") as server,
                aiohttp.ClientSession() as session,
            ):
                async with asyncio.timeout(READY_S):
                    assert b'"ready":true' in (await server.stdout.readline()).replace(b" ", b"")
                url = f"ws://127.0.0.1:{port}/ws"
                async with connected(url) as player:
                    await sit_down(player, table="quick")
                    await bet_until_paid(player)
                to = {
                    "CROUPIER_ARCHIVE_TO": database.url,
                    "CROUPIER_STORE_REDIS": redis["CROUPIER_STORE_REDIS"],
                }
                database.folder.chmod(0o755)  # the pod's user is not the one that made it
                options = walls(archiving, {}, database.folder)
                looks_walled_in(options)
                args = archiving["containers"][0]["args"]
                async with pod(options, args, to, tmp_path / "archive.log") as archive:
                    await until(lambda: '"staked"' in totals(to), 60, "an archive")
                    assert await stop(archive) == 0
                async with session.get(f"http://127.0.0.1:{admin_port}/readyz") as answer:
                    assert (answer.status, await answer.text()) == (200, "ready\n")
                assert await stop(server) == 0
    finally:
        await store.end()
    logs = [(tmp_path / f"{one}.log").read_text() for one in ("serve", "archive")]
    assert not [line for log in logs for line in log.splitlines() if "ERROR" in line or "Traceback" in line]


def looks_walled_in(options: list) -> None:
    """A program behind the walls has no rights, is nobody here, and can write into /tmp at most."""
    look = (
        "id -u; grep CapEff /proc/self/status; for f in / /etc /var /usr; do touch $f/x && echo $f; done; :"
    )
    said = run(needs.program("bwrap"), *options, "/bin/sh", "-c", f"({look}) 2>/dev/null")
    assert said == "10001\nCapEff:\t0000000000000000\n"


async def bet_until_paid(player) -> None:
    last = 0
    while not player.payouts:
        last = (await player.next_window(last))["round"]
        slip = {"type": "slip", "table": "quick", "round": last, "rev": player.me[1]}
        await player.ask(**slip, op=f"slip-{last:08}", bets={"player": 500})


def totals(environment: dict[str, str]) -> str:
    """What the archive has; nothing where there is none yet."""
    command = (sys.executable, "-m", "croupier_client.cli", "archive", "totals", "--json")
    asked = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    return asked.stdout
