"""The units of systemd, as systemd itself reads them where they are installed."""

import configparser
import re
from pathlib import Path

import pytest

import needs
from support.programs import run

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = ("croupier.service", "croupier-archive.service")
MOST_EXPOSED = 1.5
"""Of systemd's ten, where 10 is a service without any walls; it counts reaching the network as 0.5."""


def service(name: str) -> configparser.SectionProxy:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(DEPLOY / name)
    return unit["Service"]


def test_the_unit_signals_the_supervisor_alone():
    croupier = service("croupier.service")
    assert croupier["KillMode"] == "mixed"
    assert croupier["ExecStart"].startswith("/opt/croupier/bin/croupier serve ")


@pytest.mark.parametrize("name", UNITS)
def test_a_mistake_in_the_configuration_is_not_tried_again(name):
    assert service(name)["RestartPreventExitStatus"] == "2"
    assert service(name)["Restart"] == "on-failure"


def test_the_archive_is_the_same_user_as_the_server_and_leaves_it_its_runtime_directory():
    croupier, archive = map(service, UNITS)
    for key in ("DynamicUser", "User", "StateDirectory", "StateDirectoryMode", "UMask"):
        assert archive[key] == croupier[key]
    assert archive["ExecStart"] == "/opt/croupier/bin/croupier archive --data /var/lib/croupier"
    assert croupier["RuntimeDirectory"] == "croupier"
    assert "RuntimeDirectory" not in archive


def test_systemd_has_nothing_to_say_against_the_units(tmp_path):
    analyze = needs.program("systemd-analyze")
    for name in UNITS:
        # Whether the program is there is for the machine to say that runs it.
        text = (DEPLOY / name).read_text().replace("/opt/croupier/bin/croupier", "/bin/true")
        (tmp_path / name).write_text(text)
    assert run(analyze, "verify", "--man=no", *(tmp_path / name for name in UNITS)) == ""


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_a_unit_well_walled_in(name):
    analyze = needs.program("systemd-analyze")
    said = run(analyze, "security", "--offline=true", "--no-pager", DEPLOY / name)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert float(exposure[1]) <= MOST_EXPOSED
