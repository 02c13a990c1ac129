"""What follows what an archive has, by what the store has at its cursor and after it."""

from croupier_server.archive.entries import digest
from croupier_server.archive.following import Break, Cursor, following
from croupier_server.store.archiving import Page
from croupier_server.store.ledger import Position

BEGINNING = Position()
FIRST, SECOND, THIRD = Position(1_000, 0), Position(1_000, 1), Position(2_000, 0)
BUY_IN = {b"k": b"buy_in", b"t": b"standard", b"p": b"ana", b"n": b"1", b"a": b"5000"}
OTHER = {**BUY_IN, b"a": b"5001"}
CURSOR = Cursor(life=1, position=SECOND, digest=digest(SECOND, BUY_IN))


def page(*postings, trimmed_upto=BEGINNING):
    return Page(postings=postings, trimmed_upto=trimmed_upto, archive="a")


def test_what_comes_after_the_last_entry_follows_as_long_as_that_is_there():
    assert following(CURSOR, page((SECOND, BUY_IN), (THIRD, OTHER))) == ((THIRD, OTHER),)
    assert following(CURSOR, page((SECOND, BUY_IN))) == ()
    assert following(CURSOR, page((SECOND, BUY_IN), trimmed_upto=FIRST)) == ()


def test_nothing_follows_when_the_last_entry_is_gone_or_is_another():
    assert following(CURSOR, page()) is Break.GONE
    assert following(CURSOR, page((THIRD, OTHER))) is Break.GONE
    assert following(CURSOR, page((SECOND, OTHER), (THIRD, OTHER))) is Break.GONE
    assert following(CURSOR, page((THIRD, OTHER), trimmed_upto=FIRST)) is Break.GONE


def test_an_entry_that_was_trimmed_as_the_last_leaves_nothing_out():
    assert following(CURSOR, page((THIRD, OTHER), trimmed_upto=SECOND)) == ((THIRD, OTHER),)
    assert following(CURSOR, page((SECOND, BUY_IN), (THIRD, OTHER), trimmed_upto=SECOND)) == ((THIRD, OTHER),)


def test_more_that_was_trimmed_is_a_gap():
    assert following(CURSOR, page(trimmed_upto=THIRD)) is Break.TRIMMED


def test_a_life_that_began_with_nothing_to_compare_goes_on_while_nothing_else_was_trimmed():
    begun = Cursor(life=1, position=FIRST)
    assert following(begun, page((SECOND, BUY_IN), trimmed_upto=FIRST)) == ((SECOND, BUY_IN),)
    assert following(begun, page((SECOND, BUY_IN))) is Break.GONE
    assert following(begun, page(trimmed_upto=SECOND)) is Break.TRIMMED
    assert following(Cursor(1, Position()), page((FIRST, BUY_IN))) == ((FIRST, BUY_IN),)
