"""`croupier checkconfig` and `croupier defaultconfig`."""

import json
import tomllib

import pytest

from croupier_client.cli.app import run

NO_NETWORK = "'lb' does not appear to be an IPv4 or IPv6 network"


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    monkeypatch.delenv("CROUPIER_SHOE_KEY", raising=False)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "croupier.toml"


def test_checkconfig_says_what_a_file_comes_to_with_the_environment(file, capsys, monkeypatch):
    file.write_text("[server]\nport = 80\n[wallet]\nstart = 5\n[[tables]]\nname = 'den'\npace = 'speed'")
    monkeypatch.setenv("CROUPIER_SERVER_PORT", "9000")
    monkeypatch.setenv("CROUPIER_GUESTS_ENABLED", "false")
    assert run(["checkconfig", str(file)]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert (
        output.out
        == f"""\
{file}: no faults
players    127.0.0.1, port 9000
health     127.0.0.1, port 8001
store      one of its own
guests     none
table      den: rules standard, pace speed, pit main
set        server.port = 9000  (by CROUPIER_SERVER_PORT)
set        guests.enabled = false  (by CROUPIER_GUESTS_ENABLED)
set        wallet.start = 5
"""
    )


def test_checkconfig_names_every_fault_on_a_line_of_its_own(file, capsys, monkeypatch):
    file.write_text(
        "[server]\nbind = ''\n[wallet]\nstart = -1\n[[tables]]\nname = 'a'\nrules = 'punto'\npace = 'slow'"
    )
    monkeypatch.setenv("CROUPIER_GATEWAY_EXEMPT", "lb")
    assert run(["checkconfig", str(file)]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert [line.partition("; ")[0] for line in output.err.splitlines()] == [
        f"croupier: {file}: server.bind: name an address, such as 127.0.0.1",
        f"croupier: environment variable CROUPIER_GATEWAY_EXEMPT: gateway.exempt[0]: {NO_NETWORK}",
        f"croupier: {file}: wallet: -1 is no amount of whole cents from 0 to 9007199254740991 cents",
        f"croupier: {file}: tables[0].rules: there is no rule set 'punto'",
        f"croupier: {file}: tables[0].pace: there is no pace 'slow'",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[server", "Expected ']' at the end of a table declaration (at end of document)"),
        ("[shoe]\nkey_file = '/nowhere/shoe.key'", "/nowhere/shoe.key cannot be read: No such file"),
        ("[store]\nredis = 'redis://h'", "with --redis a shoe key is needed: set CROUPIER_SHOE_KEY"),
    ],
)
def test_checkconfig_refuses_what_serve_would(file, capsys, text, line):
    file.write_text(text)
    assert run(["checkconfig", str(file)]) == 1
    [told] = capsys.readouterr().err.splitlines()
    assert line in told
    assert run(["serve", "--config", str(file), "--port", "0", "--admin-port", "0"]) == 2
    assert capsys.readouterr().err == f"{told}\n"


def test_checkconfig_json_is_one_object_without_secrets(file, capsys, monkeypatch):
    file.write_text("[store]\nredis = 'redis://me:hush@store:6379/0'\n[gateway]\nexempt = ['192.0.2.1']")
    monkeypatch.setenv("CROUPIER_SHOE_KEY", "0a" * 32)
    monkeypatch.setenv("CROUPIER_SERVER_PORT", "9000")
    assert run(["checkconfig", str(file), "--json"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["file"], told["environment"]) == (str(file), ["CROUPIER_SERVER_PORT"])
    assert (told["config"]["store"]["redis"], told["config"]["server"]["port"]) == (
        "redis://store:6379/0",
        9000,
    )
    assert (told["config"]["gateway"]["exempt"], told["config"]["gateway"]["connections"]) == (
        ["192.0.2.1"],
        20_000,
    )
    assert "hush" not in line
    assert "0a0a" not in line


def test_checkconfig_without_a_file_checks_the_environment(capsys, monkeypatch):
    assert run(["checkconfig"]) == 0
    assert capsys.readouterr().out.startswith("the default configuration: no faults\n")
    monkeypatch.setenv("CROUPIER_SERVER_PROT", "1")
    assert run(["checkconfig"]) == 1
    assert "the nearest is CROUPIER_SERVER_PORT" in capsys.readouterr().err


def test_defaultconfig_prints_toml_and_nothing_else(capsys):
    assert run(["defaultconfig"]) == 0
    assert tomllib.loads(capsys.readouterr().out)["wallet"] == {
        "start": 1000,
        "refill_to": 0,
        "refill_every": 0,
    }
