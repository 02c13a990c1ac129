"""Seals a shoe's seed for the store: encrypted and authenticated, with a key that the store does not hold."""

import hashlib
import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from croupier_protocol.messages.values import TableId
from croupier_server.store.tables import Sealed

NONCE_BYTES: Final = 12


class WrongKeyError(Exception):
    """A sealed shoe does not open with this key."""


class ShoeKey:
    """The key that seals shoes: 32 secret bytes, named by a digest of them.

    A sealed seed is bound to its table and shoe number, so that it cannot be moved to another.
    """

    def __init__(self, secret: bytes) -> None:
        self._cipher = AESGCM(secret)
        self.id = hashlib.sha256(b"croupier shoe key id\0" + secret).hexdigest()[:8]

    def __repr__(self) -> str:
        return f"<ShoeKey {self.id}>"

    def seal(self, seed: bytes, table: TableId, shoe: int) -> Sealed:
        """`seed` of shoe number `shoe` at `table`, as the store may hold it."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        ciphertext = nonce + self._cipher.encrypt(nonce, seed, _place(table, shoe))
        return Sealed(ciphertext=ciphertext, key_id=self.id)

    def open(self, sealed: Sealed, table: TableId, shoe: int) -> bytes:
        """The seed again.

        Raises:
            WrongKeyError: sealed with another key, for another place, or damaged.
        """
        if sealed.key_id != self.id:
            raise WrongKeyError(
                f"the shoe at table {table} is sealed with key {sealed.key_id}; the key given is {self.id}"
            )
        nonce, ciphertext = sealed.ciphertext[:NONCE_BYTES], sealed.ciphertext[NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, ciphertext, _place(table, shoe))
        except (InvalidTag, ValueError) as error:  # ValueError when it is too short for its nonce
            raise WrongKeyError(f"the sealed shoe {shoe} at table {table} is damaged") from error


def _place(table: TableId, shoe: int) -> bytes:
    return f"croupier shoe\0{table}\0{shoe}".encode()
