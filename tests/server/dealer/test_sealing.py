"""A shoe's seed as the store may hold it."""

import base64

import pytest
from msgspec.structs import replace

from croupier_server.dealer.sealing import ShoeKey, WrongKeyError
from croupier_server.store.records import Sealed

KEY = ShoeKey(bytes(range(32)))
SEED = bytes(range(100, 132))


def test_a_sealed_seed_opens_with_its_key_at_its_place():
    sealed = KEY.seal(SEED, "standard", 7)
    assert KEY.open(sealed, "standard", 7) == SEED
    assert ShoeKey(bytes(range(32))).open(sealed, "standard", 7) == SEED
    assert len(sealed.ciphertext) == 12 + 32 + 16


def test_a_seed_sealed_twice_looks_different():
    first, second = KEY.seal(SEED, "standard", 7), KEY.seal(SEED, "standard", 7)
    assert first.ciphertext != second.ciphertext
    assert KEY.open(first, "standard", 7) == KEY.open(second, "standard", 7)


def test_the_sealed_bytes_do_not_contain_the_seed():
    """B6."""
    for shoe in range(100):
        sealed = KEY.seal(SEED, "standard", shoe).ciphertext
        assert SEED[:8] not in sealed
        assert SEED.hex().encode() not in sealed
        assert base64.b64encode(SEED) not in sealed


def test_the_key_is_known_by_a_digest_that_does_not_show_it():
    assert KEY.id == "0307c49b"
    assert repr(KEY) == "<ShoeKey 0307c49b>"


@pytest.mark.parametrize(("table", "shoe"), [("vegas", 7), ("standard", 8), ("standar", 77), ("", 7)])
def test_a_sealed_seed_does_not_open_at_another_place(table, shoe):
    sealed = KEY.seal(SEED, "standard", 7)
    with pytest.raises(WrongKeyError, match=f"shoe {shoe} at table {table} is damaged"):
        KEY.open(sealed, table, shoe)


def test_another_key_is_told_by_its_id():
    sealed = KEY.seal(SEED, "standard", 7)
    other = ShoeKey(bytes(32))
    with pytest.raises(WrongKeyError, match=f"sealed with key {KEY.id}; the key given is {other.id}"):
        other.open(sealed, "standard", 7)
    with pytest.raises(WrongKeyError, match="damaged"):
        other.open(replace(sealed, key_id=other.id), "standard", 7)


def test_after_a_rotation_the_new_key_seals_and_both_open():
    old, new = bytes(range(32)), bytes(32)
    rotated = ShoeKey(new, old)
    assert rotated.open(KEY.seal(SEED, "standard", 7), "standard", 7) == SEED
    sealed = rotated.seal(SEED, "standard", 8)
    assert sealed.key_id == ShoeKey(new).id
    assert ShoeKey(new).open(sealed, "standard", 8) == SEED
    with pytest.raises(WrongKeyError, match=f"the keys given are {ShoeKey(new).id}, {KEY.id}"):
        rotated.open(replace(sealed, key_id="00000000"), "standard", 8)


def test_a_changed_cut_or_missing_ciphertext_does_not_open():
    sealed = KEY.seal(SEED, "standard", 7).ciphertext
    changed = [bytes([*sealed[:at], sealed[at] ^ 1, *sealed[at + 1 :]]) for at in range(len(sealed))]
    cut = [sealed[:length] for length in range(len(sealed))]
    for ciphertext in (*changed, *cut, sealed + b"\0"):
        with pytest.raises(WrongKeyError, match="damaged"):
            KEY.open(Sealed(ciphertext=ciphertext, key_id=KEY.id), "standard", 7)
