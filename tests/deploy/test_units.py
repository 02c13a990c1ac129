"""The unit of systemd, as systemd itself reads it where it is installed."""

import configparser
import re
from pathlib import Path

import needs
from support.programs import run

UNIT = Path(__file__).parents[2] / "deploy" / "croupier.service"
MOST_EXPOSED = 1.5
"""Of systemd's ten, where 10 is a service without any walls; it counts reaching the network as 0.5."""


def test_the_unit_signals_the_supervisor_alone():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(UNIT)
    service = unit["Service"]
    assert service["KillMode"] == "mixed"
    assert service["ExecStart"].startswith("/opt/croupier/bin/croupier serve ")
    assert service["RestartPreventExitStatus"] == "2"


def test_systemd_has_nothing_to_say_against_the_unit(tmp_path):
    analyze = needs.program("systemd-analyze")
    installed = tmp_path / UNIT.name
    # Whether the program is there is for the machine to say that runs it.
    installed.write_text(UNIT.read_text().replace("/opt/croupier/bin/croupier", "/bin/true"))
    assert run(analyze, "verify", "--man=no", installed) == ""


def test_systemd_finds_the_unit_well_walled_in(tmp_path):
    said = run(needs.program("systemd-analyze"), "security", "--offline=true", "--no-pager", UNIT)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert float(exposure[1]) <= MOST_EXPOSED
