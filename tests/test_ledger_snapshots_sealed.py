"""Snapshots of a sealed log: no name in their bytes, and nothing forgotten in what can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import commands
from ledger import snapshots
from ledger.books import open_book
from ledger.errors import StoreUnavailable
from ledger.exchange import import_file
from ledger.fold import fold_lines
from ledger.moments import AfterEvent
from ledger.snapshots import Snapshots
from ledger.store import open_store
from ledger.store.base import SNAPSHOT_KEY
from projections.standings import ranking
from tests.sealed_days import NAMES
from tests.sealed_days import STREAM
from tests.sealed_days import TEXTS
from tests.sealed_days import WORDS_OF_1
from tests.sealed_days import act
from tests.sealed_days import again
from tests.sealed_days import draws
from tests.sealed_days import files_of
from tests.sealed_days import forget
from tests.sealed_days import found_in
from tests.sealed_days import penalties
from tests.sealed_days import played
from tests.sealed_days import written

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.books import Book
    from ledger.store import Store

EVERY = 7


@pytest.fixture(autouse=True)
def dense(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots at every seventh event."""
    monkeypatch.setattr(snapshots, "EVERY", EVERY)


def kept(store: Store) -> bytes:
    """The bytes of every snapshot."""
    return b"".join(store.snapshot_get(STREAM, seq) for seq in store.snapshot_seqs(STREAM))


def readable(store: Store) -> list[str]:
    """Which texts somebody with the vault can read in a snapshot."""
    states = []
    for seq in store.snapshot_seqs(STREAM):
        found = Snapshots(store, STREAM).nearest(seq)
        if found is not None and found.state.tournament.seq == seq:
            states.append(repr(found.state).encode())
    return found_in(b"".join(states), TEXTS)


def from_the_start(store: Store) -> Book:
    """A book that was folded without any snapshot."""
    store.snapshot_put_all(STREAM, dict.fromkeys(store.snapshot_seqs(STREAM), b""))
    return again(store)


def test_a_snapshot_is_sealed_and_gives_the_names_back(store: Store) -> None:
    book = played(store)
    assert readable(store) == []
    again(store)
    assert len(store.snapshot_seqs(STREAM)) == len(book.lines) // EVERY
    assert found_in(kept(store), TEXTS) == []
    assert set(NAMES) <= set(readable(store))
    other = again(store)
    assert other.tournament == book.tournament
    assert penalties(other) == penalties(book)
    assert other.lines == book.lines
    if "://" not in store.where:
        assert found_in(files_of(store), TEXTS) == []


def test_who_reads_without_drawing_keys_makes_no_snapshot(store: Store) -> None:
    book = played(store)
    assert open_book(store, STREAM, ranking).tournament == book.tournament
    assert store.snapshot_seqs(STREAM) == []


def test_a_book_from_a_snapshot_seals_with_the_keys_there_are(store: Store) -> None:
    again_after = len(played(store).lines)
    again(store)
    other = again(store)
    assert other.length == again_after
    act(other, commands.RenamePerson("p2", "Bob Angstrom"), "renamed")
    act(other, commands.Penalize(2, "warning", "again"), "penalized")
    assert from_the_start(store).tournament == other.tournament
    assert len([name for name in store.vault_items(STREAM) if name == "name:p2"]) == 1


def test_what_is_forgotten_is_in_no_snapshot_that_can_be_read(store: Store) -> None:
    played(store)
    again(store)
    book = again(store)
    assert forget(book, "p1", "forget") == 3  # as it is without snapshots
    assert SNAPSHOT_KEY not in store.vault_items(STREAM)
    assert readable(store) == []
    assert found_in(kept(store), TEXTS) == []
    for seq in (2 * EVERY, 3 * EVERY, book.length):
        past = open_book(store, STREAM, ranking, draws("c"), AfterEvent(seq)).tournament
        assert past.names.get("p1") in {"player 1 (name sealed)", "forgotten 1"}
        assert past.names["p2"] == NAMES[1]
    texts = readable(store)
    assert NAMES[1] in texts
    assert not set(texts) & {NAMES[0], *WORDS_OF_1}
    resumed = again(store)
    assert resumed.tournament == from_the_start(store).tournament == book.tournament


def test_a_book_knows_every_moment_before(store: Store) -> None:
    """With the texts open, and after somebody was forgotten with what is shown of that.

    The last lines have no text: whoever opens the book there has read no key.
    """
    book = played(store)
    for number in range(2 * EVERY):
        act(book, commands.PostTable("standings", 0, book.length, f"{number:064x}"))
    again(store)
    for _ in range(2):
        for seq in range(1, book.length + 1):
            folded = fold_lines(book.lines[:seq], book.seals.open)
            assert again(store).at(seq) == book.at(seq) == folded
        forget(book, "p1", "forget")
        again(store)
    assert "(forgotten)" in repr(book.at(book.length))


def test_a_desk_that_still_remembers_seals_nothing_forgotten(store: Store) -> None:
    """It read the names before they were forgotten elsewhere, and goes on without reading anew."""
    played(store)
    remembering = again(store)
    store.vault_delete(STREAM, "name:p1")
    store.vault_delete(STREAM, "text:c19")
    other = open_book(store, STREAM, ranking, draws("other"))
    for number in range(2 * EVERY):
        act(other, commands.Penalize(2, "warning", f"note {number}"))
    remembering.refresh()
    assert NAMES[0] in repr(remembering.tournament)
    assert SNAPSHOT_KEY in store.vault_items(STREAM)
    assert NAMES[1] in readable(store)
    assert NAMES[0] not in readable(store)


def test_a_key_destroyed_while_a_book_is_opened_takes_its_snapshots(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the reading of the keys and the writing of what they opened."""
    played(store)
    keep = Snapshots.keep

    def destroy_and_keep(self: Snapshots) -> None:
        store.vault_delete(STREAM, "name:p1")
        keep(self)

    monkeypatch.setattr(Snapshots, "keep", destroy_and_keep)
    assert again(store).tournament.names["p1"] == NAMES[0]
    assert store.snapshot_seqs(STREAM)
    assert readable(store) == []
    monkeypatch.undo()
    monkeypatch.setattr(snapshots, "EVERY", EVERY)
    assert again(store).tournament.names["p1"] == "player 1 (name sealed)"
    assert NAMES[0] not in readable(store)


def test_a_key_that_comes_later_is_not_hidden_by_a_snapshot(
    store: Store, new_location: Callable[[str], str], tmp_path: Path
) -> None:
    book = played(store)
    with open_store(new_location("sqlite")) as other:
        import_file(other, written(book, tmp_path / "bare", names=False), ranking=ranking)
        assert again(other).tournament.names["p1"] == "player 1 (name sealed)"
        assert other.snapshot_seqs(STREAM)
        assert again(other).tournament.names["p1"] == "player 1 (name sealed)"
        import_file(other, written(book, tmp_path / "named"), ranking=ranking)
        assert again(other).tournament.names == book.tournament.names


def test_a_state_with_a_damaged_text_is_not_kept(store: Store) -> None:
    played(store)
    store.vault_put(STREAM, "name:p3", bytes(32))
    assert again(store).tournament.names["p3"] == "player 3 (name damaged)"
    assert store.snapshot_seqs(STREAM) == [EVERY]  # before the name of player 3


def test_a_vault_that_can_not_be_written_makes_no_snapshot(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = played(store)

    def full(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(store, "vault_put_all", full)
    assert again(store).tournament == book.tournament
    assert store.snapshot_seqs(STREAM) == []
