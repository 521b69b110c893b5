"""Our own lines out and in again: the same bytes, the same tournament, nothing twice."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.books.book import Book, open_book
from ledger.errors import InvalidLog, LedgerError, Refused
from ledger.exchange import export, export_file, read_log, replay
from ledger.files.access import write_whole
from projections.standings.table import ranking
from tests.support.examples import examples
from tests.support.files.imports import import_file
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.store import Store


def log_file(path: Path, lines: Sequence[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), players=st.integers(4, 16), cut=st.sampled_from([0, 4]))
@examples(12)
def test_a_log_replays_to_the_tournament_it_was_written_from(
    seed: int, players: int, cut: int, tmp_path: Path
) -> None:
    day = play(seed, players, rounds=3, cut=cut)
    replayed = replay(log_file(tmp_path / "log", day.lines))
    assert replayed.lines == day.lines
    assert [kind for kind, _ in replayed.entries] == [recorded.type for recorded in day.log]
    assert repr(replayed.tournament) == repr(day.tournament)


def test_every_prefix_of_whole_lines_is_a_log(tmp_path: Path) -> None:
    lines = play(3, 6, rounds=2, cut=2).lines
    for size in range(1, len(lines) + 1):
        assert replay(log_file(tmp_path / "log", lines[:size])).tournament.seq == size


def test_an_import_and_its_export_are_the_same_bytes(store: Store, tmp_path: Path) -> None:
    day = play(1, 8, rounds=3, cut=4)
    file = log_file(tmp_path / "log", day.lines)
    taken = import_file(store, file, ranking=ranking)
    assert (taken.events, taken.added) == (len(day.lines), len(day.lines))
    book = open_book(store, taken.tournament, ranking)
    assert b"".join(export(book)) == file.read_bytes()
    assert export_file(book, tmp_path / "again") == file.stat().st_size
    assert (tmp_path / "again").read_bytes() == file.read_bytes()
    assert list(read_log(tmp_path / "again")) == day.lines
    assert repr(book.tournament) == repr(day.tournament)


def test_equal_longer_shorter_and_other_logs(store: Store, tmp_path: Path) -> None:
    lines = play(2, 8, rounds=3).lines
    half = log_file(tmp_path / "half", lines[:20])
    full = log_file(tmp_path / "full", lines)
    first = import_file(store, half, ranking=ranking)
    stream = first.tournament
    assert (first.events, first.added, str(first.note)) == (20, 20, "a new tournament")
    assert import_file(store, half, ranking=ranking).added == 0

    longer = import_file(store, full, ranking=ranking)
    assert (longer.events, longer.added) == (len(lines), len(lines) - 20)
    assert str(longer.note) == f"the store already had 20 of {len(lines)} events"
    assert store.lines(stream) == lines

    shorter = import_file(store, half, ranking=ranking)
    assert (shorter.events, shorter.added) == (len(lines), 0)
    assert (
        str(shorter.note) == f"the file is older: it has 20 of the {len(lines)} events in the store"
    )

    other = list(lines)
    other[-1] = other[-1].replace(b'"at":"2026-03-14', b'"at":"2026-03-15')
    assert other[-1] != lines[-1]
    differs = f"differs from the store at event {len(lines)}; nothing was changed"
    with pytest.raises(Refused, match=differs):
        import_file(store, log_file(tmp_path / "other", other), ranking=ranking)
    assert store.lines(stream) == lines


def test_a_wrong_line_at_the_end_of_a_longer_log_writes_nothing(
    store: Store, tmp_path: Path
) -> None:
    lines = play(2, 8, rounds=3).lines
    import_file(store, log_file(tmp_path / "half", lines[:20]), ranking=ranking)
    with pytest.raises(InvalidLog, match="line 26: "):
        import_file(store, log_file(tmp_path / "bad", [*lines[:25], lines[30]]), ranking=ranking)
    assert [store.size(stream) for stream in store.streams()] == [20]


def test_what_is_imported_can_be_gone_on_with(store: Store, tmp_path: Path) -> None:
    day = play(5, 8, rounds=2)
    taken = import_file(store, log_file(tmp_path / "log", day.lines[:30]), ranking=ranking)
    book = Book(store, taken.tournament, ranking).refresh()
    assert book.tournament.seq == 30
    file = log_file(tmp_path / "rest", day.lines)
    import_file(store, file, ranking=ranking)
    assert book.refresh().lines == day.lines


def test_an_export_that_fails_leaves_what_stood_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "log"
    target.write_bytes(b"older")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left on device; nothing was changed"):
        write_whole(target, [b"newer"])
    assert target.read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_an_export_never_writes_into_what_stood_there(tmp_path: Path) -> None:
    target, reader = tmp_path / "log", tmp_path / "held by a reader"
    target.write_bytes(b"older")
    reader.hardlink_to(target)
    assert write_whole(target, [b"newer"]) == 5
    assert (target.read_bytes(), reader.read_bytes()) == (b"newer", b"older")


def test_an_export_goes_to_the_file_that_a_link_names(tmp_path: Path) -> None:
    target, link = tmp_path / "log", tmp_path / "link"
    link.symlink_to(target)
    write_whole(link, [b"one", b"two"])
    assert link.is_symlink()
    assert target.read_bytes() == b"onetwo"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("", "is not an ordinary file: name another file"),
        ("absent/log", "cannot be written: No such file or directory"),
        ("file/log", "cannot be written: Not a directory"),
    ],
)
def test_an_export_to_an_impossible_place_is_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LedgerError, match=text):
        write_whole(tmp_path / name, [b"x"])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
