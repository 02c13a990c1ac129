"""`croupier verify`: checks what tables dealt, from a transcript or from a server's last shoes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter

from croupier_client.address import Address, parse_address
from croupier_client.cli import DONE, FAILED, USAGE
from croupier_client.cli.verify_texts import VERIFY_TEXTS, VerifyTexts
from croupier_client.errors import in_words
from croupier_client.payouts import check_payouts
from croupier_client.shoes import NoShoeError, fetch_commitments, fetch_transcript
from croupier_client.verifier.reading import Message
from croupier_client.verifier.report import Report
from croupier_client.verifier.transcript import verify as verify_lines
from croupier_protocol.language import Language

MOST_SHOWN: Final = 50
"""Failures that are shown to people; the rest is counted."""


async def verify(
    source: Annotated[str, Parameter(allow_leading_hyphen=True)],  # for the - of standard input
    table: str | None = None,
    shoe: int | None = None,
    /,
    *,
    beacon: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    lang: Literal["en", "fr"] = "en",
) -> int:
    """Check shoes: seed, cut, order, every card, every draw, every outcome, payouts, and the chain.

    Args:
        source: A transcript, as `croupier watch --json` prints it, or - for standard input; or a server.
        table: With a server: which table.
        shoe: With a server: which of the table's last shoes; it must have ended.
        beacon: ROUND=HEX, what the source of a beacon gives for a round that a shoe names; once for each.
        json: Print one JSON object a line, one for each check, and nothing else.
        lang: The language of the lines.

    Returns:
        Exit status: 0 all is well, 1 something is not, 2 there was nothing to check.
    """
    texts = VERIFY_TEXTS[Language(lang)]
    lists: dict[tuple[str, int], bytes] = {}
    try:
        beacons = dict(_beacon_value(one, texts) for one in beacon or [])
        if table is None or shoe is None:
            if source.startswith("-") and source != "-":
                raise ValueError(texts.no_option.format(option=source))  # noqa: TRY301 - told as all the rest
            if table is not None or "://" in source:
                raise ValueError(texts.which_shoe)  # noqa: TRY301
            text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
        else:
            text = await _from_server(parse_address(source), table, shoe, lists)
    except (OSError, ValueError, NoShoeError) as error:
        sys.stderr.write(f"croupier: {in_words(error) if isinstance(error, OSError) else error}\n")
        return USAGE
    report = Report()
    lines = list(_messages(text, report))
    found = verify_lines(lines, lists, beacons)
    found.failures += report.failures
    check_payouts(lines, found)
    if not found.passed and not found.failures:
        sys.stderr.write(f"croupier: {texts.nothing}\n")
        return USAGE
    for line in _json(found) if json else _told(found, texts):
        sys.stdout.write(f"{line}\n")
    return FAILED if found.failures else DONE


def _beacon_value(text: str, texts: VerifyTexts) -> tuple[int, bytes]:
    round_, _, value = text.partition("=")
    try:
        drawn = int(round_), bytes.fromhex(value)
    except ValueError:
        raise ValueError(texts.which_beacon) from None
    if not value:
        raise ValueError(texts.which_beacon)
    return drawn


async def _from_server(address: Address, table: str, shoe: int, lists: dict[tuple[str, int], bytes]) -> str:
    """The transcript of a shoe, behind that of the one before it where the server still has it."""
    told = await fetch_transcript(address, table, shoe)
    lists[table, shoe] = await fetch_commitments(address, table, shoe)
    try:
        before = await fetch_transcript(address, table, shoe - 1) if shoe > 1 else b""
    except NoShoeError:
        before = b""
    return (before + told).decode()


def _messages(text: str, report: Report) -> Iterator[tuple[int, Message]]:
    """The numbered messages in the lines of a transcript; what is none is kept in `report`."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield number, msgspec.json.decode(line, type=dict)
        except (msgspec.MsgspecError, RecursionError) as error:
            report.judge(number, "message", False, f"it cannot be read: {error}")


def _told(report: Report, texts: VerifyTexts) -> Iterator[str]:
    """The report for people."""
    failed = {failure.check for failure in report.failures}
    for check, about in texts.checks.items():
        if check in failed:
            wrong = sum(failure.check == check for failure in report.failures)
            yield texts.failed.format(about=about, count=wrong)
        elif report.passed[check]:
            yield texts.passed.format(about=about, count=report.passed[check])
    for (check, reason), count in report.unchecked.items():
        yield texts.unchecked.format(
            about=texts.checks[check], count=count, reason=texts.reasons.get(reason, reason)
        )
    for table, shoe, seat in report.withheld:
        yield texts.withheld.format(table=table, shoe=shoe, seat=seat)
    for table, shoe, round_ in report.undrawn:
        yield texts.undrawn.format(table=table, shoe=shoe, round=round_)
    for failure in report.failures[:MOST_SHOWN]:
        about = texts.checks.get(failure.check, failure.check)
        yield texts.line.format(line=failure.line, about=about, detail=failure.detail)
    if len(report.failures) > MOST_SHOWN:
        yield texts.more.format(count=len(report.failures) - MOST_SHOWN)
    yield ""
    yield texts.remains
    yield texts.bad if report.failures else texts.good


def _json(report: Report) -> Iterator[str]:
    rows: list[dict[str, object]] = [
        {"check": check, "passed": count} for check, count in sorted(report.passed.items())
    ]
    rows += [
        {"check": check, "unchecked": count, "reason": reason}
        for (check, reason), count in report.unchecked.items()
    ]
    rows += [
        {"withheld": {"table": table, "shoe": shoe, "seat": seat}} for table, shoe, seat in report.withheld
    ]
    rows += [
        {"undrawn": {"table": table, "shoe": shoe, "round": round_}} for table, shoe, round_ in report.undrawn
    ]
    rows += [
        {"check": failure.check, "line": failure.line, "failed": failure.detail}
        for failure in report.failures
    ]
    rows.append({"ok": not report.failures})
    for row in rows:
        yield msgspec.json.encode(row).decode()
