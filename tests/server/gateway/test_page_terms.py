"""What an operator says of the browser table: in the page, in its style sheet, and in the policy of both."""

import json
import re
from html.parser import HTMLParser

import pytest

from croupier_server.browser_table import browser_table
from croupier_server.configuring.reading import read_config
from croupier_server.errors import SetupError
from croupier_server.gateway.page_terms import (
    DARK_GROUNDS,
    LIGHT_GROUNDS,
    Link,
    PageTerms,
    SiteTerms,
    contrast,
)
from croupier_server.gateway.site import Site

HOSTILE = """"><script>alert(1)</script>'&amp;<!--"""


class Head(HTMLParser):
    """What a browser reads of a page: its elements, and what the page is told."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.told: dict | None = None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        found = dict(attributes)
        if found.get("name") == "croupier-page":
            self.told = json.loads(found["content"])


def page_of(terms: PageTerms) -> str:
    return Site(browser_table(), terms).assets["/"].content.decode()


def test_the_page_is_told_what_the_operator_says_and_no_text_of_it_is_markup():
    usual = Head(page_of(PageTerms()))
    site = SiteTerms(name=HOSTILE, footer=HOSTILE, links=(Link(HOSTILE, "https://house.example/?a=1&b=2"),))
    page = page_of(PageTerms(("https://house.example",), False, "https://house.example/login", site))
    head = Head(page)
    assert head.tags == usual.tags
    assert head.told["parents"] == ["https://house.example"]
    assert (head.told["guests"], head.told["sign_in_url"]) == (False, "https://house.example/login")
    assert (head.told["site"]["name"], head.told["site"]["footer"]) == (HOSTILE, HOSTILE)
    assert head.told["site"]["links"] == [{"text": HOSTILE, "url": "https://house.example/?a=1&b=2"}]
    assert "<script>alert" not in page
    assert usual.told["guests"] is True


def test_named_pages_may_have_it_in_a_frame_and_without_any_nobody_may():
    assert PageTerms().policy() == (
        "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'"
    )
    named = PageTerms(("https://house.example", "http://127.0.0.1:8080")).policy()
    assert named.endswith("; frame-ancestors 'self' https://house.example http://127.0.0.1:8080")


def test_colours_come_as_styles_with_an_ink_that_can_be_read_on_them():
    def styles(**site) -> str:
        return (
            Site(browser_table(), PageTerms(site=SiteTerms(**site))).assets["/css/site.css"].content.decode()
        )

    assert ":root" not in styles()
    found = styles(accent_dark="#ffd000", accent_light="#003366")
    assert (
        "(prefers-color-scheme: dark) { :root { --brass: #ffd000; --next: #ffd000; --next-ink: #1a1407;"
        in found
    )
    assert (
        "(prefers-color-scheme: light) { :root { --brass: #003366; --next: #003366; --next-ink: #fffaf0;"
        in found
    )


def test_grounds_are_those_of_the_style_sheet():
    css = (browser_table() / "css" / "tokens.css").read_text(encoding="utf-8")
    dark, light = css.split("@media (prefers-color-scheme: light)")
    for grounds, part in ((DARK_GROUNDS, dark), (LIGHT_GROUNDS, light)):
        for name, ground in zip(("ground", "felt", "panel", "panel-lifted"), grounds, strict=True):
            assert re.search(rf"--{name}: (#\w+);", part)[1] == ground


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#767676", "#ffffff", 4.54), ("#0000ff", "#ffffff", 8.59)],
)
def test_contrast_is_that_of_the_guidelines(one, other, ratio):
    assert round(contrast(one, other), 2) == round(contrast(other, one), 2) == ratio


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[site]\naccent_dark = "#003366"', "site.accent_dark: text in #003366 has 1.1"),
        ('[site]\naccent_light = "#ffd000"', "site.accent_light: text in #ffd000 has"),
        ('[site]\naccent_dark = "red"', "site.accent_dark"),
        ('[site]\naccent_dark = "#ffffff;}"', "site.accent_dark"),
        ('[site]\nname = "a\\nb"', "site.name: write it on one line"),
        ('[site]\nname = " "', "site.name: write it on one line"),
        ('[[site.links]]\ntext = "x"\nurl = "http://house.example"', "site.links[0].url: name an https"),
        ('[[site.links]]\ntext = "x"\nurl = "javascript:alert(1)"', "site.links[0].url: name an https"),
        ('[[site.links]]\ntext = "x"\nurl = "https://["', "site.links[0].url: name an https"),
        ('[identity]\nsign_in_url = "javascript:alert(1)"', "identity.sign_in_url: name an https"),
        ('[identity]\nsign_in_url = "http://house.example/login"', "identity.sign_in_url: name an https"),
    ],
)
def test_what_cannot_stand_on_the_page_is_refused_by_the_name_of_its_key(tmp_path, text, key):
    path = tmp_path / "croupier.toml"
    path.write_text(text)
    with pytest.raises(SetupError) as refused:
        read_config(path)
    assert key in str(refused.value)


def test_a_configuration_says_what_the_page_is_told(tmp_path):
    path = tmp_path / "croupier.toml"
    path.write_text(
        '[server]\nbind = "0.0.0.0"\n[gateway]\norigins = ["https://House.example"]\n'
        '[identity]\nsign_in_url = "https://house.example/login"\n[site]\nname = "Golden Hall"\n'
    )
    told = read_config(path).page()
    assert (told.parents, told.guests) == (("https://house.example",), False)
    assert (told.sign_in_url, told.site.name) == ("https://house.example/login", "Golden Hall")
