"""Colours of the terminal table: they can be read, and none of them is needed."""

import pytest
from rich.color import Color

from croupier_client.terminal.draw.picture import Role, Span, Surface
from croupier_client.terminal.palette import FEW_COLOURS, NEXT_INK, ROLES, SURFACES, Palette

TEXT = set(Role) - {Role.LINE, Role.GRID, Role.BLACK, Role.RED, Role.REPEATS, Role.BREAKS}
GROUNDS = {Surface.GROUND, Surface.FELT, Surface.PANEL, Surface.LIFTED, Surface.CHOSEN}


def luminance(colour: str) -> float:
    parts = [part / 255 for part in Color.parse(colour).triplet]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """As WCAG reckons it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("surfaces", [SURFACES, FEW_COLOURS], ids=["deep", "few"])
def test_every_text_can_be_read_on_every_ground(surfaces):
    weak = {
        (role.value, ground.value): round(contrast(ROLES[role], surfaces[ground]), 2)
        for role in TEXT
        for ground in GROUNDS
        if contrast(ROLES[role], surfaces[ground]) < 4.5
    }
    assert weak == {}
    assert contrast(ROLES[Role.INK], surfaces[Surface.LIFTED]) >= 7
    assert contrast(ROLES[Role.BRASS], surfaces[Surface.LIFTED]) >= 6
    for role in (Role.REPEATS, Role.BREAKS):
        assert contrast(ROLES[role], surfaces[Surface.GROUND]) >= 6
    for role in (Role.BLACK, Role.RED):
        assert contrast(ROLES[role], surfaces[Surface.CARD]) >= 6
    assert contrast(NEXT_INK, surfaces[Surface.NEXT]) >= 7


def test_without_colour_no_text_has_any():
    palette = Palette(colour=False)
    for role in Role:
        for surface in Surface:
            (segment,) = palette.strip((Span("x", role, strong=True, surface=surface),))
            assert segment.style.color is None
            assert segment.style.bgcolor is None
