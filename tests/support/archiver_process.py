"""`croupier archive` that kills itself at the NUMBERth of what it does for good.

    python archiver_process.py WHAT NUMBER --redis URL --to DATABASE …

WHAT is "change", before one in a transaction; "commit" or "committed", before or after one; or "told", before
telling the store.
"""

import os
import signal
import sys
from collections import Counter

from croupier_client.cli.app import run
from croupier_server.archive import options
from croupier_server.store.archiving import LedgerReader
from support.archiving import CutDatabase

COUNTED = Counter()


def count(what):
    """Kills the process when it has come to the point."""
    COUNTED[what] += 1
    if (what, str(COUNTED[what])) == (sys.argv[1], sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    open_database, archived = options.open_database, LedgerReader.archived

    def deadly(to, *, make):
        database = CutDatabase(open_database(to, make=make))
        database.count = count
        return database

    async def told(*arguments, **options):
        count("told")
        return await archived(*arguments, **options)

    options.open_database = deadly
    LedgerReader.archived = told
    sys.exit(run(["archive", *sys.argv[3:]]))


if __name__ == "__main__":
    main()
