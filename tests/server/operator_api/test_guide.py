"""What the guide says of the methods is what they are."""

import re
import shlex
from pathlib import Path

from msgspec.structs import fields

from croupier_server.operator_api.errors import STATUSES
from croupier_server.operator_api.methods import METHODS
from croupier_server.operator_api.reading import read_body

GUIDE = (Path(__file__).parents[3] / "docs" / "operator-api.md").read_text(encoding="utf-8")


def test_its_calls_are_requests_that_the_methods_take():
    calls = [shlex.split(line) for line in re.findall(r"(?m)^    (api [a-z].*)$", GUIDE)]
    assert [method for _, method, _ in calls] == [
        "tables.list",
        "tables.add",
        "tables.pause",
        "wallet.credit",
    ]
    for _, method, body in calls:
        read_body(body.encode(), METHODS[method].takes)


def test_its_table_has_every_method_with_its_fields():
    rows = re.findall(r"(?m)^\| ((?:`[a-z-]+(?:\.[a-z-]+)?`(?:, )?)+) \|([^|]*)\|", GUIDE)
    listed = {
        method: set(re.findall(r"`(\w+)`", takes))
        for names, takes in rows
        for method in re.findall(r"`([a-z.-]+)`", names)
        if method in METHODS
    }
    assert set(listed) == set(METHODS)
    for name, method in METHODS.items():
        extra = {"now"} if name == "tables.resume" else set()  # it shares its row
        assert listed[name] == {one.encode_name for one in fields(method.takes)} | extra, name


def test_it_names_every_code_of_a_refusal():
    for code in STATUSES:
        assert f"`{code}`" in GUIDE
