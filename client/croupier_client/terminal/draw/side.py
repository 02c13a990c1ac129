"""The side column of a wide terminal: own rounds, who sits here, and the statistics of the shoe."""

from collections import Counter
from collections.abc import Iterator

from croupier_client.terminal.draw.phase import SIDES
from croupier_client.terminal.draw.picture import Block, Line, Role, Span, Surface, apart, block
from croupier_client.terminal.state import TableState
from croupier_client.terminal.words import Words
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.roads import LETTERS
from croupier_protocol.messages.to_client import OwnRound


def side_column(state: TableState, words: Words, width: int, height: int) -> Block:
    """The column, cut where the rows end: the statistics have six, the rest share what is left."""
    inner = width - 2
    statistics = list(_statistics(state, words, inner))
    rest = height - len(statistics) - 3
    people_room = min(max(rest // 3, 4), 4 + len(_seats(state)))
    own = list(_rounds(state, words, inner, max(rest - people_room - 1, 3)))
    people = list(_people(state, words, inner, people_room))
    lines: list[Line] = [(), *own]
    lines += [()] * max(rest - people_room - len(own), 1)
    lines += [*people, (), *statistics]
    return block(width, [(Span(" "), *line) for line in lines]).tall(height).on(Surface.PANEL)


def _title(text: str) -> Line:
    return (Span(text, Role.BRASS, strong=True),)


def _rounds(state: TableState, words: Words, width: int, height: int) -> Iterator[Line]:
    yield _title(words.my_rounds)
    if not state.rounds:
        yield (Span(words.no_rounds, Role.QUIET),)
    for own in state.rounds[: height - 1]:
        yield round_line(own, words, width, state.table)


def round_line(own: OwnRound, words: Words, width: int, table: str) -> Line:
    """One of one's own rounds: its number, who won, what was staked and what it came to."""
    payout = own.payout
    staked = sum(bet.stake for bet in payout.bets)
    change = payout.returned - staked
    letter = (
        Span("–", Role.QUIET)
        if own.outcome is None
        else Span(LETTERS[own.outcome], SIDES[own.outcome], strong=True)
    )
    where = "" if own.table == table else f" {own.table}"
    left = (Span(f"{words.number(payout.round):>6} ", Role.QUIET), letter, Span(where, Role.QUIET))
    bets = ", ".join(words.short_bet(bet.bet) for bet in payout.bets)
    right = (
        Span(
            words.change(change) if change else words.money(0),
            Role.WON if change > 0 else Role.INK,
            strong=change > 0,
        ),
    )
    return apart((*left, Span(f" {bets}", Role.QUIET)), (Span(" "), *right), width)


def _seats(state: TableState) -> tuple[tuple[int, str, str], ...]:
    view = state.view
    return () if view is None else tuple((one.seat, one.player.id, one.player.name) for one in view.seats)


def _people(state: TableState, words: Words, width: int, height: int) -> Iterator[Line]:
    seats = _seats(state)
    view = state.view
    bettors = 0 if view is None else view.bettors
    right = (Span(words.bettors.format(count=bettors), Role.QUIET),) if bettors else ()
    yield apart(_title(words.people), right, width)
    if not seats:
        yield (Span(words.nobody, Role.QUIET),)
    room = height - 2 if len(seats) > height - 1 else height - 1
    for seat, player, name in seats[:room]:
        you = state.player is not None and state.player.id == player
        line = (Span(f"{seat:>4} ", Role.QUIET), Span(name, strong=you))
        yield apart(line, (Span(f" {words.you}", Role.BRASS),) if you else (), width)
    if len(seats) > room:
        yield (Span("     " + words.more_people.format(count=words.number(len(seats) - room)), Role.QUIET),)


def _statistics(state: TableState, words: Words, width: int) -> Iterator[Line]:
    past = () if state.view is None else state.view.past
    won = Counter(coup.outcome for coup in past)
    yield apart(
        _title(words.statistics), (Span(words.counted(len(past), words.terms.coup), Role.QUIET),), width
    )
    for outcome in (Outcome.PLAYER, Outcome.BANKER, Outcome.TIE):
        count = won[outcome]
        name = (
            Span(f"{LETTERS[outcome]} ", SIDES[outcome], strong=True),
            Span(f"{words.terms.outcomes[outcome]:<9}"),
        )
        room = max(width - 19, 4)
        bar = Span("▪" * (count * room // max(len(past), 1)), SIDES[outcome])
        yield apart((*name, bar), (Span(f" {words.number(count):>3}", strong=True),), width)
    naturals = sum(coup.natural for coup in past)
    pairs = sum(coup.player_pair + coup.banker_pair for coup in past)
    yield apart((Span(words.naturals),), (Span(words.number(naturals)),), width)
    yield apart((Span(words.pairs),), (Span(words.number(pairs)),), width)
