"""Everything that is in the image may be passed on with Croupier."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "licences.py"
spec = importlib.util.spec_from_file_location("licences", TOOL)
licences = importlib.util.module_from_spec(spec)
spec.loader.exec_module(licences)


def test_every_locked_package_comes_under_a_licence_that_is_allowed():
    told = {name: said for name, _, said in licences.listed()}
    assert (told["websockets"], told["psycopg"]) == ("BSD-3-Clause", "LGPL-3.0-only")
    assert len(told) > 30
    assert {name: said for name, said in told.items() if not licences.allowed(said)} == {}


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("Apache-2.0 OR GPL-3.0-only", True),
        ("GPL-3.0-only OR MIT", True),
        ("Apache-2.0 AND GPL-3.0-only", False),
        ("MIT AND (GPL-2.0-only OR BSD-3-Clause)", True),
        ("(MIT", False),
        ("AGPL-3.0-or-later", False),
        ("Proprietary", False),
        ("UNKNOWN", False),
        ("", False),
    ],
)
def test_an_expression_is_allowed_when_it_can_be_met_with_allowed_licences_alone(expression, allowed):
    assert licences.allowed(expression) is allowed
