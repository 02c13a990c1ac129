"""`croupier load`: how a server serves many spectators."""

import sys
from typing import Annotated, Final

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_client.cli import DONE, FAILED
from croupier_client.load.files import raise_file_limit
from croupier_client.load.report import lines, progress_line, report
from croupier_client.load.run import SPARE_FILES, run
from croupier_client.load.tally import Tally

PER_SECOND: Final = 100
"""How many spectators come in a second when nothing else was said: a crowd, but no stampede."""


async def load(
    url: str,
    /,
    *,
    spectators: Annotated[int, Parameter(validator=Number(gte=1))] = 100,
    duration: Annotated[float, Parameter(validator=Number(gt=0))] = 30.0,
    ramp: Annotated[float | None, Parameter(validator=Number(gte=0))] = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Measure how a server serves many spectators.

    The status is 1 when an event was missed, came twice or out of order, or when nobody could watch.

    Args:
        url: Where the server is: ws://host:port, http://host:port or host:port.
        spectators: How many watch, spread over all tables.
        duration: For how many seconds, after all have come.
        ramp: Over how many seconds they come; 100 a second when left out.
        json: Print one JSON object.
    """
    limit = raise_file_limit()
    if limit is not None and spectators + SPARE_FILES > limit:
        sys.stderr.write(f"croupier: this process may open only {limit} files; some spectators will fail\n")
    live = sys.stderr.isatty()

    def progress(tally: Tally) -> None:
        line = progress_line(tally, spectators)
        sys.stderr.write(f"\r{line}\x1b[K" if live else f"{line}\n")
        sys.stderr.flush()

    ramp_s = spectators / PER_SECOND if ramp is None else ramp
    tally, error_ms = await run(
        url, spectators=spectators, duration_s=duration, ramp_s=ramp_s, progress=progress
    )
    if live:
        sys.stderr.write("\n")
    result = report(tally, spectators=spectators, duration_s=duration, clock_error_ms=error_ms)
    if json:
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines(result))
    return DONE if result.passed else FAILED
