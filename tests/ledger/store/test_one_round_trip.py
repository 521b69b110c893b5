"""PostgreSQL: an act is decided on the last known head, and lands behind that or not at all."""

from __future__ import annotations

from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

import pytest

from ledger.books.book import Sent, open_book
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.fold import fold_lines
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.store import open_store
from ledger.store.base import stored_events
from projections.standings.table import ranking
from tests.ledger.books.test_books import AT, STREAM, act, in_play
from tests.support.store_fixtures import recorder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.store import Store
    from ledger.store.base import Listener, Unread

pytest.importorskip("psycopg", reason="psycopg is not installed")

A = "a" * 32
WON = StatedResult("win")
Entries = list[tuple[str, bytes]]


@pytest.fixture
def location(new_postgres: Callable[[], str]) -> str:
    """Stores here are on PostgreSQL alone."""
    return new_postgres()


@pytest.fixture
def other(store: Store, location: str) -> Iterator[Store]:
    """Another server's connection to the same store."""
    del store
    with open_store(location) as opened:
        yield opened


def noted(line: bytes) -> Callable[[Sequence[bytes]], Entries]:
    return lambda _: [("Noted", line)]


def without_lock(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever waits for the lock of this store fail."""
    monkeypatch.setattr(store, "_take_lock", None)


def meanwhile(other: Store, times: int = 1) -> tuple[list[list[bytes]], Any]:
    """What decide is given, and a decide that another's line comes before so many times."""
    given: list[list[bytes]] = []

    def decide(unread: Unread) -> Entries:
        given.append(list(unread))
        assert unread.tree.root() == other.tree(A).root()
        if len(given) <= times:
            other.transact(A, 0, noted(b"theirs %d" % len(given)))
        return [("Noted", b"mine, after %d" % len(given))]

    return given, decide


def test_an_act_behind_the_known_head_takes_no_lock(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.transact(A, 0, noted(b"1"))
    without_lock(store, monkeypatch)
    for known in range(1, 9):
        assert store.transact(A, known, noted(b"%d" % (known + 1))) == []
    assert store.lines(A) == [b"%d" % number for number in range(1, 10)]
    assert store.transact(A, 9, lambda _: []) == []


def test_what_another_wrote_is_given_and_decided_on_again(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.transact(A, 0, noted(b"1"))
    without_lock(store, monkeypatch)
    given, decide = meanwhile(other)
    assert store.transact(A, 1, decide) == [b"theirs 1"]
    assert given == [[], [b"theirs 1"]]
    assert store.lines(A) == [b"1", b"theirs 1", b"mine, after 2"]


def test_where_others_are_always_first_it_is_decided_in_the_lock(
    store: Store, other: Store
) -> None:
    store.transact(A, 0, noted(b"1"))
    given, decide = meanwhile(other, times=2)
    assert store.transact(A, 1, decide) == [b"theirs 1", b"theirs 2"]
    assert given == [[], [b"theirs 1"], [b"theirs 2"]]
    assert store.lines(A) == [b"1", b"theirs 1", b"theirs 2", b"mine, after 3"]
    given, decide = meanwhile(other, times=0)
    assert store.transact(A, 4, decide) == []


def test_a_refusal_counts_that_was_decided_on_the_last_line_alone(
    store: Store, other: Store
) -> None:
    store.transact(A, 0, noted(b"1"))
    error = KeyError("no such player")

    def refuse_first(unread: Unread) -> Entries:
        if not unread:
            other.transact(A, 0, noted(b"2"))
            raise error
        return [("Noted", b"3")]

    assert store.transact(A, 1, refuse_first) == [b"2"]
    assert store.lines(A) == [b"1", b"2", b"3"]

    def refuse(_: Unread) -> Entries:
        raise error

    with pytest.raises(KeyError) as caught:
        store.transact(A, 3, refuse)
    assert caught.value is error
    assert store.size(A) == 3


def test_nothing_to_write_is_decided_on_the_last_line_as_well(store: Store, other: Store) -> None:
    store.transact(A, 0, noted(b"1"))

    def nothing_first(unread: Unread) -> Entries:
        if not unread:
            other.transact(A, 0, noted(b"2"))
            return []
        return [("Noted", b"3")]

    assert store.transact(A, 1, nothing_first) == [b"2"]
    assert store.lines(A) == [b"1", b"2", b"3"]


def test_many_lines_behind_a_head_land_all_or_none(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger.store import postgres  # noqa: PLC0415 - psycopg may be absent

    monkeypatch.setattr(postgres, "BATCH_EVENTS", 2)
    lines = [b"%d" % number for number in range(7)]
    store.transact(A, 0, lambda _: [("Noted", line) for line in lines])
    calls = 0

    def more(_: Unread) -> Entries:
        nonlocal calls
        calls += 1
        if calls == 1:
            other.transact(A, 0, noted(b"theirs"))
        return [("Noted", b"more %d" % number) for number in range(5)]

    assert store.transact(A, 7, more) == [b"theirs"]
    assert store.lines(A) == [*lines, b"theirs", *(b"more %d" % number for number in range(5))]
    assert store.tree(A).root() == other.tree(A).root()


def test_a_store_that_is_gone_takes_no_line(store: Store, location: str) -> None:
    import psycopg  # noqa: PLC0415 - may be absent

    store.transact(A, 0, noted(b"1"))
    with psycopg.connect(location, autocommit=True) as tool:
        tool.execute("DELETE FROM tourney_streams")
    with pytest.raises(StoreUnavailable, match="has lost events: it has 0 events"):
        store.transact(A, 1, noted(b"2"))


def test_lines_that_were_repaired_meanwhile_are_decided_on_again(
    store: Store, other: Store
) -> None:
    store.transact(A, 0, noted(b"1"))
    repaired = other.tree(A)
    repaired.frontier[0] = bytes(32)
    other.put_tree(A, repaired)
    trees: list[list[bytes]] = []

    def decide(unread: Unread) -> Entries:
        trees.append(list(unread.tree.frontier))
        return [("Noted", b"2")]

    store.transact(A, 1, decide)
    assert len(trees) == 2
    assert trees[-1] == [bytes(32)]


def test_a_store_of_before_learns_to_append(store: Store, location: str) -> None:
    import psycopg  # noqa: PLC0415 - may be absent

    store.transact(A, 0, noted(b"1"))
    with psycopg.connect(location, autocommit=True) as tool:
        tool.execute("DROP FUNCTION tourney_append_1")
    with open_store(location, create=False) as again:
        again.transact(A, 0, noted(b"2"))
        assert again.lines(A) == [b"1", b"2"]


def test_two_books_that_hinder_each_other_lose_and_double_nothing(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one decides a group of acts, the other reports, drops and registers."""
    mine = in_play(store, 8)
    theirs = open_book(other, STREAM, ranking)
    act(theirs, RegisterPlayers((Entry("Early"),)), "early")
    act(mine, RegisterPlayers((Entry("Late"),)), "late")
    act(mine, RegisterPlayers((Entry("Later"),)), "later")
    whole, answered = type(mine)._answered, []
    before = iter([(Report(1, WON), "their-1"), (Report(2, WON), "their-2")])

    def answered_late(*words: Any) -> object:  # noqa: ANN401 - handed on
        if command := next(before, None):
            answered.append(act(theirs, *command))
        return whole(*words)

    monkeypatch.setattr(
        type(mine),
        "_answered",
        lambda book, *words: answered_late(book, *words) if book is mine else whole(book, *words),
    )
    sent = [
        Sent(Report(1, StatedResult("loss")), "o1", "mine-1", AT),
        Sent(Report(3, WON), "o1", "mine-3", AT),
        Sent(RegisterPlayers((Entry("Last"),)), "o1", "mine-4", AT),
        Sent(Report(3, WON), "o1", "mine-3", AT),
    ]
    refused, *done = mine.act_all(sent)
    assert isinstance(refused, Refused), refused
    assert not any(isinstance(each, LedgerError) for each in done)
    assert done[0] == done[2]
    assert len(answered) == 2
    assert mine.lines == store.lines(STREAM) == theirs.refresh().lines
    assert mine.tournament == fold_lines(mine.lines) == theirs.tournament
    assert mine.tree_at(len(mine.lines)).root() == store.tree(STREAM).root()
    ids = list(mine.tournament.ids)
    assert ids[-5:] == ["their-1", "their-2", "mine-3", "mine-4", "mine-4.1"]


def is_heard(listener: Listener, seconds: float = 5) -> bool:
    return bool(wait([listener.fileno()], seconds))


def test_who_listens_hears_of_every_write(store: Store, other: Store) -> None:
    listener = store.listen()
    assert listener is not None
    for known in range(2):
        assert not is_heard(listener, 0)
        other.transact(A, known, noted(b"1"))
        assert is_heard(listener)
        listener.take()
    recorder_of(other).insert_events(stored_events(A, 2, [("Noted", b"3")]))
    assert is_heard(listener)
    listener.close()


def test_who_is_cut_off_from_it_is_told(store: Store, location: str) -> None:
    import psycopg  # noqa: PLC0415 - may be absent

    listener = store.listen()
    assert listener is not None
    with psycopg.connect(location, autocommit=True) as tool:
        tool.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        )

    def until_the_end() -> None:
        while is_heard(listener):
            listener.take()

    with pytest.raises(StoreUnavailable):  # its last words come before that
        until_the_end()
    listener.close()
