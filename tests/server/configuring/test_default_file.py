"""The printed file with every key at its default, and the page of all keys."""

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Struct

from croupier_server.config import Config
from croupier_server.configuring import keys as keys_module
from croupier_server.configuring.default_file import default_file
from croupier_server.configuring.describe import page
from croupier_server.configuring.keys import keys, sections
from croupier_server.configuring.reading import read_config
from croupier_server.configuring.sections import ServerSection

DOCS = Path(__file__).parents[3] / "docs"

NO_ENVIRONMENT: dict[str, str] = {}


def test_the_printed_file_means_what_no_file_means(tmp_path):
    file = tmp_path / "croupier.toml"
    file.write_text(default_file())
    assert read_config(file, environment=NO_ENVIRONMENT) == Config()


def test_every_key_that_has_a_default_is_set_in_the_printed_file():
    text = default_file()
    raw = tomllib.loads(text)
    assert raw["server"] == {
        "bind": "127.0.0.1",
        "port": 8000,
        "admin_bind": "127.0.0.1",
        "admin_port": 8001,
        "workers": 0,
        "role": "both",
    }
    assert [table["name"] for table in raw["tables"]] == [
        "standard",
        "single-deck",
        "eight-deck",
        "two-field",
        "vegas",
    ]
    assert raw["tables"][0]["limits"]["main_most"] == 500
    for key in keys():
        assert re.search(rf"(?m)^#?{key.name} = ", text), key.dotted
    for section in sections():
        assert f"\n{section.header}\n" in text or f"\n#{section.header}\n" in text


def test_what_is_commented_out_in_the_printed_file_can_be_set():
    """As far as types go: files that examples name are not there."""
    config = msgspec.convert(tomllib.loads(re.sub(r"(?m)^#(?=[\w\[])", "", default_file())), Config)
    assert config.store.redis == "redis://127.0.0.1:6379/0"
    assert config.shoe.beacon.period == 3
    assert config.rules["NAME"].exceptions[0].bet == "banker"
    assert config.guests.enabled is True
    assert config.identity.keys[0].until == datetime(2028, 1, 2, tzinfo=UTC)


def test_the_page_is_up_to_date():
    remedy = "run `python -m croupier_server.configuring.describe docs`"
    assert (DOCS / "configuration.md").read_text(encoding="utf-8") == page(), remedy


def test_the_page_tells_a_keys_variable_default_unit_and_meaning():
    assert (
        "| `refill_every` | `CROUPIER_WALLET_REFILL_EVERY` | `0` | seconds, 0 to 31622400"
        " | How long after one refill the next may come; 0 is never. |"
    ) in page().splitlines()


def test_every_key_without_a_default_has_an_example():
    for key in keys():
        assert key.example is not None or key.default not in (None, msgspec.NODEFAULT), key.dotted


def test_a_section_needs_to_be_written_in_one_place_only(monkeypatch):
    class ParlourSection(Struct, frozen=True):
        """`[parlour]`: where one sits."""

        chairs: Annotated[int, Meta(ge=1, description="Chairs.", extra={"unit": "chairs"})] = 4

    class Wider(Config, frozen=True):
        parlour: ParlourSection = ParlourSection()

    monkeypatch.setattr(keys_module, "Config", Wider)
    [key] = [key for key in keys() if key.path[0] == "parlour"]
    assert (key.variable, key.default, key.bounds) == ("CROUPIER_PARLOUR_CHAIRS", 4, "chairs, at least 1")
    assert "| `chairs` | `CROUPIER_PARLOUR_CHAIRS` | `4` | chairs, at least 1 | Chairs. |" in page()


def test_a_key_without_a_description_is_an_error(monkeypatch):
    class Bare(ServerSection, frozen=True):
        backlog: int = 0

    class Wider(Config, frozen=True):
        server: Bare = Bare()

    monkeypatch.setattr(keys_module, "Config", Wider)
    with pytest.raises(TypeError, match=r"the key server\.backlog has no description"):
        sections()
