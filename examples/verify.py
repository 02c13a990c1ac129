"""Checks every whole shoe of a transcript with nothing but Python: python verify.py TRANSCRIPT.

The transcript is what `croupier watch URL TABLE --json` prints, or what a server has at /shoes/TABLE/SHOE;
how everything in it is made is in docs/fairness.md. Exit status 0 when all is well, 1 when a line is not.
"""

import hashlib
import hmac
import json
import sys
from base64 import b64decode as raw
from struct import unpack

DECK = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
POINTS = {rank: min(number, 10) % 10 for number, rank in enumerate("A23456789TJQK", 1)}
DRAWS = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}


def sha(*parts):
    return hashlib.sha256(b"".join(one.encode() if isinstance(one, str) else one for one in parts)).digest()


def mac(key, label, *numbers):
    return hmac.digest(key, label + b"".join(number.to_bytes(4, "big") for number in numbers), "sha256")


def order(seed, decks, index):
    blocks = (mac(seed, b"croupier shoe order 1", index, block) for block in range(2**32))
    cards, numbers = DECK * decks, (one for block in blocks for one in unpack(">8I", block))
    for last in range(len(cards) - 1, 0, -1):
        number = next(one for one in numbers if one < 2**32 // (last + 1) * (last + 1)) % (last + 1)
        cards[last], cards[number] = cards[number], cards[last]
    return cards


def entry(deck, position, card, salt):
    return sha(b"croupier card 1\n", deck.to_bytes(4, "big"), position.to_bytes(4, "big"), card, salt)


def outcome(player, banker):  # or None when the cards are not all that the rules of drawing ask for
    hands = (player[:2], banker[:2], player, banker)
    first, second, p, b = (sum(POINTS[card[0]] for card in hand) % 10 for hand in hands)
    draws = second <= 2 or POINTS[player[2][0]] in DRAWS.get(second, ()) if player[2:] else second <= 5
    due = (2, 2) if max(first, second) >= 8 else (2 + (first <= 5), 2 + draws)
    return None if (len(player), len(banker)) != due else "tie" if p == b else "player" if p > b else "banker"


def check(events):  # what is wrong in which line, among the events of one shoe from its commitment to its end
    (_, head), (end_line, end) = events[0], events[-1]
    never_opened = {"digest": "", "cut_at": None, "coups": 1, "decks": 0}
    opened, shoe = next((told for told in events if told[1]["type"] == "shoe"), (0, never_opened))
    seed, values = raw(end["seed"]), [raw(part["value"] or part["hash"]) for part in end["contributions"]]
    beacon = end["beacon"]
    named = f"{beacon['source']} {beacon['round']}\n" if beacon else ""
    drawn = sha("croupier beacon 1\n", named, raw(beacon["value"])) if beacon and beacon["value"] else b""
    label = b"croupier cut with beacon 1\n" if drawn else b"croupier cut 1\n"
    bound = f"{head['table']}\n{head['shoe']}\n{head['rules']['digest']}\n{named}"
    if sha("croupier shoe commitment 1\n", bound, seed) != raw(head["commitment"]):
        yield end_line, "the seed is not the one that was committed to"
    if any(one["value"] and sha(raw(one["value"])) != raw(one["hash"]) for one in end["contributions"]):
        yield end_line, "a value is not the one of its hash"
    key, entries = mac(seed, label + len(values).to_bytes(4, "big") + b"".join(values) + drawn), {}
    for deck in range(shoe["coups"] or 1):
        for position, card in enumerate(order(key, shoe["decks"], deck)[: 6 if shoe["coups"] else None]):
            salt = mac(key, b"croupier card salt 1\n", deck, position)[:16]
            entries[deck, position] = entry(deck, position, card, salt)
    if opened and sha(*entries.values()) != raw(shoe["digest"]):
        yield opened, "seed, contributions and beacon do not make this shoe"
    begin = (raw(head["previous"] or "") or bytes(32), raw(head["commitment"]), raw(shoe["digest"]))
    chain = sha("croupier shoe begins 1\n", *begin, f"{'' if shoe['cut_at'] is None else shoe['cut_at']}\n")
    for line, event in events:
        if event["type"] == "betting":
            hands, coup = {"player": [], "banker": []}, event["coup"]
        elif event["type"] == "card":
            hands[event["hand"]].append(event["card"])
            place = coup - 1 if shoe["coups"] else 0, int.from_bytes(raw(event["proof"])[:2], "big")
            if entries.get(place) != entry(*place, event["card"], raw(event["proof"])[2:]):
                yield line, f"{event['card']} is not the card that lay there"
        elif event["type"] in ("result", "void"):
            won = event.get("outcome", "void")
            if won != "void" and won != outcome(*hands.values()):
                yield line, "the outcome does not follow from the cards"
            told = f"{event['round']} {coup} {won} {''.join(hands['player'])} {''.join(hands['banker'])}\n"
            chain = sha("croupier round 1\n", chain, told)
    if sha("croupier shoe ends 1\n", chain, seed, end["reason"] or "", "\n") != raw(end["chain"]):
        yield end_line, "the end does not account for the rounds"


wrong, shoe, ended = [], [], None
for number, text in enumerate(open(sys.argv[1], encoding="utf-8"), 1):  # noqa: PTH123, SIM115 - one page
    message = json.loads(text)
    if message["type"] == "commitment":
        shoe, wrong = [], wrong + [(number, "a shoe is missing")] * (ended not in (None, message["previous"]))
    shoe.append((number, message))
    if message["type"] == "shoe_end" and shoe[0][1]["type"] == "commitment":
        wrong, shoe, ended = wrong + list(check(shoe)), [], message["chain"]
        print(f"shoe {message['shoe']} was cut by {len(message['contributions'])} and has ended")
print("\n".join(f"line {line}: {what}" for line, what in wrong) or "nothing is wrong")
sys.exit(bool(wrong))
