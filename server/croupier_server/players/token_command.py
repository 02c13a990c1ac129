"""`croupier token`: what the operator's own login does, by hand, for small set-ups and for trying it out."""

import re
import sys
import time
from pathlib import Path
from typing import Annotated, Final, get_args

from cyclopts import Parameter

from croupier_server.configuring.reading import read_config
from croupier_server.errors import SetupError
from croupier_server.operating import DONE, USAGE, fail, show, with_store
from croupier_server.players.accounts import Algorithm, IdentityTerms
from croupier_server.players.codes import checked_name, checked_player, make_code
from croupier_server.players.tokens import sign
from croupier_server.store.stores import Stores

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
    code: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Print a token that says who a player is, signed with the operator's key; or a one-time code.

    A client shows it with `hello`. Whoever has it is that player until it expires: keep it as a password. A
    code needs no key and a running store; it is good once and for a minute: in the page's address behind
    `#code=`, or as `--code` of `croupier play`, `watch` and `bet`.

    Args:
        player: The player's id, which others see: letters, digits and `_.@-`, at most 64.
        name: What others see as its name; a made-up one by default.
        expires: How long it counts: 90s, 15m, 1h, 30d.
        key: File with the key to sign with: a private key in PEM, or a secret. By default the first key for
            HS256 of the configuration.
        algorithm: HS256, RS256, ES256 or EdDSA: what the key is for.
        code: Print a one-time code instead of a token.
        json: Print one JSON object, with `expires_ms` of a code.
        config: Configuration file (TOML) of the server, for its audience and issuer, or its store.
        redis: URL of the store, for a code.
        data: Data directory of a running server, for a code.

    Returns:
        Exit status: 0, or 2 when something has to be put right first.
    """
    if code:
        return _code(player, name, config, redis, data, json=json)
    try:
        terms = read_config(config).identity
        signed = sign(
            checked_player(player),
            checked_name(name),
            terms,
            *_key(terms, key, algorithm),
            int(time.time()),
            _seconds(expires),
        )
    except (SetupError, ValueError) as error:
        return fail(str(error), USAGE)
    _print("token", signed, json=json)
    return DONE


def _code(
    player: str, name: str, config: Path | None, redis: str | None, data: Path | None, *, json: bool
) -> int:
    async def work(stores: Stores) -> int:
        try:
            made = await make_code(stores, player, name)
        except ValueError as error:
            return fail(str(error), USAGE)
        _print("code", made.code, json=json, expires_ms=made.expires_ms)
        return DONE

    return with_store(config, redis, data, work)


def _print(kind: str, text: str, *, json: bool, **more: int) -> None:
    if json:
        show({kind: text, **more})
    else:
        sys.stdout.write(f"{text}\n")


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
