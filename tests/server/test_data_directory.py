"""The data directory: claimed once, kept from strangers, and its mistakes told in one line."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from croupier_server.data_directory import DataDirectory, default_path
from croupier_server.errors import SetupError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data"


def test_a_new_directory_is_made_private_and_marked(path):
    nested = path / "a" / "b"
    with DataDirectory(nested):
        assert nested.stat().st_mode & 0o777 == 0o700
        assert (nested / "croupier.json").read_text() == '{"croupier": "data directory", "layout": 1}\n'


def test_an_empty_directory_and_one_of_before_are_taken(path):
    path.mkdir()
    with DataDirectory(path) as first:
        (path / "store").mkdir()
        assert first.path == path
    with DataDirectory(path):
        assert (path / "store").is_dir()


def test_a_directory_with_other_files_is_refused_and_left_as_it_is(path):
    path.mkdir()
    (path / "thesis.tex").write_text("x")
    with (
        pytest.raises(SetupError, match=f"{path} holds other files and no croupier.json"),
        DataDirectory(path),
    ):
        pass
    assert [file.name for file in path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("mark", [b"{}", b"", b'{"croupier": "data directory", "layout": 2}\n', b"\xff\xfe"])
def test_a_mark_of_another_layout_is_refused_and_left_as_it_is(path, mark):
    path.mkdir()
    (path / "croupier.json").write_bytes(mark)
    with pytest.raises(SetupError, match=r"croupier.json is not of this release"), DataDirectory(path):
        pass
    assert (path / "croupier.json").read_bytes() == mark
    assert [file.name for file in path.iterdir()] == ["croupier.json"]


def test_a_start_that_was_killed_before_its_mark_does_not_lock_its_owner_out(path):
    path.mkdir()
    (path / "lock").write_text("4711\n")
    with DataDirectory(path):
        assert (path / "croupier.json").exists()


def test_a_file_in_its_place_or_in_its_way_is_refused(path):
    path.write_text("x")
    for wanted in (path, path / "below"):
        with pytest.raises(SetupError, match=f"{wanted} is not a directory"), DataDirectory(wanted):
            pass
    assert path.read_text() == "x"


def test_a_directory_that_cannot_be_made_or_written_is_refused(path):
    """Permissions do not hold root back; a file system that takes no files does, and a folder for a file."""
    nowhere = Path("/proc/data")
    with pytest.raises(SetupError, match="data directory /proc/data cannot be used"), DataDirectory(nowhere):
        pass
    path.mkdir()
    (path / "lock").mkdir()
    with (
        pytest.raises(SetupError, match=f"the data directory {path} cannot be used: Is a"),
        DataDirectory(path),
    ):
        pass


def test_a_second_server_is_refused_and_told_whose_the_directory_is(path):
    with DataDirectory(path):
        for _ in range(2):
            with (
                pytest.raises(SetupError, match=rf"{path} is in use .*\(process {os.getpid()}\)"),
                DataDirectory(path),
            ):
                pass
    with DataDirectory(path):
        pass


def test_the_lock_ends_with_its_process_however_that_ends(path):
    holder = textwrap.dedent("""
        import os, signal, sys
        from pathlib import Path
        from croupier_server.data_directory import DataDirectory
        with DataDirectory(Path(sys.argv[1])):
            os.kill(os.getpid(), signal.SIGKILL)
    """)
    ended = subprocess.run([sys.executable, "-c", holder, str(path)], check=False)
    assert ended.returncode == -9
    with DataDirectory(path):
        assert (path / "lock").read_text() == f"{os.getpid()}\n"


def test_a_secret_is_made_once_and_readable_by_its_owner_alone(path):
    with DataDirectory(path) as directory:
        [secret] = directory.secrets("shoe.key")
        assert len(secret) == 32
        assert directory.secrets("shoe.key") == (secret,)
        assert directory.secrets("other.key") != (secret,)
        assert (path / "shoe.key").stat().st_mode & 0o777 == 0o600
        assert (path / "shoe.key").read_text() == secret.hex() + "\n"
    with DataDirectory(path) as directory:
        assert directory.secrets("shoe.key") == (secret,)


@pytest.mark.parametrize("content", [b"", b"abc\n", b"zz" * 32, b"ab" * 31, b"\xff" * 64])
def test_a_damaged_secret_is_reported_and_never_replaced(path, content):
    """A new key would open none of the shoes that are sealed with the old one."""
    with DataDirectory(path) as directory:
        (path / "shoe.key").write_bytes(content)
        with pytest.raises(SetupError, match=f"{path}/shoe.key must hold a key of 64 hexadecimal digits"):
            directory.secrets("shoe.key")
        assert (path / "shoe.key").read_bytes() == content


def test_a_secret_that_cannot_be_read_is_reported(path):
    with DataDirectory(path) as directory:
        (path / "shoe.key").mkdir()
        with pytest.raises(SetupError, match=f"{path}/shoe.key cannot be read: Is a directory"):
            directory.secrets("shoe.key")


def test_the_default_is_the_users_state_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_path() == tmp_path / "croupier"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "state" / "croupier"
