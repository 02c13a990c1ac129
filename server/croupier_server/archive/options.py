"""What the commands of `croupier archive` are told: where database and store are, of when, how much."""

from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_server.archive.database import Database
from croupier_server.archive.opening import SQLITE, open_database
from croupier_server.archive.queries import Period
from croupier_server.configuring.reading import read_config
from croupier_server.data_directory import ARCHIVE_FILE, make
from croupier_server.errors import SetupError
from croupier_server.operating import data_directory, store_url
from croupier_server.sight.logs import LogTerms


@Parameter(name="*")
@dataclass(frozen=True)
class Place:
    """Where the archive and the store are."""

    _: KW_ONLY
    to: Annotated[
        str | None, Parameter(help="The database: sqlite:PATH or postgresql://…; see `[archive] to`.")
    ] = None
    config: Annotated[Path | None, Parameter(help="Configuration file (TOML) of the server.")] = None
    redis: Annotated[str | None, Parameter(help="URL of the store.")] = None
    data: Annotated[Path | None, Parameter(help="Data directory of the server.")] = None

    def database(self, *, make_it: bool) -> Database:
        """The database that the command line or the configuration names, or the usual file.

        Raises:
            SetupError: the configuration or the data directory cannot be used.
            UnsuitableDatabaseError: it is no address of a database.
        """
        config = read_config(self.config)
        to = self.to or config.archive.to
        if to is None:
            directory = data_directory(config, self.data)
            if make_it:
                try:
                    make(directory)
                except OSError as error:
                    raise SetupError(f"{directory} cannot be used: {error.strerror}") from error
            to = f"{SQLITE}{directory / ARCHIVE_FILE}"
        return open_database(to, make=make_it)

    def log(self) -> LogTerms:
        """How the log looks.

        Raises:
            SetupError: the configuration cannot be used.
        """
        return read_config(self.config).log

    def store(self) -> str:
        """Where the store is now.

        Raises:
            SetupError: the configuration cannot be used, or no server runs here.
        """
        return store_url(read_config(self.config), self.redis, self.data)


@Parameter(name="*")
@dataclass(frozen=True)
class When:
    """A period."""

    _: KW_ONLY
    since: Annotated[
        str | None, Parameter(help="From this day or time on, in UTC: 2026-11-30, or 2026-11-30T18:00.")
    ] = None
    until: Annotated[str | None, Parameter(help="Before this day or time.")] = None

    def period(self) -> Period:
        """The same in milliseconds.

        Raises:
            SetupError: one is no day or time.
        """
        whole = Period()
        return Period(
            whole.since_ms if self.since is None else _time_ms(self.since),
            whole.until_ms if self.until is None else _time_ms(self.until),
        )


@Parameter(name="*")
@dataclass(frozen=True)
class Shown:
    """How rows are printed, and how many."""

    _: KW_ONLY
    limit: Annotated[int, Parameter(help="Most rows, the newest.", validator=Number(gte=1))] = 100
    json: Annotated[bool, Parameter(negative="", help="Print one JSON object a line, in cents.")] = False


def _time_ms(text: str) -> int:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise SetupError(f"{text!r} is no day or time: write 2026-11-30, or 2026-11-30T18:00") from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
