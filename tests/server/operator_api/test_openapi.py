"""The published description of the operator's API is what the methods are."""

import json
from pathlib import Path

from msgspec.structs import fields

from croupier_server.operations.errors import OperationCode
from croupier_server.operator_api.errors import RETRY_AFTER_S, STATUSES, ApiCode
from croupier_server.operator_api.methods import METHODS
from croupier_server.operator_api.openapi import document

DOCS = Path(__file__).parents[3] / "docs"
DESCRIBED = json.loads(document())


def test_the_file_is_up_to_date():
    remedy = "run `python -m croupier_server.operator_api.openapi docs`"
    assert (DOCS / "openapi.json").read_text(encoding="utf-8") == document(), remedy


def test_it_is_an_openapi_document_in_which_everything_asks_for_the_key():
    assert DESCRIBED["openapi"] == "3.1.0"
    assert set(DESCRIBED) == {"openapi", "info", "paths", "webhooks", "components", "security"}
    assert {"title", "version"} <= set(DESCRIBED["info"])
    assert DESCRIBED["security"] == [{"key": []}]


def test_every_method_is_there_with_each_field_that_it_takes_and_gives():
    assert set(DESCRIBED["paths"]) == {f"/api/{name}" for name in METHODS}
    schemas = DESCRIBED["components"]["schemas"]
    for name, method in METHODS.items():
        operation = DESCRIBED["paths"][f"/api/{name}"]["post"]
        assert (operation["operationId"], operation["summary"]) == (name, method.about)
        takes = operation["requestBody"]["content"]["application/json"]["schema"]
        assert takes == {"$ref": f"#/components/schemas/{method.takes.__name__}"}
        gives = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert gives == {"$ref": f"#/components/schemas/{method.gives.__name__}"}
        for struct in (method.takes, method.gives):
            described = schemas[struct.__name__]
            assert set(described["properties"]) == {one.encode_name for one in fields(struct)}
        assert schemas[method.takes.__name__]["additionalProperties"] is False
        assert set(operation["responses"]) >= {"400", "401", "403", "404", "409", "413", "415", "429", "503"}


def test_what_receivers_of_webhooks_are_told_is_there():
    events = {
        "round_settled": "RoundSettled",
        "round_void": "RoundVoid",
        "player_broke": "PlayerBroke",
        "events_lost": "EventsLost",
    }
    assert set(DESCRIBED["webhooks"]) == set(events)
    for name, schema in events.items():
        told = DESCRIBED["webhooks"][name]["post"]
        assert told["summary"]
        assert told["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith(f"/{schema}")
        described = DESCRIBED["components"]["schemas"][schema]["properties"]
        assert described["type"] == {"enum": [name]}
        assert {"id", "pit"} <= set(described)


def test_every_reference_leads_somewhere():
    def references(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "$ref":
                    yield value
                else:
                    yield from references(value)
        elif isinstance(node, list):
            for value in node:
                yield from references(value)

    found = set(references(DESCRIBED))
    assert found
    for reference in found:
        node = DESCRIBED
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
        assert node


def test_every_code_has_a_status_and_is_described_once():
    assert set(STATUSES) == {*ApiCode, *OperationCode}
    assert set(RETRY_AFTER_S) == {code for code, status in STATUSES.items() if status in {429, 503}}
    responses = DESCRIBED["components"]["responses"].values()
    for code in STATUSES:
        assert sum(f"`{code}`" in one["description"] for one in responses) == 1


async def test_it_is_served_without_a_key(operator):
    status, headers, answer = await operator.send("/api/openapi.json", method="GET", key=None, body=None)
    assert (status, headers["Content-Type"], answer) == (200, "application/json; charset=utf-8", DESCRIBED)
