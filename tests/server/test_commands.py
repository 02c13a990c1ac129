"""`croupier serve` before anything starts: what is wrong is one line on standard error, and status 2."""

import json
import socket

import pytest

from croupier_server.commands import serve


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"port": 70_000}, "server.port: Expected `int` <= 65535"),
        ({"admin_port": -1}, "server.admin_port: Expected `int` >= 0"),
        ({"pace": "slow"}, "pace: there is no pace 'slow'; there are standard, speed, turbo"),
    ],
)
def test_a_bad_option_is_one_line_and_status_2(capsys, tmp_path, options, line):
    assert serve(data=tmp_path, **options) == 2
    assert capsys.readouterr().err == f"croupier: command line: {line}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_environment_is_read_and_an_option_goes_before_it(capsys, monkeypatch):
    monkeypatch.delenv("CROUPIER_SHOE_KEY", raising=False)
    monkeypatch.setenv("CROUPIER_SERVER_PORT", "70001")
    assert serve(redis="redis://127.0.0.1:1") == 2
    assert capsys.readouterr().err == (
        "croupier: environment variable CROUPIER_SERVER_PORT: server.port: Expected `int` <= 65535\n"
    )
    assert serve(redis="redis://127.0.0.1:1", port=70_000) == 2
    assert capsys.readouterr().err == "croupier: command line: server.port: Expected `int` <= 65535\n"


def test_several_faults_are_counted(capsys, tmp_path):
    assert serve(data=tmp_path, port=-1, workers=-1) == 2
    assert capsys.readouterr().err == (
        "croupier: command line: server.port: Expected `int` >= 0; and 1 more"
        " (`croupier checkconfig` lists those of a file)\n"
    )


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_stands_in_the_way_of_a_start_is_told_in_the_form_of_the_log(capsys, tmp_path, form):
    (tmp_path / "croupier.toml").write_text(f'[log]\nformat = "{form}"\n')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert serve(data=tmp_path / "data", config=tmp_path / "croupier.toml", port=port) == 2
    [line] = capsys.readouterr().err.splitlines()
    if form == "json":
        read = json.loads(line)
        assert (read["level"], read["process"]) == ("critical", "serve")
        assert f"port {port}: " in read["message"]
    else:
        assert line.startswith("croupier: ")
        assert f"port {port}: " in line
