"""The programs that write files from the types: they write into a folder that is there, and make none."""

import runpy
import sys

import pytest

PROGRAMS = {
    "croupier_protocol.describe": {"protocol.md", "protocol.schema.json", "asyncapi.json"},
    "croupier_server.configuring.describe": {"configuration.md"},
    "croupier_server.operator_api.openapi": {"openapi.json"},
}


@pytest.fixture
def call(monkeypatch, tmp_path, capsys):
    """Runs a program in an empty folder; returns its exit status and what it says."""

    def called(program, *arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [program, *arguments])
        monkeypatch.delitem(sys.modules, program, raising=False)
        status = 0
        try:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        return status, said.out + said.err

    return called


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_files_are_written_into_the_folder_that_is_named(call, tmp_path, program):
    (tmp_path / "docs").mkdir()
    assert call(program, "docs") == (0, "")
    assert {file.name for file in (tmp_path / "docs").iterdir()} == PROGRAMS[program]


@pytest.mark.parametrize("program", [*PROGRAMS, "croupier_protocol.browser"])
@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["--help"], 0, "a folder that is there"),
        ([], 2, "the following arguments are required: folder"),
        (["dosc"], 2, "dosc is no folder"),
        (["--check"], 2, "the following arguments are required: folder"),
    ],
)
def test_anything_else_writes_nothing_and_says_what_is_wanted(
    call, tmp_path, program, arguments, status, text
):
    ended, said = call(program, *arguments)
    assert ended == status
    assert text in said
    assert list(tmp_path.iterdir()) == []
