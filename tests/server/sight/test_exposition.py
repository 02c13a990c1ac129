"""Metrics of several workers as one page, which Prometheus' own parser reads."""

from croupier_server.sight.exposition import decode, encode, families, page
from croupier_server.sight.metrics import Metrics
from support.metrics import read_page


def test_families_of_workers_are_put_together_with_the_worker_as_a_label():
    one, other = Metrics(), Metrics()
    one.slip_answer.observe(0.003)
    one.slips_answered.labels("accepted").inc()
    other.slips_answered.labels("accepted").inc(2)
    other.slips_answered.labels("limit").inc()
    other.connections_open.read(lambda: 17)
    other.connections_refused.read(lambda: {"full": 3, "behind": 0})
    said = {
        name: decode(encode(families(metrics.registry))) for name, metrics in {"1": one, "2": other}.items()
    }
    text = page(said, ()).decode()
    found = read_page(text)
    answered = found["croupier_slips_answered"]
    assert (answered.type, answered.documentation[:16]) == ("counter", "Slips by their a")
    assert {
        (sample.labels["worker"], sample.labels["answer"]): sample.value for sample in answered.samples
    } == {
        ("1", "accepted"): 1.0,
        ("2", "accepted"): 2.0,
        ("2", "limit"): 1.0,
    }
    buckets = {
        sample.labels["le"]: sample.value
        for sample in found["croupier_slip_answer_seconds"].samples
        if sample.name.endswith("_bucket") and sample.labels["worker"] == "1"
    }
    assert (buckets["0.0025"], buckets["0.005"], buckets["+Inf"]) == (0.0, 1.0, 1.0)
    assert 'croupier_connections_open{worker="2"} 17.0\n' in text
    assert 'croupier_connections_refused_total{reason="full",worker="2"} 3.0\n' in text
    lines = text.splitlines()
    assert lines.count("# TYPE croupier_slip_answer_seconds histogram") == 1
    assert len([line for line in lines if line.startswith("# HELP croupier_slip_answer_seconds ")]) == 1


def test_a_figure_that_nobody_keeps_has_no_line_and_no_counter_says_when_it_began():
    text = page({"1": families(Metrics().registry)}, ()).decode()
    assert "croupier_connections_open" not in text
    assert "_created" not in text
    assert "croupier_slip_answer_seconds_count" in text
