"""Names and reasons from elsewhere in a terminal: they move nothing, hide nothing and take their room."""

import pytest
from rich.cells import cell_len

from croupier_client.terminal.draw.picture import Span, block
from croupier_client.terminal.safe import clean


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("Ana", "Ana"),
        ("\x1b[2J\x1b]0;owned\x07Ana", "�[2J�]0;owned�Ana"),
        ("Ana\u202emoc", "Ana�moc"),
        ("\u2066Ana\u2069", "�Ana�"),
        ("A\u200bn\u200ba", "A�n�a"),
        ("Ana\r\nBob\tBig", "Ana  Bob Big"),
        ("A\u0308na", "Äna"),
        ("A" + "\u0301" * 64, "Á\u0301\u0301"),
        ("\u0301\u0301Ana", "Ana"),
        ("Ana\ufe0f", "Ana"),
        ("Ana\x9b31m", "Ana�31m"),
        ("\U000e0041\ue000Ana", "��Ana"),
        ("👩\u200d👧", "👩�👧"),
        ("Ana Ž\u00a0五", "Ana Ž\u00a0五"),
    ],
)
def test_l4_a_name_moves_no_cursor_turns_no_direction_and_piles_nothing_up(hostile, shown):
    assert clean(hostile) == shown
    assert clean(shown) == shown


@pytest.mark.parametrize(
    "hostile",
    ["\x1b[10;10H" * 40, "\u202e" * 15, "五" * 40, "Z" + "\u0338" * 200, "👩\u200d👧\u200d👦" * 9, ""],
)
def test_every_line_of_a_picture_is_exactly_as_wide_as_the_picture(hostile):
    for width in (1, 2, 7, 30):
        (line,) = block(width, [(Span(hostile), Span("25.00"))]).lines
        text = "".join(span.text for span in line)
        assert cell_len(text) == width
        assert text == clean(text)
