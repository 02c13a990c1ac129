"""Where the browser table is: the server serves its files, which come with the client's package."""

from importlib.util import find_spec
from pathlib import Path


def browser_table() -> Path | None:
    """The folder of the browser table, found without importing the client; None where it is not installed."""
    spec = find_spec("croupier_client")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "web"
    return folder if folder.is_dir() else None
