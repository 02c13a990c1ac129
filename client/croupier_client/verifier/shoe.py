"""What a transcript has told of one shoe so far."""

from dataclasses import dataclass, field

from croupier_client.verifier.constructions import begin_chain
from croupier_client.verifier.reading import Message, raw, raw_or_none


@dataclass(slots=True)
class Shoe:
    """A shoe, from the first line that tells of it to its end.

    `named` is the beacon as the commitment names it and `beacon` as the opened shoe has it; `listed` is the
    line of the cut's list with its contributions, `opened` the line that opened the shoe with its event. A
    shoe is not `whole` when the transcript begins within it. `cards` are (line, deck, position, card, salt);
    `position` is that of the next one. `rules` are None where their text is not in the transcript, `coups`
    is the length of a series, and `chain` is the hash so far, None where the beginning is missing.
    """

    number: int
    line: int
    rules_digest: str
    commitment: bytes
    previous: bytes | None
    named: Message | None
    beacon: Message | None = None
    decks: int = 0
    rules: Message | None = None
    whole: bool = True
    cut_taken: bool | None = None
    listed: tuple[int, list[Message]] | None = None
    opened: tuple[int, Message] | None = None
    contributions: list[Message] = field(default_factory=list)
    digest: bytes | None = None
    cut_at: int | None = None
    coups: int | None = None
    cards: list[tuple[int, int, int, str, bytes]] = field(default_factory=list)
    chain: bytes | None = None
    position: int = 0
    coup: int = 0
    last: bool = False

    def begin_chain(self) -> None:
        """The chain begins, with what has been told of the shoe."""
        self.chain = begin_chain(self.previous, self.commitment, self.digest, self.cut_at)


def begun(number: int, line: int, rules_digest: str, told: Message) -> Shoe:
    """A shoe as its commitment, or a snapshot, tells of it."""
    commitment, previous = raw(told["commitment"]), raw_or_none(told["previous"])
    return Shoe(number, line, rules_digest, commitment, previous, told.get("beacon"))
