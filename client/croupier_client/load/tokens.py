"""A file of guests' resume tokens, one a line: the same players again in the next test.

A token changes with each use, so the file is written anew at the end of a run. It holds secrets: with one,
anybody is that guest.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from croupier_client.load.errors import TokensError

_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,200}")


def read_tokens(path: Path) -> tuple[str, ...]:
    """The tokens in a file; none where there is no file yet: a run's new guests then make it.

    Raises:
        TokensError: the file cannot be read, or a line is no token.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise TokensError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if not _TOKEN.fullmatch(line):
            raise TokensError(f"{path}: line {number} is no token")
    return tuple(lines)


def write_tokens(path: Path, before: Sequence[str], told: Mapping[int, str]) -> None:
    """Writes the file anew, readable by its owner alone: `told` has the tokens of players by their number."""
    lines = [*before, *([""] * (max(told, default=-1) + 1 - len(before)))]
    for number, token in told.items():
        lines[number] = token
    new = path.with_name(f"{path.name}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines if line)
    new.replace(path)
