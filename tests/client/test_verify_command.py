"""`croupier verify` on a transcript with a beacon: what it says was checked, and what was not."""

import io
import json

import pytest

from croupier_client.cli.app import run
from croupier_client.cli.verify import verify
from support.shoes import BEACON, Table


@pytest.fixture(scope="module")
def table():
    """Two short shoes with a beacon, which does not come for the second."""
    return Table(beacon=BEACON, undrawn=(2,)).shoe(abandon_after=2).shoe(abandon_after=2)


@pytest.fixture
def transcript(table, tmp_path):
    path = tmp_path / "transcript.jsonl"
    path.write_text("\n".join(table.lines))
    return str(path)


def beacon_of(table, shoe):
    [event] = [one for one in map(json.loads, table.lines) if one["type"] == "shoe" and one["shoe"] == shoe]
    return event["beacon"]["round"]


async def test_a_beacon_is_not_compared_with_its_source_unless_its_value_is_given(table, transcript, capsys):
    assert await verify(transcript) == 0
    told = capsys.readouterr().out.splitlines()
    about = "beacon is the one named before it was drawn, and its value its source's"
    assert f"unchecked  {about}: 1 (its value was not compared with its source)" in told
    assert (
        f"note       table t, shoe 2: round {beacon_of(table, 2)} of the beacon did not come in time" in told
    )
    [(round_, value)] = table.values.items()
    assert round_ == beacon_of(table, 1)
    assert await verify(transcript, beacon=[f"{round_}={value.hex()}"]) == 0
    assert "its value was not compared" not in capsys.readouterr().out


async def test_a_beacon_whose_source_gave_another_value_fails(table, transcript, capsys):
    round_ = beacon_of(table, 1)
    assert await verify(transcript, beacon=[f"{round_}={'00' * 64}"], json=True) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [failed] = [row for row in rows if "failed" in row]
    assert (failed["check"], failed["failed"]) == ("beacon", "the source gave another value")
    assert {"undrawn": {"table": "t", "shoe": 2, "round": beacon_of(table, 2)}} in rows
    assert rows[-1] == {"ok": False}


def test_a_transcript_is_read_from_standard_input(table, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(table.lines)))
    assert run(("verify", "-", "--json")) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"ok": True}


@pytest.mark.parametrize("text", ["7", "7=", "x=ab", "7=xy", "=ab"])
async def test_a_value_that_is_none_is_refused(transcript, capsys, text):
    assert await verify(transcript, beacon=[text], lang="fr") == 2
    assert "--beacon attend" in capsys.readouterr().err
