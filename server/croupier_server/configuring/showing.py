"""A configuration as it may be shown: what is secret in it is left out."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from croupier_server.config import Config
from croupier_server.configuring.keys import NAME, keys, sections

HIDDEN: Final = "(hidden)"


def shown(config: Config) -> dict[str, Any]:
    """The whole configuration as plain data, without what its keys call secret.

    >>> from croupier_server.configuring.sections import StoreSection
    >>> shown(Config(store=StoreSection(redis="rediss://me:secret@store/0?password=secret")))["store"]["redis"]
    'rediss://store/0'
    """
    secret = {key.path for key in keys() if key.secret}
    named = {section.path for section in sections() if section.path[-1] == NAME}

    def without(value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, dict):
            several = (*path, NAME) in named
            return {name: without(each, (*path, NAME if several else name)) for name, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [without(each, path) for each in value]
        return _without_secrets(value) if path in secret and isinstance(value, str) else value

    return without(msgspec.to_builtins(config), ())  # type: ignore[no-any-return]  # a struct becomes a dict


def plain(config: Config) -> dict[str, Any]:
    """The whole configuration as plain data, secrets too: for comparing, not for showing."""
    return msgspec.json.decode(msgspec.json.encode(config))  # type: ignore[no-any-return]  # as above


def differences(key: str, value: Any, usual: Any) -> Iterator[tuple[str, Any]]:
    """The keys at and below `key` whose values in `value` are not those in `usual`.

    >>> [*differences("", {"a": 1, "b": {"c": [2], "d": 3}}, {"a": 1, "b": {"c": [], "d": 3}})]
    [('b.c', [2])]
    """
    if isinstance(value, dict):
        usual = usual or {}
        for name in [*value, *(gone for gone in usual if gone not in value)]:
            below = f"{key}.{name}" if key else name
            yield from differences(below, value.get(name), usual.get(name))
    elif value != usual:
        yield key, value


def _without_secrets(text: str) -> str:
    """A URL without user, password and what is behind `?`; of what cannot be told apart, nothing.

    >>> [_without_secrets(url) for url in ("redis://a:b@c@d", "redis://h?password=a@b", "unix:///s?db=1")]
    ['redis://(hidden)', 'redis://(hidden)', 'unix:///s']
    >>> _without_secrets("some other text")
    '(hidden)'
    """
    scheme, separator, rest = text.partition("://")
    if not separator:
        return HIDDEN
    address, _, behind = rest.partition("?")
    if address.count("@") > 1 or "@" in behind:
        return f"{scheme}://{HIDDEN}"
    return f"{scheme}://{address.rpartition('@')[2]}"
