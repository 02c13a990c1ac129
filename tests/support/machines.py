"""A machine with systemd as process 1: this one's files under a layer that is thrown away, in name spaces."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import needs

ROOT = Path(__file__).parents[2]
SYSTEMD = Path("/lib/systemd/systemd")
MOST_S = 170

LAYER = """
set -eu
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
cp -r "$1"/files/. /mnt/root/
rm -f /mnt/root/etc/machine-id
: >/mnt/root/etc/machine-id
exec systemd-nspawn --quiet --directory=/mnt/root --register=no --keep-unit --private-network --boot \\
    --console=pipe --bind="$1/out:/out" --bind-ro="$2:/opt/python" --bind-ro="$3:/opt/croupier/packages" \\
    --bind-ro="$4:/opt/croupier/source" systemd.unit=basic.target systemd.wants=trial.service
"""

TRIAL = """
[Unit]
After=basic.target
[Service]
Type=oneshot
TimeoutStartSec=160
Environment=PATH=/opt/croupier/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStart=/bin/sh /opt/trial.sh
StandardOutput=file:/out/said
StandardError=inherit
ExecStopPost=systemctl --no-block poweroff
"""

BEGIN = """
said() { echo "== $1"; shift; "$@" 2>&1; echo "-- $?"; }
ip link set lo up
set -a; . /etc/croupier/croupier.env; set +a
"""

CROUPIER = """#!/opt/python/bin/python3
from croupier_client.cli import main

main()
"""


def may_boot() -> None:
    """Ends the running test where no such machine can be started."""
    for name in ("unshare", "systemd-nspawn", "ip", "curl"):
        needs.program(name)
    if os.geteuid() != 0 or not SYSTEMD.exists() or "overlay" not in Path("/proc/filesystems").read_text():
        needs.missing("a machine of its own can be started by root alone, with systemd and overlayfs")


def boot(folder: Path, units: dict[str, str], environment: dict[str, str], script: str) -> dict:
    """Boots, with `units` installed and croupier in /opt/croupier, runs `script` and powers off.

    `environment` is in croupier's file of variables, with what makes this Python run there: it may be in a
    home, of which a unit sees nothing. Returns output and status of each step that the script has `said`.
    """
    files, out = folder / "files", folder / "out"
    out.mkdir(parents=True)
    python = {
        "PYTHONPATH": ":".join(
            f"/opt/croupier/{one}"
            for one in ("source/protocol", "source/server", "source/client", "packages")
        ),
        "LD_LIBRARY_PATH": "/opt/python/lib",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    texts = {
        "opt/trial.sh": BEGIN + script,
        "opt/croupier/bin/croupier": CROUPIER,
        "etc/croupier/croupier.env": "".join(f"{k}={v}\n" for k, v in {**python, **environment}.items()),
        "etc/systemd/system/trial.service": TRIAL,
        **{f"etc/systemd/system/{name}": text for name, text in units.items()},
    }
    for name, text in texts.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (files / "opt/croupier/bin/croupier").chmod(0o755)
    for name in ("packages", "source"):
        (files / "opt/croupier" / name).mkdir()
    (files / "opt/python").mkdir()
    places = (folder, sys.base_prefix, sysconfig.get_path("purelib"), ROOT)
    try:
        booted = subprocess.run(
            ["unshare", "--mount", "sh", "-c", LAYER, "layer", *places],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MOST_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        told = (out / "said").read_text() if (out / "said").exists() else error.stdout
        raise AssertionError(f"the machine did not power off in time:\n{told}") from None
    assert (out / "said").exists(), booted.stdout
    told = (out / "said").read_text()
    steps = re.findall(r"(?ms)^== (.*?)\n(.*?)^-- (\d+)$", told)
    return {name: (int(status), text) for name, text, status in steps} | {"all": (0, told)}
