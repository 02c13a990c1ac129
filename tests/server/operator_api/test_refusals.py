"""What the operator's API does not take, and how it says so."""

import asyncio
import json
import re

import pytest

from croupier_server.operator_api import server
from croupier_server.operator_api.methods import METHODS
from support.operator_api import DIGEST, KEY, calling, terms_of

CREDIT = json.dumps({"player": "ana", "amount": 5, "reason": "a reason", "op": "credit-1"}).encode()

HEAD = b"POST /api/audit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-API-Key: KEY\r\n"


async def refused(operator, path="/api/wallet.credit", **how):
    status, headers, answer = await operator.send(path, **{"body": CREDIT, **how})
    assert headers["Content-Type"].startswith("application/json")
    assert headers["Cache-Control"] == "no-store"
    assert not [name for name in headers if name.lower().startswith("access-control-")]
    return status, answer["code"], headers, answer


async def test_without_a_configured_key_the_api_is_closed_and_says_what_to_configure(api_store):
    async with calling(api_store.url, terms_of()) as operator:
        for key in (KEY, None, ""):
            status, code, _, answer = await refused(operator, key=key)
            assert (status, code) == (403, "no_keys")
            assert "key_digests or key_files under [api]" in answer["message"]
        assert (await operator.send("/healthz", method="GET"))[0] == 200


@pytest.mark.parametrize("key", [None, "", "x", KEY[:-1], KEY + "x", KEY.upper(), DIGEST, "é" * 40])
async def test_only_the_whole_key_opens(operator, key):
    status, code, headers, _ = await refused(operator, key=key)
    assert (status, code, headers["WWW-Authenticate"]) == (401, "bad_key", "X-API-Key")


async def test_a_short_key_opens_nothing_even_where_its_digest_is_configured(api_store):
    hunter2 = "f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7"
    async with calling(api_store.url, terms_of(hunter2)) as operator:
        assert (await refused(operator, key="hunter2"))[:2] == (401, "bad_key")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"])
async def test_methods_are_called_with_post_alone(operator, method):
    status, headers, _ = await operator.send("/api/wallet.credit", method=method, body=b"")
    assert (status, headers["Allow"]) == (405, "POST")
    assert not [name for name in headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_what_a_page_may_send_to_another_origin_is_not_taken(operator, kind):
    assert (await refused(operator, kind=kind))[:2] == (415, "only_json")


async def test_a_browser_that_asks_whether_it_may_gets_no_leave(operator):
    status, headers, _ = await operator.send(
        "/api/wallet.credit",
        method="OPTIONS",
        key=None,
        body=b"",
        Origin="https://evil.example",
        **{"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-api-key"},
    )
    assert status == 405
    assert not [name for name in headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("path", ["", "x", "wallet", "wallet.credit/", "openapi.json", "a/b", "a%2Fb"])
async def test_a_method_that_there_is_not_is_told_with_those_that_there_are(operator, path):
    status, code, _, answer = await refused(operator, f"/api/{path}")
    assert (status, code) == (404, "unknown_method")
    assert set(METHODS) <= set(re.findall(r"[a-z.-]+", answer["message"]))


async def chunks(count, of=b"x" * 1024):
    for _ in range(count):
        yield of


@pytest.mark.parametrize("body", [b" " * 16_385, b'{"a": "' + b"x" * 100_000])
async def test_a_body_that_is_too_long_is_not_read(operator, body):
    assert (await refused(operator, body=body))[:2] == (413, "too_long")
    assert (await refused(operator, body=chunks(40)))[:2] == (413, "too_long")


async def test_a_body_that_does_not_come_is_not_waited_for(operator, monkeypatch):
    monkeypatch.setattr(server, "BODY_S", 0.05)
    never = asyncio.Event()

    async def body():
        yield b"{"
        await never.wait()

    assert (await refused(operator, body=body()))[:2] == (408, "too_slow")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b'{"player": "\xff"}', b"[" * 16_000, b'{"player": "\\ud800"}', b"{} {}"]
)
async def test_a_body_that_is_no_json_is_told(operator, body):
    status, code, _, _ = await refused(operator, body=body)
    assert (status, code) in {(400, "malformed"), (400, "invalid")}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"extra": 1}, "extra"),
        ({"op": None}, "op"),
        ({"player": {"a": "b"}}, "player"),
        ({"amount": 10**30}, "amount"),
    ],
)
async def test_a_field_that_is_wrong_unknown_or_missing_is_named(operator, change, field):
    asked = {**json.loads(CREDIT), **change}
    status, code, _, answer = await refused(operator, body=json.dumps(asked).encode())
    assert (status, code, answer["field"]) == (400, "invalid", field)
    del asked["reason"]
    asked = {**json.loads(CREDIT)}
    del asked["op"]
    _, _, _, answer = await refused(operator, body=json.dumps(asked).encode())
    assert (answer["field"], answer["message"]) == ("op", "Object missing required field `op`")


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /api/audit HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\x01\r\n\r\n",
        b"POST /api/audit HTTP/1.1\r\nHost: x\r\nX-API-Key : KEY\r\n\r\n",
        b"POST /api/audit?KEY\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"X-API-Key: KEY\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nKEY\r\n",
        HEAD + b"Content-Length: 100\r\n\r\n{}",
    ],
)
async def test_of_a_request_that_is_no_http_the_log_has_nothing(operator, caplog, request_):
    reader, writer = await asyncio.open_connection(*operator.url.removeprefix("http://").split(":"))
    writer.write(request_.replace(b"KEY", KEY.encode()))
    if b"Content-Length" in request_:
        writer.transport.abort()  # in the middle of the body
    else:
        assert (await reader.readline()).split()[1] == b"400"
        writer.close()
    assert (await operator.call("tables.list"))[0] == 200
    assert caplog.text == ""


async def test_two_keys_in_one_request_are_none(operator):
    async with operator.session.post(
        f"{operator.url}/api/tables.list",
        data=b"{}",
        headers=[("X-API-Key", KEY), ("X-API-Key", KEY), ("Content-Type", "application/json")],
    ) as answer:
        assert answer.status == 401


async def test_wrong_keys_are_counted_told_without_the_key_and_answered_within_bounds(operator, caplog):
    wrong = "a-wrong-key-that-is-long-enough-to-be-one"
    statuses = [(await refused(operator, key=wrong))[0] for _ in range(14)]
    assert statuses[:10] == [401] * 10
    assert set(statuses[10:]) <= {401, 429}
    assert 429 in statuses
    assert operator.api.wrong_keys.count == 14
    told = [text for text in caplog.messages if "127.0.0.1 came with a wrong key" in text]
    assert len(told) == statuses.count(401)
    assert wrong not in caplog.text
    assert KEY not in caplog.text
    assert (await operator.call("tables.list"))[0] == 200  # nobody locks the operator out


async def test_what_changes_something_is_told_in_the_log_by_the_short_name_of_its_key(operator, pit, caplog):
    caplog.set_level("INFO")
    await operator.call("players.revoke", player="ana")
    await operator.call("wallet.show", player="bea")
    await operator.call("wallet.credit", player="bea", amount=5, reason="x", op="bonus-01")
    assert [text for text in caplog.messages if text.startswith("API: ")] == [
        'API: key 4f5b1bd1: players.revoke {"player":"ana"}: done',
        (
            'API: key 4f5b1bd1: wallet.credit {"player":"bea","amount":5,"reason":"x","op":"bonus-01"}:'
            " unknown_player"
        ),
    ]


async def test_one_audit_runs_at_a_time_and_requests_under_way_are_bounded(operator, monkeypatch):
    with operator.api._desk.auditing():
        for name, asked in (("audit", {}), ("tables.clear-alarm", {"table": "t", "reason": "r"})):
            status, answer = await operator.call(name, **asked)
            assert (status, answer["code"]) == (429, "busy")
    monkeypatch.setattr(server, "MOST_UNDER_WAY", 0)
    status, code, headers, _ = await refused(operator)
    assert (status, code, headers["Retry-After"]) == (429, "busy", "2")


async def test_a_damaged_record_is_a_typed_refusal_and_a_bug_tells_nothing(
    operator, pit, monkeypatch, caplog
):
    await pit.client.hset("croupier:players", "ana", "open")
    await pit.client.set("croupier:{w:ana}", "x")
    status, code, _, _ = await refused(operator)
    assert (status, code) == (500, "damaged")

    async def broken(*_, **__):
        raise RuntimeError("a secret")

    monkeypatch.setattr("croupier_server.operations.money.adjust", broken)
    status, code, _, answer = await refused(operator)
    assert (status, code) == (500, "internal")
    assert "a secret" not in answer["message"]
    assert "a secret" in caplog.text


async def test_without_its_store_every_method_says_so_and_when_to_come_again(tmp_path):
    fields = {
        "table": "standard",
        "player": "ana",
        "amount": 5,
        "reason": "a reason",
        "op": "an-op-001",
        "days": 1,
        "day_minutes": 60,
    }
    async with calling(f"unix://{tmp_path}/nowhere", terms_of(DIGEST)) as operator:
        for name, method in METHODS.items():
            asked = {key: fields[key] for key in method.takes.__struct_fields__ if key in fields}
            status, headers, answer = await operator.send(f"/api/{name}", body=json.dumps(asked).encode())
            assert (name, status, answer["code"], headers["Retry-After"]) == (name, 503, "unavailable", "2")
