"""Alerts and dashboard ask for metrics that there are, and the manual has a line for each alert."""

import json
import re
from pathlib import Path

from croupier_server.sight.metrics import Metrics

ROOT = Path(__file__).parents[3]
ALERTS = (ROOT / "deploy" / "prometheus" / "alerts.yml").read_text()
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "croupier.json").read_text())
MANUAL = (ROOT / "docs" / "operating.md").read_text()

METRICS = set(re.findall(r"(?m)^\| `(croupier_\w+)` \|", MANUAL))
"""What there is: another test compares the manual's list with the registries."""


def asked_for(text: str) -> set[str]:
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\bcroupier_\w+", text)}


def test_alerts_and_dashboard_ask_only_for_metrics_that_there_are():
    expressions = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    for text in (ALERTS, *expressions):
        assert asked_for(text) <= METRICS
    assert asked_for(" ".join(expressions)) | {"croupier_worker_process_id"} == METRICS


def test_labels_in_expressions_are_those_that_metrics_have():
    used = set(re.findall(r"\b(\w+)=~?\"", ALERTS + json.dumps(DASHBOARD).replace('\\"', '"')))
    grouped = {
        label.strip()
        for group in re.findall(r"\bby \(([^)]*)\)", ALERTS + json.dumps(DASHBOARD))
        for label in group.split(",")
    }
    known = {
        label for one in Metrics().registry._collector_to_names for label in getattr(one, "_labelnames", ())
    }
    known |= {"pit", "reason", "worker", "instance", "job", "le"}
    assert used | grouped <= known


def test_every_alert_has_its_line_in_the_manual_a_severity_and_a_summary():
    names = re.findall(r"(?m)^      - alert: (\w+)$", ALERTS)
    assert len(names) == len(set(names)) == 19
    assert re.findall(r"(?m)^\| `(Croupier\w+)` \| \S", MANUAL) == names
    assert len(re.findall(r"(?m)^          severity: (?:critical|warning|info)$", ALERTS)) == 19
    assert len(re.findall(r'(?m)^          summary: "[^"]+"$', ALERTS)) == 19
    assert len(re.findall(r"(?m)^        for: \d+[sm]$", ALERTS)) == 19
