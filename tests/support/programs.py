"""Programs that are run to their end."""

import subprocess
from pathlib import Path


def run(*command: str | Path, timeout: float = 250, **options) -> str:
    """What a program says on standard output and error, bytes that are no text as escapes; it must end with
    status 0.
    """
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        timeout=timeout,
        check=False,
        **options,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout
