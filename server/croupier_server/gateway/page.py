"""The plain page at `/`: what this is and how to watch."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

SOCKET_PATH: Final = "/ws"

_PAGE: Final = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Croupier</title>
<style>
body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem;
  color: #e9e4d6; background: #0c1a17; }}
code {{ font-size: 0.95em; background: #14261f; padding: 0.1rem 0.4rem; border-radius: 0.2rem; }}
a {{ color: #c9a75b; }}
</style>
</head>
<body>
<h1>Croupier</h1>
{body}
</body>
</html>
"""

_BODIES: Final = {
    "en": """<p>This server hosts live baccarat tables, for play money. Anyone may watch.</p>
<p>In a terminal: <code>croupier watch {url}</code></p>
<p>From a program: open a websocket at <code>{url}/ws</code> with the subprotocol
<code>croupier.v1.msgpack</code> or <code>croupier.v1.json</code>, send
<code>{{"type": "watch", "table": "standard"}}</code> and read.</p>""",
    "fr": """<p>Ce serveur héberge des tables de baccarat en direct, sans argent réel.
Tout le monde peut regarder.</p>
<p>Dans un terminal : <code>croupier watch {url} --lang fr</code></p>
<p>Depuis un programme : ouvrez un websocket vers <code>{url}/ws</code> avec le sous-protocole
<code>croupier.v1.msgpack</code> ou <code>croupier.v1.json</code>, envoyez
<code>{{"type": "watch", "table": "standard"}}</code> et lisez.</p>""",
}

_NOT_KEPT: Final = (("Cache-Control", "no-cache"),)

PLAIN: Final = "text/plain; charset=utf-8"


def respond(request: Request) -> Response | None:
    """The answer to an HTTP request; None where the websocket handshake goes on."""
    path = request.path.partition("?")[0]
    if path == SOCKET_PATH:
        return None
    if path == "/":
        language = "fr" if request.headers.get("Accept-Language", "").lower().startswith("fr") else "en"
        host = _host(request.headers.get("Host", ""))
        body = _PAGE.format(language=language, body=_BODIES[language].format(url=f"ws://{host}"))
        return response(HTTPStatus.OK, "text/html; charset=utf-8", body.encode())
    return response(HTTPStatus.NOT_FOUND, PLAIN, b"There is nothing here; the tables are at /ws.\n")


def _host(text: str) -> str:
    """The address a visitor used, if it is one: it is shown back to them."""
    plain = bool(text) and all(character.isalnum() or character in ".-:[]" for character in text)
    return text if plain and text.isascii() else "HOST:PORT"


def response(
    status: HTTPStatus, content_type: str, body: bytes, more: Iterable[tuple[str, str]] = _NOT_KEPT
) -> Response:
    """An answer to a request; `more` are its headers beyond the usual, and say whether it may be kept."""
    headers = Headers(
        [
            ("Content-Type", content_type),
            ("Content-Length", str(len(body))),
            *more,
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
            ("Connection", "close"),
        ]
    )
    return Response(status.value, status.phrase, headers, body)
