"""One-time codes and tokens in programs, library and command line, against a gateway that takes no guests."""

import asyncio
import json
import sys

import pytest

from croupier_client.connection import connect
from croupier_client.errors import RefusedError
from croupier_client.notices import Connected, Reconnecting
from croupier_protocol.messages.errors import ErrorCode
from croupier_server.store import sign_ins
from croupier_server.store.sign_ins import SignIns
from support.gateways import gateway_on
from support.players import dealt, standing
from support.relay import relay_to
from support.serving import until
from support.tokens import of, reader_of_secret


@pytest.fixture
def codes(pit, monkeypatch):
    monkeypatch.setattr(sign_ins, "CODE_MS", 600_000)  # programs may take long to start
    return SignIns(pit.store)


async def test_a_code_is_its_player_over_a_cut_connection_and_for_nobody_else(store, pit, codes):
    notices = []
    code = (await codes.offer("ana", "Ana")).code
    async with (
        standing(store.url, pit, "standard"),
        gateway_on(store.url, None) as gateway,
        relay_to(gateway.port) as relay,
    ):
        async with connect(relay.url, code=code, on_notice=notices.append) as client:
            assert (client.player.id, client.player.name) == ("ana", "Ana")
            seat = await client.sit("standard", buy_in=100_00)
            await seat.window()
            await seat.bet(player=5_00)
            relay.cut()
            await until(lambda: [type(one) for one in notices].count(Connected) == 2, 60)
            assert [type(one) for one in notices].count(Reconnecting) >= 1
            await seat.bet(player=15_00)
            assert (client.player.id, seat.bankroll) == ("ana", 85_00)
            kept = client.resume_token
        with pytest.raises(RefusedError) as refused:
            async with connect(gateway.url, code=code):
                pass
        assert refused.value.code is ErrorCode.BAD_CODE
        async with connect(gateway.url, resume_token=kept) as later:
            assert later.player.id == "ana"


async def croupier(*arguments: str) -> tuple[str, str, int]:
    """Standard output, standard error and status of a command line."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return out.decode(), err.decode(), process.returncode


@pytest.mark.long
async def test_bet_and_watch_are_whom_a_code_names(store, pit, codes):
    first, second = [(await codes.offer("ana", "Ana")).code for _ in range(2)]
    async with dealt(store.url, "standard"), gateway_on(store.url, None) as gateway:
        (played, why, status), watched = await asyncio.gather(
            croupier(
                *("bet", gateway.url, "standard", "--slip", "player=5", "--rounds", "1"),
                *("--code", first, "--json"),
            ),
            croupier("watch", gateway.url, "standard", "--rounds", "1", "--code", second),
        )
        assert status == 0, why
        slip = json.loads(played.splitlines()[0])
        assert (slip["type"], slip["bets"], slip["bankroll"]) == ("slip", {"player": 500}, 9_500)
        assert watched[2] == 0, watched[1]
        told, why, status = await croupier("watch", gateway.url, "standard", "--code", second)
        assert (told, status) == ("", 1)
        assert why.startswith("croupier: This sign-in code has been used, or its minute is over;")
    assert await pit.client.keys("croupier:code:*") == []
    assert b"ana" in b"".join(await pit.client.keys("croupier:{w:*"))


async def test_bet_is_whom_the_token_in_a_file_names(store, pit, tmp_path):
    file, tokens = tmp_path / "token", reader_of_secret(tmp_path)
    async with dealt(store.url, "standard"), gateway_on(store.url, None, tokens=tokens) as gateway:
        bet = ("bet", gateway.url, "standard", "--slip", "player=5", "--rounds", "1", "--json")
        told, why, status = await croupier(*bet, "--token", str(file))
        assert (told, status) == ("", 1)
        assert why.startswith(f"croupier: {file} cannot be read: ")
        file.write_text(f"{of('ana')}\n")
        told, why, status = await croupier(*bet, "--token", str(file))
        assert status == 0, why
        slip = json.loads(told.splitlines()[0])
        assert (slip["type"], slip["bets"], slip["bankroll"]) == ("slip", {"player": 500}, 9_500)
    assert b"ana" in b"".join(await pit.client.keys("croupier:{w:*"))
