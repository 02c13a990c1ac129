"""What happens in a table's rounds: windows follow one another, cards are drawn by the rules, hands win."""

from croupier_client.verifier.constructions import add_round
from croupier_client.verifier.drawing import is_natural, next_side, outcome_of, total
from croupier_client.verifier.reading import Message, place_and_salt
from croupier_client.verifier.report import Coup, Report
from croupier_client.verifier.shoe import Shoe


class Rounds:
    """One table's rounds, one after the other; each is played from the shoe that is handed in."""

    def __init__(self, table: str, report: Report) -> None:
        self._table = table
        self._report = report
        self._round: int | None = None
        self._open = False
        self._hands: dict[str, list[str]] = {"player": [], "banker": []}

    def resume(self, view: Message) -> None:
        """Goes on from a snapshot, wherever in a round it was taken."""
        self._hands = {side: list(view[side]["cards"]) for side in ("player", "banker")}
        self._round = view["round"]
        self._open = view["phase"] in {"betting", "closed", "dealing"}

    def in_play(self, event: Message) -> bool:
        """Whether the round that `event` is about has begun and not ended."""
        return self._open and event["round"] == self._round

    def begin(self, line: int, event: Message, shoe: Shoe) -> None:
        """A window opens: the next round, its coup in the shoe, and whether it is the shoe's last."""
        judge = self._report.judge
        if self._round is not None:
            follows = not self._open and event["round"] == self._round + 1
            judge(line, "rounds", follows, f"round {event['round']} comes after {self._round}")
            if follows:
                follows = event["coup"] == shoe.coup + 1
                judge(line, "rounds", follows, f"coup {event['coup']} comes after {shoe.coup}")
        start = 0 if shoe.coups is not None else shoe.position
        last = event["coup"] == shoe.coups if shoe.cut_at is None else start >= shoe.cut_at
        judge(line, "last coup", event["last"] == last, "the last coup is not announced as the cut card says")
        judge(line, "last coup", not shoe.last, "the coup before was the last of the shoe")
        shoe.position, shoe.coup, shoe.last = start, event["coup"], event["last"]
        self._round, self._open = event["round"], True
        self._hands = {"player": [], "banker": []}

    def deal(self, line: int, event: Message, shoe: Shoe) -> None:
        """A card is dealt: the hand that has to draw gets the next one of the shoe."""
        judge = self._report.judge
        hand, side = self._hands[event["hand"]], next_side(self._hands["player"], self._hands["banker"])
        judge(line, "drawing", event["hand"] == side, "no card is due" if side is None else f"{side} draws")
        position, salt = place_and_salt(event["proof"])
        judge(line, "position", position == shoe.position, f"position {shoe.position} comes next")
        hand.append(event["card"])
        right = event["index"] == len(hand) - 1 and event["total"] == total(hand)
        judge(line, "total", right, f"card {len(hand) - 1} makes {total(hand)}")
        shoe.position = position + 1
        deck = 0 if shoe.coups is None else shoe.coup - 1
        shoe.cards.append((line, deck, position, event["card"], salt))

    def finish(self, line: int, event: Message, shoe: Shoe) -> None:
        """The coup is over: nobody has to draw any more, and the hands and the outcome are what they are."""
        judge, player, banker = self._report.judge, self._hands["player"], self._hands["banker"]
        side = next_side(player, banker)
        judge(line, "drawing", side is None, f"{side} has to draw first")
        totals, outcome = (total(player), total(banker)), outcome_of(player, banker)
        told = {name: (event[name]["cards"], event[name]["total"]) for name in ("player", "banker")}
        judge(line, "outcome", event["outcome"] == outcome, f"{totals[0]} to {totals[1]} is {outcome}")
        due = {"player": (player, totals[0]), "banker": (banker, totals[1])}
        marks = (is_natural(player, banker), player[0][0] == player[1][0], banker[0][0] == banker[1][0])
        same = told == due and (event["natural"], event["player_pair"], event["banker_pair"]) == marks
        judge(line, "hands", same, "the hands are not the cards that were dealt")
        self._close(shoe, event["round"], event["outcome"])

    def void(self, event: Message, shoe: Shoe) -> None:
        """The round is voided, with the cards that have been shown."""
        self._close(shoe, event["round"], "void")

    def check_over(self, line: int) -> None:
        """The shoe ends: no round may be in play."""
        if self._open:
            self._report.judge(line, "rounds", False, f"round {self._round} has no end")

    def _close(self, shoe: Shoe, number: int, outcome: str) -> None:
        player, banker = self._hands["player"], self._hands["banker"]
        self._open = False
        self._report.coups[self._table, number] = Coup(player, banker, outcome == "void", shoe.number)
        if shoe.chain is not None:
            shoe.chain = add_round(shoe.chain, number, shoe.coup, outcome, player, banker)
