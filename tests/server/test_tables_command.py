"""What `croupier tables` refuses before it asks any store: each in one line that says what to do instead."""

import pytest

from croupier_server.tables_command import tables


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("list", "standard"), {}, "tables list takes no table: it lists them all"),
        (("pause",), {}, "tables pause needs a table"),
        (("remove", "standard"), {}, "tables remove needs a player"),
        (
            ("pause", "standard"),
            {"reason": "x" * 201},
            "--reason takes a line of text, 200 characters at most",
        ),
        (
            ("add", "Late Night"),
            {},
            "tables add: 'Late Night' is no name: small letters, digits and -, 48 of them at most",
        ),
        (("add", "late"), {"limits": "foo=1"}, "tables add: Object contains unknown field"),
        (
            ("add", "late"),
            {"limits": "main_least=5,main_most=1"},
            "tables add: tables[0].limits: main_least is above main_most",
        ),
    ],
)
def test_misuse_is_status_2_and_one_line(capsys, monkeypatch, arguments, options, said):
    monkeypatch.setattr(
        "croupier_server.tables_command.with_store", lambda *_: pytest.fail("asked the store")
    )
    assert tables(*arguments, **options) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"croupier: {said}")
    assert err.count("\n") == 1
