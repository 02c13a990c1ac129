"""What an operator says of the browser table: who may play, what is around it, its name and its looks.

The page has it in its head, as JSON in an attribute; colours are in a style sheet of its own. There is no
script in either, so the page's policy stays as strict as it is.
"""

import html
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

PLACE: Final = '<meta name="croupier-page" content="{}">'
"""Where the page has it: this is what the file says, for a server that says nothing."""

STYLES: Final = "css/site.css"
"""The style sheet of the operator's colours; the file has none."""

DARK_GROUNDS: Final = ("#091412", "#0e211c", "#13231f", "#1a2d28")
LIGHT_GROUNDS: Final = ("#e6e4da", "#dbe3da", "#f3f1e9", "#ffffff")
"""What the page writes on: ground, felt, panel and lifted panel of `css/tokens.css`."""

LEAST_CONTRAST: Final = 4.5
"""Of text on its ground (WCAG 2.2, 1.4.3)."""

INKS: Final = ("#1a1407", "#fffaf0")
"""What is written on a button in the accent's colour: the one of the two that can be read better."""

MOST_LINKS: Final = 8
"""Links at the foot of the lobby: a line or two."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Currency = Annotated[str, Meta(min_length=1, max_length=12)]
Footer = Annotated[str, Meta(min_length=1, max_length=300)]
Colour = Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}\Z")]


class Link(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[site.links]]`: a link at the foot of the lobby."""

    text: Annotated[
        str, Meta(min_length=1, max_length=60, description="What it says.", examples=["House rules"])
    ]
    url: Annotated[
        str,
        Meta(description="Where it leads, by https.", examples=["https://house.example/rules"]),
    ]


class SiteTerms(Struct, frozen=True):
    """`[site]`: how the operator's browser table is called and looks. Texts are the same in all languages."""

    name: Annotated[
        Name | None,
        Meta(
            description="The name of the house, as title of the browser table.",
            examples=["Golden Hall"],
        ),
    ] = None
    currency: Annotated[
        Currency | None,
        Meta(
            description="What the play money is called, beside amounts.",
            examples=["credits"],
        ),
    ] = None
    accent_dark: Annotated[
        Colour | None,
        Meta(
            description="Colour of what can be done next, where the browser prefers dark pages; it has to be"
            " readable on them.",
            examples=["#d3b063"],
        ),
    ] = None
    accent_light: Annotated[
        Colour | None,
        Meta(description="The same for light pages.", examples=["#6f5210"]),
    ] = None
    footer: Annotated[
        Footer | None,
        Meta(
            description="Text at the foot of the lobby.",
            examples=["For play only."],
        ),
    ] = None
    links: tuple[Link, ...] = ()


class PageTerms(Struct, frozen=True):
    """Pages of `parents`, which are origins, may have the browser table in a frame and sign its player in.

    `guests` is whether whoever has not signed in may take a seat; `sign_in_url` is where one signs in.
    `play_safe` is whether players may limit themselves.
    """

    parents: tuple[str, ...] = ()
    guests: bool = True
    sign_in_url: str | None = None
    site: SiteTerms = SiteTerms()
    play_safe: bool = False

    def policy(self) -> str:
        """Scripts, styles and sockets of this server alone, none inline; in frames of named pages alone."""
        ancestors = " ".join(("'self'", *self.parents)) if self.parents else "'none'"
        return (
            "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none';"
            f" frame-ancestors {ancestors}"
        )

    def fill(self, name: str, content: bytes) -> bytes:
        """A file of the browser table, with all that in it where it belongs there."""
        if name == STYLES:
            return content + _styles(self.site).encode()
        told = html.escape(msgspec.json.encode(self).decode())
        return content.replace(PLACE.encode(), PLACE.replace("{}", told).encode())


def contrast(one: str, other: str) -> float:
    """Between two colours, from 1 to 21 (WCAG 2.2, contrast ratio).

    >>> round(contrast("#ffffff", "#000000"), 1), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def unreadable_on(accent: str, grounds: tuple[str, ...]) -> str | None:
    """The ground on which text of that colour can be read worst, if too badly; None where it can on all.

    >>> unreadable_on("#6f5210", LIGHT_GROUNDS), unreadable_on("#6f5210", DARK_GROUNDS)
    (None, '#1a2d28')
    """
    worst = min(grounds, key=lambda ground: contrast(accent, ground))
    return worst if contrast(accent, worst) < LEAST_CONTRAST else None


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _styles(site: SiteTerms) -> str:
    found = ""
    for scheme, accent in (("dark", site.accent_dark), ("light", site.accent_light)):
        if accent is not None:
            ink = max(INKS, key=lambda one: contrast(one, accent))
            found += (
                f"@media (prefers-color-scheme: {scheme}) {{ :root {{ --brass: {accent}; --next: {accent};"
                f" --next-ink: {ink}; --brass-line: {accent}8c; }} }}\n"
            )
    return found
