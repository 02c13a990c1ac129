"""What becomes of a record's state that Croupier did not write."""

import pytest

from croupier_server.table.state import StateError, decode_state


@pytest.mark.parametrize(
    "encoded",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xc1", id="no MessagePack"),
        pytest.param(b"\x90", id="no object"),
        pytest.param(b"\x81\xa4view\x01", id="a view that is none"),
        pytest.param(b"\x81\xa5extra" + b"\x91" * 100_000, id="nested too deeply"),
    ],
)
def test_a_state_that_cannot_be_read_is_one_kind_of_error_whatever_is_wrong_with_it(encoded):
    with pytest.raises(StateError):
        decode_state(encoded)
