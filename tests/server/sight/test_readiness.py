"""What keeps a worker, and a server, from being ready: figures in, reasons out."""

import pytest

from croupier_server.sight.readiness import PitSeen, Readiness, WorkerSeen, of_server, problems

WELL = PitSeen(feed_silent_s=0.9, unrenewed_s=1.1, undealt={})


def seen(silent_s=0.2, behind_s=None, **pits) -> WorkerSeen:
    return WorkerSeen(store_silent_s=silent_s, behind_s=behind_s, pits=pits or {"main": WELL})


def test_a_worker_with_a_store_that_answers_and_leases_that_are_renewed_is_ready():
    assert problems(seen()) == []
    assert problems(seen(2.9)) == []
    assert problems(seen(main=PitSeen(feed_silent_s=4.9, unrenewed_s=2.9, undealt={"vip": 9.9}))) == []


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        (seen(3.1), "the store has not answered for 3.1 s"),
        (seen(behind_s=0.254), "the event loop is 254 ms behind"),
        (seen(main=PitSeen(feed_silent_s=5.1)), "nothing has been heard of any table for 5.1 s"),
        (seen(main=PitSeen(unrenewed_s=3.1)), "no lease in pit main has been renewed for 3.1 s"),
        (seen(main=PitSeen(undealt={"vip": 10.1})), "nobody deals table vip for 10.1 s"),
        (
            seen(main=PitSeen(undealt={"vip": 12.0, "open": 11.0, "new": 0.1})),
            "nobody deals table open and 1 more for 12.0 s",
        ),
    ],
)
def test_each_thing_that_is_amiss_is_a_reason(worker, reason):
    assert problems(worker) == [reason]


def test_what_follows_from_a_silent_store_is_not_told_beside_it():
    pit = PitSeen(feed_silent_s=9.0, unrenewed_s=9.0, undealt={"vip": 20.0})
    assert problems(seen(9.0, main=pit)) == ["the store has not answered for 9.0 s"]


def test_one_pit_of_two_that_is_away_does_not_take_the_server_out():
    away = PitSeen(feed_silent_s=60.0, unrenewed_s=60.0, undealt={"vip": 60.0})
    assert problems(seen(vip=away, main=WELL)) == []
    assert problems(seen(vip=away, main=away)) == ["nothing has been heard of any table for 60.0 s"]


def test_a_server_is_ready_as_long_as_one_of_its_workers_is():
    assert of_server({"worker 1": []}) == Readiness(ready=True)
    assert of_server({"worker 1": [], "worker 2": None, "worker 3": ["x", "y"]}) == Readiness(
        ready=True, reasons=("worker 2: does not answer", "worker 3: x", "worker 3: y")
    )
    assert of_server({"worker 1": None}).text == "worker 1: does not answer\n"
    assert of_server({}) == Readiness(ready=False, reasons=("no worker is ready",))
