"""The operator's API over HTTP: `POST /api/<method>` with a key and a JSON object.

A page in a browser cannot use it, not even one that this machine's browser has open: it takes JSON alone,
which a page of another origin may not send without being asked first, and no such question is answered.
"""

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web
from aiohttp.http import HttpProcessingError
from msgspec import Struct

from croupier_server.operations.errors import OperationError
from croupier_server.operator_api.errors import (
    RETRY_AFTER_S,
    STATUSES,
    ApiCode,
    ApiError,
    Refusal,
    refusal_of,
)
from croupier_server.operator_api.guard import WrongKeys
from croupier_server.operator_api.handlers import Desk
from croupier_server.operator_api.keys import ApiKeys, ApiTerms
from croupier_server.operator_api.methods import METHODS, Method
from croupier_server.operator_api.openapi import document
from croupier_server.operator_api.reading import read_body
from croupier_server.store.errors import StoreError, StoreUnavailableError

logger = logging.getLogger(__name__)

KEY_HEADER: Final = "X-API-Key"

MOST_BYTES: Final = 16 * 1024
"""Of a request's body: several times what the longest takes."""

BODY_S: Final = 10.0
"""How long a body may take to come."""

MOST_UNDER_WAY: Final = 64
"""Requests that are carried out at a time; most wait for a dealer, up to a minute."""

_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class OperatorApi:
    """Answers requests to what `desk` has. `steady` is a clock in seconds that never goes back.

    Raises, when made:
        SetupError: a file with keys cannot be used.
    """

    def __init__(self, desk: Desk, terms: ApiTerms, steady: Callable[[], float]) -> None:
        self.wrong_keys = WrongKeys(steady)
        self._desk = desk
        self._closed = terms.closed
        self._keys = ApiKeys(terms, steady)
        self._under_way = 0

    def routes(self) -> tuple[web.RouteDef, ...]:
        """What the admin port serves for it."""
        return (
            web.get("/api/openapi.json", self._describe),
            web.route("*", "/api/{method:.*}", self._answer),
        )

    async def _describe(self, _request: web.Request) -> web.Response:
        return web.Response(text=document(), content_type="application/json", headers=_HEADERS)

    async def _answer(self, request: web.Request) -> web.Response:
        try:
            answer = await self._serve(request)
        except ApiError as error:
            answer = error.refusal
        return _refused(answer) if isinstance(answer, Refusal) else _json(answer, HTTPStatus.OK)

    async def _serve(self, request: web.Request) -> Struct:
        """The answer of the method that is asked for, or a `Refusal`."""
        if request.method != "POST":
            raise ApiError(ApiCode.ONLY_POST, "methods are called with POST")
        key = self._authenticate(request)
        method = METHODS.get(request.match_info["method"])
        if method is None:
            raise ApiError(
                ApiCode.UNKNOWN_METHOD, f"there is none of that name; there are {', '.join(METHODS)}"
            )
        if request.content_type != "application/json":
            raise ApiError(ApiCode.ONLY_JSON, "send Content-Type: application/json")
        asked = read_body(await _body(request), method.takes)
        if self._under_way >= MOST_UNDER_WAY:
            raise ApiError(ApiCode.BUSY, f"{MOST_UNDER_WAY} requests are under way: ask again later")
        self._under_way += 1
        try:
            answer = await self._carry_out(method, asked)
        finally:
            self._under_way -= 1
        if method.changes:
            outcome = answer.code if isinstance(answer, Refusal) else "done"
            text = msgspec.json.encode(asked).decode()
            logger.info("API: key %s: %s %s: %s", key, method.name, text, outcome)
        return answer

    def _authenticate(self, request: web.Request) -> str:
        """The short name of the key that the request brings.

        Raises:
            ApiError: it brings none, or a wrong one, or there is none to bring.
        """
        if self._closed:
            raise ApiError(
                ApiCode.NO_KEYS,
                "the operator's API is closed: configure key_digests or key_files under [api]",
            )
        sent = request.headers.getall(KEY_HEADER, [])
        key = self._keys.open_with(sent[0]) if len(sent) == 1 else None
        if key is None:
            if not self.wrong_keys.take(request.remote or "somebody", given=bool(sent)):
                raise ApiError(ApiCode.TOO_MANY_WRONG_KEYS, "too many requests without a key that counts")
            raise ApiError(ApiCode.BAD_KEY, f"send a key of this server's operator as {KEY_HEADER}")
        return key

    async def _carry_out(self, method: Method, asked: Struct) -> Struct:
        try:
            return await method.handle(self._desk, asked)
        except OperationError as error:
            return refusal_of(error)
        except ApiError as error:
            return error.refusal
        except StoreUnavailableError as error:
            return Refusal(
                ApiCode.UNAVAILABLE,
                "the store does not answer, so it may be done or not: send the same again, with the same op"
                f" where it has one ({error})",
            )
        except StoreError as error:
            logger.error("API: %s: %s", method.name, error)  # noqa: TRY400  # it says all
            return Refusal(ApiCode.DAMAGED, str(error))
        except Exception:
            logger.exception("API: %s", method.name)
            return Refusal(ApiCode.INTERNAL, "this failed; the server's log says why")


async def _body(request: web.Request) -> bytes:
    """The request's body.

    Raises:
        ApiError: TOO_LONG, TOO_SLOW, or MALFORMED.
    """
    too_long = ApiError(ApiCode.TOO_LONG, f"a request has {MOST_BYTES} bytes at most")
    if (request.content_length or 0) > MOST_BYTES:
        raise too_long
    try:
        async with asyncio.timeout(BODY_S):
            return await request.read()
    except web.HTTPRequestEntityTooLarge as error:
        raise too_long from error
    except TimeoutError as error:
        raise ApiError(ApiCode.TOO_SLOW, f"the body has to come within {BODY_S:.0f} s") from error
    except (web.RequestPayloadError, HttpProcessingError, ConnectionError) as error:
        raise ApiError(ApiCode.MALFORMED, "the body is not as its headers say") from error


def _json(answer: Struct, status: HTTPStatus) -> web.Response:
    body = msgspec.json.encode(answer)
    return web.Response(body=body, status=status, content_type="application/json", headers=_HEADERS)


def _refused(refusal: Refusal) -> web.Response:
    answer = _json(refusal, STATUSES[refusal.code])
    if refusal.code in RETRY_AFTER_S:
        answer.headers["Retry-After"] = str(RETRY_AFTER_S[refusal.code])
    match answer.status:
        case HTTPStatus.UNAUTHORIZED:
            answer.headers["WWW-Authenticate"] = KEY_HEADER
        case HTTPStatus.METHOD_NOT_ALLOWED:
            answer.headers["Allow"] = "POST"
    return answer
