"""Seals a shoe's seed for the store: encrypted and authenticated, with a key that the store does not hold."""

import hashlib
import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from croupier_protocol.messages.values import TableId
from croupier_server.store.records import Sealed

NONCE_BYTES: Final = 12


class WrongKeyError(Exception):
    """A sealed shoe does not open with this key."""


class ShoeKey:
    """The key that seals shoes, 32 secret bytes, and `older` ones that open what they have sealed.

    A key is named by a digest of it. A sealed seed is bound to its table and shoe number, so that it cannot
    be moved to another.
    """

    def __init__(self, secret: bytes, *older: bytes) -> None:
        self._ciphers = {_key_id(one): AESGCM(one) for one in (secret, *older)}
        self.id = _key_id(secret)

    def __repr__(self) -> str:
        return f"<ShoeKey {self.id}>"

    def seal(self, seed: bytes, table: TableId, shoe: int) -> Sealed:
        """`seed` of shoe number `shoe` at `table`, as the store may hold it."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        ciphertext = nonce + self._ciphers[self.id].encrypt(nonce, seed, _place(table, shoe))
        return Sealed(ciphertext=ciphertext, key_id=self.id)

    def opens(self, sealed: Sealed) -> bool:
        """Whether one of the keys is the one that `sealed` names."""
        return sealed.key_id in self._ciphers

    def open(self, sealed: Sealed, table: TableId, shoe: int) -> bytes:
        """The seed again.

        Raises:
            WrongKeyError: sealed with another key, for another place, or damaged.
        """
        if not self.opens(sealed):
            given = "key given is" if len(self._ciphers) == 1 else "keys given are"
            raise WrongKeyError(
                f"the shoe at table {table} is sealed with key {sealed.key_id}; the {given}"
                f" {', '.join(self._ciphers)}"
            )
        nonce, ciphertext = sealed.ciphertext[:NONCE_BYTES], sealed.ciphertext[NONCE_BYTES:]
        try:
            return self._ciphers[sealed.key_id].decrypt(nonce, ciphertext, _place(table, shoe))
        except (InvalidTag, ValueError) as error:  # ValueError when it is too short for its nonce
            raise WrongKeyError(f"the sealed shoe {shoe} at table {table} is damaged") from error


def _key_id(secret: bytes) -> str:
    return hashlib.sha256(b"croupier shoe key id\0" + secret).hexdigest()[:8]


def _place(table: TableId, shoe: int) -> bytes:
    return f"croupier shoe\0{table}\0{shoe}".encode()
