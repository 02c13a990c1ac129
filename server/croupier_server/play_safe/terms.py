"""What an operator says of play-safe features."""

from typing import Annotated

from msgspec import Meta, Struct


class PlaySafeTerms(Struct, frozen=True):
    """Whether players may limit themselves, and how often they are told how long they have played."""

    enabled: Annotated[
        bool,
        Meta(
            description="Whether players may limit their stakes and time and exclude themselves, and get"
            " reality checks. Without it what they have set is kept, and counts for nothing."
        ),
    ] = True
    reality_minutes: Annotated[
        int,
        Meta(
            ge=0,
            le=1_440,
            description="Time at the tables from one reality check to the next, for players who have not"
            " chosen their own; 0 is never.",
            extra={"unit": "minutes"},
        ),
    ] = 60
