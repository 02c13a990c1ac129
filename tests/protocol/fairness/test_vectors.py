"""The published vectors: what the product makes, and an implementation in another language."""

import json
import subprocess
from pathlib import Path

import msgpack
import pytest

import needs
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.fairness.cards import Salts, check_card, list_digest, proof_of
from croupier_protocol.fairness.chain import add_round, begin_shoe, end_shoe
from croupier_protocol.fairness.seeds import order_seed, seed_commitment, value_hash
from croupier_protocol.game.cards import parse_cards
from croupier_protocol.game.coup import Side
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import CardDealt
from croupier_protocol.messages.values import Beacon
from croupier_protocol.shoe.shoe import Shoe

ROOT = Path(__file__).parents[3]
VECTORS = ROOT / "docs" / "fairness-vectors.json"
JAVASCRIPT = ROOT / "tests" / "fairness" / "vectors.mjs"


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text()), ids=["shoe", "series", "beacon"])
def test_the_product_makes_the_published_vectors(vector):
    seed = bytes.fromhex(vector["seed"])
    named, drawn = None, None
    if vector["beacon"] is not None:
        told = vector["beacon"]
        beacon = Beacon(told["source"], told["round"], due_ms=0, value=bytes.fromhex(told["value"]))
        named, drawn = beacon.name, beacon.counts_as
        assert drawn.hex() == vector["beacon_hash"]
    commitment = seed_commitment(vector["table"], vector["shoe"], vector["rules_digest"], seed, named)
    assert commitment.hex() == vector["commitment"]
    values = [value and bytes.fromhex(value) for value in vector["values"]]
    hashes = [bytes.fromhex(hash_) for hash_ in vector["hashes"]]
    for value, hash_ in zip(values, hashes, strict=True):
        assert value is None or value_hash(value) == hash_
    made = order_seed(seed, [value or hash_ for value, hash_ in zip(values, hashes, strict=True)], drawn)
    assert made.hex() == vector["order_seed"]
    rules = next(rules for rules in RULE_SETS.values() if rules.digest == vector["rules_digest"])
    shoe = Shoe.open(rules, made)
    assert " ".join(shoe.order(1)[:12]) == vector["order_begins"]
    assert (shoe.cut_at, shoe.coups) == (vector["cut_at"], vector["coups"])
    entries = shoe.commitments()
    assert Salts(made).salt(0, 0).hex() == vector["salt_0"] == shoe.salt(1, 0).hex()
    assert entries[:32].hex() == vector["entry_0"]
    assert entries[7 * 32 : 8 * 32].hex() == vector["entry_7"]
    assert list_digest(entries).hex() == vector["digest"]
    chain = begin_shoe(None, commitment, list_digest(entries), shoe.cut_at)
    assert chain.hex() == vector["chain_begin"]
    for told in vector["rounds"]:
        hands = [parse_cards(" ".join(pairs(told[side]))) for side in ("player", "banker")]
        chain = add_round(chain, told["round"], told["coup"], told["outcome"], *hands)
    assert chain.hex() == vector["chain_rounds"]
    assert end_shoe(chain, seed, vector["reason"]).hex() == vector["chain_end"]
    never_opened = end_shoe(begin_shoe(None, commitment, b"", None), seed, vector["reason"])
    assert never_opened.hex() == vector["chain_never_opened"]


def pairs(text):
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def test_an_implementation_in_javascript_makes_them_too(tmp_path):
    node = needs.program("node")

    def run(path):
        command = [str(node), str(JAVASCRIPT), str(path)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    done = run(VECTORS)
    assert (done.returncode, done.stdout.splitlines()) == (0, ["same", "same", "same"]), done.stderr
    vectors = json.loads(VECTORS.read_text())
    vectors[0]["chain_end"] = vectors[0]["digest"]
    false = tmp_path / "false.json"
    false.write_text(json.dumps(vectors))
    assert run(false).stdout.splitlines() == ["differs: chain_end", "same", "same"]


@pytest.mark.parametrize(("name", "coup", "position"), [("standard", 9, 57), ("single-deck", 9, 5)])
def test_a_card_is_checked_alone_against_the_list(name, coup, position):
    shoe = Shoe.open(RULE_SETS[name], bytes(range(32)))
    entries, series = shoe.commitments(), shoe.coups is not None
    card, salt = shoe.card(coup, position), shoe.salt(coup, position)
    other = "As" if card != "As" else "Ah"
    assert check_card(entries, series, coup, position, card, salt)
    assert not check_card(entries, series, coup, position, other, salt)
    assert not check_card(entries, series, coup, position, card, bytes(16))
    assert not check_card(entries, series, coup, position - 1, card, salt)
    assert not check_card(entries, series, coup, 10_000, card, salt)


def test_a_card_costs_a_spectator_at_most_forty_bytes():
    """To be checked, in either form, for the last card of the largest shoe."""
    event = CardDealt(
        round=1,
        hand=Side.PLAYER,
        index=0,
        card="As",
        total=1,
        proof=proof_of(415, bytes(16)),
        table="t",
        epoch="e",
        seq=1,
        due_ms=0,
        at_ms=0,
    )
    whole = msgpack.unpackb(MSGPACK.encode(event))
    bare = {name: value for name, value in whole.items() if name != "proof"}
    assert len(MSGPACK.encode(event)) - len(msgpack.packb(bare)) == 26
    text = json.loads(JSON.encode(event))
    bare = {name: value for name, value in text.items() if name != "proof"}
    assert len(JSON.encode(event)) - len(json.dumps(bare, separators=(",", ":"))) == 35
    assert (event.position, event.salt) == (415, bytes(16))


def test_no_undealt_card_can_be_guessed_from_its_commitment():
    """Without its salt, none of the 52 faces is more likely than another: the salts are all different."""
    shoe = Shoe.open(RULE_SETS["standard"], bytes(range(32)))
    salts = {shoe.salt(1, position) for position in range(416)}
    assert len(salts) == 416
    assert all(len(salt) == 16 for salt in salts)
