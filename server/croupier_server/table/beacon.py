"""Which round of a public beacon a shoe waits for: pure arithmetic on its published times."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from croupier_protocol.messages.values import Beacon

ROUND: Final = "{round}"
"""Stands in a source for the number of a round."""

PATIENCE_MS: Final = 5_000
"""How long a shoe waits for a round beyond the moment at which it is due; then it goes on without."""

MARGIN_MS: Final = 1_000
"""The round is drawn at least so long after the last value of the cut was due: commits take time."""


class BeaconSource(Struct, frozen=True, forbid_unknown_fields=True):
    """A public beacon: round 1 came at `genesis`, in seconds since 1970, one every `period` seconds since.

    `source` is an address with `{round}` in it, whose answer is a JSON object; what stands behind `#` in it
    names the member with the value, 16 to 64 bytes in hexadecimal digits.
    """

    source: str
    genesis: Annotated[int, Meta(ge=0)]
    period: Annotated[int, Meta(ge=1, le=3_600)]

    def first_after(self, ms: int) -> Beacon:
        """The first round that comes later than a margin after `ms`.

        >>> source = BeaconSource("https://beacon.example/{round}#randomness", genesis=100, period=3)
        >>> [(one.round, one.due_ms) for one in map(source.first_after, (98_999, 99_000, 105_500))]
        [(1, 100000), (2, 103000), (4, 109000)]
        """
        passed = max(ms + MARGIN_MS - self.genesis * 1000, -1)
        rounds = passed // (self.period * 1000) + 1
        due_ms = (self.genesis + rounds * self.period) * 1000
        return Beacon(source=self.source, round=rounds + 1, due_ms=due_ms)
