"""What HTTP requests to the port get: the files of the browser table, and nothing else.

The files are read, compressed and named by their digest once, at the start. A request can only name one of
them, so there is no path to climb out of. Every answer ends its connection.
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

SOCKET_PATH: Final = "/ws"

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

POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
"""Scripts, styles and sockets of this server alone, none of them inline."""

_PLAIN: Final = "text/plain; charset=utf-8"


class Asset(Struct, frozen=True):
    """One file, as it is and compressed where that is worth it. A tag names its bytes exactly."""

    media_type: str
    content: bytes
    tag: str
    compressed: bytes | None

    @classmethod
    def of(cls, path: Path) -> Self:
        """The file at `path`."""
        content = path.read_bytes()
        compressed = gzip.compress(content, mtime=0)
        worth_it = len(compressed) <= WORTH_COMPRESSING * len(content)
        return cls(
            media_type=MEDIA_TYPES[path.suffix],
            content=content,
            tag=hashlib.sha256(content).hexdigest()[:32],
            compressed=compressed if worth_it else None,
        )


class Site:
    """The files of a folder, as they were when this was made; without a folder there are none."""

    def __init__(self, folder: Path | None = None) -> None:
        self.assets: Mapping[str, Asset] = {} if folder is None else dict(_assets(folder))

    def respond(self, request: Request) -> Response | None:
        """The answer to an HTTP request; None where the websocket handshake goes on."""
        path = request.path.partition("?")[0]
        if path == SOCKET_PATH:
            return None
        if request.method not in {"GET", "HEAD"}:
            answer = _plain(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n")
            answer.headers["Allow"] = "GET, HEAD"
        elif (asset := self.assets.get(path)) is None:
            answer = _plain(HTTPStatus.NOT_FOUND, "There is nothing here; the tables are at /ws.\n")
        else:
            answer = _serve(asset, request.headers)
        if request.method == "HEAD":
            answer.body = b""
        return answer


def _assets(folder: Path) -> Iterator[tuple[str, Asset]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in MEDIA_TYPES and path.is_file():
            asset = Asset.of(path)
            name = path.relative_to(folder).as_posix()
            yield f"/{name}", asset
            if name == INDEX:
                yield "/", asset


def _serve(asset: Asset, headers: Headers) -> Response:
    compressed = asset.compressed if _takes_gzip(headers.get_all("Accept-Encoding")) else None
    tag = f'"{asset.tag}"' if compressed is None else f'"{asset.tag}-gzip"'
    fixed = [
        ("ETag", tag),
        ("Cache-Control", "no-cache"),
        ("Vary", "Accept-Encoding"),
        ("Content-Security-Policy", POLICY),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Connection", "close"),
    ]
    if _has(headers.get_all("If-None-Match"), tag):
        return _response(HTTPStatus.NOT_MODIFIED, fixed)
    content = asset.content if compressed is None else compressed
    encoding = [] if compressed is None else [("Content-Encoding", "gzip")]
    described = [("Content-Type", asset.media_type), ("Content-Length", str(len(content)))]
    return _response(HTTPStatus.OK, [*described, *encoding, *fixed], content)


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


def _has(named: list[str], tag: str) -> bool:
    """Whether `If-None-Match` names `tag` (RFC 9110, 13.1.2).

    >>> _has(['"a", W/"b"'], '"b"'), _has(["*"], '"b"'), _has(['"b-gzip"'], '"b"')
    (True, True, False)
    """
    tags = [each.strip().removeprefix("W/") for each in ",".join(named).split(",")]
    return tag in tags or "*" in tags


def _plain(status: HTTPStatus, text: str) -> Response:
    body = text.encode()
    headers = [
        ("Content-Type", _PLAIN),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-cache"),
        ("X-Content-Type-Options", "nosniff"),
        ("Connection", "close"),
    ]
    return _response(status, headers, body)


def _response(status: HTTPStatus, headers: list[tuple[str, str]], body: bytes = b"") -> Response:
    return Response(status.value, status.phrase, Headers(headers), body)
