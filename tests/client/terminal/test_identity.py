"""A guest's token, kept from one run of the terminal table to the next."""

from croupier_client.terminal.identity import KeptGuest, guests_folder


def test_the_newest_token_is_kept_for_its_owner_alone(tmp_path):
    guest = KeptGuest(tmp_path / "guests", "wss://Tables.example:443/x")
    assert guest.token() is None
    guest.keep("first")
    guest.keep("second")
    assert KeptGuest(tmp_path / "guests", "wss://tables.example:443/x").token() == "second"
    (file,) = (tmp_path / "guests").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_each_server_has_its_own_guest(tmp_path):
    KeptGuest(tmp_path, "ws://one:1").keep("secret")
    assert KeptGuest(tmp_path, "ws://two:1").token() is None


def test_what_is_no_token_is_none_and_a_folder_that_cannot_be_written_harms_nothing(tmp_path):
    guest = KeptGuest(tmp_path, "ws://one:1")
    guest.keep("two words")
    assert guest.token() is None
    (tmp_path / "file").write_text("")
    KeptGuest(tmp_path / "file", "ws://one:1").keep("secret")


def test_guests_are_kept_in_the_state_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert guests_folder() == tmp_path / "croupier" / "guests"
