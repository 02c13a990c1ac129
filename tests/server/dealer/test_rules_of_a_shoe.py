"""A running shoe keeps the rules it was opened under; a changed configuration waits for the next one."""

from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS, Cut, RuleSet
from croupier_server.table.state import decode_state
from support.dealing import dealer_on
from support.stores import turbo

SHORT = RuleSet(name="short", decks=1, shoe=Cut(30))
LONGER = RuleSet(name="short", decks=2, shoe=Cut(80))


async def rules_seen(pit, condition):
    """The views of the table until one fits `condition`."""
    views = []
    while not views or not condition(views[-1]):
        state = (await pit.tables.read("standard")).record.state
        if state and (not views or decode_state(state).view != views[-1]):
            views.append(decode_state(state).view)
    return views


async def test_changed_rules_begin_with_the_next_shoe(pit):
    settings = turbo("standard")
    async with dealer_on(pit, replace(settings, rules=SHORT)) as dealer:
        await rules_seen(pit, lambda view: view.round == 1 and view.phase == "dealing")
        await dealer.release()
    async with dealer_on(pit, replace(settings, rules=LONGER)):
        views = await rules_seen(pit, lambda view: view.shoe.number == 2)
    first = [view for view in views if view.shoe.number == 1]
    assert {view.rules.digest for view in first} == {SHORT.digest}
    assert views[-1].rules.digest == LONGER.digest
    assert views[-1].shoe.decks == 2
    assert RULE_SETS["standard"].digest not in {view.rules.digest for view in views}
