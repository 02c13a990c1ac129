"""Reads a request's body as what a method takes, or says which field is wrong and why."""

import re
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from croupier_server.operator_api.errors import ApiCode, ApiError

Asked = TypeVar("Asked", bound=Struct)

_AT: Final = re.compile(r" - at `\$\.([^.`\[]+)[^`]*`$")
_NAMED: Final = re.compile(r"Object (?:contains unknown|missing required) field `([^`]*)`")


def read_body(body: bytes, takes: type[Asked]) -> Asked:
    """The request in `body`, JSON.

    Raises:
        ApiError: MALFORMED, or INVALID with the field.
    """
    try:
        return msgspec.json.decode(body, type=takes)
    except msgspec.ValidationError as error:
        text = str(error)
        at = _AT.search(text) or _NAMED.match(text)
        raise ApiError(ApiCode.INVALID, text, at[1] if at else None) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(ApiCode.MALFORMED, f"the body is no JSON: {error}") from error
