"""Players, wallets and seats of the scripted server: each operation is done once and answered alike."""

import itertools
from collections import Counter
from dataclasses import dataclass, field

from croupier_protocol.game.coup import Coup
from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.settlement import refund, settle
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import Me, SlipAccepted, SlipChanged, TableView
from croupier_protocol.messages.to_server import Deal, Leave, Sit, Slip, TopUp
from croupier_protocol.messages.values import Payout, Phase, Player, PlayerId

RESULTS_KEPT = 20


class RefusalError(Exception):
    """An operation that is refused."""

    def __init__(self, code: ErrorCode, bet: str | None = None, limit: int | None = None) -> None:
        super().__init__(code)
        self.code, self.bet, self.limit = code, bet, limit


@dataclass
class Chair:
    """A player's place at a table."""

    table: str
    seat: int | None = None
    bankroll: int = 0
    rev: int = 0
    round: int = 0
    slip: dict[str, int] = field(default_factory=dict)
    ready_round: int = 0
    leaving: bool = False
    last_slip: dict[str, int] = field(default_factory=dict)
    payouts: list[Payout] = field(default_factory=list)
    last_op: tuple[str, SlipAccepted] | None = None


class ScriptedBank:
    """The money. `done` counts how often each operation was carried out, by its `op`."""

    def __init__(self) -> None:
        self.wallets: dict[str, int] = {}
        self.chairs: dict[tuple[str, str], Chair] = {}
        self.tokens: dict[str, Player] = {}
        self.done: Counter[str] = Counter()
        self.answers: dict[str, Me] = {}
        self.limits = Limits()
        self._numbers = itertools.count(1)

    def guest(self, name: str | None) -> Player:
        number = next(self._numbers)
        player = Player(id=PlayerId(f"p{number}"), name=name or f"Guest {number}")
        self.wallets[player.id] = 1_000_00
        return player

    def token(self, player: Player) -> str:
        token = f"secret-{next(self._numbers)}"
        self.tokens[token] = player
        return token

    def chair(self, player: Player, table: str) -> Chair:
        return self.chairs.setdefault((player.id, table), Chair(table))

    def me(self, player: Player, table: str, after: int | None = None) -> Me:
        """The truth about a place, with the payouts after a round."""
        chair = self.chair(player, table)
        kept = chair.payouts[-RESULTS_KEPT:]
        return Me(
            table=chair.table,
            rev=chair.rev,
            seat=chair.seat,
            bankroll=chair.bankroll,
            round=chair.round,
            slip=dict(chair.slip),
            ready=bool(chair.ready_round),
            leaving=chair.leaving,
            last_slip=chair.last_slip,
            payouts=() if after is None else tuple(each for each in kept if each.round > after),
            wallet=self.wallets[player.id],
        )

    def operate(self, player: Player, command: Sit | TopUp | Leave | Deal, view: TableView) -> Me:
        """The answer to an operation, carried out the first time its `op` is seen."""
        if command.op not in self.answers:
            chair = self.chair(player, command.table)
            if not isinstance(command, Sit) and chair.seat is None:
                raise RefusalError(ErrorCode.NOT_SEATED)
            match command:
                case Sit():
                    self._sit(player, chair, command)
                case TopUp():
                    self._buy(player, chair, command.amount)
                case Leave() if chair.slip:
                    chair.leaving = True
                case Leave():
                    self._cash_out(player.id, chair)
                case Deal():
                    self._judge(view, command.round)
                    chair.ready_round = command.round
            self.done[command.op] += 1
            self.answers[command.op] = self.me(player, command.table)
        return self.answers[command.op]

    def place(self, player: Player, command: Slip, view: TableView) -> SlipAccepted | SlipChanged:
        """The answer to a slip: its first one, where the `op` is the one last taken."""
        chair = self.chair(player, command.table)
        if chair.seat is None:
            raise RefusalError(ErrorCode.NOT_SEATED)
        if chair.last_op is not None and chair.last_op[0] == command.op:
            return chair.last_op[1]
        self._judge(view, command.round)
        here = {"table": command.table, "round": command.round}
        if command.rev != chair.rev:
            return SlipChanged(rev=chair.rev, bets=dict(chair.slip), bankroll=chair.bankroll, **here)
        try:
            self.limits.check_slip(command.bets)
        except LimitError as error:
            raise RefusalError(ErrorCode.LIMIT, error.bet, error.value) from None
        whole = chair.bankroll + sum(chair.slip.values())
        if sum(command.bets.values()) > whole:
            raise RefusalError(ErrorCode.BANKROLL_SHORT, limit=whole)
        chair.bankroll = whole - sum(command.bets.values())
        chair.slip, chair.round, chair.ready_round = dict(command.bets), command.round, 0
        chair.rev += 1
        self.done[command.op] += 1
        answer = SlipAccepted(rev=chair.rev, bets=dict(chair.slip), bankroll=chair.bankroll, **here)
        chair.last_op = (command.op, answer)
        return answer

    def settle(self, table: str, view: TableView) -> dict[str, Payout]:
        """Pays every slip of the table's round and returns the payouts by player."""
        paid = {}
        for (player, where), chair in self.chairs.items():
            if where != table or not chair.slip:
                continue
            if view.outcome is None:  # the round is void
                settlement = refund(chair.slip)
            else:
                cards = [hand.cards[:2] for hand in (view.player, view.banker)]
                thirds = view.player.cards[2:] + view.banker.cards[2:]
                order = tuple(card for pair in zip(*cards, strict=True) for card in pair) + thirds
                settlement = settle(RULE_SETS[view.rules.name], Coup(order), chair.slip)
            chair.bankroll += settlement.returned
            payout = Payout(
                table=table,
                round=chair.round,
                bets=settlement.bets,
                returned=settlement.returned,
                bankroll=chair.bankroll,
            )
            chair.last_slip, chair.slip, chair.ready_round = chair.slip, {}, 0
            chair.payouts.append(payout)
            paid[player] = payout
        return paid

    def cash_out_leavers(self, table: str) -> None:
        for (player, where), chair in self.chairs.items():
            if where == table and chair.leaving:
                self._cash_out(player, chair)

    def _sit(self, player: Player, chair: Chair, command: Sit) -> None:
        if chair.seat is not None:
            raise RefusalError(ErrorCode.ALREADY_SEATED)
        self._buy(player, chair, command.buy_in)
        taken = {each.seat for (_, table), each in self.chairs.items() if table == command.table}
        chair.seat = command.seat or next(number for number in itertools.count(1) if number not in taken)

    def _buy(self, player: Player, chair: Chair, amount: int) -> None:
        if amount > self.wallets[player.id]:
            raise RefusalError(ErrorCode.WALLET_SHORT, limit=self.wallets[player.id])
        self.wallets[player.id] -= amount
        chair.bankroll += amount

    def _cash_out(self, player: str, chair: Chair) -> None:
        self.wallets[player] += chair.bankroll
        chair.bankroll, chair.seat, chair.leaving, chair.rev = 0, None, False, 0

    @staticmethod
    def _judge(view: TableView, round_: int) -> None:
        if view.phase is not Phase.BETTING:
            raise RefusalError(ErrorCode.BETTING_CLOSED)
        if view.round != round_:
            raise RefusalError(ErrorCode.WRONG_ROUND)
