"""Money in several pits: one wallet, a ledger for each pit, and one audit over all."""

from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.values import TableId
from croupier_server.bank.audit import Auditor
from croupier_server.bank.bank import Bank
from croupier_server.store.keys import PitId
from croupier_server.store.pit import Pit
from croupier_server.store.wallets import WalletTerms
from support.banking import a_bank, slip, window

VIP = PitId("vip")
ROYAL = TableId("royal")
ANA = {"name": "ANA", "skeleton": "ana"}


async def sit_in_both(pit) -> tuple[Bank, Bank]:
    """Ana, whose wallet held 1000.00, buys 300.00 at a table of the main pit and 200.00 at one of another."""
    main, vip = a_bank(pit), Bank(pit.stores.pit(VIP), VIP, WalletTerms(start=100_000))
    await Pit(pit.stores, VIP).stream.open()
    await main.sit(TableId("standard"), "ana", "sit-main", 30_000, Limits(), **ANA)
    await vip.sit(ROYAL, "ana", "sit-royal", 20_000, Limits(), **ANA)
    return main, vip


async def audit(pit):
    return await Auditor(pit.stores, ["main", VIP]).run()


async def test_one_audit_finds_every_cent_in_all_pits(pit):
    await sit_in_both(pit)
    await window(pit)
    await slip(pit, player=700)
    report = await audit(pit)
    assert report.mismatches == ()
    figures = report.figures
    assert (figures.wallets, figures.bankrolls, figures.stakes) == (50_000, 49_300, 700)
    assert (figures.tables, figures.players, report.difference) == (2, 1, 0)


async def test_a_pit_that_is_left_out_is_missed(pit):
    """So an audit takes every pit that the store names."""
    await sit_in_both(pit)
    report = await Auditor(pit.stores, ["main"]).run()
    assert [one.cents for one in report.mismatches] == [20_000, -20_000]


async def test_a_pit_that_lost_a_buy_in_which_the_wallet_has_paid_is_told(pit):
    """As after a failover of one node of a cluster: what each side says, and by how much they differ."""
    await sit_in_both(pit)
    for key in await pit.client.keys("croupier:{vip}:*"):
        await pit.client.delete(key)
    report = await audit(pit)
    [wallet, everything] = report.mismatches
    assert (wallet.where, wallet.cents) == ("wallet of ana", 20_000)
    assert wallet.text == (
        "50000 cents more have gone to tables than come back; the ledger has 30000, transfers under way 0"
    )
    assert (everything.where, everything.cents) == ("all money", -20_000)


async def test_a_wallet_that_forgot_a_buy_in_which_a_pit_still_has_is_told(pit):
    main, vip = a_bank(pit), Bank(pit.stores.pit(VIP), VIP, WalletTerms(start=100_000))
    await main.sit(TableId("standard"), "ana", "sit-main", 30_000, Limits(), **ANA)
    kept = await pit.client.dump("croupier:{w:ana}")
    await Pit(pit.stores, VIP).stream.open()
    await vip.sit(ROYAL, "ana", "sit-royal", 20_000, Limits(), **ANA)
    await pit.client.restore("croupier:{w:ana}", 0, kept, replace=True)
    report = await audit(pit)
    assert [(one.where, one.cents) for one in report.mismatches] == [
        ("wallet of ana", -20_000),
        ("all money", 20_000),
    ]


async def test_what_is_wrong_in_a_pit_is_told_with_its_name(pit):
    await sit_in_both(pit)
    await pit.client.set("croupier:{vip}:house", 5)
    report = await audit(pit)
    assert [one.where for one in report.mismatches] == ["the house of pit vip", "all money"]
