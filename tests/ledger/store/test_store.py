"""The store's contract, on SQLite and on PostgreSQL: what is appended, read, kept and refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from eventsourcing.application import LocalNotificationLog

from ledger.errors import NotFound, StoreUnavailable
from ledger.proof.formats import Tree, leaf_hash
from ledger.store import open_store
from ledger.store.base import stored_events
from tests.support.store_fixtures import KINDS, recorder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.store import Store
    from ledger.store.base import Unread

A, B = "a" * 32, "b" * 32
Entry = tuple[str, bytes]


def appending(*lines: bytes) -> Callable[[Sequence[bytes]], list[Entry]]:
    """Decide to append these lines, whatever was there."""
    return lambda _: [("Noted", line) for line in lines]


def test_appended_lines_are_read_back_in_order_byte_for_byte(store: Store) -> None:
    hard = ["é".encode(), b'{"a":"\\u0000\\\\"}', b"x" * 60_000, b"%s {} ' \" \x7f"]
    assert store.transact(A, 0, appending(*hard[:3])) == []
    assert store.transact(A, 3, appending(*hard[3:])) == []
    assert store.lines(A) == hard
    assert store.lines(A, 2) == hard[2:]
    assert store.lines(A, 4) == store.lines(B) == []
    assert (store.size(A), store.size(B)) == (4, 0)


def test_a_line_need_not_be_text(store: Store) -> None:
    line = bytes(set(range(256)) - {10})
    store.transact(A, 0, appending(line))
    assert store.lines(A) == [line]


def test_decide_is_given_what_the_caller_has_not_read(store: Store) -> None:
    store.transact(A, 0, appending(b"1", b"2"))
    seen: list[Sequence[bytes]] = []

    def decide(lines: Sequence[bytes]) -> list[Entry]:
        seen.append(list(lines))
        return [("Noted", b"3")]

    assert store.transact(A, 1, decide) == [b"2"]
    assert seen == [[b"2"]]
    assert store.lines(A) == [b"1", b"2", b"3"]


def test_what_decide_raises_comes_out_unchanged_and_nothing_is_written(store: Store) -> None:
    store.transact(A, 0, appending(b"1"))
    error = KeyError("no such player")

    def decide(_: Sequence[bytes]) -> NoReturn:
        raise error

    for stream in (A, B):
        with pytest.raises(KeyError) as caught:
            store.transact(stream, 0, decide)
        assert caught.value is error
    assert store.streams() == [A]
    assert store.transact(A, 1, appending(b"2")) == []
    assert store.lines(A) == [b"1", b"2"]


def test_an_empty_decision_writes_nothing(store: Store) -> None:
    assert store.transact(B, 0, appending()) == []
    assert (store.streams(), store.size(B)) == ([], 0)
    store.transact(A, 0, appending(b"1"))
    assert store.transact(A, 0, appending()) == [b"1"]
    assert recorder_of(store).max_notification_id() == 1


def test_streams_are_listed_as_they_were_made_and_kept_apart(store: Store) -> None:
    for stream, line in ((B, b"1"), (A, b"2"), (B, b"3"), (A, b"4")):
        store.transact(stream, store.size(stream), appending(line))
    assert store.streams() == [B, A]
    assert (store.lines(A), store.lines(B)) == ([b"2", b"4"], [b"1", b"3"])


def test_a_long_log_is_read_in_pieces(store: Store) -> None:
    lines = [b"%d" % number for number in range(2_345)]
    store.transact(A, 0, appending(*lines))
    assert store.lines(A, 1_300, 1_000) == lines[1_300:2_300]
    assert store.entries(A, 7, 2) == [("Noted", b"7"), ("Noted", b"8")]


def test_lines_are_found_by_type(store: Store) -> None:
    kinds = ("One", "Two", "Three", "One")
    entries = [(kind, b"%s %d" % (kind.encode(), place)) for place, kind in enumerate(kinds)]
    store.transact(A, 0, lambda _: entries)
    store.transact(B, 0, appending(b"One 0"))
    assert store.lines_of(A, ["One"]) == [b"One 0", b"One 3"]
    assert store.lines_of(A, ["Two", "Three"]) == [b"Two 1", b"Three 2"]
    assert store.lines_of(A, []) == []


def test_another_process_sees_what_this_one_appended(store: Store, location: str) -> None:
    store.transact(A, 0, appending(b"1"))
    with open_store(location, create=False) as other:
        assert other.transact(A, 0, appending(b"2")) == [b"1"]
    assert store.transact(A, 1, appending(b"3")) == [b"2"]
    assert store.lines(A) == [b"1", b"2", b"3"]


def test_a_decision_may_read_the_store_and_its_vault(store: Store) -> None:
    store.transact(A, 0, appending(b"1"))

    def decide(lines: Sequence[bytes]) -> list[Entry]:
        store.vault_put(A, "key", b"secret")
        return [("Noted", b"%d" % (store.size(A) + len(lines)))]

    store.transact(A, 0, decide)
    assert (store.lines(A), store.vault_get(A, "key")) == ([b"1", b"2"], b"secret")


def test_a_log_shorter_than_what_was_read_is_not_built_on(store: Store) -> None:
    store.transact(A, 0, appending(b"1"))
    with pytest.raises(StoreUnavailable, match=r"has lost events: it has 1 events .* 5 were read"):
        store.transact(A, 5, appending(b"6"))
    assert store.size(A) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("size", "says"),
    [
        (1, "it counts 1 events of a{32}, but it has 2; restore"),
        (4, "2 of the 4 events of a{32} are missing after event 0; restore"),
    ],
)
def test_a_log_that_its_own_count_does_not_fit_is_not_built_on(
    new_location: Callable[[str], str], kind: str, size: int, says: str
) -> None:
    location = new_location(kind)
    with open_store(location) as store:
        store.transact(A, 0, lambda _: [("Noted", b"1"), ("Noted", b"2")])
        with closing(raw(location)) as tool:
            tool.execute(f"UPDATE tourney_streams SET size = {size:d}")
        with pytest.raises(StoreUnavailable, match=says):
            store.transact(A, 0, appending(b"3"))


@pytest.mark.parametrize("stream", ["", "A" * 32, "a" * 31, "a" * 33, "../" + "a" * 29])
def test_a_stream_has_a_proper_name(store: Store, stream: str) -> None:
    with pytest.raises(ValueError, match="32 lowercase hex digits"):
        store.transact(stream, 0, appending(b"1"))
    with pytest.raises(ValueError, match="32 lowercase hex digits"):
        store.vault_put(stream, "key", b"secret")


def test_a_line_with_a_newline_is_not_stored(store: Store) -> None:
    with pytest.raises(ValueError, match="newline"):
        store.transact(A, 0, appending(b"1\n2"))
    assert store.streams() == []


def test_secrets_are_kept_replaced_and_destroyed(store: Store, location: str) -> None:
    assert store.vault_get(A, "shuffle_key") is None
    assert store.vault_items(A) == {}
    store.vault_delete(A, "shuffle_key")
    for name, secret in (("p2", b"\0\xff"), ("p1", b"one"), ("p2", b"two")):
        store.vault_put(A, name, secret)
    store.vault_put(B, "p1", b"other")
    store.vault_put_all(B, {"p3": b"three", "p1": b"other"})
    with open_store(location) as other:
        assert list(other.vault_items(A).items()) == [("p1", b"one"), ("p2", b"two")]
        other.vault_delete(A, "p1")
    assert store.vault_items(A) == {"p2": b"two"}
    assert store.vault_items(B) == {"p1": b"other", "p3": b"three"}


def test_secrets_are_kept_all_or_none(store: Store) -> None:
    broken: dict[str, bytes] = {"p1": b"one", "p2": None}  # type: ignore[dict-item] # it must fail
    with pytest.raises(StoreUnavailable):
        store.vault_put_all(A, broken)
    assert store.vault_items(A) == {}


def test_without_create_a_store_that_is_not_there_is_not_made(location: str) -> None:
    for _ in range(2):
        with pytest.raises(NotFound, match=r"no store at "):
            open_store(location, create=False)
    open_store(location).close()
    open_store(location, create=False).close()


def test_a_closed_store_can_be_closed_again(location: str) -> None:
    with open_store(location) as opened:
        opened.close()


def raw(location: str) -> Any:  # noqa: ANN401 - a connection of either driver
    """A connection past the store, as from a database tool."""
    if location.startswith("postgresql"):
        import psycopg  # noqa: PLC0415 - the tests on SQLite do without it

        return psycopg.connect(location, autocommit=True)
    return sqlite3.connect(location, isolation_level=None)


FORGERIES = """
both      UPDATE tourney_events SET topic = 'Forged'
both      UPDATE tourney_events SET originator_version = originator_version + 1
both      DELETE FROM tourney_events
both      INSERT INTO tourney_events ({}) SELECT {} FROM tourney_events
both      INSERT INTO tourney_events ({}) SELECT {} FROM tourney_events WHERE true \
          ON CONFLICT (originator_id, originator_version) DO UPDATE SET topic = 'Forged'
sqlite    REPLACE INTO tourney_events ({}) SELECT {} FROM tourney_events
sqlite    REPLACE INTO tourney_events VALUES (1, 'another stream', 1, 'Forged', x'00')
sqlite    REPLACE INTO tourney_events SELECT 9, {} FROM tourney_events
postgres  TRUNCATE tourney_events
""".replace("{}", "originator_id, originator_version, topic, state")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        (kind, statement)
        for only, _, statement in (line.partition(" ") for line in FORGERIES.strip().split("\n"))
        for kind in KINDS
        if only in {kind, "both"}
    ],
)
def test_the_database_refuses_to_change_what_is_stored(
    new_location: Callable[[str], str], kind: str, statement: str
) -> None:
    location = new_location(kind)
    with open_store(location) as store:
        store.transact(A, 0, appending(b"1"))
        with (
            closing(raw(location)) as tool,
            pytest.raises(Exception, match=r"never changed|duplicate"),
        ):
            tool.execute(statement)
        assert store.entries(A) == [("Noted", b"1")]
        assert recorder_of(store).max_notification_id() == 1


def frontier_of(*lines: bytes) -> list[bytes]:
    tree = Tree()
    for line in lines:
        tree.add(leaf_hash(line))
    return tree.frontier


def test_the_tree_of_the_lines_grows_with_them(store: Store) -> None:
    lines = [b"line %d" % number for number in range(70)]
    assert (store.tree(A).size, store.tree(A).frontier) == (0, [])
    for start in range(0, 70, 7):

        def decide(unread: Unread, start: int = start) -> list[Entry]:
            assert unread.tree.size == start
            assert unread.tree.frontier == frontier_of(*lines[:start])
            return [("Noted", line) for line in lines[start : start + 7]]

        store.transact(A, start if start % 2 else 0, decide)
        assert store.tree(A).frontier == frontier_of(*lines[: start + 7])
    recorder_of(store).insert_events(stored_events(A, 70, [("Noted", b"70"), ("Noted", b"71")]))
    recorder_of(store).insert_events(stored_events(B, 0, [("Noted", b"1")]))
    assert store.tree(A).frontier == frontier_of(*lines, b"70", b"71")
    assert (store.tree(B).size, store.tree(B).frontier) == (1, frontier_of(b"1"))


def test_what_is_refused_leaves_the_tree_as_it_was(store: Store) -> None:
    store.transact(A, 0, appending(b"1"))
    with pytest.raises(ZeroDivisionError):
        store.transact(A, 1, lambda unread: [("Noted", b"%d" % (1 // len(unread)))])
    with pytest.raises(Exception, match=r"size|NULL|null|pipeline"):
        recorder_of(store).insert_events(stored_events(A, 2, [("Noted", b"4")]))
    assert store.tree(A).frontier == frontier_of(b"1")


@pytest.mark.parametrize("kind", KINDS)
def test_a_tree_that_is_none_stops_the_writer(
    new_location: Callable[[str], str], kind: str
) -> None:
    location = new_location(kind)
    with open_store(location) as store:
        store.transact(A, 0, appending(b"1"))
        with closing(raw(location)) as tool:
            statement = "UPDATE tourney_streams SET frontier = CAST('12345' AS {})"
            tool.execute(statement.format("BLOB" if kind == "sqlite" else "bytea"))
        with pytest.raises(StoreUnavailable, match="the tree of its lines is not valid"):
            store.transact(A, 1, appending(b"2"))
        assert store.lines(A) == [b"1"]


def test_the_library_reads_what_is_stored(store: Store) -> None:
    store.transact(B, 0, lambda _: [("Opened", b"b1"), ("Noted", b"b2")])
    store.transact(A, 0, lambda _: [("Opened", b"a1")])
    store.transact(B, 2, lambda _: [("Closed", b"b3")])
    section = LocalNotificationLog(recorder_of(store), section_size=10)["1,10"]
    found = [(each.originator_id, each.originator_version, each.topic) for each in section.items]
    assert found == [(B, 1, "Opened"), (B, 2, "Noted"), (A, 1, "Opened"), (B, 3, "Closed")]
    assert [each.state for each in recorder_of(store).select_events(B, gt=1)] == [b"b2", b"b3"]
    opened = recorder_of(store).select_notifications(None, 10, topics=["Opened"])
    assert [(each.id, each.state) for each in opened] == [(1, b"b1"), (3, b"a1")]


def test_the_library_writes_no_gap_and_wins_no_race(store: Store) -> None:
    store.transact(A, 0, appending(b"1"))
    insert = recorder_of(store).insert_events
    insert(stored_events(A, 1, [("Noted", b"2")]))
    for size, line in ((1, b"lost the race"), (3, b"leaves a gap")):
        with pytest.raises(Exception, match=r"NOT NULL|not-null|pipeline aborted"):
            insert(stored_events(A, size, [("Noted", line)]))
    assert store.transact(A, 1, appending(b"3")) == [b"2"]


def test_entries_are_numbered_for_the_library() -> None:
    numbered = stored_events(A, 4, [("Noted", b"5"), ("Closed", b"6")])
    assert [(each.originator_version, each.topic) for each in numbered] == [
        (5, "Noted"),
        (6, "Closed"),
    ]
