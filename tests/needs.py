"""What some tests need of the machine beside Python packages.

At home a missing program is a skip that names it; where ``CI=true`` it is a failure, so that no run there
passes for want of the thing to test.
"""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest


def program(name: str) -> Path:
    """Find the program `name` on PATH, for a test or fixture that cannot do without it."""
    path = shutil.which(name)
    if path is None:
        missing(f"{name} is not on PATH (`make test-deps` installs it on Debian)")
    return Path(path)


def missing(reason: str) -> NoReturn:
    """End the running test for want of something: skipped at home, failed where ``CI=true``."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
