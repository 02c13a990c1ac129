"""An operator and players' own limits: by the API and by the command, which do the same."""

import asyncio
import json

import pytest

from croupier_server.play_safe.commands import Limiting, exclude, limits
from croupier_server.store.significant import Kind, SignificantEvents
from support.banking import STANDARD, a_bank, sit, window
from support.own_limits import limit

WHY = {"player": "ana", "reason": "as asked by letter"}


async def events(pit):
    page = await SignificantEvents(pit.store).last(10)
    return [(one.kind, one.player, one.what, one.reason, one.op) for one in page.events]


async def test_limits_are_shown_set_and_lifted_at_once(operator, pit):
    await limit(pit, round_stake=1_000, day_stake=5_000)
    _, shown = await operator.call("players.limits", player="ana")
    assert (shown["round_stake"], shown["day_stake"], shown["excluded_until_ms"]) == (1_000, 5_000, None)
    change = {**WHY, "op": "letter-0001", "round_stake": 0, "day_minutes": 60}
    status, answer = await operator.call("players.limit", **change)
    assert (status, answer["round_stake"], answer["day_stake"]) == (200, None, 5_000)
    assert (answer["day_minutes"], answer["waiting"]) == (60, [])
    assert await operator.call("players.limit", **change) == (200, answer)
    status, answer = await operator.call("players.limit", **{**change, "round_stake": 9})
    assert (status, answer["code"]) == (409, "operation_reused")
    what = "round_stake 0, day_minutes 60"
    assert (Kind.LIMITED, "ana", what, "as asked by letter", "letter-0001") in await events(pit)


async def test_an_exclusion_ends_seats_and_an_operator_alone_ends_it(operator, pit):
    await sit(a_bank(pit))
    await sit(a_bank(pit), "ben")
    await pit.client.hset("croupier:{main}:tables", STANDARD, "{}")
    await window(pit)
    await pit.tables.register({STANDARD: b"{}"})
    status, answer = await operator.call("players.exclude", days=7, op="letter-0002", **WHY)
    assert status == 200
    assert answer["excluded_until_ms"] > await pit.store.time_ms()
    assert (await pit.seats.private(STANDARD, "ana")).seat is None
    assert (await pit.seats.private(STANDARD, "ben")).seat is not None
    assert (await pit.own_limits.look("ana")).excluded
    status, answer = await operator.call("players.exclude", days=0, op="letter-0003", **WHY)
    assert (status, answer["excluded_until_ms"]) == (200, None)
    assert not (await pit.own_limits.look("ana")).excluded


@pytest.mark.parametrize(
    ("method", "field", "value"),
    [
        ("players.limit", "round_stake", -1),
        ("players.limit", "round_stake", 2**53),
        ("players.limit", "day_minutes", 1_441),
        ("players.limit", "reason", "two\nlines"),
        ("players.limit", "op", "short"),
        ("players.limit", "player", "a|b"),
        ("players.exclude", "days", -1),
        ("players.exclude", "days", 3_651),
        ("players.exclude", "reason", ""),
    ],
)
async def test_a_bad_field_changes_nothing_and_is_named(operator, pit, method, field, value):
    fields = {"round_stake": 500} if method == "players.limit" else {"days": 1}
    status, answer = await operator.call(method, **{**WHY, "op": "letter-0001", **fields, field: value})
    assert (status, answer["code"], answer["field"]) == (400, "invalid", field)
    assert await pit.client.keys("*:limits") == []


async def test_nothing_to_set_is_told(operator, pit):
    status, answer = await operator.call("players.limit", op="letter-0001", **WHY)
    assert (status, answer["code"]) == (400, "invalid")


async def test_the_command_shows_sets_and_excludes(api_store, pit, capsys):
    async def run(command, **options):
        asked = {name: options.pop(name) for name in ("reason", "op", "json") if name in options}
        given = Limiting("ana", redis=api_store.url, **asked)
        return await asyncio.to_thread(command, given, **options)

    await limit(pit, day_stake=5_000)
    await limit(pit, "limit-0002", day_stake=0)
    assert await run(limits, round_stake="12.50", reason="by letter", json=True) == 0
    assert json.loads(capsys.readouterr().out)["round_stake"] == 1_250
    assert await run(limits) == 0
    shown = capsys.readouterr().out
    assert "most in a round   12.50" in shown
    assert "most in a day     50.00, from " in shown
    assert shown.rstrip().endswith("as the house has it")
    assert await run(exclude, days=3, reason="by letter", op="letter-0001") == 0
    assert "excluded until" in capsys.readouterr().out
    assert await run(exclude, days=4, reason="by letter", op="letter-0001") == 1
    assert "was used for something else" in capsys.readouterr().err
    assert await run(exclude, days=0) == 2
    assert "--reason takes a line of text" in capsys.readouterr().err
    assert await run(limits, round_stake="much", reason="by letter") == 2
    assert (await pit.own_limits.look("ana")).excluded
