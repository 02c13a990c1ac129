"""The description of the wire is generated; the files in docs/ must be what the types say now."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from croupier_protocol.asyncapi import asyncapi
from croupier_protocol.browser import files
from croupier_protocol.codec import JSON
from croupier_protocol.describe import page, schema
from croupier_protocol.messages.errors import CloseCode, ErrorCode
from croupier_protocol.messages.events import BettingOpened, ShoeEnded, TableEvent
from croupier_protocol.messages.to_client import ServerMessage
from croupier_protocol.messages.to_server import ClientMessage
from croupier_protocol.view import fold, opening_view
from croupier_protocol.wire_guide import CONVERSATION, FOLDS
from legal_rounds import RULES, Dealer

DOCS = Path(__file__).parents[2] / "docs"
GOLDEN = Path(__file__).parent / "golden"
WEB_SCRIPTS = Path(__file__).parents[2] / "client" / "croupier_client" / "web" / "js"
REMEDY = "run `python -m croupier_protocol.describe docs`"


def test_the_page_is_up_to_date():
    assert (DOCS / "protocol.md").read_text(encoding="utf-8") == page(), REMEDY


def test_the_page_says_of_every_event_which_phase_comes_with_it():
    """Of those of a few rounds with faults in them, as the fold has it."""
    assert set(FOLDS) == set(TableEvent.__args__)
    dealer = Dealer(seed=3)
    dealer.deal(60, faults=True)
    view, seen = opening_view(dealer.table, dealer.epoch, RULES), set()
    for event in dealer.events:
        before, view = view, fold(view, event)
        stays = (isinstance(event, BettingOpened) and event.round == before.round) or (
            isinstance(event, ShoeEnded) and before.cut is not None
        )
        named = re.match(r"`phase` is `(\w+)`", FOLDS[type(event)])
        expected = before.phase if named is None or stays else named[1]
        assert (type(event), view.phase) == (type(event), expected)
        seen.add(type(event))
    assert len(seen) >= 12


def test_what_stands_in_full_in_the_conversation_are_messages():
    taken = 0
    for line in CONVERSATION.splitlines():
        direction, _, frame = line.partition(" ")
        if "…" in line:
            continue
        if direction == "→":
            JSON.decode_command(frame)
        else:
            assert isinstance(JSON.decode_message(frame), ServerMessage)
        taken += 1
    assert taken == 12


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


def test_the_asyncapi_document_is_up_to_date():
    assert (DOCS / "asyncapi.json").read_text(encoding="utf-8") == asyncapi(), REMEDY


@pytest.mark.parametrize("text", [schema(), asyncapi()], ids=["schema", "asyncapi"])
def test_a_document_has_every_reference_it_makes(text):
    document = json.loads(text)
    references = set(referred(document))
    assert len(references) > 50
    for reference in references:
        node = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


def referred(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from referred(value)
    elif isinstance(node, list):
        for value in node:
            yield from referred(value)


def test_the_asyncapi_document_has_a_message_for_every_golden_frame_and_who_sends_it():
    document = json.loads(asyncapi())
    golden = {
        name: json.loads((GOLDEN / f"{name}.json").read_text()) for name in ("commands", "events", "others")
    }
    sent = {json.loads(frame["json"])["type"] for frame in golden["commands"].values()}
    told = {
        json.loads(frame["json"])["type"] for part in ("events", "others") for frame in golden[part].values()
    }

    def named(operation):
        return {one["$ref"].rpartition("/")[2] for one in document["operations"][operation]["messages"]}

    assert (document["operations"]["command"]["action"], document["operations"]["tell"]["action"]) == (
        "receive",
        "send",
    )
    assert named("command") == sent
    assert named("tell") == told
    messages = document["components"]["messages"]
    for name in sent | told:
        schema_name = messages[name]["payload"]["$ref"].rpartition("/")[2]
        assert document["components"]["schemas"][schema_name]["properties"]["type"]["enum"] == [name]


def test_what_the_browser_table_takes_from_python_is_up_to_date():
    for name, text in files().items():
        remedy = "run `python -m croupier_protocol.browser client/croupier_client/web/js`"
        assert (WEB_SCRIPTS / name).read_text(encoding="utf-8") == text, remedy
