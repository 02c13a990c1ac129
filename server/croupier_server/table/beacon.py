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
    """`[shoe.beacon]`: a public beacon with a part in the order of every shoe; all three keys, or none."""

    source: Annotated[
        str,
        Meta(
            description="An https address with {round} in it, whose answer is a JSON object; what stands"
            " behind # names the member with the value, 16 to 64 bytes in hexadecimal digits.",
            examples=["https://beacon.example/public/{round}#randomness"],
        ),
    ]
    genesis: Annotated[
        int,
        Meta(
            ge=0,
            description="When round 1 came.",
            examples=[1_692_803_367],
            extra={"unit": "seconds since 1970"},
        ),
    ]
    period: Annotated[
        int,
        Meta(
            ge=1,
            le=3_600,
            description="From one round to the next.",
            examples=[3],
            extra={"unit": "seconds"},
        ),
    ]

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
