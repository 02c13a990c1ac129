"""What a table looks like in a terminal, told from what is known of it; no terminal is needed for it."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields
from rich.cells import cell_len

from croupier_client.terminal.draw.picture import Role, Surface
from croupier_client.terminal.draw.table import table
from croupier_client.terminal.english import ENGLISH
from croupier_client.terminal.french import FRENCH
from croupier_client.terminal.languages import WORDS
from croupier_client.terminal.reasons import Reason, Why
from croupier_client.terminal.state import Checks, Choice, Link, Own
from croupier_protocol.game.coup import Outcome
from croupier_protocol.language import NO_BREAK_SPACE
from croupier_protocol.messages.to_client import CutView
from croupier_protocol.messages.values import Contribution, Phase
from support.terminal_tables import CARDS, ME, NOW_MS, PAYOUT, RESULT, RULES, SEATED, SHOE, VIEW

BETTING = """\
 standard  1.00 – 500.00           Round 1,204 · coup 13 of shoe 3   ✓ 37 cards
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────┃───
 Place your bets                                    ━━━━━━━━━━━━━━━━━───  13 s
                      ╭╌╌╌╮ ╭╌╌╌╮              ╭╌╌╌╮ ╭╌╌╌╮
        PLAYER        ┆   ┆ ┆   ┆      ·       ┆   ┆ ┆   ┆        BANKER
                      ╰╌╌╌╯ ╰╌╌╌╯              ╰╌╌╌╯ ╰╌╌╌╯

 ▌P Player             1:1   T Tie               8:1   B Banker        1:1 −5%
 ▌● 25.00
 ▌Σ 350.00                   Σ 5.00
  P Pair   11:1   B Pair   11:1   Either    5:1   P Bonus   ≤30   B Bonus  ≤30


 Bankroll  975.00   Stake  25.00      Chips  1 ▐1▌ 2 (5) 3 (25) 4 (100) 5 (500)
  G Deal  R Rebet  D Double  U Undo  C Clear  M Max  S Buy chips  L Leave
 Your bets stand, with Deal or without.
 Bead plate          Big road      P? ○●╲ B? ◌◐╱  Big eye   Small     Roach
  T P · · · · · · ·   B/ P2 B  P ˙B  ·  ·  ·  ·   ○◌○◌○···  ◐·······  ╲·······
  B P · · · · · · ·   B  P  ·  ·  ·  ·  ·  ·  ·   ···◌····  ◐·······  ········
  B P · · · · · · ·   ·  P  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
  P B · · · · · · ·   ·  P  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
  T P · · · · · · ·   ·  ·  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
  T˙B · · · · · · ·   ·  ·  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
 Esc Tables  H My rounds  F Fairness  I Rules  ? Keys  Q Quit       ● connected"""

DEALING_FRENCH_PLAIN = """\
 standard  1,00 – 500,00  Manche 1~204 · coup 13 du sabot 3   · non vérifié ici
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────┃───
 Distribution
                ╭───╮ ╭───╮ ╭───╮  ╶─╮    ╭─╮  ╭───╮ ╭───╮
        JOUEUR  │2♠ │ │R♥ │ │10♦│  ╭─╯ ·  │ │  │9♠ │ │A♦ │        BANQUE
                ╰───╯ ╰───╯ ╰───╯  ╰─╴    ╰─╯  ╰───╯ ╰───╯

 ▌P Joueur             1:1   T Égalité           8:1   B Banque       1:1 −5~%
 ▌● 25,00
 ▌Σ 350,00                   Σ 5,00
  Paire J  11:1   Paire B  11:1   1 paire   5:1   Bonus J   ≤30   Bonus B  ≤30


 Jetons  975,00   Mise  25,00       Valeurs  1 ▐1▌ 2 (5) 3 (25) 4 (100) 5 (500)
 V Valider R Rejouer D Doubler A Annuler C Effacer M Max S Acheter L Quitter
 Vos mises comptent. Bonne chance.
 Perles              Grande route  P? ○●╲ B? ◌◐╱  Gros œil  Petite    Cafard
  T P · · · · · · ·   B/ P2 B  P ˙B  ·  ·  ·  ·   ○◌○◌○···  ◐·······  ╲·······
  B P · · · · · · ·   B  P  ·  ·  ·  ·  ·  ·  ·   ···◌····  ◐·······  ········
  B P · · · · · · ·   ·  P  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
  P B · · · · · · ·   ·  P  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
  T P · · · · · · ·   ·  ·  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
  T˙B · · · · · · ·   ·  ·  ·  ·  ·  ·  ·  ·  ·   ········  ········  ········
 Esc Tables  H Mes manches  F Équité  I Règles  ? Touches  Q Fin     ● connecté"""


def drawn(state, words=ENGLISH, width=80, height=24, *, colour=True) -> str:
    return "\n".join(table(state, words, width, height, colour=colour).text)


def at(view, **fields):
    return replace(SEATED, view=with_fields(view, **fields))


def test_a_seat_while_bets_are_open_at_80_by_24():
    assert drawn(SEATED) == BETTING


def test_a_french_table_while_cards_are_dealt_without_colour():
    state = replace(SEATED, view=CARDS, now_ms=None, checks=Checks())
    assert drawn(state, FRENCH, colour=False) == DEALING_FRENCH_PLAIN.replace("~", NO_BREAK_SPACE)


def test_chips_can_be_told_from_their_keys_and_from_the_one_in_hand_by_their_shape_alone():
    in_hand = replace(SEATED, choice=Choice("tie", 2))
    assert "Chips  1 (1) 2 (5) 3 ▐25▌ 4 (100) 5 (500)\n" in drawn(in_hand, colour=False)


SIZES = [(80, 24), (120, 40), (250, 60)]

STATES = {
    "nothing yet": replace(SEATED, view=None, limits=None, offer=None, own=Own.UNKNOWN, me=None),
    "watching": replace(SEATED, own=Own.NONE, me=None, wallet=1_000_00),
    "open": SEATED,
    "sending": replace(SEATED, wanted={"player": 25_00, "tie": 5_00}, sending=True),
    "refused": replace(SEATED, refused=Reason(Why.MOST, "player_pair", 100_00)),
    "dealing": replace(SEATED, view=CARDS),
    "paid": replace(SEATED, view=RESULT, payout=PAYOUT),
    "reconnecting": replace(SEATED, link=Link(live=False, retry_s=2.2)),
    "stalled": replace(SEATED, stalled=True),
    "rich": replace(
        at(VIEW, round=9_999_999, totals={"banker": 2**53 - 1}),
        me=with_fields(ME, bankroll=2**53 - 1),
        notice="N" * 300,
    ),
    "long name": replace(SEATED, table="a" * 48),
    "paused": at(VIEW, phase=Phase.PAUSED, reason="\x1b[2Jbreak\u202e"),
    "many side bets": replace(SEATED, offer=None),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_every_line_fills_its_terminal_exactly_whatever_is_on_the_table(state, words):
    for width, height in SIZES:
        picture = table(state, words, width, height)
        assert [cell_len("".join(span.text for span in line)) for line in picture.lines] == [width] * height
        assert all(0 <= zone.row < height and zone.column + zone.width <= width for zone in picture.zones)


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize(
    "name", ["watching", "open", "sending", "refused", "dealing", "paid", "reconnecting"]
)
def test_nothing_that_is_needed_is_cut_off_at_80_by_24(name, words):
    assert "…" not in drawn(STATES[name], words)


def test_a_terminal_that_is_too_small_shows_what_fits():
    picture = table(SEATED, ENGLISH, 40, 10)
    assert (picture.width, picture.height) == (40, 10)
    assert picture.text[0].startswith(" standard")


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (STATES["nothing yet"], "Coming to the table"),
        (at(VIEW, last=True), "Last coup of the shoe"),
        (replace(SEATED, now_ms=NOW_MS + 9_500.0), "Last seconds"),
        (at(VIEW, phase=Phase.CLOSED), "No more bets"),
        (at(VIEW, phase=Phase.VOIDING, reason="alarm"), "Every stake is returned (alarm)"),
        (at(VIEW, phase=Phase.RESULT, reason="alarm"), "This round is void"),
        (at(VIEW, phase=Phase.RESULT, round=0), "The first round begins shortly"),
        (at(VIEW, phase=Phase.PAUSED, reason="break"), "your chips stay yours (break)"),
        (at(VIEW, phase=Phase.ENDED), "This table is closed"),
        (at(VIEW, phase=Phase.SHUFFLING), "Shoe 3: 10♠ is turned up, 10 cards burnt"),
        (at(VIEW, phase=Phase.SHUFFLING, shoe=with_fields(SHOE, burn=None)), "Series 3: a fresh deck"),
        (STATES["stalled"], "bets that stand keep standing"),
        (STATES["reconnecting"], "Reconnecting in 3 s"),
        (replace(SEATED, link=Link(live=False)), "○ reconnecting"),
        (replace(SEATED, view=RESULT), "Player wins, 2 to 0"),
        (
            at(RESULT, outcome=Outcome.TIE, natural=True, banker_pair=True),
            "Natural · Player Pair · Banker Pair",
        ),
    ],
)
def test_each_state_of_a_table_has_its_words(state, said):
    assert said in drawn(state)


@pytest.mark.parametrize(
    ("listed", "until_ms", "contributions", "said"),
    [
        (False, NOW_MS + 2_000, (), "Shoe 4 is committed to; the seats cut it now"),
        (False, None, (), "Shoe 4 is committed to"),
        (
            True,
            NOW_MS,
            (Contribution(seat=1, player="p1", hash=b"h" * 32),),
            "seats in the cut: 1 · yours is among them",
        ),
        (True, NOW_MS, (Contribution(seat=2, player="p2", hash=b"h" * 32),), "seats in the cut: 1\n"),
    ],
)
def test_the_cut_of_the_next_shoe_is_told_with_the_own_part_in_it(listed, until_ms, contributions, said):
    cut = CutView(
        shoe=4,
        rules=RULES,
        commitment=b"c" * 32,
        previous=None,
        until_ms=until_ms,
        listed=listed,
        contributions=contributions,
    )
    assert said in drawn(at(VIEW, phase=Phase.SHUFFLING, cut=cut))


def test_m4_the_countdown_is_the_servers_and_never_below_nought():
    assert SEATED.seconds == 13
    assert replace(SEATED, now_ms=NOW_MS + 12_400.0).seconds == 0
    assert replace(SEATED, now_ms=NOW_MS + 3_600_000.0).seconds == 0
    assert replace(SEATED, now_ms=None).seconds is None
    assert replace(SEATED, stalled=True).seconds is None
    assert replace(SEATED, link=Link(live=False)).seconds is None


def test_only_what_was_accepted_is_solid_and_counted():
    sending = drawn(replace(SEATED, wanted={"player": 25_00, "tie": 5_00}, sending=True))
    assert "● 25.00" in sending
    assert "○ 5.00 sending" in sending
    assert "Bankroll  975.00   Stake  25.00" in sending


def test_a_payout_says_what_each_bet_came_to():
    lines = drawn(replace(SEATED, view=RESULT, payout=PAYOUT))
    assert "● +25.00" in lines
    assert "● +47.50" in lines
    assert "less 2.50 commission" in lines
    assert "○ −5.00 lost" in lines
    assert "● 1.00 push" in lines
    assert "Round 1,204: 81.00 staked, 148.50 returned, +67.50" in lines


def test_a_payout_of_an_earlier_round_is_not_shown_as_this_ones():
    assert "staked" not in drawn(replace(SEATED, view=with_fields(RESULT, round=1205), payout=PAYOUT))


def test_m1_winners_and_marks_are_told_by_letter_and_shape_alone():
    lines = drawn(replace(SEATED, view=RESULT), colour=False)
    assert "● PLAYER" in lines
    assert "│K♥ │" in lines
    assert " B/ P2 B" in lines
    assert "○◌" in lines


@pytest.mark.parametrize(
    ("checks", "left_out", "mark"),
    [
        (Checks(), (), "· not checked here"),
        (Checks(checked=1), (), "✓ 1 card"),
        (Checks(checked=9, wrong=1), (), "✗ something does not fit"),
        (Checks(checked=9), (3,), "✗ something does not fit"),
    ],
)
def test_the_fairness_mark_says_what_was_checked_here(checks, left_out, mark):
    assert drawn(replace(SEATED, checks=checks, left_out=left_out)).split("\n")[0].endswith(mark)


def test_names_in_the_side_column_are_shown_safe():
    lines = drawn(SEATED, width=120, height=40)
    assert "Bob��[31m" in lines
    assert "\x1b" not in lines
    assert "\u202e" not in lines


def test_every_area_chip_and_key_can_be_clicked_where_it_is():
    picture = table(SEATED, ENGLISH, 80, 24)
    lines = picture.text

    def act(text: str):
        row = next(number for number, line in enumerate(lines) if text in line)
        return picture.act_at(lines[row].index(text) + 1, row)

    assert act("B Banker") == ("area", "banker", 0)
    assert act("Either") == ("area", "either_pair", 0)
    assert act("100") == ("chip", "", 3)
    assert act("G Deal") == ("deal", "", 0)
    assert act("C Clear") == ("clear", "", 0)
    assert act("Esc Tables") == ("tables", "", 0)
    assert picture.act_at(1, 5) is None


def test_money_and_cards_stand_out_and_one_thing_is_next():
    picture = table(replace(SEATED, view=with_fields(CARDS, phase=Phase.BETTING)), ENGLISH, 80, 24)
    spans = [span for line in picture.lines for span in line]
    assert [span.text for span in spans if span.surface is Surface.NEXT] == [" G Deal "]
    assert {span.role for span in spans if span.surface is Surface.CARD} <= {Role.RED, Role.BLACK}
