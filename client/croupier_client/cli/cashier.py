"""What a player's slips and payouts look like on standard output: lines for people, or JSON."""

import sys
from collections.abc import Mapping
from typing import Protocol

import msgspec

from croupier_client.cli.texts import Texts
from croupier_client.seat import Seat
from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.language import money
from croupier_protocol.messages.to_client import SlipAccepted
from croupier_protocol.messages.values import Payout


class Cashier(Protocol):
    """Tells of a player's money, each thing as it happens."""

    def slip(self, accepted: SlipAccepted) -> None:
        """A slip stands."""

    def payout(self, payout: Payout) -> None:
        """A round has been settled."""

    def bankroll(self, seat: Seat) -> None:
        """The player is about to leave with this."""


class JsonCashier:
    """One JSON object a line, amounts in cents."""

    def slip(self, accepted: SlipAccepted) -> None:
        _say(
            {
                "type": "slip",
                "table": accepted.table,
                "round": accepted.round,
                "bets": accepted.bets,
                "bankroll": accepted.bankroll,
            }
        )

    def payout(self, payout: Payout) -> None:
        _say({"type": "payout", **msgspec.to_builtins(payout)})

    def bankroll(self, seat: Seat) -> None:
        _say({"type": "bankroll", "table": seat.table, "bankroll": seat.bankroll})


class TextCashier:
    """Lines in one language, amounts in units."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def slip(self, accepted: SlipAccepted) -> None:
        bets = (f"{self._bet(bet)} {self._money(cents)}" for bet, cents in accepted.bets.items())
        text = self._texts.bet_slip
        self._say(text, round=accepted.round, bets=", ".join(bets), left=self._money(accepted.bankroll))

    def payout(self, payout: Payout) -> None:
        results = GLOSSARIES[self._texts.language].results
        bets = (f"{self._bet(bet.bet)} {self._money(bet.stake)} {results[bet.result]}" for bet in payout.bets)
        self._say(
            self._texts.bet_payout,
            round=payout.round,
            bets=", ".join(bets),
            returned=self._money(payout.returned),
            bankroll=self._money(payout.bankroll),
        )

    def bankroll(self, seat: Seat) -> None:
        self._say(self._texts.bet_bankroll, bankroll=self._money(seat.bankroll))

    def _bet(self, name: str) -> str:
        return self._texts.bets.get(name, name)

    def _money(self, cents: int) -> str:
        return money(self._texts.language, cents)

    def _say(self, text: str, **fields: object) -> None:
        sys.stdout.write(text.format(**fields) + "\n")
        sys.stdout.flush()


def _say(fields: Mapping[str, object]) -> None:
    sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")
    sys.stdout.flush()
