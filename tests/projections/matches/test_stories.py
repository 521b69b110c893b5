"""A match's story read out of a store by number and kind is the one that the whole log tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.books.book import open_book
from ledger.books.open_log import AfterEvent
from ledger.facts.vocabulary import EVENTS
from ledger.lines.line import decode
from projections.matches import OTHER_TYPES, story_in, story_of
from projections.standings.table import ranking
from tests.support.days.sealed_days import STREAM, played
from tests.support.simulate import play

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.store import Store


def check_every_match(book: Book) -> None:
    """Compare the stories of all matches that are in a round now."""
    log = list(book.recorded())
    matches = [match for each in book.tournament.rounds for match in each.matches]
    assert matches
    for match in matches:
        assert story_in(book, match) == story_of(book.tournament, log, match)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_stories_of_random_days(store: Store, seed: int) -> None:
    lines = play(seed, 13, rounds=3, cut=4, disputes=True).lines
    store.transact(STREAM, 0, lambda _: [(decode(line).type, line) for line in lines])
    for moment in (None, AfterEvent(len(lines) // 2)):
        check_every_match(open_book(store, STREAM, ranking, None, moment))


def test_stories_in_a_sealed_log_are_opened(store: Store) -> None:
    check_every_match(played(store))


def test_each_kind_names_the_match_or_is_told_otherwise() -> None:
    """A new kind of event that names no match by `match` is thought of here."""
    naming = {kind for kind in EVENTS.values() if "match" in kind.__struct_fields__}
    assert naming.isdisjoint(OTHER_TYPES)
    for seed in range(12):
        day = play(seed, 8 + seed, rounds=3, cut=2, disputes=True)
        told = {
            type(recorded.event)
            for each in day.tournament.rounds
            for match in each.matches
            for recorded in story_of(day.tournament, day.log, match)
        }
        assert told <= naming | set(OTHER_TYPES)
