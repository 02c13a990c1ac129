"""The units as they are shipped, started by a systemd that runs: what they wall off is walled off."""

import json
import re
from pathlib import Path

import pytest

from support.machines import boot, may_boot

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = {name: (DEPLOY / name).read_text() for name in ("croupier.service", "croupier-archive.service")}

SCRIPT = r"""
data="--data /var/lib/croupier"
tries() { for _ in $(seq 150); do "$@" && return; sleep 0.1; done; return 1; }
ready() { tries curl -s -f http://127.0.0.1:8001/readyz; }
main() { systemctl show -p MainPID --value croupier; }
child() { pgrep -P "$(main)" -f "$1" | head -n 1; }
walls() { grep -E '^(Uid|NoNewPrivs|Seccomp|CapEff|CapBnd):' "/proc/$1/status"; }
archived() { croupier archive totals --json $data | grep staked; }
another() { [ "$(main)" -gt 0 ] && [ "$(main)" != "$first" ]; }
mistaken() { systemctl is-failed --quiet croupier; }

said start systemctl start croupier
said ready ready
said supervisor walls "$(main)"
said worker walls "$(child croupier_server.worker)"
said store walls "$(child unixsocket)"
said add croupier tables add quick --pace turbo $data
said bet croupier bet ws://127.0.0.1:8000 quick --slip player=5 --rounds 3 --json
said start-archive systemctl start croupier-archive
said archived tries archived
said archive-check croupier archive check $data
said audit croupier audit $data
said top croupier top --once $data
said backup sh /opt/croupier/source/deploy/backup.sh /var/lib/croupier /root/backup
said reload systemctl reload croupier
said kill-worker kill -9 "$(child croupier_server.worker)"
said still-ready ready
first=$(main)
said kill-supervisor kill -9 "$first"
said restarted tries another
said ready-again ready
said archive-lived systemctl is-active croupier-archive
said stop systemctl stop croupier croupier-archive
said ended systemctl show -p Result -p ExecMainStatus croupier croupier-archive
echo CROUPIER_SERVER_PORT=none >>/etc/croupier/croupier.env
said start-with-a-mistake systemctl start croupier
said fails tries mistaken
said mistake systemctl show -p NRestarts -p ExecMainStatus croupier
said log journalctl -u croupier -u croupier-archive --no-pager -o cat
"""

WALLED = """Uid:	{uid}	{uid}	{uid}	{uid}
CapEff:	0000000000000000
CapBnd:	0000000000000000
NoNewPrivs:	1
Seccomp:	2
"""


@pytest.mark.long
def test_croupier_serves_archives_and_comes_back_behind_all_that_its_units_wall_off(tmp_path):
    may_boot()
    environment = {
        "CROUPIER_ARCHIVE_ENABLED": "true",
        "CROUPIER_SERVER_WORKERS": "2",
        "CROUPIER_LOG_FORMAT": "json",
    }
    steps = boot(tmp_path, UNITS, environment, SCRIPT)
    told = steps["all"][1]
    failed = {name: found for name, found in steps.items() if found[0] != 0}
    assert failed == {}, told
    for process in ("supervisor", "worker", "store"):
        uid = re.match(r"Uid:\t(\d+)", steps[process][1])[1]
        assert int(uid) > 60_000  # one that systemd made up
        assert steps[process][1] == WALLED.format(uid=uid)
    assert steps["ended"][1].count("Result=success") == 2, told
    assert steps["mistake"][1] == "NRestarts=0\nExecMainStatus=2\n"
    lines = [json.loads(line) for line in steps["log"][1].splitlines() if line.startswith("{")]
    assert [line for line in lines if "error" in line] == []
