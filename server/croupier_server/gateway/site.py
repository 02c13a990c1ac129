"""What HTTP requests to the port get: the files of the browser table, and nothing else.

The files are read, compressed and named by their digest once, at the start. A request can only name one of
them, so there is no path to climb out of.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final, Self

from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from croupier_server.gateway.http import NOT_KEPT, names, plain, response
from croupier_server.gateway.page_terms import STYLES, PageTerms

INDEX: Final = "index.html"

MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
}
"""The files that are served, by their endings; others of the folder are not."""

WORTH_COMPRESSING: Final = 0.9
"""A compressed file is served when it has at most this part of the original's size."""

_USUAL: Final = PageTerms()


class Asset(Struct, frozen=True):
    """One file, as it is and compressed where that is worth it. A tag names its bytes exactly."""

    media_type: str
    content: bytes
    tag: str
    compressed: bytes | None

    @classmethod
    def of(cls, path: Path, content: bytes) -> Self:
        """A file that is called like `path`."""
        compressed = gzip.compress(content, mtime=0)
        worth_it = len(compressed) <= WORTH_COMPRESSING * len(content)
        return cls(
            media_type=MEDIA_TYPES[path.suffix],
            content=content,
            tag=hashlib.sha256(content).hexdigest()[:32],
            compressed=compressed if worth_it else None,
        )


class Site:
    """The files of a folder, as they were when this was made; without a folder there are none.

    `page` is what the operator says of the browser table that they are.
    """

    def __init__(self, folder: Path | None = None, page: PageTerms = _USUAL) -> None:
        self.assets: Mapping[str, Asset] = {} if folder is None else dict(_assets(folder, page))
        self._policy = page.policy()

    def respond(self, request: Request) -> Response:
        """The answer to a request."""
        asset = self.assets.get(request.path.partition("?")[0])
        if asset is None:
            return plain(HTTPStatus.NOT_FOUND, "There is nothing here; the tables are at /.\n")
        return _serve(asset, request.headers, self._policy)


def _assets(folder: Path, page: PageTerms) -> Iterator[tuple[str, Asset]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in MEDIA_TYPES and path.is_file():
            name = path.relative_to(folder).as_posix()
            content = path.read_bytes()
            asset = Asset.of(path, page.fill(name, content) if name in {INDEX, STYLES} else content)
            yield f"/{name}", asset
            if name == INDEX:
                yield "/", asset


def _serve(asset: Asset, headers: Headers, policy: str) -> Response:
    compressed = asset.compressed if _takes_gzip(headers.get_all("Accept-Encoding")) else None
    tag = f'"{asset.tag}"' if compressed is None else f'"{asset.tag}-gzip"'
    more = [("ETag", tag), ("Vary", "Accept-Encoding"), ("Content-Security-Policy", policy), *NOT_KEPT]
    if names(headers, tag):
        return response(HTTPStatus.NOT_MODIFIED, asset.media_type, b"", more)
    if compressed is None:
        return response(HTTPStatus.OK, asset.media_type, asset.content, more)
    return response(HTTPStatus.OK, asset.media_type, compressed, [("Content-Encoding", "gzip"), *more])


def _takes_gzip(accepted: list[str]) -> bool:
    """Whether `Accept-Encoding` takes gzip (RFC 9110, 12.5.3); without one, plain is what everyone can read.

    >>> _takes_gzip(["br, gzip;q=0.8"]), _takes_gzip(["gzip;q=0, identity"]), _takes_gzip([])
    (True, False, False)
    """
    for offered in ",".join(accepted).lower().split(","):
        coding, _, weight = (part.strip() for part in offered.partition(";"))
        if coding in {"gzip", "x-gzip", "*"}:
            return re.fullmatch(r"q\s*=\s*0(\.0*)?", weight) is None
    return False
