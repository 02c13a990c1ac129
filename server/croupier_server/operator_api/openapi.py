"""Describes the operator's API as an OpenAPI 3.1 document, from the table of its methods.

Run as ``python -m croupier_server.operator_api.openapi docs``; a test fails when the file is out of date.
"""

import inspect
import json
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec import Struct

from croupier_protocol.generating import write_into_named_folder
from croupier_server.operator_api.errors import STATUSES, Refusal
from croupier_server.operator_api.methods import METHODS, Method
from croupier_server.webhooks.events import TOLD

FILE: Final = "openapi.json"

_REFERENCE: Final = "#/components/schemas/{name}"

_JSON: Final = "application/json"

ABOUT: Final = (
    "Every method is `POST /api/<method>` on the admin port, with a JSON object and a key. Amounts are cents,"
    " times milliseconds of the store's clock. An `op` names an action: sent again it is done once and"
    " answered alike."
)


@cache
def document() -> str:
    """The whole description, as JSON."""
    structs = [each for method in METHODS.values() for each in (method.takes, method.gives)]
    everything = [*structs, Refusal, *TOLD]
    schemas, components = msgspec.json.schema_components(everything, ref_template=_REFERENCE)
    components[Refusal.__name__]["properties"]["code"]["enum"] = list(STATUSES)
    takes_and_gives = dict(zip(structs, schemas, strict=False))
    described = {
        "openapi": "3.1.0",
        "info": {"title": "Croupier, the operator's API", "version": "1", "description": ABOUT},
        "paths": {
            f"/api/{method.name}": {
                "post": _operation(method, takes_and_gives[method.takes], takes_and_gives[method.gives])
            }
            for method in METHODS.values()
        },
        "webhooks": {str(one.__struct_config__.tag): {"post": _told(one)} for one in TOLD},
        "components": {
            "schemas": components,
            "responses": {_name(status): _refusal(status) for status in _statuses()},
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
        },
        "security": [{"key": []}],
    }
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"


def _operation(method: Method, takes: dict[str, Any], gives: dict[str, Any]) -> dict[str, Any]:
    refused = {
        str(status.value): {"$ref": f"#/components/responses/{_name(status)}"} for status in _statuses()
    }
    return {
        "operationId": method.name,
        "summary": method.about,
        "requestBody": {"required": True, "content": {_JSON: {"schema": takes}}},
        "responses": {
            "200": {"description": "It is done.", "content": {_JSON: {"schema": gives}}},
            **refused,
        },
    }


def _told(event: type[Struct]) -> dict[str, Any]:
    schema = {"$ref": _REFERENCE.format(name=event.__name__)}
    return {
        "summary": inspect.cleandoc(event.__doc__ or "").partition("\n\n")[0].replace("\n", " "),
        "requestBody": {"required": True, "content": {_JSON: {"schema": schema}}},
        "responses": {"2XX": {"description": "Taken. Anything else is sent again."}},
        "security": [],
    }


def _refusal(status: HTTPStatus) -> dict[str, Any]:
    codes = ", ".join(f"`{code}`" for code, of in STATUSES.items() if of is status)
    return {
        "description": f"Not done, with one of the codes {codes}.",
        "content": {_JSON: {"schema": {"$ref": _REFERENCE.format(name=Refusal.__name__)}}},
    }


def _statuses() -> list[HTTPStatus]:
    return sorted(set(STATUSES.values()))


def _name(status: HTTPStatus) -> str:
    return f"Refused{status.value}"


if __name__ == "__main__":
    write_into_named_folder({FILE: document()}, __doc__)
