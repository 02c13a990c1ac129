"""The alert rules as Prometheus's own tool reads them, and their unit tests."""

import re
from pathlib import Path

import yaml

import needs
from support.programs import run

FOLDER = Path(__file__).parents[2] / "deploy" / "prometheus"


def promtool(*arguments: str) -> None:
    run(needs.program("promtool"), *arguments, cwd=FOLDER)


def test_prometheus_takes_the_configuration_and_the_rules():
    promtool("check", "rules", "alerts.yml")
    promtool("check", "config", "prometheus.yml")


def test_every_alert_fires_when_it_must_and_not_before():
    promtool("test", "rules", "tests.yml")


def test_every_alert_has_a_unit_test_in_which_it_fires():
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    named = [rule["alert"] for group in groups for rule in group["rules"]]
    fired = [
        case["alertname"]
        for test in yaml.safe_load((FOLDER / "tests.yml").read_text())["tests"]
        for case in test["alert_rule_test"]
        if case["exp_alerts"]
    ]
    assert named == fired


def test_every_alert_is_caused_on_a_real_server_by_a_long_test_and_seen_to_end():
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    named = {rule["alert"] for group in groups for rule in group["rules"]}
    text = (Path(__file__).parent / "test_alerts_caused.py").read_text()
    assert set(re.findall(r'fires?\((?:running, )?"(\w+)"', text)) == named
    assert named - set(re.findall(r'ends\("(\w+)"', text)) <= {"CroupierStoreSilent", "CroupierRoundsVoid"}
