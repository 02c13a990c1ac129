"""A report as one HTML file: nothing is fetched, no script runs, and both colour schemes are readable."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from croupier_client.load.charts import Line, distribution_chart, time_chart
from croupier_client.load.compare import differences
from croupier_client.load.figures import STATISTICS, Durations
from croupier_client.load.report import Report
from croupier_client.load.totals import SecondRow
from croupier_client.load.words import audit_line, hold_line, payouts_line, plan_line

DISTRIBUTIONS: Final = {
    "Play: what share took at most so long": ("push", "hold_push", "ack", "hold_ack"),
    "Coming: what share took at most so long": ("connect", "snapshot", "resume", "sit"),
}
"""The measures whose distributions are drawn together; those without any are left out."""

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fdfdfb; --quiet: #5c5c62; --rule: #d5d5d8;
  --good: #14662f; --bad: #a3161c; --line-1: #1255a8; --line-2: #a3161c; --line-3: #14662f;
  --line-4: #7a4a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf0; --paper: #161618; --quiet: #a9a9b2;
  --rule: #3a3a40; --good: #6fce8e; --bad: #ff8a80; --line-1: #86b9ff; --line-2: #ff8a80; --line-3: #6fce8e;
  --line-4: #ecb765; } }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.passed { color: var(--good); } .failed { color: var(--bad); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child, td:first-child, td:nth-child(9) { text-align: left; }
td:nth-child(9) { white-space: normal; min-width: 14rem; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; } svg { max-width: 100%; height: auto; }
svg text { fill: var(--quiet); font-size: 11px; } .grid { stroke: var(--rule); } .line { fill: none;
  stroke-width: 2; } .legend span { margin-right: 1.5rem; } pre { white-space: pre-wrap; }
"""

_Value = Callable[[SecondRow], float | None]


def html_page(report: Report, then: Report | None = None) -> str:
    """The page of a run, beside an earlier one if there is any."""
    return "".join(_page(report, then))


def _page(report: Report, then: Report | None) -> Iterator[str]:
    verdict = "passed" if report.passed else "failed"
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Load test {verdict}: {escape(report.url)}</title><style>{_STYLE}</style></head><body>"
    yield f'<h1>Load test: <span class="{verdict}">{verdict}</span></h1>'
    yield f"<p>{escape(report.url)}: {escape(plan_line(report.plan))}; tables: {report.tables}; "
    yield f"processes of the tester: {report.processes}.</p>"
    if report.reasons:
        yield (
            "<ul>"
            + "".join(f'<li class="failed">{escape(reason)}</li>' for reason in report.reasons)
            + "</ul>"
        )
    if report.generator is not None:
        yield f'<p class="failed">{escape(report.generator)}.</p>'
    yield "<h2>Times</h2>"
    yield _measures(report)
    yield f"<p>{escape(hold_line(report)).capitalize()}.</p>"
    yield f"<p>Times of events are right to {report.clock_error_ms} ms; what is below cannot be told.</p>"
    yield from _charts(report)
    if report.thresholds:
        yield "<h2>Thresholds</h2>"
        rows = [(one.text, one.found, "kept" if one.kept else "not kept") for one in report.thresholds]
        yield _table(("threshold", "found", ""), rows)
    yield "<h2>Counts</h2>"
    yield _table(("", "number"), [(name, str(number)) for name, number in report.counts.items() if number])
    troubles = [*report.errors.items(), *((f"here: {name}", n) for name, n in report.local_errors.items())]
    if troubles:
        yield "<h2>Failed connections</h2>"
        yield _table(("reason", "times"), [(name, str(number)) for name, number in troubles])
    if report.examples:
        yield "<h2>The first of each fault</h2>"
        yield _table(("fault", "what was seen"), list(report.examples.items()))
    yield "<h2>Money</h2>"
    if report.plan.players:
        yield f"<p>{escape(payouts_line(report))}.</p>"
    yield f"<p>Audit:</p><pre>{escape(audit_line(report))}</pre>"
    if then is not None:
        yield "<h2>Then and now</h2>"
        changes = [
            (one.name, one.then, one.now, "" if one.ratio is None else f"{one.ratio:.2f}")
            for one in differences(then, report)
        ]
        yield _table(("", "then", "now", "now/then"), changes)
    yield "</body></html>\n"


def _measures(report: Report) -> str:
    rows = [
        (name, str(found.count), *(found.shown(one) for one in STATISTICS), meaning)
        for name, meaning, found in report.shown_measures()
        if found.count
    ]
    return _table(("", "count", *STATISTICS, "what it is"), rows)


def _charts(report: Report) -> Iterator[str]:
    seconds = report.seconds

    def over_time(label: str, value: _Value) -> Line:
        return Line(label, tuple((float(row.number), value(row)) for row in seconds))

    def figure(name: str, statistic: str) -> _Value:
        return lambda row: _known(getattr(row, name), statistic)

    yield time_chart(
        "Push: how late events came, second by second",
        "ms",
        [over_time(statistic, figure("push", statistic)) for statistic in ("p50", "p99", "max")],
    )
    yield time_chart(
        "Who was there",
        "",
        [
            over_time("spectators", lambda row: float(row.watching)),
            over_time("players", lambda row: float(row.playing)),
        ],
    )
    yield time_chart("Events a second", "", [over_time("events", lambda row: float(row.events))])
    if report.plan.players:
        acks = [over_time(statistic, figure("ack", statistic)) for statistic in ("p50", "p99", "max")]
        yield time_chart("Acknowledgement of slips, second by second", "ms", acks)
    for title, names in DISTRIBUTIONS.items():
        drawn = [Line(name, report.measures[name].curve) for name in names if report.measures[name].count]
        yield distribution_chart(title, "ms", drawn)
    yield time_chart(
        "The tester's own lag", "ms", [over_time(one, figure("lag", one)) for one in ("p50", "p99", "max")]
    )


def _known(found: Durations, statistic: str) -> float | None:
    """A statistic for a chart: the clock's error where it cannot be told, nothing where nothing was."""
    return found.value(statistic) if found.count else None


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
