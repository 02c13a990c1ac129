"""The steps of a shoe, from its commitment to its end: what each publishes, and when the next is due."""

from typing import Final

from msgspec.structs import replace

from croupier_protocol.fairness.cards import list_digest
from croupier_protocol.fairness.chain import begin_shoe, end_shoe
from croupier_protocol.fairness.seeds import seed_commitment
from croupier_protocol.messages.events import CutListed, ShoeCommitted, ShoeEnded, ShoeOpened
from croupier_protocol.messages.to_client import CutView, TableView
from croupier_protocol.messages.values import Beacon, Contribution
from croupier_server.table.held import Held
from croupier_server.table.moment import Made, Moment
from croupier_server.table.state import CutSeen, Inputs, rules_ref
from croupier_server.table.transitions import Trigger

DAMAGED_CUT_REASON: Final = "the cut cannot be read"
"""The reason of a shoe that is abandoned before it was opened."""


def revealed(cut: CutView, seen: CutSeen | None) -> tuple[Contribution, ...]:
    """The listed contributions with the values that have come for them."""
    values = {} if seen is None else {one.player: one.value for one in seen.contributions}
    return tuple(replace(one, value=values.get(one.player)) for one in cut.contributions)


def committed(moment: Moment) -> Made:
    """The seed is fixed before anybody can take part in the cut; without seats there is no cut."""
    view, rules = moment.view, moment.settings.rules
    number = moment.shoe_number + 1
    seated = view.seats if moment.inputs.seats is None else moment.inputs.seats
    opens_ms = moment.base_ms()
    until_ms = opens_ms + moment.settings.pace.cut_ms if seated else None
    source = moment.settings.beacon
    beacon = None
    if source is not None:
        # When the last value has to be in, so that nobody reveals or keeps one back who knows what is drawn.
        cut_over_ms = opens_ms if until_ms is None else until_ms + moment.settings.pace.reveal_ms
        beacon = source.first_after(cut_over_ms)
    commitment = seed_commitment(
        view.table, number, rules.digest, moment.seed, None if beacon is None else beacon.name
    )
    event = ShoeCommitted(
        shoe=number,
        rules=rules_ref(rules),
        rules_text=rules.canonical_text,
        commitment=commitment,
        previous=None if view.shoe is None else view.shoe.end,
        cut_until_ms=until_ms,
        beacon=beacon,
        **moment.header(),
    )
    return Made(event, until_ms or opens_ms, held=Held(rules, moment.seed))


def cut_listed(moment: Moment) -> Made:
    """The hashes that count, in their order; now their senders reveal the values."""
    seen = moment.inputs.cut or CutSeen(0, (), everybody=False)
    until_ms = moment.now_ms + moment.settings.pace.reveal_ms
    event = CutListed(
        shoe=_cut_on(moment.view).shoe,
        contributions=tuple(replace(one, value=None) for one in seen.contributions),
        reveal_until_ms=until_ms,
        **moment.header(),
    )
    return Made(event, until_ms, cut=seen)


def opened(moment: Moment) -> Made:
    """The order follows from seed, contributions and beacon, and every card is committed to."""
    cut = _cut_on(moment.view)
    if moment.held is None:
        raise ValueError(f"{moment.settings.table} is to open a shoe without its seed")
    contributions, beacon = revealed(cut, moment.inputs.cut), _drawn(cut, moment.inputs)
    shoe, rules = moment.held.cut(contributions, beacon), moment.held.rules
    commitments = shoe.commitments()
    digest = list_digest(commitments)
    event = ShoeOpened(
        shoe=cut.shoe,
        decks=rules.decks,
        rules=rules_ref(rules),
        cards=shoe.cards,
        burn=shoe.burn,
        cut_at=shoe.cut_at,
        coups=shoe.coups,
        contributions=contributions,
        digest=digest,
        burn_salt=None if shoe.burn is None else shoe.salt(1, 0),
        beacon=beacon,
        **moment.header(),
    )
    return Made(
        event,
        moment.base_ms() + moment.settings.pace.shuffling_ms,
        position=shoe.start,
        held=Held(rules, moment.held.seed, shoe),
        chain=begin_shoe(cut.previous, cut.commitment, digest, shoe.cut_at),
        cut=moment.inputs.cut,
        commitments=commitments,
    )


def _drawn(cut: CutView, inputs: Inputs) -> Beacon | None:
    """The beacon with the value that was drawn, if one was named."""
    if cut.beacon is None or inputs.beacon is None:
        return cut.beacon
    return replace(cut.beacon, value=inputs.beacon.value)


def ended(moment: Moment) -> Made:
    """The seed is open to everyone, whether the shoe was played to its end, abandoned, or never opened."""
    if moment.view.cut is not None:
        return _never_opened(moment, moment.view.cut)
    shoe, view, held = moment.running_shoe, moment.view, moment.held
    if held is None or view.shoe is None:
        raise ValueError(f"{moment.settings.table} has no shoe to end")
    ordered = moment.trigger in {Trigger.ABANDON_ORDERED, Trigger.CLOSE_WITH_SHOE}
    reason = moment.inputs.reason if ordered else None
    event = ShoeEnded(
        shoe=view.shoe.number,
        reason=reason,
        seed=held.seed,
        contributions=view.shoe.contributions,
        burnt=shoe.burnt,
        chain=end_shoe(moment.state.chain, held.seed, reason),
        beacon=view.shoe.beacon,
        **moment.header(),
    )
    return Made(event, moment.base_ms())


def _never_opened(moment: Moment, cut: CutView) -> Made:
    """A shoe that is abandoned in its cut: nothing has followed from its seed."""
    if moment.held is None:
        raise ValueError(f"{moment.settings.table} is to end a shoe without its seed")
    begun = begin_shoe(cut.previous, cut.commitment, b"", None)
    reason = DAMAGED_CUT_REASON if moment.trigger is Trigger.CUT_DAMAGED else moment.inputs.reason
    event = ShoeEnded(
        shoe=cut.shoe,
        reason=reason,
        seed=moment.held.seed,
        contributions=cut.contributions,
        burnt=(),
        chain=end_shoe(begun, moment.held.seed, reason),
        beacon=cut.beacon,
        **moment.header(),
    )
    return Made(event, moment.now_ms)


def _cut_on(view: TableView) -> CutView:
    if view.cut is None:
        raise ValueError(f"{view.table} is not cutting a shoe")
    return view.cut
