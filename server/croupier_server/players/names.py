"""Names that a reader can tell apart: what a name may be, and how the eye reads it.

`normalise` comes first and decides everything; what it returns, it returns again. `skeleton` is for comparing
only: two names with one skeleton look alike, and no two alike sit at one table.
"""

import hashlib
import unicodedata
from functools import cache, lru_cache
from typing import Final

import regex
from confusable_homoglyphs.confusables import confusables_data

from croupier_protocol.messages.values import Language, PlayerId

MOST_LETTERS: Final = 20
"""What a reader counts as letters: grapheme clusters, so that an accent or a family of four adds none."""

MOST_MARKS: Final = 3
"""Combining marks on one letter: Vietnamese and pointed Hebrew need two or three, towers of marks more."""

MOST_POINTS: Final = 10
"""Code points in one letter: the longest emoji in use, a kiss with two skin tones, has ten."""

_SPACES: Final = regex.compile(r"\p{Zs}+")
_LETTER: Final = regex.compile(r"\X")
_MARK: Final = regex.compile(r"[\p{M}--\uFE0F]", regex.VERSION1)
_VISIBLE: Final = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")
_EMOJI_JOIN: Final = regex.compile(
    r"(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?)\u200D(?=\p{Extended_Pictographic})"
    r"|(?<=\p{Extended_Pictographic})\uFE0F"
)
"""Where the invisible parts of an emoji belong: nowhere else are they allowed."""

_REFUSED: Final = regex.compile(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]")
"""Controls, formats (bidirectional ones, zero width), private and unassigned code points, line separators,
and what shows nothing although it counts as a letter or a symbol."""

_IGNORED: Final = regex.compile(r"\p{Default_Ignorable_Code_Point}")


class BadNameError(ValueError):
    """A name that cannot be shown; the message, in English, and `french` say why."""

    def __init__(self, english: str, french: str) -> None:
        super().__init__(english)
        self.english = english
        self.french = french


def normalise(name: str) -> str:
    r"""`name` as it will be shown.

    >>> normalise("  \uff21na\u00a0 B ")
    'Ana B'

    Raises:
        BadNameError: it is empty, too long, or has parts that do not show or do not fit a line.
    """
    name = _SPACES.sub(" ", unicodedata.normalize("NFKC", name)).strip(" ")
    if not name:
        raise BadNameError("it is empty", "il est vide")
    if _REFUSED.search(_EMOJI_JOIN.sub("", name)):
        raise BadNameError("it has characters that cannot be seen", "il a des signes que l’on ne voit pas")
    letters = _LETTER.findall(name)
    if len(letters) > MOST_LETTERS:
        raise BadNameError(
            f"it has {len(letters)} letters; {MOST_LETTERS} is the most",
            f"il a {len(letters)} lettres ; le maximum est {MOST_LETTERS}",
        )
    for letter in letters:
        if len(_MARK.findall(unicodedata.normalize("NFD", letter))) > MOST_MARKS:
            raise BadNameError(
                f"a letter has more than {MOST_MARKS} marks", f"une lettre a plus de {MOST_MARKS} accents"
            )
        if len(letter) > MOST_POINTS:
            raise BadNameError(
                f"a letter is made of more than {MOST_POINTS} parts",
                f"une lettre est faite de plus de {MOST_POINTS} éléments",
            )
        if letter != " " and not _VISIBLE.match(letter):
            raise BadNameError(
                "it has marks that are on no letter", "il a des accents qui ne portent sur rien"
            )
    return name


def guest_name(player: PlayerId, language: Language, attempt: int = 0) -> str:
    """What a guest is called who chose no name: always the same, and another one for another `attempt`.

    >>> guest_name(PlayerId("g0000000000000000"), Language.FRENCH)
    'Invité 1579'
    """
    word = "Invité" if language is Language.FRENCH else "Guest"
    digest = hashlib.sha256(f"{player} {attempt}".encode()).digest()
    return f"{word} {1000 + int.from_bytes(digest[:8]) % 9000}"


def skeleton(name: str) -> str:
    """How the eye reads `name`: letters that look alike, in any script and either case, are one.

    Unicode's confusables (UTS 39) are applied before and after the case is dropped, so that neither a capital
    nor a small look-alike passes; `i` joins the `l` that a capital `I` looks like.

    >>> skeleton("\u0410na") == skeleton("ANA")
    True
    """
    text = _IGNORED.sub("", unicodedata.normalize("NFD", name))
    return unicodedata.normalize("NFD", "".join(map(_looks, text))).replace("i", "l")


@lru_cache(maxsize=10_000)
def _looks(character: str) -> str:
    """The letters that one looks like, in small letters."""
    text = character
    while True:
        before = text
        text = "".join(_look_alikes().get(one, one) for one in text)
        text = unicodedata.normalize("NFD", text.casefold())
        if text == before:
            return text


@cache
def _look_alikes() -> dict[str, str]:
    """Each character that looks like another, with that other: one for all that look alike.

    The package lists every pair in both directions, around the one that Unicode compares them by; what is
    written from right to left comes wrapped in marks.
    """
    pairs: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        for other in others:
            left, right = one.strip("\u200e"), other["c"].strip("\u200e")
            pairs.setdefault(left, set()).add(right)
            pairs.setdefault(right, set()).add(left)
    return {
        one: unicodedata.normalize("NFD", other)
        for other, alike in pairs.items()
        if len(alike) > 1 or len(other) > 1
        for one in alike
        if len(one) == 1
    } | {
        one: min(one, other)
        for one, (other, *more) in pairs.items()
        if not more and len(one) == len(other) == 1 and len(pairs[other]) == 1
    }
