"""Everything that the picture of a table is made from, at one moment. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from croupier_client.terminal.reasons import Reason
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.offers import Offer
from croupier_protocol.messages.to_client import Me, OwnRound, TableView
from croupier_protocol.messages.values import Payout, Phase, Player

LAST_SECONDS: Final = 3
"""From here on the countdown warns."""


class Checks(NamedTuple):
    """Cards of the running shoe, as they landed here, by what is known of them."""

    checked: int = 0
    unchecked: int = 0
    wrong: int = 0


class Link(NamedTuple):
    """The connection. While it is lost, `retry_s` is how long until the next try."""

    live: bool = True
    retry_s: float = 0.0


NOTHING_CHECKED: Final = Checks()
ONLINE: Final = Link()


class Own(Enum):
    """What is known of one's own place."""

    UNKNOWN = "unknown"
    NONE = "none"
    SEATED = "seated"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which area and which chip the next key or click means."""

    bet: str = "player"
    chip: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """One table and one's own place at it.

    `me` is what the server has said; `wanted` is the slip as the player has made it, `sending` while that is
    not accepted yet. `now_ms` is the server's time, None until it is known; `window_ms` the length of the
    window as it was first seen. `payout` is the last that came.
    """

    table: str
    view: TableView | None = None
    limits: Limits | None = None
    offer: Offer | None = None
    own: Own = Own.UNKNOWN
    me: Me | None = None
    player: Player | None = None
    wallet: int | None = None
    wanted: Mapping[str, int] = field(default_factory=dict)
    sending: bool = False
    payout: Payout | None = None
    rounds: tuple[OwnRound, ...] = ()
    refused: Reason | None = None
    notice: str = ""
    checks: Checks = NOTHING_CHECKED
    left_out: tuple[int, ...] = ()
    link: Link = ONLINE
    stalled: bool = False
    now_ms: float | None = None
    window_ms: float = 0.0
    choice: Choice = Choice()

    @property
    def seated(self) -> bool:
        return self.own is Own.SEATED

    @property
    def open(self) -> bool:
        """Whether bets are taken, as far as anybody can know here."""
        view = self.view
        return view is not None and view.phase is Phase.BETTING and self.link.live and not self.stalled

    @property
    def left_ms(self) -> float | None:
        """What is left of the window, never below nought; None when none is open or time is not known."""
        view = self.view
        if not self.open or view is None or view.closes_at_ms is None or self.now_ms is None:
            return None
        return max(0.0, view.closes_at_ms - self.now_ms)

    @property
    def seconds(self) -> int | None:
        """The countdown: begun seconds."""
        return None if self.left_ms is None else -int(-self.left_ms // 1000)

    @property
    def stake(self) -> int:
        """Cents on the slip as the player wants it."""
        return sum(self.wanted.values())

    @property
    def accepted(self) -> Mapping[str, int]:
        """Cents on each bet that stand, as the server has said."""
        return {} if self.me is None else self.me.slip

    @property
    def bankroll(self) -> int:
        """Cents in front of the seat, without what the server has taken for the slip."""
        return 0 if self.me is None else self.me.bankroll

    @property
    def chips(self) -> tuple[int, ...]:
        return Limits().chips if self.limits is None else self.limits.chips

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets on offer, in the order in which people are shown them."""
        if self.offer is None:
            return ("player", "banker", "tie")
        return tuple(each.bet for each in self.offer.bets)

    @property
    def shown_payout(self) -> Payout | None:
        """The payout of the round on the table, once it is settled."""
        view = self.view
        over = view is not None and view.phase in {
            Phase.RESULT,
            Phase.SETTLING,
            Phase.PAUSED,
            Phase.SHUFFLING,
        }
        return self.payout if over and view and self.payout and self.payout.round == view.round else None
