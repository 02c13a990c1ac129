"""Names as a reader sees them: what is refused, what is put right, and what looks alike."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier_protocol.messages.values import Language, PlayerId
from croupier_server.players.names import BadNameError, guest_name, normalise, skeleton

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
KISS = "\U0001f469\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3ff"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ana", "Ana"),
        ("Ana ", "Ana"),
        ("\u00a0Ana\u3000", "Ana"),
        ("Ana  \u2003 B", "Ana B"),
        ("\uff21\uff2e\uff21", "ANA"),
        ("A\u0301na", "\u00c1na"),
        ("Nguy\u1ec5n", "Nguy\u1ec5n"),
        ("\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd", "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd"),
        ("Елена", "Елена"),
        ("王小明", "王小明"),
        (FAMILY, FAMILY),
        (FAMILY * 20, FAMILY * 20),
        (KISS, KISS),
        ("a" * 20, "a" * 20),
        ("e\u0316\u0317\u0318" * 20, "e\u0316\u0317\u0318" * 20),
    ],
)
def test_a_name_is_shown_as_it_reads(given, shown):
    """L4."""
    assert normalise(given) == shown


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u00a0",
        "Ana\u200b",
        "\u200b" * 15,
        "\u202eanA",
        "\u2066Ana\u2069",
        "An\u00ada",
        "Ana\x00",
        "Ana\nBea",
        "Ana\tBea",
        "Ana\u2028Bea",
        "\ufeffAna",
        "An\u200da",
        "An\u200ca",
        "Ana\ufe0f",
        "\U0001f468\u200d",
        "\U0001f468\u200d\u200d\U0001f469",
        "\u3164",
        "\u115f\u1160",
        "\u2800",
        "a\u034f",
        "\ue000",
        "\U0010ffff",
        "\ud800",
        "\U000e0041na",
        "\u0301Ana",
        "\u00a8",
        "An a\u0301\u0302\u0303\u0304",
        "A" + "\u0301" * 64,
        "a" * 21,
        (FAMILY * 21),
        "\u1112" * 40,
        "\U0001f468" + "\u200d\U0001f468" * 30,
        "\ufdfa" * 2,
    ],
    ids=ascii,
)
def test_what_cannot_be_shown_is_refused(name):
    """L4: nothing unseen, nothing that leaves its line, nothing longer than twenty letters."""
    with pytest.raises(BadNameError):
        normalise(name)


@given(st.text())
def test_normalising_twice_changes_nothing(name):
    """L5: what the check has seen is what is shown."""
    try:
        shown = normalise(name)
    except BadNameError:
        return
    assert normalise(shown) == shown
    assert skeleton(skeleton(shown)) == skeleton(shown)


@pytest.mark.parametrize(
    "other",
    [
        "ana",
        "ANA",
        "Ana ",
        "\u0410na",
        "An\u0430",
        "\uff21\uff2e\uff21",
        "\u0391na",
        "\U0001d5a0na",
        "\u13aana",
    ],
    ids=ascii,
)
def test_names_that_look_like_ana_have_her_skeleton(other):
    """L4: another case, Cyrillic, full width, Greek, mathematical, Cherokee."""
    assert skeleton(normalise(other)) == skeleton("Ana")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ian", "lan"), ("Ian", "ian"), ("Bob", "B0b"), ("Mia", "rnia"), ("Guest 4821", "Guest 482l")],
)
def test_names_that_look_alike_within_latin(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "Anna"), ("Ana", "Anaïs"), ("Zoe", "Zoë"), ("Nan", "Van"), ("Ana B", "AnaB")]
)
def test_names_that_read_differently_differ(one, other):
    assert skeleton(one) != skeleton(other)


@pytest.mark.slow
def test_the_skeleton_of_any_character_is_its_own_skeleton():
    for point in range(sys.maxunicode + 1):
        if chr(point).isprintable():
            one = skeleton(chr(point))
            assert skeleton(one) == one, hex(point)


def test_a_guest_without_a_name_is_called_the_same_each_time():
    player = PlayerId("g0000000000000000")
    assert guest_name(player, Language.ENGLISH) == "Guest 1579"
    assert guest_name(player, Language.FRENCH) == "Invité 1579"
    names = {guest_name(player, Language.ENGLISH, attempt) for attempt in range(100)}
    assert len(names) > 95
    assert all(normalise(name) == name for name in names)
