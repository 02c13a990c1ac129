"""The words of each language."""

from collections.abc import Mapping
from typing import Final

from croupier_client.terminal.english import ENGLISH
from croupier_client.terminal.french import FRENCH
from croupier_client.terminal.words import Words
from croupier_protocol.language import Language

WORDS: Final[Mapping[Language, Words]] = {Language.ENGLISH: ENGLISH, Language.FRENCH: FRENCH}
