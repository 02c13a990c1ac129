"""The wire as an AsyncAPI 3 document, from the message types: for tools that draw, check or write clients.

`describe` writes it to `docs/asyncapi.json`. Its source is https://www.asyncapi.com/docs/reference/specification/v3.0.0.
"""

import inspect
import json
import typing
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from croupier_protocol.codec import CODECS, JSON, MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from croupier_protocol.messages.to_client import ServerMessage
from croupier_protocol.messages.to_server import ClientMessage

WIRE_VERSION: Final = "1"

SCHEMAS: Final = "#/components/schemas/"

ABOUT: Final = (
    "Live baccarat tables over websockets; play money. What the messages are for, and in which order they"
    " come, is in protocol.md."
)


def asyncapi() -> str:
    """The document, as text."""
    sent: Sequence[type[Struct]] = typing.get_args(ClientMessage)
    told: Sequence[type[Struct]] = typing.get_args(ServerMessage)
    _, schemas = msgspec.json.schema_components(
        [ClientMessage, ServerMessage], ref_template=SCHEMAS + "{name}"
    )
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Croupier",
            "version": WIRE_VERSION,
            "description": ABOUT,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": "127.0.0.1:8000",
                "protocol": "ws",
                "description": "What `croupier serve` opens without a configuration.",
            }
        },
        "channels": {
            "tables": {
                "address": "/ws",
                "description": _about_the_websocket(),
                "messages": {
                    _name(one): {"$ref": f"#/components/messages/{_name(one)}"} for one in (*sent, *told)
                },
            }
        },
        "operations": {
            "command": _operation("receive", "What a client sends.", sent),
            "tell": _operation("send", "What the server sends: answers, and events unasked.", told),
        },
        "components": {"messages": {_name(one): _message(one) for one in (*sent, *told)}, "schemas": schemas},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _about_the_websocket() -> str:
    others = " or ".join(codec.subprotocol for codec in CODECS.values() if codec is not JSON)
    return (
        f"One websocket for everything, with the subprotocol {JSON.subprotocol} (text frames, as here) or"
        f" {others} (binary frames, the same messages). A client's frame has at most {MAX_CLIENT_FRAME}"
        f" bytes, a server's {MAX_SERVER_FRAME}."
    )


def _name(message: type[Struct]) -> str:
    return str(message.__struct_config__.tag)


def _operation(action: str, summary: str, messages: Sequence[type[Struct]]) -> dict[str, Any]:
    """What the server does with some of the messages."""
    return {
        "action": action,
        "channel": {"$ref": "#/channels/tables"},
        "summary": summary,
        "messages": [{"$ref": f"#/channels/tables/messages/{_name(one)}"} for one in messages],
    }


def _message(message: type[Struct]) -> dict[str, Any]:
    return {
        "name": _name(message),
        "description": inspect.cleandoc(message.__doc__ or ""),
        "payload": {"$ref": SCHEMAS + message.__name__},
    }
