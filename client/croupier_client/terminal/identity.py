"""Who plays at this terminal: a guest's resume token, kept from one run to the next.

Where there is an operator's token, the operator says who somebody is and nothing is kept. A kept token is a
secret: whoever has it is that guest, chips and all. It changes with each connection, so the file is written
anew each time, readable by its owner alone.
"""

import os
import re
from pathlib import Path
from typing import Final

_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,200}")


def guests_folder() -> Path:
    """Where guests of this person are kept, a file for each server."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "croupier" / "guests"


class KeptGuest:
    """The guest that this person is on the server at `url`."""

    def __init__(self, folder: Path, url: str) -> None:
        self._path = folder / re.sub(r"[^a-z0-9.]+", "_", url.lower())

    def token(self) -> str | None:
        """The token of the last run; None where there is none that can be read."""
        try:
            text = self._path.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return None
        return text if _TOKEN.fullmatch(text) else None

    def keep(self, token: str) -> None:
        """Writes the newest token. Where that cannot be done, the next run is another guest."""
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(f"{token}\n")
            new.replace(self._path)
        except OSError:
            return
