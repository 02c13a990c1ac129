"""`croupier audit` and `croupier wallet` on a running store: what is printed, and the exit status."""

import asyncio
import json

import pytest

from croupier_client.cli.app import run
from croupier_server.bank.amounts import read_amount, write_amount
from support.banking import HOUSE, MOST, WALLET, a_bank, sit


@pytest.fixture
def croupier(shared_store, capsys):
    """Runs a command line against the store; returns status, standard output and standard error."""

    async def command(*tokens, place=None):
        place = ["--redis", shared_store.url] if place is None else place
        status = await asyncio.to_thread(run, [*tokens, *place])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return command


async def test_a_clean_audit_shows_the_sums_and_ends_with_0(pit, croupier):
    await sit(a_bank(pit))
    await pit.client.hset("croupier:{main}:tables", "standard", "{}")
    assert await croupier("audit") == (
        0,
        (
            "wallets                               900.00\n"
            "transfers under way                     0.00\n"
            "bankrolls                             100.00\n"
            "open stakes                             0.00\n"
            "house                                   0.00\n"
            "moved meanwhile                         0.00\n"
            "issued                               1000.00\n"
            "retired                                 0.00\n"
            "clean: 1 players, 1 tables, 1 postings\n"
        ),
        "",
    )


async def test_an_audit_as_json_has_one_object_a_line(pit, croupier):
    await sit(a_bank(pit))
    await pit.client.incrby(HOUSE, 3)
    await pit.client.hincrby(WALLET, "balance", -1)
    status, out, err = await croupier("audit", "--json")
    assert (status, err) == (1, "")
    *mismatches, sums = [json.loads(line) for line in out.splitlines()]
    assert [one["mismatch"] for one in mismatches] == [
        {"where": "the house", "text": "it has 3 cents, and the ledger 0", "cents": 3},
        {
            "where": "wallet of ana",
            "text": "it holds 89999 cents, and what came and went makes 90000",
            "cents": -1,
        },
        {"where": "all money", "text": "there are 2 cents too many", "cents": 2},
    ]
    assert sums == {
        "clean": False,
        "difference": 2,
        "mismatches": 3,
        "unpinned": 0,
        "players": 1,
        "tables": 1,
        "postings": 1,
        "wallets": 89_999,
        "in_flight": 0,
        "bankrolls": 10_000,
        "stakes": 0,
        "house": 3,
        "moved": 0,
        "issued": 100_000,
        "retired": 0,
    }


async def test_a_mismatch_is_a_line_and_status_1(pit, croupier):
    await sit(a_bank(pit))
    await pit.client.incr(HOUSE)
    status, out, _ = await croupier("audit")
    lines = out.splitlines()
    assert status == 1
    assert lines[0] == "MISMATCH the house: it has 1 cents, and the ledger 0"
    assert lines[-1] == "mismatches: 2, in 1 players, 1 tables, 1 postings"


async def test_what_could_not_be_read_is_told_as_not_pinned(pit, croupier):
    await pit.client.lpush(HOUSE, "x")
    status, out, _ = await croupier("audit")
    assert status == 1
    assert "not pinned: the house\n" in out


async def test_a_credit_shows_what_the_wallet_holds_then(pit, croupier):
    await sit(a_bank(pit))
    credit = ("wallet", "credit", "ana", "0.25", "--reason", "a kind word", "--op", "credit-1")
    shown = "ana: the wallet holds 900.25 (operation credit-1)\n"
    assert [await croupier(*credit) for _ in range(3)] == [(0, shown, "")] * 3
    status, out, _ = await croupier("wallet", "show", "ana", "--json")
    wallet = json.loads(out)
    assert status == 0
    assert (wallet["player"], wallet["wallet"]["balance"], wallet["wallet"]["issued"]) == (
        "ana",
        90_025,
        100_025,
    )
    assert [(one["op"], one["amount"], one["reason"]) for one in wallet["operations"]] == [
        ("credit-1", 25, "a kind word"),
        ("sit-ana-standard", 10_000, ""),
        ("start", 100_000, ""),
    ]


async def test_a_debit_as_json_is_in_cents(pit, croupier):
    await sit(a_bank(pit))
    status, out, _ = await croupier(
        "wallet", "debit", "ana", "900", "--reason", "x", "--op", "debit-01", "--json"
    )
    assert status == 0
    assert json.loads(out) == {"player": "ana", "op": "debit-01", "amount": 90_000, "balance": 0}


async def test_without_op_each_call_is_an_operation_of_its_own(pit, croupier):
    await sit(a_bank(pit))
    for _ in range(2):
        assert (await croupier("wallet", "credit", "ana", "1", "--reason", "x"))[0] == 0
    assert await pit.client.hget(WALLET, "balance") == b"90200"


async def test_a_refusal_is_a_line_and_status_1(pit, croupier):
    await sit(a_bank(pit))
    before = await pit.client.hgetall(WALLET)
    debit = ("wallet", "debit", "ana", "900.01", "--reason", "x", "--op", "debit-01")
    line = "croupier: ana: the wallet holds only 900.00\n"
    assert await croupier(*debit) == (1, "", line)
    status, out, _ = await croupier(*debit, "--json")
    assert status == 1
    assert json.loads(out) == {
        "player": "ana",
        "op": "debit-01",
        "amount": 90_001,
        "refused": "wallet_short",
        "limit": 90_000,
    }
    most = write_amount(MOST)
    assert await croupier("wallet", "credit", "ana", most, "--reason", "x") == (
        1,
        "",
        "croupier: ana: the wallet has no room for so much\n",
    )
    reused = await croupier("wallet", "credit", "ana", "1", "--reason", "x", "--op", "debit-01")
    assert reused == (1, "", "croupier: ana: the operation debit-01 was used for something else\n")
    assert await pit.client.hgetall(WALLET) == before


@pytest.mark.parametrize(
    "words", [("show",), ("credit", "5", "--reason", "x"), ("debit", "5", "--reason", "x")]
)
async def test_there_is_no_wallet_of_who_never_sat(pit, croupier, words):
    action, *rest = words
    status, out, err = await croupier("wallet", action, "zoe", *rest)
    assert (status, out) == (1, "")
    assert err == "croupier: there is no wallet of zoe: one is made when a player first sits down\n"
    assert await pit.client.keys("croupier:*w:*") == []


@pytest.mark.parametrize(
    ("tokens", "line"),
    [
        (("0.001", "--reason", "x"), "'0.001' is no amount; write it like 5 or 0.25"),
        (("1e3", "--reason", "x"), "'1e3' is no amount; write it like 5 or 0.25"),
        (("nan", "--reason", "x"), "'nan' is no amount; write it like 5 or 0.25"),
        (("0.00", "--reason", "x"), "an amount of nothing moves nothing"),
        (
            ("90071992547409.92", "--reason", "x"),
            "90071992547409.92 is more than the largest amount, 90071992547409.91",
        ),
        (("1", "--reason", " "), "--reason takes a line of text, 200 characters at most"),
        (("1", "--reason", "a\nb"), "--reason takes a line of text, 200 characters at most"),
        (("1", "--reason", "a" * 201), "--reason takes a line of text, 200 characters at most"),
        (("1", "--reason", "x", "--op", "short"), "--op takes 8 to 64 letters, digits, - or _"),
        (("1", "--reason", "x", "--op", "with a space"), "--op takes 8 to 64 letters, digits, - or _"),
    ],
)
async def test_a_bad_option_is_a_line_and_status_2(pit, croupier, tokens, line):
    assert await croupier("wallet", "credit", "ana", *tokens) == (2, "", f"croupier: {line}\n")


async def test_a_credit_needs_a_reason(pit, croupier):
    assert (await croupier("wallet", "credit", "ana", "5"))[0] == 2


async def test_a_damaged_wallet_is_a_line_and_status_1(pit, croupier):
    await sit(a_bank(pit))
    await pit.client.delete(WALLET)
    assert await croupier("wallet", "show", "ana") == (1, "", "croupier: the wallet of ana has vanished\n")


async def test_wallet_shows_what_came_and_went(pit, croupier):
    await sit(a_bank(pit))
    status, out, _ = await croupier("wallet", "show", "ana")
    lines = out.splitlines()
    assert status == 0
    assert lines[0].startswith("wallet of ana, made 2")
    assert [line.split() for line in lines[1:6]] == [
        ["balance", "900.00"],
        ["issued", "1000.00"],
        ["retired", "0.00"],
        ["to", "tables", "100.00"],
        ["from", "tables", "0.00"],
    ]
    assert "sit" in lines[6]
    assert "sit-ana-standard" in lines[6]


async def test_the_store_of_a_running_server_is_found_by_its_data_directory(store, tmp_path, croupier):
    """`store` is what a server keeps in `DATA/store`."""
    assert (await croupier("audit", place=["--data", str(tmp_path)]))[0] == 0


async def test_no_running_server_is_a_line_and_status_2(tmp_path, croupier):
    others = "another directory with --data, a store with --redis, or the server's --config"
    assert await croupier("audit", place=["--data", str(tmp_path)]) == (
        2,
        "",
        f"croupier: no server runs on {tmp_path}: start one, or name {others}\n",
    )


async def test_a_server_that_was_killed_is_a_line_and_status_2(tmp_path, croupier):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "running.json").write_text('{"socket": "/nowhere/store.sock", "process": 1}')
    status, out, err = await croupier("audit", place=["--data", str(tmp_path)])
    assert (status, out) == (2, "")
    assert err.startswith("croupier: the store does not answer: ")
    (tmp_path / "store" / "running.json").write_text("x")
    status, _, err = await croupier("audit", place=["--data", str(tmp_path)])
    assert status == 2
    assert "running.json cannot be read" in err


async def test_the_store_may_be_named_by_the_configuration(shared_store, pit, tmp_path, croupier):
    file = tmp_path / "croupier.toml"
    file.write_text(f'[store]\nredis = "{shared_store.url}"\n')
    assert (await croupier("audit", place=["--config", str(file)]))[0] == 0
    file.write_text("[store]\nx = 1\n")
    assert (await croupier("audit", place=["--config", str(file)]))[0] == 2


@pytest.mark.parametrize("text", ["", ".5", "5.", "-1", "+1", "1_000", "1,5", "0x1", "٣", "1e2", "inf", " 5"])
def test_only_plain_decimals_are_amounts(text):
    with pytest.raises(ValueError, match="is no amount"):
        read_amount(text)


def test_amounts_are_exact_up_to_the_largest():
    assert read_amount("90071992547409.91") == MOST
    assert write_amount(MOST) == "90071992547409.91"
    assert read_amount("1000000000000.01") == 100_000_000_000_001
