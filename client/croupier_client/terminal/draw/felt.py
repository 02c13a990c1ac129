"""The felt: an area for each bet on offer, with one's own stake and everybody's."""

from fractions import Fraction
from typing import Final

from croupier_client.terminal.draw.picture import (
    Act,
    Block,
    Line,
    Role,
    Span,
    Surface,
    apart,
    beside,
    blank,
    block,
    stack,
    width_of,
)
from croupier_client.terminal.state import TableState
from croupier_client.terminal.words import Words
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.roads import LETTERS
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.language import shortest, shortest_percent

MAIN: Final = ("player", "tie", "banker")
"""The main bets as they lie on the felt."""

ROLES: Final = {"player": Role.PLAYER, "tie": Role.TIE, "banker": Role.BANKER}

MAIN_ROWS: Final = 3
SIDE_ROWS: Final = 2
MOST_BESIDE: Final = 6
"""Side bets on one row; more go on further rows."""


def felt_rows(state: TableState) -> list[tuple[str, ...]]:
    """The bets on offer as they lie: the main bets, then side bets row by row."""
    main = tuple(bet for bet in MAIN if bet in state.bets)
    side = [bet for bet in state.bets if bet not in MAIN]
    rows = -(-len(side) // MOST_BESIDE)
    most = -(-len(side) // rows) if rows else 0
    return [main, *(tuple(side[start : start + most]) for start in range(0, len(side), most or 1))]


def felt(state: TableState, words: Words, width: int, *, roomy: bool) -> Block:
    """Every area; with room, main areas have a row above and below, and rows stand apart."""
    main, *sides = felt_rows(state)
    parts = [_row(state, words, main, width, side=False, roomy=roomy)]
    for side in sides:
        if roomy:
            parts.append(blank(width))
        parts.append(_row(state, words, side, width, side=True, roomy=False))
    return stack(width, *parts)


def _row(
    state: TableState, words: Words, bets: tuple[str, ...], width: int, *, side: bool, roomy: bool
) -> Block:
    gap = 1
    room = width - gap * (len(bets) - 1)
    widths = [room // len(bets) + (1 if number < room % len(bets) else 0) for number in range(len(bets))]
    areas = [
        _area(state, words, bet, each, side=side, roomy=roomy) for bet, each in zip(bets, widths, strict=True)
    ]
    return beside(*areas, gap=gap)


def _area(state: TableState, words: Words, bet: str, width: int, *, side: bool, roomy: bool) -> Block:
    """One area: its name and what it pays, the own stake, and what everybody has there."""
    chosen = state.seated and state.choice.bet == bet
    result = _result(state, bet)
    inner = width - 2
    role = ROLES.get(bet, Role.INK)
    letter = LETTERS[Outcome(bet)] + " " if bet in MAIN else ""
    pay = Span(_pays(state, bet, words), Role.QUIET)
    name = words.short_bet(bet) if side else words.bet(bet)
    title = apart((Span(f"{letter}{name}", role, strong=bet in MAIN),), (pay,), inner)
    total = _commission(result, words) or _everybody(state, bet, words)
    mine = _mine(state, bet, words, result)
    if width_of(mine) > inner + 1:  # the sign and the amount say it too
        mine = mine[:1]
    if side:
        lines: list[Line] = [title, mine or total]
    else:
        lines = [title, mine, total]
    if roomy:
        lines = [(), *lines, ()]
    edge = "▌" if chosen else " "
    won = result is not None and result.result is Result.WIN
    edge_role = Role.BRASS if chosen else Role.WON
    mark = Span("▌" if won and not chosen else edge, edge_role, strong=True)
    drawn = block(width, [(mark, *line) for line in lines])
    ground = Surface.CHOSEN if chosen else Surface.FELT if side else Surface.LIFTED
    return drawn.on(ground).clicked(Act("area", bet))


def _pays(state: TableState, bet: str, words: Words) -> str:
    """What a bet pays, "8:1" or "1:1 −5%", or the most that it can, "≤30"."""
    offer = state.offer
    found = None if offer is None else next((one for one in offer.bets if one.bet == bet), None)
    if offer is None or found is None or not found.pays:
        return ""
    most = max(Fraction(ratio.numerator, ratio.denominator) for ratio in found.pays)
    pay = shortest(words.language, most)
    if len(found.pays) > 1:
        return f"≤{pay}"
    if offer.commission is None or not found.commission:
        return f"{pay}:1"
    rate = Fraction(offer.commission.rate.numerator, offer.commission.rate.denominator)
    return f"{pay}:1 −{shortest_percent(words.language, rate)}"


def _result(state: TableState, bet: str) -> BetResult | None:
    payout = state.shown_payout
    return None if payout is None else next((one for one in payout.bets if one.bet == bet), None)


def _mine(state: TableState, bet: str, words: Words, result: BetResult | None) -> Line:
    """The own stake: hollow while it is on its way, solid once accepted; or what became of it."""
    if result is not None:
        return _paid(result, words)
    accepted, wanted = state.accepted.get(bet, 0), state.wanted.get(bet, 0)
    if state.sending and wanted != accepted:
        text = words.money(wanted) if wanted else "–"
        return (Span(f"○ {text} ", Role.QUIET), Span(words.sending, Role.QUIET))
    if accepted:
        return (Span(f"● {words.money(accepted)}", Role.BRASS, strong=True),)
    return ()


def _paid(result: BetResult, words: Words) -> Line:
    match result.result:
        case Result.WIN:
            return (Span(f"● {words.change(result.win - result.commission)}", Role.WON, strong=True),)
        case Result.PUSH:
            return (Span(f"● {words.money(result.stake)} ", strong=True), Span(words.pushed, Role.QUIET))
        case Result.REFUND:
            return (Span(f"● {words.money(result.stake)} ", strong=True), Span(words.refunded, Role.QUIET))
    return (Span(f"○ {words.change(-result.stake)} ", Role.INK), Span(words.lost_stake, Role.QUIET))


def _commission(result: BetResult | None, words: Words) -> Line:
    """What the house has kept of a win."""
    if result is None or not result.commission:
        return ()
    return (Span(words.less_commission.format(commission=words.money(result.commission)), Role.QUIET),)


def _everybody(state: TableState, bet: str, words: Words) -> Line:
    """What all seats have on a bet."""
    total = 0 if state.view is None else state.view.totals.get(bet, 0)
    return (Span(f"Σ {words.money(total)}", Role.QUIET),) if total else ()
