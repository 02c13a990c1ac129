"""The `croupier` command.

Exit status: 0 done, 1 the checked thing failed, 2 wrong usage or something missing, 130 interrupted.

Nothing is imported here that takes time: `main` first makes sure that neither a closed standard stream nor a
Ctrl-C while the rest is loading ends in a traceback.
"""

import os
import signal
import sys
from typing import Final

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130


def main() -> None:
    """Runs the command line of this process and exits with its status."""
    open_missing_streams()
    on_interrupt = signal.getsignal(signal.SIGINT)
    if on_interrupt is signal.default_int_handler:  # not so in a shell's background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from croupier_client.cli.app import run  # noqa: PLC0415 - see the module

    if on_interrupt is signal.default_int_handler:
        signal.signal(signal.SIGINT, on_interrupt)
    sys.exit(run(sys.argv[1:]))


def open_missing_streams() -> None:
    """Opens the null device in the place of standard streams that are closed.

    Otherwise the next file or socket gets their number, and is written to and handed to children as one.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
            os.set_inheritable(descriptor, True)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - for as long as the process lives
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 - for as long as the process lives
