"""How tables are shared out: the arithmetic, and what a worker does about it."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_server.dealer.others import Others
from croupier_server.dealer.share import Plan, plan, shares
from croupier_server.store.records import LeaseSeen

A, B, C = "aaaa", "bbbb", "cccc"


def test_tables_go_by_capacity():
    assert shares("main", 12, {A: 1, B: 1, C: 1}) == {A: 4, B: 4, C: 4}
    assert shares("main", 12, {A: 1, B: 2, C: 0}) == {A: 4, B: 8, C: 0}
    assert shares("main", 7, {A: 4, B: 3}) == {A: 4, B: 3}
    assert shares("main", 0, {A: 1, B: 1}) == {A: 0, B: 0}
    assert shares("main", 3, {A: 0}) == {A: 0}


def test_what_does_not_divide_goes_to_the_largest_remainder():
    assert shares("main", 10, {A: 5, B: 3, C: 1}) == {A: 6, B: 3, C: 1}


def test_among_equals_the_one_that_gets_more_differs_from_pit_to_pit():
    got = Counter(
        max((share, owner) for owner, share in shares(f"pit{number}", 1, {A: 1, B: 1, C: 1}).items())[1]
        for number in range(300)
    )
    assert set(got) == {A, B, C}
    assert min(got.values()) > 60


@given(
    tables=st.integers(0, 1_000),
    capacities=st.dictionaries(st.text("abcdef", min_size=1), st.integers(0, 64), max_size=20),
)
@settings(deadline=None)
def test_every_table_is_somebodys_and_nobody_is_a_table_off(tables, capacities):
    share = shares("main", tables, capacities)
    whole = sum(capacities.values())
    assert share.keys() == capacities.keys()
    assert sum(share.values()) == (tables if whole else 0)
    for owner, capacity in capacities.items():
        if whole:
            assert abs(share[owner] - tables * capacity / whole) < 1


def test_free_tables_are_taken_up_to_the_share_at_once():
    assert plan(A, {A: 2, B: 1}, {"x"}, {}, {"y": 0.0}) == Plan(take=("y",))
    assert len(plan(A, {A: 2, B: 2}, (), {}, {"w": 0.0, "x": 0.0, "y": 0.0, "z": 0.0}).take) == 2


def test_a_free_table_that_nobody_below_its_share_takes_is_taken_a_moment_later():
    assert plan(A, {A: 1, B: 1}, {"x"}, {}, {"y": 0.24}) == Plan()
    assert plan(A, {A: 1, B: 1}, {"x"}, {}, {"y": 0.25}) == Plan(take=("y",))


def test_without_a_share_everything_free_is_taken_and_nothing_given_up():
    assert set(plan(A, {}, {"x"}, {}, {"y": 0.0, "z": 0.0}).take) == {"y", "z"}
    assert plan(A, {B: 9}, {"x"}, {}, {}) == Plan()


def test_what_is_beyond_the_share_is_given_up_only_to_somebody_below_theirs():
    mine = {"u", "v", "w", "x", "y", "z"}
    assert plan(A, {A: 3, B: 3}, mine, {}, {}) == Plan(give_up=3)
    assert plan(A, {A: 3, B: 3}, mine, {B: 2}, {}) == Plan(give_up=1)
    assert plan(A, {A: 3, B: 3}, mine, {B: 3}, {}) == Plan()
    assert plan(A, {A: 5, B: 3}, mine, {}, {}) == Plan(give_up=1)


def test_nothing_is_given_up_as_long_as_what_is_free_fills_the_others():
    mine = {"w", "x", "y", "z"}
    assert plan(A, {A: 3, B: 3}, mine, {B: 1}, {"free": 0.0}) == Plan(give_up=1)
    assert plan(A, {A: 3, B: 3}, mine, {B: 1}, {"free": 0.0, "too": 0.0}) == Plan()


def test_workers_reach_for_free_tables_in_orders_of_their_own():
    free = {f"t{number}": 0.0 for number in range(20)}
    assert plan(A, {A: 20}, (), {}, free).take != plan(B, {B: 20}, (), {}, free).take


@given(
    tables=st.integers(1, 60),
    capacities=st.lists(st.integers(1, 4), min_size=1, max_size=5),
    start=st.randoms(use_true_random=False),
)
@settings(deadline=None)
def test_workers_that_follow_their_plans_come_to_their_shares_and_stay(tables, capacities, start):
    """Whatever they begin with: nobody gives up and takes back for ever."""
    able = {f"worker{number}": capacity for number, capacity in enumerate(capacities)}
    share = shares("main", tables, able)
    deals = {f"t{number}": start.choice([*able, ""]) for number in range(tables)}
    moves = 0
    for _ in range(3 * tables):
        before = dict(deals)
        for me in able:
            mine = {table for table, owner in deals.items() if owner == me}
            held = Counter(owner for owner in deals.values() if owner and owner != me)
            free = {table: 0.0 for table, owner in deals.items() if not owner}
            found = plan(me, share, mine, held, free)
            deals |= dict.fromkeys(found.take, me)
            deals |= dict.fromkeys(sorted(mine)[: found.give_up], "")
            moves += found.give_up
        if deals == before:
            break
    assert Counter(deals.values()) == Counter({owner: one for owner, one in share.items() if one})
    assert moves <= tables


# What is known of others' leases


def see(others, steady, now_ms, **leases):
    others.see({table: LeaseSeen(*lease) for table, lease in leases.items()}, now_ms, steady)


def test_tables_are_free_when_released_when_run_out_and_when_they_stand_still():
    others = Others()
    see(others, 10.0, 1_000, x=("", 0), y=(B, 1_000), z=(B, 9_000), far=(C, 1_000_000))
    assert others.free(10.5) == {"x": 0.5, "y": 0.5}
    see(others, 14.1, 5_100, x=("", 0), y=(B, 8_000), z=(B, 12_000), far=(C, 1_000_000))
    assert others.free(14.1) == {"x": pytest.approx(4.1), "far": 0.0}
    assert others.still("far", 14.1) == LeaseSeen(C, 1_000_000)
    assert others.still("z", 14.1) is None
    assert others.held() == {B: 2}
    assert others.next_end_ms() == 8_000


def test_an_owner_all_of_whose_leases_have_run_out_is_silent():
    others = Others()
    see(others, 1.0, 1_000, x=(B, 500), y=(B, 9_000), z=(C, 500))
    assert others.silent() == {C}
