"""Keys of the operator's API: what counts as one, and files that change while the server runs."""

import logging

import pytest

from croupier_server.configuring.reading import read_config
from croupier_server.errors import ConfigError, SetupError
from croupier_server.operator_api.guard import WrongKeys
from croupier_server.operator_api.keys import ApiKeys, ApiTerms, read_keys
from support.operator_api import DIGEST, KEY

OTHER = "another-key-of-the-same-operator-0123456789"


class Clock:
    def __init__(self):
        self.s = 0.0

    def __call__(self):
        return self.s


def test_a_file_may_hold_several_keys_and_is_read_again_when_it_changes(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    file, clock = tmp_path / "api.keys", Clock()
    file.write_text(f"{KEY}\n")
    keys = ApiKeys(ApiTerms(key_files=(str(file),)), clock)
    assert (keys.open_with(KEY), keys.open_with(OTHER)) == (DIGEST[:8], None)
    file.write_text(f"{OTHER}\n{KEY}\n")
    clock.s = 3
    assert (keys.open_with(KEY), keys.open_with(OTHER)) == (DIGEST[:8], "99dde42b")
    file.write_text("short\n")
    clock.s = 6
    assert keys.open_with(OTHER) == "99dde42b"
    assert f"the keys of the API stay as they were: {file} must hold keys of 32 to 256" in caplog.text
    file.write_text(f"{OTHER}\n")
    clock.s = 9
    assert (keys.open_with(KEY), keys.open_with(OTHER)) == (None, "99dde42b")
    assert KEY not in caplog.text
    assert OTHER not in caplog.text


@pytest.mark.parametrize("text", ["", "short", "x" * 257, f"{KEY}\nshort", "é" * 40])
def test_a_file_that_holds_anything_else_is_a_setup_error(tmp_path, text):
    file = tmp_path / "api.keys"
    file.write_text(text)
    with pytest.raises(SetupError, match="must hold keys of 32 to 256 visible ASCII characters"):
        read_keys(ApiTerms(key_files=(str(file),)))
    with pytest.raises(ConfigError, match=r"api: .* must hold keys"):
        read_config(None, environment={"CROUPIER_API_KEY_FILES": str(file)})


def test_a_missing_file_too_many_keys_and_bad_digests_are_faults_of_the_configuration(tmp_path):
    with pytest.raises(ConfigError, match=r"api: .*: cannot be read: No such file"):
        read_config(None, environment={"CROUPIER_API_KEY_FILES": str(tmp_path / "none")})
    with pytest.raises(ConfigError, match="api: 17 keys; 16 at most"):
        read_config(None, environment={"CROUPIER_API_KEY_DIGESTS": ",".join([DIGEST] * 17)})
    for digest in (KEY, DIGEST.upper(), DIGEST[1:], f"{DIGEST}\n"):
        with pytest.raises(SetupError, match="key_digests"):
            read_config(None, {("api", "key_digests"): [digest]})
    assert read_config(None, environment={"CROUPIER_API_KEY_DIGESTS": DIGEST}).api.key_digests == (DIGEST,)


def test_wrong_keys_are_told_of_again_after_a_while_with_what_was_not_told(caplog):
    clock = Clock()
    wrong = WrongKeys(clock)
    assert [wrong.take("192.0.2.7", given=True) for _ in range(12)] == [True] * 10 + [False] * 2
    clock.s = 6.0
    assert [wrong.take("192.0.2.7", given=False) for _ in range(2)] == [True, False]
    assert caplog.messages[-1] == "API: 192.0.2.7 came with no key, and 2 more before"
    clock.s = 1e6
    assert sum(wrong.take("192.0.2.7", given=True) for _ in range(100)) == 10
    assert wrong.count == 114
