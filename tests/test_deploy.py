"""What deploy/ must keep so that a stop drains and a restart loses nothing; more needs an engine."""

import configparser
import json
import re
from pathlib import Path

DEPLOY = Path(__file__).parent.parent / "deploy"


def test_the_container_runs_croupier_as_process_1():
    """A shell between would get the signal to stop and keep it."""
    final_stage = (DEPLOY / "Containerfile").read_text().rpartition("\nFROM ")[2]
    commands = dict(re.findall(r"(?m)^(ENTRYPOINT|CMD) (.+)$", final_stage))
    assert json.loads(commands["ENTRYPOINT"]) == ["/opt/croupier/bin/croupier"]
    assert json.loads(commands["CMD"])[0] == "serve"


def test_the_container_does_not_run_as_root():
    final_stage = (DEPLOY / "Containerfile").read_text().rpartition("\nFROM ")[2]
    assert re.search(r"(?m)^USER [1-9]\d*$", final_stage)


def test_the_composed_store_keeps_every_key_over_a_restart():
    store = (DEPLOY / "compose.yaml").read_text().partition("\n  croupier:\n")[0]
    command = re.search(r"(?m)^    command: (.+)$", store)
    assert command
    assert '--appendonly, "yes"' in command[1]
    assert "--maxmemory-policy, noeviction" in command[1]
    assert "      - store:/data\n" in store


def test_the_unit_signals_the_supervisor_alone():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(DEPLOY / "croupier.service")
    service = unit["Service"]
    assert service["KillMode"] == "mixed"
    assert service["ExecStart"].startswith("/opt/croupier/bin/croupier serve ")
    assert service["RestartPreventExitStatus"] == "2"
