"""Reads TOML, and says of text that is none, or more than can be read, what is the matter with it."""

import tomllib
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """What `text` says.

    Raises:
        ValueError: it is not TOML, nests too deeply, or has a number of thousands of digits.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # of Python, which bounds what it reads as a number
        raise ValueError("it has a number with too many digits") from None
