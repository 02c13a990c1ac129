"""What must not be seen of a shoe before its time, in every way in which it may have been written down."""

import base64

import msgspec

from croupier_protocol.fairness.cards import SERIES_POSITIONS
from croupier_server.table.held import Held
from croupier_server.table.state import decode_state
from support.stores import KEY, KEY_BYTES

PART = 10
"""So many bytes of a secret, written in any way, are found: they do not come by chance."""

AHEAD = 10
"""Cards to come that are looked for in a row: single ones are everywhere."""


def forms(secret):
    """The beginnings of the ways in which a secret of bytes may be written down."""
    written = [
        secret,
        secret[16:] or secret,
        secret[::-1],
        secret.hex().encode(),
        secret.hex().upper().encode(),
        str(list(secret)).encode()[1:],
        str(int.from_bytes(secret, "big")).encode(),
        str(int.from_bytes(secret, "little")).encode(),
    ]
    for before, skipped in ((b"", 0), (b"\0", 2), (b"\0\0", 3)):  # behind other bytes, base64 is another
        written += [
            encode(before + secret)[skipped:] for encode in (base64.b64encode, base64.urlsafe_b64encode)
        ]
    return {one[:PART] for one in written}


def rows(cards):
    """The ways in which a row of cards may be written down."""
    separators = ("", " ", ",", ", ", '","', '", "', "', '")
    return {
        *(separator.join(cards).encode() for separator in separators),
        msgspec.msgpack.encode(cards)[1:],
        "".join(card[0] for card in cards).encode(),
    }


class Secrets:
    """All that a table has to keep to itself at one moment."""

    def __init__(self, secrets, cards=()):
        self.parts = {form for secret in secrets for form in forms(secret)}
        self.rows = {row for one in cards for row in rows(one)}


class Seen:
    """All that was ever said and written; what comes again is looked at once."""

    def __init__(self):
        self._texts = set()
        self._parts = set()

    def add(self, texts):
        """Takes in more; as bytes."""
        fresh = {bytes(text) for text in texts} - self._texts
        self._texts |= fresh
        for text in fresh:
            self._parts.update(text[at : at + PART] for at in range(len(text) - PART + 1))

    def told(self, secrets):
        """What of the secrets is in it, with the texts that it is in."""
        found = secrets.parts & self._parts
        found |= {row for row in secrets.rows for text in self._texts if row in text}
        return [(one, text) for one in found for text in self._texts if one in text]


def secrets_of(record, table="standard"):
    """What the shoe in a record has to keep: its seed, and once it is cut, salts and cards to come."""
    state = decode_state(record.state)
    view, secrets, cards = state.view, [KEY_BYTES], []
    if view.cut is not None:
        secrets.append(KEY.open(record.sealed, table, view.cut.shoe))
    elif view.shoe is not None and view.shoe.end is None:
        seed = KEY.open(record.sealed, table, view.shoe.number)
        held = Held(record.sealed.rule_set(view.rules), seed)
        shoe = held.cut(view.shoe.contributions, view.shoe.beacon)
        secrets += [seed, shoe._seed]
        running = max(view.coup, 1)
        for coup in range(running, (shoe.coups or 1) + 1) if shoe.coups else (1,):
            first = state.position if coup == running or not shoe.coups else 0
            last = SERIES_POSITIONS if shoe.coups else shoe.cards
            secrets += [shoe.salt(coup, place) for place in (*range(1, shoe.start), *range(first, last))]
        cards.append(shoe.order(running)[state.position : state.position + AHEAD])
        cards += [shoe.burnt] if len(shoe.burnt) > 4 else []
    return Secrets(secrets, cards)
