"""An operator's token for a command: in a file, since everybody can see what stands on a command line."""

import asyncio
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from croupier_client.errors import CroupierError
from croupier_client.sign_in import TokenSource

TokenFile: TypeAlias = Annotated[Path | None, Parameter(negative="")]
"""The option `--token FILE`."""


def tokens_from(file: Path | None) -> TokenSource | None:
    """A source of tokens that reads `file` each time: whoever renews the token writes it anew."""
    if file is None:
        return None

    async def read() -> str:
        try:
            return (await asyncio.to_thread(file.read_text, encoding="ascii")).strip()
        except (OSError, ValueError) as error:
            raise CroupierError(f"{file} cannot be read: {error}") from error

    return read
