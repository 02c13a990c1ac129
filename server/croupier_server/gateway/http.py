"""Answers to plain HTTP requests, which the websocket's port gets too. Every answer ends its connection."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from croupier_server.gateway.admission import Refusal

PLAIN: Final = "text/plain; charset=utf-8"

NOT_KEPT: Final = (("Cache-Control", "no-cache"),)
"""What may be kept only after asking whether it has changed."""

NOTHING_INSIDE: Final = (("Content-Security-Policy", "default-src 'none'"),)
"""For answers that are no page: nothing in them is to be loaded or run."""

_ALWAYS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Connection", "close"),
)


def response(
    status: HTTPStatus,
    media_type: str,
    body: bytes,
    more: Iterable[tuple[str, str]] = (*NOT_KEPT, *NOTHING_INSIDE),
) -> Response:
    """An answer to a request; `more` are its headers beyond the usual, and say whether it may be kept."""
    described = [] if status is HTTPStatus.NOT_MODIFIED else _described(media_type, body)
    return Response(status.value, status.phrase, Headers([*described, *more, *_ALWAYS]), body)


def plain(status: HTTPStatus, text: str) -> Response:
    """A short answer in words."""
    return response(status, PLAIN, text.encode())


def not_now(refusal: Refusal) -> Response:
    """The answer to a request for a websocket that is not admitted."""
    answer = plain(refusal.status, f"{refusal.text} Try again in {refusal.retry_after_s} seconds.\n")
    answer.headers["Retry-After"] = str(refusal.retry_after_s)
    return answer


def refuse_method(request: Request) -> Response | None:
    """The answer to methods that nothing here has; None where the request may be answered."""
    if request.method in {"GET", "HEAD"}:
        return None
    answer = plain(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n")
    answer.headers["Allow"] = "GET, HEAD"
    return answer


def as_asked(request: Request, answer: Response) -> Response:
    """The answer without its body, where only its head was asked for."""
    if request.method == "HEAD":
        answer.body = b""
    return answer


def names(headers: Headers, tag: str) -> bool:
    """Whether `If-None-Match` names `tag` (RFC 9110, 13.1.2).

    >>> [names(Headers({"If-None-Match": named}), '"b"') for named in ('"a", W/"b"', "*", '"b-gzip"')]
    [True, True, False]
    """
    named = [
        each.strip().removeprefix("W/") for each in ",".join(headers.get_all("If-None-Match")).split(",")
    ]
    return tag in named or "*" in named


def cookie(headers: Headers, name: str) -> str | None:
    """The value of a cookie (RFC 6265); None where there is none, or several that differ.

    >>> cookie(Headers({"Cookie": "a=1; token=x.y.z; b=2"}), "token")
    'x.y.z'
    """
    pairs = [each.strip().partition("=") for each in "; ".join(headers.get_all("Cookie")).split(";")]
    found = {value for given, equals, value in pairs if given == name and equals}
    return found.pop() if len(found) == 1 else None


def _described(media_type: str, body: bytes) -> list[tuple[str, str]]:
    return [("Content-Type", media_type), ("Content-Length", str(len(body)))]
