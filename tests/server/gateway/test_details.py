"""What a refusal says beyond its code: wholly in the language of the connection."""

import pytest

from croupier_protocol.game.limits import Limit, LimitError
from croupier_server.gateway.details import limit_hit
from support.gateways import gateway_on
from support.players import connected, sit, slip, standing

ENGLISH = {
    "unknown_bet": "This table does not offer that bet. (lucky_9)",
    "combination": "These bets may not stand together at this table. (Banker, Player: 1 at most)",
    "least": "The table does not take this amount. (Player: 1.00 at least)",
    "most": "The table does not take this amount. (Tie: 100.00 at most)",
    "step": "The table does not take this amount. (Banker: in steps of 1.00)",
    "huge": "The table does not take this amount. (Player)",
    "round": "This is not the running round. (round 1)",
    "buy_in_least": "The table does not take this amount. (20.00 at least)",
    "buy_in_most": "The table does not take this amount. (10,000.00 at most in front of you)",
    "empty": "This name cannot be shown. (it is empty)",
    "unseen": "This name cannot be shown. (it has characters that cannot be seen)",
    "long": "This name cannot be shown. (it has 21 letters; 20 is the most)",
    "marks": "This name cannot be shown. (a letter has more than 3 marks)",
}

FRENCH = {
    "unknown_bet": "Cette table ne propose pas cette mise. (lucky_9)",
    "combination": "Ces mises ne vont pas ensemble à cette table. (Banque, Joueur : 1 au plus)",
    "least": "La table n’accepte pas ce montant. (Joueur : 1,00 au moins)",
    "most": "La table n’accepte pas ce montant. (Égalité : 100,00 au plus)",
    "step": "La table n’accepte pas ce montant. (Banque : par pas de 1,00)",
    "huge": "La table n’accepte pas ce montant. (Joueur)",
    "round": "Ce n’est pas la manche en cours. (manche 1)",
    "buy_in_least": "La table n’accepte pas ce montant. (20,00 au moins)",
    "buy_in_most": "La table n’accepte pas ce montant. (10 000,00 au plus devant vous)",
    "empty": "Ce nom ne peut pas être affiché. (il est vide)",
    "unseen": "Ce nom ne peut pas être affiché. (il a des signes que l’on ne voit pas)",
    "long": "Ce nom ne peut pas être affiché. (il a 21 lettres ; le maximum est 20)",
    "marks": "Ce nom ne peut pas être affiché. (une lettre a plus de 3 accents)",
}

SLIPS = {
    "unknown_bet": ("standard", {"lucky_9": 100}),
    "combination": ("eight-deck", {"player": 100, "banker": 100}),
    "least": ("standard", {"player": 99}),
    "most": ("standard", {"tie": 10_100}),
    "step": ("standard", {"banker": 150}),
    "huge": ("standard", {"player": 2**53 - 1}),
}

NAMES = {"empty": "  ", "unseen": "a\u202eb", "long": "a" * 21, "marks": "a\u0301\u0302\u0303\u0304"}


def test_the_most_of_a_slip_is_said_of_all_bets_together():
    detail = limit_hit(LimitError(Limit.SLIP_MOST, 200_000))
    assert detail.english == "all bets together: 2,000.00 at most"
    assert detail.french == "toutes les mises : 2\N{NO-BREAK SPACE}000,00 au plus"


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("fr", FRENCH)])
async def test_every_detail_is_in_the_language_of_the_connection(store, pit, language, texts):
    said = {}
    async with (
        standing(store.url, pit, "standard", "eight-deck"),
        gateway_on(store.url) as gateway,
        connected(gateway.url, watch=["standard", "eight-deck"], language=language) as client,
    ):
        for what, buy_in in (("buy_in_least", 1_999), ("buy_in_most", 1_000_001)):
            said[what] = await sit(client, buy_in=buy_in)
        revs = {table: (await sit(client, table))["rev"] for table in ("standard", "eight-deck")}
        for what, (table, bets) in SLIPS.items():
            said[what] = await slip(client, bets, revs[table], table=table)
        said["round"] = await slip(client, {"player": 100}, revs["standard"], round_=2)
        for what, name in NAMES.items():
            said[what] = await client.ask(type="hello", name=name, language=language)
    assert {
        what: error["message"].replace("\N{NO-BREAK SPACE}", " ") for what, error in said.items()
    } == texts
