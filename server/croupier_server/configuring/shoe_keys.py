"""Where the shoe keys of a server that shares its store come from."""

import os
from pathlib import Path

from croupier_server.config import Config
from croupier_server.configuring.sections import SHOE_KEY_VARIABLE
from croupier_server.data_directory import parse_secrets, read_secrets
from croupier_server.errors import SetupError


def configured_shoe_keys(config: Config) -> tuple[bytes, ...]:
    """The shoe keys that the environment or the configuration names, the newest first, if either does.

    Raises:
        SetupError: it cannot be read or is no key, or there is none for a store that others can reach.
    """
    text = os.environ.get(SHOE_KEY_VARIABLE)
    if text is not None:
        return parse_secrets(text, f"the environment variable {SHOE_KEY_VARIABLE}")
    if config.shoe.key_file is not None:
        return read_secrets(Path(config.shoe.key_file))
    if config.store.redis is not None:
        raise SetupError(
            f"with --redis a shoe key is needed: set {SHOE_KEY_VARIABLE}, or key_file under [shoe]"
        )
    return ()
