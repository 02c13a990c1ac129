"""`croupier token`: what the operator's own login does, by hand, for small set-ups and for trying it out."""

import re
import sys
import time
from pathlib import Path
from typing import Final, get_args

from croupier_protocol.messages.values import PlayerId
from croupier_server.configuring.reading import read_config
from croupier_server.errors import SetupError
from croupier_server.operating import DONE, USAGE, fail
from croupier_server.players.accounts import Algorithm, IdentityTerms, is_player
from croupier_server.players.names import BadNameError, normalise
from croupier_server.players.tokens import sign

SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}

LONGEST_S: Final = 366 * 86_400


def token(
    player: str,
    /,
    *,
    name: str = "",
    expires: str = "1h",
    key: Path | None = None,
    algorithm: str = "HS256",
    config: Path | None = None,
) -> int:
    """Print a token that says who a player is, signed with the operator's key.

    A client shows it with `hello`. Whoever has it is that player until it expires: keep it as a password.

    Args:
        player: The player's id, which others see: letters, digits and `_.@-`, at most 64.
        name: What others see as its name; a made-up one by default.
        expires: How long it counts: 90s, 15m, 1h, 30d.
        key: File with the key to sign with: a private key in PEM, or a secret. By default the first key for
            HS256 of the configuration.
        algorithm: HS256, RS256, ES256 or EdDSA: what the key is for.
        config: Configuration file (TOML) of the server, for its audience and issuer.

    Returns:
        Exit status: 0, or 2 when something has to be put right first.
    """
    try:
        terms = read_config(config).identity
        signed = sign(
            _player(player),
            _name(name),
            terms,
            *_key(terms, key, algorithm),
            int(time.time()),
            _seconds(expires),
        )
    except (SetupError, ValueError) as error:
        return fail(str(error), USAGE)
    sys.stdout.write(f"{signed}\n")
    return DONE


def _player(text: str) -> PlayerId:
    if not is_player(text):
        raise ValueError(
            f"{text!r} cannot be a player's id: letters, digits and _.@- (64 at most), not as guests'"
        )
    return PlayerId(text)


def _name(text: str) -> str:
    try:
        return normalise(text) if text else ""
    except BadNameError as error:
        raise ValueError(f"this name cannot be shown: {error}") from error


def _seconds(text: str) -> int:
    match = re.fullmatch(r"([1-9][0-9]{0,8})([smhd])", text)
    seconds = int(match[1]) * SECONDS[match[2]] if match else 0
    if not 0 < seconds <= LONGEST_S:
        raise ValueError(f"{text!r} is no time such as 90s, 15m, 1h or 30d; a year at most")
    return seconds


def _key(terms: IdentityTerms, file: Path | None, algorithm: str) -> tuple[bytes, Algorithm]:
    known: dict[str, Algorithm] = {one: one for one in get_args(Algorithm)}
    if algorithm not in known:
        raise ValueError(f"there is no algorithm {algorithm!r}; there are {', '.join(known)}")
    if file is None:
        files = [one.file for one in terms.keys if one.algorithm == algorithm == "HS256"]
        if not files:
            raise ValueError("name the key to sign with: --key FILE, or a configuration with a key for HS256")
        file = Path(files[0])
    try:
        return file.read_bytes().strip(), known[algorithm]
    except OSError as error:
        raise SetupError(f"{file}: cannot be read: {error.strerror}") from error
