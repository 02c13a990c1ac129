"""What the terminal table says, in English and in French, each written for itself.

Terms of the game come from the glossary, refusals by the server from its own texts. ``{…}`` are filled in.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.glossary import GLOSSARIES, Glossary
from croupier_protocol.language import Language, Noun, counted, grouped, money


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The sentences of one language. `keys` are the letters that it gives to what can be done."""

    language: Language
    keys: dict[str, str]
    short_bets: Mapping[str, str]

    lobby_title: str
    lobby_lead: str
    lobby_empty: str
    lobby_waiting: str
    rules_of: str
    seated: str
    watching: str
    first_coup: str
    your_seat: str
    phases: Mapping[str, str]

    round_only: str
    round_of_shoe: str
    fair_unchecked: str
    fair_fault: str
    fair_checked: str

    arriving: str
    not_live: str
    not_live_in: str
    not_live_detail: str
    bets_open: str
    last_seconds: str
    last_coup: str
    no_more_bets: str
    dealing: str
    wins: Mapping[Outcome, str]
    voided: str
    voided_detail: str
    first_round: str
    next_round: str
    shuffling: str
    series: str
    new_shoe: str
    paused: str
    paused_detail: str
    stalled: str
    stalled_detail: str
    ended: str
    ended_detail: str
    cut_committed: str
    cut_open: str
    cut_listed: str
    cut_yours: str

    bettors: str
    sending: str
    less_commission: str
    pushed: str
    refunded: str
    lost_stake: str

    bankroll: str
    stake: str
    wallet: str
    chips: str
    ready: str
    actions: Mapping[str, str]

    place_unknown: str
    watching_only: str
    leaving_after: str
    slip_counts: str
    wait_for_window: str
    ready_stands: str
    ready_passed: str
    slip_stands: str
    how_to_bet: str
    round_brought: str

    least: str
    most: str
    step: str
    slip_most: str
    buy_in_least: str
    buy_in_most: str
    combination_one: str
    combination_many: str
    bankroll_short: str
    slip_changed: str
    nothing_to_undo: str
    nothing_to_double: str
    nothing_to_rebet: str
    unknown_yet: str
    offline: str
    no_answer: str
    new_guest: str
    seat_closed: str
    with_limit: str

    online: str
    reconnecting_now: str

    bead_plate: str
    big_road: str
    derived: tuple[str, str, str]
    next_short: tuple[str, str]
    no_roads: str

    my_rounds: str
    no_rounds: str
    people: str
    nobody: str
    more_people: str
    you: str
    statistics: str
    naturals: str
    pairs: str

    sit_title: str
    sit_note: str
    sit_wallet: str
    top_up_title: str
    amount_bad: str
    leave_title: str
    leave_text: str
    leave_stake: str
    quit_title: str
    quit_text: str
    buttons: Mapping[str, str]

    help_title: str
    help_keys: tuple[tuple[str, str], ...]
    rules_title: str
    rules_waiting: str
    fair_title: str
    fair_explained: str
    fair_commitment: str
    fair_counts: str
    fair_cutters: str
    fair_nobody_cut: str
    fair_left_out: str
    fair_beacon: str
    fair_later: str

    seat_kept: str
    too_small: str

    @property
    def terms(self) -> Glossary:
        return GLOSSARIES[self.language]

    def money(self, cents: int) -> str:
        """An amount in units.

        >>> from croupier_client.terminal.english import ENGLISH
        >>> ENGLISH.money(1_250)
        '12.50'
        """
        return money(self.language, cents)

    def change(self, cents: int) -> str:
        """A gain or a loss, with its sign.

        >>> from croupier_client.terminal.french import FRENCH
        >>> FRENCH.change(-500), FRENCH.change(500)
        ('−5,00', '+5,00')
        """
        return f"{'−' if cents < 0 else '+'}{self.money(abs(cents))}"

    def chip(self, cents: int) -> str:
        """What is written on a chip: no decimals where there are none.

        >>> from croupier_client.terminal.english import ENGLISH
        >>> ENGLISH.chip(2_500), ENGLISH.chip(50)
        ('25', '0.50')
        """
        return self.money(cents) if cents % 100 else self.number(cents // 100)

    def number(self, number: int) -> str:
        return grouped(self.language, number)

    def counted(self, number: int, noun: Noun) -> str:
        return counted(self.language, number, noun)

    def bet(self, name: str) -> str:
        """The name of a bet; one that this version does not know keeps that of the wire."""
        return self.terms.bets.get(name, name)

    def short_bet(self, name: str) -> str:
        """The name of a bet where there is little room."""
        return self.short_bets.get(name, self.bet(name))
