"""What a worker tells its supervisor, with a real gateway and dealers on a real store."""

import pytest
from websockets.exceptions import InvalidStatus

from croupier_server.dealer.sealing import ShoeKey
from croupier_server.sight.exposition import decode, page
from croupier_server.sight.worker_sight import WorkerSight
from croupier_server.store.contact import Contact
from support.dealing import Way, dealer_on, until_round
from support.gateways import bare, gateway_on
from support.metrics import figures
from support.players import standing
from support.serving import until


def told(sight) -> str:
    return page({"1": decode(sight.answers[b"metrics"]())}, ()).decode()


async def test_slips_and_connections_are_counted_by_what_became_of_them(store, pit):
    """A code that a peer makes up is no label of its own: it could make up thousands."""
    async with standing(store.url, pit, "standard"), gateway_on(store.url) as server:
        gateway = server.gateway
        sight = WorkerSight(gateway._metrics, Contact(), gateway.lag, None, gateway)
        async with bare(server.url) as player, bare(server.url) as spectator:
            for client in (player, spectator):
                assert (await client.ask(type="watch", table="standard"))["type"] == "watching"
            slip = {"type": "slip", "table": "standard", "round": 1, "rev": 0, "op": "slip-0000001"}
            assert (await player.ask(**slip, bets={"player": 500}))["code"] == "not_seated"
            me = await player.ask(type="sit", table="standard", buy_in=10_000, op="sit-00000001")
            slip["rev"] = me["rev"]
            assert (await player.ask(**slip, bets={"player": 500}))["type"] == "slip_accepted"
            slip["op"] = "slip-0000002"
            assert (await player.ask(**slip, bets={"player": 700}))["type"] == "slip_changed"
            assert (await player.ask(**slip, bets={"player": 7}))["code"] == "limit"
            with pytest.raises(InvalidStatus, match="403"):
                async with bare(server.url, origin="https://elsewhere.example"):
                    pass
            text = told(sight)
            await spectator.connection.close(code=4321)
            await player.connection.close()
        await until(lambda: gateway.admission.ended == 2)
        after = told(sight)
        [member] = await pit.client.hkeys("croupier:{main}:t:standard:seats")
        assert member.decode() not in text + after
    answers = {
        answer: figures(text, "croupier_slips_answered_total", answer=answer)
        for answer in ("accepted", "slip_changed", "limit", "not_seated")
    }
    assert answers == {"accepted": [1.0], "slip_changed": [1.0], "limit": [1.0], "not_seated": [1.0]}
    assert figures(text, "croupier_slip_answer_seconds_count") == [4.0]
    assert figures(text, "croupier_spectators") == [1.0]
    assert figures(text, "croupier_connections_open") == [2.0]
    assert figures(after, "croupier_connections_open") == [0.0]
    assert figures(after, "croupier_connections_admitted_total") == [2.0]
    assert figures(after, "croupier_connections_refused_total") == [0.0, 0.0, 0.0, 1.0]
    assert figures(after, "croupier_connections_refused_total", reason="origin") == [1.0]
    assert figures(after, "croupier_connections_ended_total", code="1000") == [1.0]
    assert figures(after, "croupier_connections_ended_total", code="other") == [1.0]
    assert len(figures(after, "croupier_connections_ended_total")) == 2


async def test_rounds_and_the_lateness_of_every_event_are_measured_where_they_are_dealt(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 3)  # which has its result then; the second has been settled
        await dealer.release()
        metrics = dealer._metrics
        seq = (await pit.tables.read("standard")).record.seq
    said = {
        sample.name: sample.value
        for one in (metrics.event_lateness, metrics.settlement, metrics.rounds_settled, metrics.rounds_voided)
        for family in one.collect()
        for sample in family.samples
    }
    assert said["croupier_event_lateness_seconds_count"] == seq
    rounds = said["croupier_rounds_settled_total"]
    assert rounds >= 2
    assert said["croupier_settlement_seconds_count"] == rounds
    assert said["croupier_rounds_voided_total"] == 0
    assert 0 <= said["croupier_event_lateness_seconds_sum"] < 20 * seq


async def test_leases_that_are_not_renewed_keep_a_worker_from_being_ready(pit):
    way = Way(pit.store)
    async with dealer_on(pit, "standard", way=way) as dealer:
        await until_round(pit, 1)
        way.gate.clear()
        await until(lambda: dealer.unrenewed_s > 1.5)
        way.gate.set()
        await until(lambda: dealer.unrenewed_s < 1.0)
        await dealer.release()
        assert dealer.unrenewed_s == 0.0


async def test_a_table_that_was_tried_and_cannot_be_dealt_is_undealt_and_not_neglected(pit, caplog):
    """Its shoe is sealed with another key. One that nobody has tried is both. The log names it."""
    async with dealer_on(pit, "standard") as first:
        await until_round(pit, 1)
        await first.release()
    async with dealer_on(pit, "standard", key=ShoeKey(b"o" * 32)) as second:
        await until(lambda: second._undealable == {"standard"})
        await until(lambda: set(second.undealt) == {"standard"})
        assert second.neglected == {}
        second._undealable.clear()
        assert set(second.neglected) == {"standard"}
    [told, *_] = [line for line in caplog.records if "cannot be dealt" in line.message]
    assert told.about == {"table": "standard"}


async def test_a_feed_whose_stream_cannot_be_read_falls_silent_while_its_store_answers(store, pit):
    async with standing(store.url, pit, "standard"), gateway_on(store.url) as server:
        gateway = server.gateway
        sight = WorkerSight(gateway._metrics, Contact(), gateway.lag, None, gateway)

        def silent_s() -> float:
            return sight.seen().pits["main"].feed_silent_s

        await until(lambda: silent_s() > 0.2)
        await until(lambda: silent_s() < 0.2)
        await pit.client.set("croupier:{main}:events", "no stream")
        await until(lambda: silent_s() > 1.5)
        assert figures(told(sight), "croupier_feed_silence_seconds", pit="main")[0] > 1.5
