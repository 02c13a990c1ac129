"""The description of the wire is generated; the files in docs/ must be what the types say now."""

import json
from pathlib import Path

import msgspec

from croupier_protocol.browser import files
from croupier_protocol.describe import page, schema
from croupier_protocol.messages.errors import CloseCode, ErrorCode
from croupier_protocol.messages.to_client import ServerMessage
from croupier_protocol.messages.to_server import ClientMessage

DOCS = Path(__file__).parents[2] / "docs"
WEB_SCRIPTS = Path(__file__).parents[2] / "client" / "croupier_client" / "web" / "js"
REMEDY = "run `python -m croupier_protocol.describe docs`"


def test_the_page_is_up_to_date():
    assert (DOCS / "protocol.md").read_text(encoding="utf-8") == page(), REMEDY


def test_the_schema_is_up_to_date():
    assert (DOCS / "protocol.schema.json").read_text(encoding="utf-8") == schema(), REMEDY


def test_the_page_names_every_message_error_and_close_code():
    text = page()
    for struct in (*ClientMessage.__args__, *ServerMessage.__args__):
        assert f"### `{struct.__struct_config__.tag}`" in text
        for field in msgspec.structs.fields(struct):
            assert f"| `{field.encode_name}` |" in text
    for code in ErrorCode:
        assert f"| `{code.value}` |" in text
    for close in CloseCode:
        assert f"| {close.value} |" in text


def test_the_schema_has_every_reference_it_makes():
    document = json.loads(schema())
    references = set()

    def walk(node):
        if isinstance(node, dict):
            references.update(value for key, value in node.items() if key == "$ref")
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(document)
    assert {reference.removeprefix("#/$defs/") for reference in references} <= set(document["$defs"])


def test_what_the_browser_table_takes_from_python_is_up_to_date():
    for name, text in files().items():
        remedy = "run `python -m croupier_protocol.browser client/croupier_client/web/js`"
        assert (WEB_SCRIPTS / name).read_text(encoding="utf-8") == text, remedy
