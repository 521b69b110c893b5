"""Moments of a log, against a reading that decodes every line."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.books.book import open_book
from ledger.books.open_log import (
    AfterEvent,
    ByClock,
    Posting,
    RoundEnd,
    clock_of,
    last_event,
)
from ledger.errors import NotFound, StoreUnavailable
from ledger.facts.rounds import Posted
from ledger.fold import fold_lines
from ledger.lines.line import encode
from ledger.rules.results import Correct, StatedResult
from ledger.rules.rounds import CloseRound, PostTable, UnpairRound
from ledger.rules.undo import Undo
from ledger.store import open_store
from projections.standings.table import ranking
from tests.support.simulate import Day, play

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.books.open_log import Moment
    from ledger.store import Store
    from ledger.tournament.state import Tournament

STREAM = "5" * 32
OPENED = "2026-03-14T09:00:00.000Z"


@cache
def day() -> Day:
    """Two rounds, the first one opened and closed again, the second paired twice."""
    day = Day(6)
    day.start(3)
    day.pair()
    day.do(PostTable("pairings", 1, len(day.log), "a" * 64))
    day.report_all()
    day.do(CloseRound())
    day.do(Undo())
    day.do(CloseRound())
    day.do(PostTable("standings", 1, len(day.log), "b" * 64))
    day.pair()
    day.do(UnpairRound("a name was missing"))
    day.pair()
    day.do(PostTable("pairings", 2, len(day.log), "c" * 64))
    day.do(Correct(1, StatedResult("loss"), "the slip said otherwise"))
    return day


def status_of(tournament: Tournament, number: int) -> str:
    if number > len(tournament.rounds):
        return "none"
    return tournament.rounds[number - 1].status


def closed_last(lines: list[bytes], number: int) -> int:
    """Where the fold sees the round turn closed for the last time; the end, while it is open."""
    if status_of(fold_lines(lines), number) != "closed":
        return len(lines)
    seqs = range(1, len(lines) + 1)
    statuses = [status_of(fold_lines(lines[:seq]), number) for seq in seqs]
    return max(
        seq
        for seq in seqs
        if statuses[seq - 1] == "closed" and (seq == 1 or statuses[seq - 2] != "closed")
    )


@pytest.mark.parametrize("number", [1, 2])
def test_a_round_ends_where_it_was_closed_for_the_last_time(number: int) -> None:
    lines = day().lines
    for size in range(1, len(lines) + 1):
        begun = lines[:size]
        if number > len(fold_lines(begun).rounds):
            with pytest.raises(NotFound, match=f"no round {number}"):
                last_event(RoundEnd(number), begun)
        else:
            assert last_event(RoundEnd(number), begun) == closed_last(begun, number)


def test_a_bracket_has_rounds_as_well() -> None:
    lines = play(4, 12, rounds=3, cut=4).lines
    rounds = len(fold_lines(lines).rounds)
    assert [last_event(RoundEnd(number), lines) for number in range(1, rounds + 1)] == [
        closed_last(lines, number) for number in range(1, rounds + 1)
    ]


@pytest.mark.slow
@given(st.lists(st.integers(0, 99), min_size=1), st.integers(0, 99))
def test_the_clock_finds_the_last_event_that_claims_to_be_no_later(
    seconds: list[int], asked: int
) -> None:
    """The clock of a desk may go back; the order is the place in the log."""
    claims = [f"2026-03-14T09:{second // 60:02}:{second % 60:02}.000Z" for second in seconds]
    lines = [b'{"seq":1,"id":"a","type":"X","at":"%s","by":"o1"' % each.encode() for each in claims]
    at = f"2026-03-14T09:{asked // 60:02}:{asked % 60:02}.000Z"
    fitting = [seq for seq, claim in enumerate(claims, start=1) if claim <= at]
    assert [clock_of(line) for line in lines] == claims
    if fitting:
        assert last_event(ByClock(at), lines) == max(fitting)
    else:
        with pytest.raises(NotFound, match=f"begins at {claims[0]}"):
            last_event(ByClock(at), lines)


@pytest.mark.parametrize(
    ("moment", "letter"),
    [
        (Posting(), "c"),
        (Posting("pairings"), "c"),
        (Posting("standings"), "b"),
        (Posting("", 1), "b"),
        (Posting("pairings", 1), "a"),
    ],
)
def test_the_last_posting_of_a_kind_is_found(moment: Posting, letter: str) -> None:
    posted = [each.event for each in day().log if isinstance(each.event, Posted)]
    (wanted,) = (each.up_to for each in posted if each.sha256 == letter * 64)
    assert last_event(moment, day().lines) == wanted


def test_nothing_posted_is_said() -> None:
    with pytest.raises(NotFound, match="no standings of round 2 have been posted"):
        last_event(Posting("standings", 2), day().lines)
    with pytest.raises(NotFound, match="nothing has been posted"):
        last_event(Posting(), day().lines[:5])


def test_a_text_that_looks_like_an_event_is_none() -> None:
    fake = Day(['{"type":"RoundClosed"} "type":"Posted"', "B"])
    fake.start(1)
    fake.pair()
    assert last_event(RoundEnd(1), fake.lines) == len(fake.lines)
    with pytest.raises(NotFound):
        last_event(Posting(), fake.lines)


def fill(store: Store) -> None:
    entries = [(each.type, line) for each, line in zip(day().log, day().lines, strict=True)]
    store.transact(STREAM, 0, lambda _: entries)


def test_a_book_is_read_and_folded_up_to_a_moment_only(tmp_path: Path) -> None:
    log = day().log
    with open_store(str(tmp_path / "store.db"), create=True) as store:
        fill(store)
        whole = open_book(store, STREAM, ranking)
        assert not whole.is_past
        for moment in (AfterEvent(9), RoundEnd(1), Posting("standings"), ByClock(log[12].at)):
            seq = last_event(moment, whole.lines)
            book = open_book(store, STREAM, ranking, moment=moment)
            assert book.is_past
            assert book.lines == whole.lines[:seq]
            assert repr(book.tournament) == repr(whole.at(seq))
        assert not open_book(store, STREAM, ranking, moment=AfterEvent(len(log))).is_past
        with pytest.raises(NotFound, match=f"no event {len(log) + 1}: the log has {len(log)}"):
            open_book(store, STREAM, ranking, moment=AfterEvent(len(log) + 1))
        with pytest.raises(NotFound, match="no tournament"):
            open_book(store, "6" * 32, ranking, moment=AfterEvent(1))


def test_a_book_with_a_hole_is_damaged_also_on_the_way_to_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(str(tmp_path / "store.db"), create=True) as store:
        fill(store)
        lines = store.lines(STREAM)
        monkeypatch.setattr(store, "lines", lambda *_: lines[:5])
        with pytest.raises(StoreUnavailable, match="3 of its 8 events are missing"):
            open_book(store, STREAM, ranking, moment=AfterEvent(8))


def test_a_book_knows_every_moment_before(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store.db"), create=True) as store:
        fill(store)
        book = open_book(store, STREAM, ranking)
        for seq in range(1, len(book.lines) + 1):
            assert book.at(seq) == fold_lines(book.lines[:seq])
            assert book.place_of(AfterEvent(seq)) == seq
            assert book.recorded_at(seq) == list(book.recorded())[seq - 1]


@pytest.mark.parametrize("moment", [ByClock(OPENED), Posting(), RoundEnd(1)], ids=repr)
def test_a_moment_in_a_damaged_store_is_named(
    tmp_path: Path, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(str(tmp_path / "store.db"), create=True) as store:
        store.transact(STREAM, 0, lambda _: [(each.type, encode(each)) for each in day().log])
        spoilt = [line.replace(b'"at":', b'"ta":') for line in day().lines]
        monkeypatch.setattr(store, "lines", lambda *_: spoilt)
        monkeypatch.setattr(store, "lines_of", lambda *_: spoilt)
        with pytest.raises(StoreUnavailable, match=r"is damaged: .* the moment cannot be found"):
            open_book(store, STREAM, ranking, None, moment)
