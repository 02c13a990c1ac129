"""Audits of a pit."""

from croupier_server.bank.audit import Auditor
from croupier_server.bank.findings import AuditReport, Figures
from croupier_server.store.keys import DEFAULT_PIT


async def audit(pit) -> AuditReport:
    """One audit, as it is."""
    return await Auditor(pit.stores, [DEFAULT_PIT]).run()


async def check_clean(pit) -> Figures:
    """One audit, which must find nothing."""
    report = await audit(pit)
    assert (report.mismatches, report.unpinned, report.difference) == ((), (), 0)
    return report.figures


async def texts(pit):
    """What an audit finds, as an operator reads it."""
    return [f"{one.where}: {one.text}" for one in (await audit(pit)).mismatches]
