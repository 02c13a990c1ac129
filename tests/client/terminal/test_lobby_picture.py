"""What the lobby looks like in a terminal."""

from msgspec.structs import replace
from rich.cells import cell_len

from croupier_client.terminal.draw.lobby import Lobby, lobby, order
from croupier_client.terminal.english import ENGLISH
from croupier_client.terminal.french import FRENCH
from croupier_client.terminal.languages import WORDS
from croupier_client.terminal.state import Link
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.to_client import TableInfo
from croupier_protocol.messages.values import Phase
from support.terminal_tables import NOW_MS, RULES, past

SALON = TableInfo(
    table="salon",
    rules=RULES,
    pace="standard",
    phase=Phase.BETTING,
    round=7,
    coup=7,
    closes_at_ms=NOW_MS + 9_100,
    spectators=1204,
    seated=3,
    limits=Limits(),
    past=past("BBPPPPPB"),
)
ATRIUM = replace(SALON, table="atrium", phase=Phase.PAUSED, past=(), closes_at_ms=None)

EXPECTED = """\
 Tables   Live baccarat, for play money
────────────────────────────────────────────────────────────────────────────────
  atrium                                Paused   First coup of the shoe
  standard rules   1.00 – 500.00
  3 seated   1,204 watching

▌ salon  your seat         Bets are open  10 s   B P B · · · · · · · · · · · ·
▌ standard rules   1.00 – 500.00                 B P · · · · · · · · · · · · ·
▌ 3 seated   1,204 watching                      · P P P · · · · · · · · · · ·"""


def drawn(state: Lobby, words=ENGLISH, width: int = 80, height: int = 24) -> list[str]:
    return lobby(state, words, width, height).text


def test_each_table_has_its_phase_with_seconds_limits_people_and_road():
    state = Lobby((ATRIUM, SALON), 1, frozenset({"salon"}), now_ms=float(NOW_MS))
    lines = drawn(state, height=13)
    assert "\n".join(lines[:9]) == EXPECTED
    assert lines[-1] == " ↑ ↓   Enter Open  ? Keys  Q Quit                                   ● connected"


def test_with_room_a_road_has_its_six_rows():
    lines = drawn(Lobby((ATRIUM, SALON)))
    assert [line[49:54] for line in lines[9:15]] == ["B P B", "B P ·", "· P ·", "· P ·", "· P ·", "· · ·"]


def test_every_line_fills_its_terminal_exactly():
    for words in WORDS.values():
        for size in ((80, 24), (120, 40), (60, 9)):
            picture = lobby(Lobby((ATRIUM, SALON) * 9, 8), words, *size)
            widths = [cell_len("".join(span.text for span in line)) for line in picture.lines]
            assert widths == [size[0]] * size[1]


def test_the_chosen_table_is_always_in_sight():
    tables = tuple(replace(ATRIUM, table=f"t{number:02}") for number in range(40))
    for chosen in (0, 1, 20, 38, 39):
        assert any(f"▌ t{chosen:02}" in line for line in drawn(Lobby(tables, chosen)))


def test_a_click_anywhere_on_a_table_opens_it():
    picture = lobby(Lobby((ATRIUM, SALON)), ENGLISH, 80, 13)
    assert [picture.act_at(70, row) for row in (2, 4, 7)] == [
        ("open", "atrium", 0),
        ("open", "atrium", 0),
        ("open", "salon", 0),
    ]
    assert picture.act_at(70, 5) is None


def test_no_tables_no_connection_and_a_notice_are_said():
    assert "Recherche des tables" in drawn(Lobby(None), FRENCH)[3]
    assert "Aucune table n’est ouverte" in drawn(Lobby(()), FRENCH)[3]
    lines = drawn(Lobby((SALON,), link=Link(live=False), notice="gone\x1b[2J"))
    assert lines[-2:] == [
        " gone�[2J",
        " ↑ ↓   Enter Open  ? Keys  Q Quit                                ○ reconnecting",
    ]


def test_tables_keep_their_places_whatever_they_do():
    assert [info.table for info in order((SALON, ATRIUM))] == ["atrium", "salon"]
