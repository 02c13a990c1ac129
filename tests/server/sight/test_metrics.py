"""The list of metrics in the manual is the list of metrics there are."""

import re
from pathlib import Path

from prometheus_client import CollectorRegistry

from croupier_server.children import Crew
from croupier_server.operator_api.guard import WrongKeys
from croupier_server.sight.metrics import Metrics
from croupier_server.sight.overseer import show_webhooks, show_workers, show_wrong_keys
from croupier_server.webhooks.tally import Tally

ROOT = Path(__file__).parents[3]
MANUAL = (ROOT / "docs" / "operating.md").read_text()


def metrics():
    own = CollectorRegistry()
    show_workers(own, Crew(), {}, frozenset())
    show_wrong_keys(own, WrongKeys(lambda: 0.0))
    show_webhooks(own, Tally())
    return [*Metrics().registry.collect(), *own.collect()]


def test_every_metric_is_in_the_manual_and_the_manual_names_no_other():
    there_are = {f"{one.name}_total" if one.type == "counter" else one.name for one in metrics()}
    listed = re.findall(r"(?m)^\| `(croupier_\w+)` \| (?:`\w+`)? ?\| \S", MANUAL)
    assert len(listed) == len(set(listed)) == 33
    assert set(listed) == there_are


def test_metrics_have_names_texts_and_kinds_as_prometheus_wants_them():
    for one in metrics():
        assert re.fullmatch(r"croupier_[a-z_]+", one.name)
        assert one.documentation.endswith(".")
        assert one.type in {"gauge", "counter", "histogram"}
        assert (one.type == "histogram") <= one.name.endswith("_seconds")
