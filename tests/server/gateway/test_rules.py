"""The rules of a table in words, over real sockets on a real store."""

import asyncio
import json
from fractions import Fraction

import pytest
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS, Commission
from croupier_protocol.language import Language
from croupier_server.gateway import rulebook
from croupier_server.gateway.rulebook import Rulebook
from support.gateways import bare, dealing, gateway_on
from support.stores import turbo

FAVOURS = {
    "en": "Banker favours you: over time it returns 1.2351% more than you stake.",
    "fr": "La mise Banque est à votre avantage : à la longue, elle rend 1,2351 % de plus que vous ne misez.",
}


@pytest.fixture
async def gateway(store):
    """A gateway with one table that plays shipped rules, and one whose rules are only on the list."""
    shipped = turbo("fields", "two-field")
    foreign = replace(RULE_SETS["standard"], name="foreign", commission=Commission(Fraction(1, 25)))
    settings = [shipped, replace(turbo("foreign"), rules=foreign, auto_rebet=False)]
    async with dealing(store.url, settings), gateway_on(store.url) as running:
        yield running


def notable(answer):
    return [
        block["text"].replace("\N{NO-BREAK SPACE}", " ")
        for section in answer["sections"]
        for block in section["blocks"]
        if block["kind"] == "paragraph" and block["notable"]
    ]


@pytest.mark.parametrize("subprotocol", ["croupier.v1.json", "croupier.v1.msgpack"])
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_the_rules_of_a_table(gateway, subprotocol, language):
    async with bare(gateway.url, subprotocol) as client:
        answer = await client.ask(type="rules", table="fields", language=language)
    assert (answer["type"], answer["table"], answer["language"]) == ("rules", "fields", language)
    assert answer["rules"] == {"name": "two-field", "digest": RULE_SETS["two-field"].digest}
    assert notable(answer) == [FAVOURS[language]]


async def test_the_language_is_that_of_hello_unless_another_is_named(gateway):
    async with bare(gateway.url) as client:
        await client.ask(type="hello", language="fr")
        assert (await client.ask(type="rules", table="fields"))["language"] == "fr"
        assert (await client.ask(type="rules", table="fields", language="en"))["language"] == "en"


async def test_a_table_tells_whether_bets_may_be_repeated_by_themselves(gateway):
    async with bare(gateway.url) as client:
        assert (await client.ask(type="rules", table="fields")).get("auto_rebet", True) is True
        assert (await client.ask(type="rules", table="foreign"))["auto_rebet"] is False


async def test_rules_that_only_the_list_of_tables_has_are_told(gateway):
    """A table of another server, or one added by hand: its rules are in no configuration here."""
    async with bare(gateway.url) as client:
        answer = await client.ask(type="rules", table="foreign")
    assert answer["rules"]["name"] == "foreign"
    text = json.dumps(answer["sections"], ensure_ascii=False).replace("\N{NO-BREAK SPACE}", " ")
    assert "4%" in text


async def test_a_table_that_is_not_here_has_no_rules(gateway):
    async with bare(gateway.url) as client:
        assert (await client.ask(type="rules", table="nowhere"))["code"] == "unknown_table"


async def test_a_text_is_written_once_however_many_ask(monkeypatch):
    written = []

    def write(rules, language):
        written.append((rules.name, language))
        return rules.name

    monkeypatch.setattr(rulebook, "rules_text", write)
    rules = RULE_SETS["standard"]
    book = Rulebook()
    ask = asyncio.create_task(book.text(rules, Language.FRENCH))
    gone = asyncio.create_task(book.text(rules, Language.FRENCH))
    await asyncio.sleep(0)
    gone.cancel()
    assert await ask == "standard"
    assert await book.text(rules, Language.FRENCH) == "standard"
    assert written == [("standard", Language.FRENCH)]
