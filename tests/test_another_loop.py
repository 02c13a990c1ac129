"""The suite's own tests of sockets once more on uvloop: the loop that programs around our client may run on.

`croupier serve` itself runs on asyncio's. So two files are left out, which are about how much asyncio's
transports read at once and what is left of them when they are cut, and one test of their file descriptors.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FOLDERS = ("client", "server/gateway", "server/dealer")
ASYNCIOS_OWN = ("server/gateway/test_floods.py", "server/gateway/test_liveness.py")
DESCRIPTORS = (
    "server/gateway/test_fanout.py::test_an_outlet_is_clear_while_nothing_waits_and_nobody_has_said_goodbye"
)


@pytest.mark.long
def test_clients_gateways_and_dealers_do_on_another_loop_what_they_do_on_asyncios():
    """N9."""
    left_out = [f"--ignore={TESTS / name}" for name in ASYNCIOS_OWN]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider"),
            *(*left_out, f"--deselect=tests/{DESCRIPTORS}", *(str(TESTS / name) for name in FOLDERS)),
        ],
        cwd=TESTS.parent,
        env={**os.environ, "CROUPIER_TEST_LOOP": "uvloop"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:]
