"""Refusals of the operator's API: a code that keeps its meaning, the HTTP status, and a text that helps."""

from enum import StrEnum
from http import HTTPStatus
from typing import Final

from msgspec import Struct

from croupier_server.operations.errors import OperationCode, OperationError


class ApiCode(StrEnum):
    """Why a request was not taken, whatever it was about."""

    NO_KEYS = "no_keys"
    BAD_KEY = "bad_key"
    TOO_MANY_WRONG_KEYS = "too_many_wrong_keys"
    UNKNOWN_METHOD = "unknown_method"
    ONLY_POST = "only_post"
    TOO_SLOW = "too_slow"
    TOO_LONG = "too_long"
    ONLY_JSON = "only_json"
    MALFORMED = "malformed"
    INVALID = "invalid"
    BUSY = "busy"
    UNAVAILABLE = "unavailable"
    DAMAGED = "damaged"
    INTERNAL = "internal"


STATUSES: Final[dict[str, HTTPStatus]] = {
    ApiCode.NO_KEYS: HTTPStatus.FORBIDDEN,
    ApiCode.BAD_KEY: HTTPStatus.UNAUTHORIZED,
    ApiCode.TOO_MANY_WRONG_KEYS: HTTPStatus.TOO_MANY_REQUESTS,
    ApiCode.UNKNOWN_METHOD: HTTPStatus.NOT_FOUND,
    ApiCode.ONLY_POST: HTTPStatus.METHOD_NOT_ALLOWED,
    ApiCode.TOO_SLOW: HTTPStatus.REQUEST_TIMEOUT,
    ApiCode.TOO_LONG: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ApiCode.ONLY_JSON: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ApiCode.MALFORMED: HTTPStatus.BAD_REQUEST,
    ApiCode.INVALID: HTTPStatus.BAD_REQUEST,
    ApiCode.BUSY: HTTPStatus.TOO_MANY_REQUESTS,
    ApiCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ApiCode.DAMAGED: HTTPStatus.INTERNAL_SERVER_ERROR,
    ApiCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    OperationCode.UNKNOWN_TABLE: HTTPStatus.NOT_FOUND,
    OperationCode.UNKNOWN_PIT: HTTPStatus.NOT_FOUND,
    OperationCode.UNKNOWN_PLAYER: HTTPStatus.NOT_FOUND,
    OperationCode.NOT_SEATED: HTTPStatus.CONFLICT,
    OperationCode.TABLE_EXISTS: HTTPStatus.CONFLICT,
    OperationCode.REFUSED: HTTPStatus.CONFLICT,
    OperationCode.NO_DEALER: HTTPStatus.SERVICE_UNAVAILABLE,
    OperationCode.OPERATION_REUSED: HTTPStatus.CONFLICT,
    OperationCode.WALLET_SHORT: HTTPStatus.CONFLICT,
    OperationCode.LIMIT: HTTPStatus.CONFLICT,
    OperationCode.NO_ALARM: HTTPStatus.CONFLICT,
    OperationCode.STILL_DAMAGED: HTTPStatus.CONFLICT,
}
"""The HTTP status that goes with each code."""

RETRY_AFTER_S: Final[dict[str, int]] = {
    ApiCode.TOO_MANY_WRONG_KEYS: 6,
    ApiCode.BUSY: 2,
    ApiCode.UNAVAILABLE: 2,
    OperationCode.NO_DEALER: 5,
}
"""When to come again, in seconds, where that may help."""


class Refusal(Struct, frozen=True, omit_defaults=True):
    """The body of every answer that is no success.

    `code` is an `ApiCode` or an `OperationCode`; `field` is the member of the request that was wrong; `limit`
    what was hit, or what a wallet holds, in cents.
    """

    code: str
    message: str
    field: str | None = None
    limit: int | None = None


class ApiError(Exception):
    """A request that is refused; `refusal` is told."""

    def __init__(self, code: ApiCode | OperationCode, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.refusal = Refusal(code, message, field)


def refusal_of(error: OperationError) -> Refusal:
    """What is told of an operation that was not done."""
    return Refusal(error.code, str(error), limit=error.limit)
