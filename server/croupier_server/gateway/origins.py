"""Whose pages may open a websocket here. A browser says in `Origin` whose page asks; programs say nothing.

A page of another site could otherwise play as whoever looks at it, with what that visitor's browser knows.
"""

import re
from collections.abc import Iterable
from typing import Final

from websockets.datastructures import Headers

_ORIGIN: Final = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")


def origin(text: str) -> str:
    """An origin as browsers write it.

    >>> origin("https://House.example")
    'https://house.example'

    Raises:
        ValueError: it is none.
    """
    if _ORIGIN.fullmatch(text.lower()) is None:
        raise ValueError(f"{text!r} is no origin, such as https://house.example or http://localhost:3000")
    return text.lower()


class Origins:
    """Lets in the pages of this server itself, those that are named, and programs."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        """See the class.

        Raises:
            ValueError: one that is named is no origin.
        """
        self._named = {origin(one) for one in named}

    def admits(self, headers: Headers) -> bool:
        """Whether a request with these headers may become a websocket.

        Behind a proxy the server's own page is the one whose host the proxy hands on as `Host`.
        """
        given = [one.lower() for one in headers.get_all("Origin")]
        if not given:
            return True
        if len(given) > 1 or _ORIGIN.fullmatch(given[0]) is None:
            return False
        own = [one.lower() for one in headers.get_all("Host")]
        return given[0] in self._named or [given[0].partition("://")[2]] == own

    def is_page(self, headers: Headers) -> bool:
        """Whether it is a page that may, and no program: what its browser sends along is its visitor's."""
        return "Origin" in headers and self.admits(headers)
