"""Recordings: those that ship are up to date and show their moments; broken ones are refused by line."""

import json
import sys
from pathlib import Path

import pytest

from croupier_server.errors import SetupError
from croupier_server.replay.transcript import read_transcript

FOLDER = Path(__file__).parents[2] / "transcripts"
sys.path.insert(0, str(FOLDER))

import generate  # noqa: E402 - the folder is no package


def lines(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def kinds(name):
    return [line["type"] for line in lines(name)]


@pytest.mark.parametrize("moment", generate.RECORDINGS, ids=lambda moment: moment.__name__)
def test_a_recording_is_what_its_generator_makes(moment):
    made, kept = generate.record(moment), generate.path(moment).read_bytes()
    assert made == kept, "run python tests/transcripts/generate.py if the change is meant"
    assert len(read_transcript(generate.path(moment))) == kept.count(b"\n")


def test_a_void_round_has_no_result():
    kind = kinds("void")
    at = kind.index("void")
    assert kind[at - 3 : at + 3] == ["card", "card", "card", "void", "settled", "betting"]
    assert lines("void")[at]["reason"] == "a card fell"
    assert "result" not in kind[:at]
    assert "result" in kind[at:]


def test_a_new_epoch_begins_with_a_snapshot_in_the_middle_of_a_coup():
    recorded = lines("new-epoch")
    (_, snapshot) = [line for line in recorded if line["type"] == "snapshot"]
    assert (snapshot["epoch"], snapshot["phase"]) == ("second", "dealing")
    at = recorded.index(snapshot)
    assert {line["epoch"] for line in recorded[:at]} == {"first"}
    assert {line["epoch"] for line in recorded[at:]} == {"second"}


def test_a_tie_with_both_pairs():
    results = [line for line in lines("tie-with-both-pairs") if line["type"] == "result"]
    assert [(r["outcome"], r["player_pair"], r["banker_pair"]) for r in results][:1] == [("tie", True, True)]


def test_the_cut_card_brings_one_last_coup_and_a_new_shoe():
    recorded = lines("cut-card")
    windows = [line["last"] for line in recorded if line["type"] == "betting"]
    assert windows == [False, True]
    snapshot = recorded[0]
    assert snapshot["shoe"]["dealt"] <= snapshot["shoe"]["cut_at"]
    assert recorded[-1]["type"] == "shoe"


def test_a_shoe_change_has_a_burn_and_starts_with_the_first_coup():
    recorded = lines("shoe-change")
    shoe = next(line for line in recorded if line["type"] == "shoe")
    assert (shoe["shoe"], shoe["burn"]["burnt"] >= 1) == (2, True)
    later = [line for line in recorded[recorded.index(shoe) :] if line["type"] == "betting"]
    assert [line["coup"] for line in later] == [1, 2]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda kept: kept[1:], "line 1: there is no snapshot of standard before its first event"),
        (lambda kept: [*kept[:3], *kept[4:]], "line 4: standard first/"),
        (lambda kept: [*kept[:2], "{", *kept[2:]], "line 3: malformed"),
        (
            lambda kept: [kept[0], '{"type": "pong", "server_ms": 1}'],
            "line 2: neither a snapshot nor an event",
        ),
        (lambda kept: [kept[0], kept[1].replace('"betting"', '"bidding"')], "line 2: neither a snapshot nor"),
        (lambda kept: kept[:1], "there is no event in it"),
        (lambda _: [], "there is no event in it"),
    ],
)
def test_what_is_no_recording_is_refused_with_its_line(tmp_path, change, complaint):
    kept = (FOLDER / "void.jsonl").read_text().splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join(change(kept)))
    with pytest.raises(SetupError, match=complaint):
        read_transcript(broken)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(SetupError, match=r"nothing\.jsonl: cannot be read"):
        read_transcript(tmp_path / "nothing.jsonl")
