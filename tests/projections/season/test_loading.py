"""Logs into a season: added one by one or all at once it is the same, and nothing by halves."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InvalidLog, NotFound, StoreUnavailable
from ledger.lines.line import decode
from ledger.proof.formats import HASH_BYTES, Tree
from ledger.rules.people import DisqualifyPlayer
from ledger.store import open_store
from projections.season.exports import archive, archives_of, take_back
from projections.season.loading import checking
from projections.season.loading.adding import add
from projections.season.loading.sources import sources_of
from projections.season.tables.database import open_season
from projections.season.tables.signed_heads import HashedBefore, leaves_of, root_of
from tests.support.days import sealed_days
from tests.support.examples import examples
from tests.support.sample_days import FOLDER
from tests.support.season import contents, opened, take_in, write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.store import Store


_NUMBER = count()


@pytest.fixture(scope="module")
def days() -> list[list[bytes]]:
    """The lines of some days, finished all of them."""
    return [play(seed, 6 + seed % 9, rounds=3, cut=seed % 2 * 4).lines for seed in range(1, 9)]


def test_a_tree_of_hashes_at_hand_has_the_root_of_the_lines_so_far() -> None:
    lines = [b"line %d" % number for number in range(40)]
    hashed, tree = HashedBefore(leaves_of(lines)), Tree()
    assert hashed.root() == tree.root()
    for number, line in enumerate(lines):
        hashed.add_lines((line,))
        tree.add_lines((line,))
        if number % 3 == 0 or number > 30:
            assert (hashed.root(), hashed.size) == (tree.root(), tree.size)


def test_known_roots() -> None:
    entries = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243")]
    assert root_of(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert root_of(leaves_of(entries[:1])) == (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )
    assert (
        root_of(leaves_of(entries))
        == "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"
    )


@pytest.mark.slow
@examples(6)
@given(st.data())
def test_incremental_is_rebuilt(
    tmp_path: Path, days: list[list[bytes]], data: st.DataObject
) -> None:
    """However the logs grow and in whatever order they come, the season is the same."""
    folder = tmp_path / str(next(_NUMBER))
    folder.mkdir()
    grown = folder / "grown.duckdb"
    chosen = data.draw(st.sets(st.integers(0, len(days) - 1), min_size=1, max_size=4))
    reached = dict.fromkeys(sorted(chosen), 0)
    logs = folder / "logs"
    logs.mkdir()
    for _ in range(data.draw(st.integers(1, 6))):
        number = data.draw(st.sampled_from(sorted(reached)))
        lines = days[number]
        reached[number] = data.draw(st.integers(max(1, reached[number]), len(lines)))
        log = write_log(logs / f"{number}.jsonl", lines[: reached[number]])
        take_in(grown, log)
    rebuilt = folder / "rebuilt.duckdb"
    take_in(rebuilt, logs)
    assert contents(grown) == contents(rebuilt)


@pytest.mark.slow
def test_batches_make_no_difference(
    tmp_path: Path, days: list[list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [write_log(tmp_path / f"{n}.jsonl", lines) for n, lines in enumerate(days)]
    take_in(tmp_path / "one.duckdb", *logs)
    monkeypatch.setattr(checking, "BATCH_BYTES", 1)
    take_in(tmp_path / "many.duckdb", *logs)
    assert contents(tmp_path / "one.duckdb") == contents(tmp_path / "many.duckdb")


@pytest.mark.slow
def test_hashes_of_a_long_log_come_in_pieces(
    tmp_path: Path, days: list[list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB refuses rows of many megabytes; a log of a million lines has 64 of hashes."""
    monkeypatch.setattr(checking, "HASHED_BYTES", 3 * HASH_BYTES)
    logs = [write_log(tmp_path / f"{n}.jsonl", lines) for n, lines in enumerate(days[:3])]
    beginning = write_log(tmp_path / "beginning.jsonl", days[0][:-2])
    take_in(tmp_path / "season.duckdb", *logs)
    (taken,) = take_in(tmp_path / "season.duckdb", beginning)
    assert taken.fate == "older"
    with opened(tmp_path / "season.duckdb") as connection:
        rows = connection.execute("SELECT hashes FROM leaves ORDER BY tournament, piece").fetchall()
    assert len(rows) == sum(-(-len(lines) // 3) for lines in days[:3])
    assert all(b"".join(hashes for (hashes,) in rows).count(leaves_of(lines)) for lines in days[:3])


@pytest.mark.slow
def test_further_processes_make_no_difference(
    tmp_path: Path, days: list[list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same season, and the same word on every log: twins, beginnings, wrong ones.

    An empty file in the folder is not a log.
    """
    logs = tmp_path / "logs"
    logs.mkdir()
    wrong = (FOLDER / "broken" / "forged-points.jsonl").read_bytes()
    forked = [*days[1][:30], days[1][30].replace(b".000Z", b".001Z"), *days[1][31:]]
    for name, lines in (
        ("a", days[0][:40]),
        ("b", days[1]),
        ("c", days[0]),
        ("d", days[1]),
        ("e", days[0][:50]),
        ("f", wrong.splitlines()),
        ("g", forked),
        ("h", []),
        ("i", days[2]),
    ):
        write_log(logs / f"{name}.jsonl", lines)
    before = tmp_path / "before.jsonl"
    write_log(before, days[2][:40])
    told = []
    for name in ("one", "several"):
        season = tmp_path / f"{name}.duckdb"
        take_in(season, before)
        with pytest.raises(InvalidLog, match="nothing was changed") as refused:
            take_in(season, logs)
        told.append((take_in(season, logs, keep_going=True), str(refused.value), contents(season)))
        monkeypatch.setattr(checking, "WORTH_BYTES", 0)
    assert [each.fate for each in told[0][0]] == [
        "new", "new", "grown", "known", "older", "skipped", "skipped", "grown"
    ]  # fmt: skip
    assert told[0] == told[1]


@pytest.mark.slow
def test_the_same_log_twice_changes_nothing(tmp_path: Path, days: list[list[bytes]]) -> None:
    log = write_log(tmp_path / "a.jsonl", days[0])
    twin = write_log(tmp_path / "b.jsonl", days[0])
    season = tmp_path / "season.duckdb"
    assert [each.fate for each in take_in(season, log, twin)] == ["new", "known"]
    before = contents(season)
    assert [each.fate for each in take_in(season, twin)] == ["known"]
    assert contents(season) == before


@pytest.mark.slow
@pytest.mark.parametrize("longer_first", [True, False])
def test_a_beginning_beside_the_whole_log(
    tmp_path: Path, days: list[list[bytes]], *, longer_first: bool
) -> None:
    part = write_log(tmp_path / "part.jsonl", days[0][:40])
    whole = write_log(tmp_path / "whole.jsonl", days[0])
    season = tmp_path / "season.duckdb"
    places = (whole, part) if longer_first else (part, whole)
    fates = [each.fate for each in take_in(season, *places)]
    assert fates == (["new", "older"] if longer_first else ["new", "grown"])
    take_in(tmp_path / "other.duckdb", whole)
    assert contents(season) == contents(tmp_path / "other.duckdb")


@pytest.mark.slow
def test_two_logs_that_disagree(tmp_path: Path, days: list[list[bytes]]) -> None:
    lines = days[0]
    one = write_log(tmp_path / "one.jsonl", lines)
    forked = [*lines[:30], lines[30].replace(b"T08:", b"T09:"), *lines[31:]]
    assert forked != lines
    other = write_log(tmp_path / "other.jsonl", forked)
    season = tmp_path / "season.duckdb"
    for places in ((one, other), (other, one)):
        with pytest.raises(InvalidLog, match=r"contradicts .* nothing was changed"):
            take_in(season, *places)
    take_in(season, one)
    with pytest.raises(InvalidLog, match=r"contradicts the log of its tournament"):
        take_in(season, other)
    short = write_log(tmp_path / "short.jsonl", forked[:40])
    with pytest.raises(InvalidLog, match="contradicts"):
        take_in(tmp_path / "new.duckdb", one, short)
    with pytest.raises(InvalidLog, match=r"contradicts the log of its tournament"):
        take_in(season, short)
    before_the_fork = write_log(tmp_path / "shorter.jsonl", forked[:30])
    assert [each.fate for each in take_in(season, before_the_fork)] == ["older"]


@pytest.mark.slow
def test_a_bad_log_in_the_middle_changes_nothing(tmp_path: Path, days: list[list[bytes]]) -> None:
    season = tmp_path / "season.duckdb"
    take_in(season, write_log(tmp_path / "0.jsonl", days[0]))
    before = contents(season)
    logs = tmp_path / "logs"
    logs.mkdir()
    write_log(logs / "1.jsonl", days[1])
    broken = FOLDER / "broken" / "forged-points.jsonl"
    (logs / "2.jsonl").write_bytes(broken.read_bytes())
    write_log(logs / "3.jsonl", days[2])
    with pytest.raises(InvalidLog, match=r"2\.jsonl: line \d+: .*nothing was changed"):
        take_in(season, logs)
    assert contents(season) == before
    taken = take_in(season, logs, keep_going=True)
    assert [each.fate for each in taken] == ["new", "skipped", "new"]
    assert "2.jsonl" in taken[1].problem
    take_in(
        tmp_path / "clean.duckdb", *(write_log(tmp_path / f"{n}.jsonl", days[n]) for n in range(3))
    )
    assert contents(season) == contents(tmp_path / "clean.duckdb")


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((FOLDER / "broken").glob("*.jsonl")), ids=lambda p: p.stem)
def test_every_broken_log_is_refused(tmp_path: Path, path: Path) -> None:
    with pytest.raises(InvalidLog, match="nothing was changed"):
        take_in(tmp_path / "season.duckdb", path)


@pytest.mark.slow
def test_an_interrupted_load_leaves_what_was_there(
    tmp_path: Path, days: list[list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "BATCH_BYTES", 1)
    season = tmp_path / "season.duckdb"
    take_in(season, write_log(tmp_path / "0.jsonl", days[0]))
    before = contents(season)
    logs = [write_log(tmp_path / f"{n}.jsonl", days[n]) for n in range(1, 4)]

    def stop(what: str, done: int, _total: int) -> None:
        if (what, done) == ("loaded", 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_season(season) as connection:
        add(connection, list(sources_of(map(str, logs))), tmp_path, stop)
    assert contents(season) == before
    assert not list(tmp_path.glob(".season-*"))


@pytest.mark.slow
def test_a_store_that_is_written_while_it_is_read(tmp_path: Path, days: list[list[bytes]]) -> None:
    entries = [(decode(line).type, line) for line in days[0]]
    stream = days[0][0].partition(b'"tournament":"')[2][:32].decode()
    location = tmp_path / "tourney.db"
    season = tmp_path / "season.duckdb"
    with open_store(str(location)) as store:
        for before, after in ((0, 20), (20, 35), (35, len(entries))):
            _append(store, stream, before, entries[before:after])
            take_in(season, location)  # while the other connection stays open
            fresh = tmp_path / f"{after}.duckdb"
            take_in(fresh, write_log(tmp_path / "log.jsonl", days[0][:after]))
            assert contents(season) == contents(fresh)


def _append(store: Store, stream: str, known: int, entries: list[tuple[str, bytes]]) -> None:
    def all_of_them(_: Sequence[bytes]) -> list[tuple[str, bytes]]:
        return entries

    store.transact(stream, known, all_of_them)


@pytest.mark.slow
def test_sealed_names(tmp_path: Path) -> None:
    """With the line of names, without it and from the store: the same season, and no name in it."""
    logs = tmp_path / "logs"
    logs.mkdir()
    season = tmp_path / "season.duckdb"
    with open_store(str(tmp_path / "sealed.db")) as store:
        book = sealed_days.played(store)
        sealed_days.forget(book, "p1")
        named = sealed_days.written(book, logs / "named.jsonl")
        bare = sealed_days.written(book, tmp_path / "bare.jsonl", names=False)
    assert [each.fate for each in take_in(season, logs)] == ["new"]
    assert [each.fate for each in take_in(season, bare, tmp_path / "sealed.db")] == ["known"] * 2
    take_in(tmp_path / "other.duckdb", bare)
    assert contents(season) == contents(tmp_path / "other.duckdb")
    kept = repr(contents(season))
    assert not [text for text in sealed_days.TEXTS if text in kept]
    forged = named.read_bytes().replace(b'{"names":{"new', b'{"names":{"old')
    assert forged != named.read_bytes()
    (logs / "forged.jsonl").write_bytes(forged)
    with pytest.raises(InvalidLog, match=r"forged\.jsonl: line \d+: the line of names"):
        take_in(tmp_path / "third.duckdb", logs / "forged.jsonl")


@pytest.mark.slow
def test_parquet_and_back(tmp_path: Path, days: list[list[bytes]]) -> None:
    season = tmp_path / "season.duckdb"
    folder = tmp_path / "archive"
    lines = days[0]
    finished = next(n for n, line in enumerate(lines) if b'"TournamentFinished"' in line) + 1
    take_in(season, write_log(tmp_path / "0.jsonl", lines[:finished]))
    take_in(season, write_log(tmp_path / "1.jsonl", days[1]))
    take_in(season, write_log(tmp_path / "2.jsonl", days[2][:50]))  # still open: not archived
    with opened(season) as connection:
        assert archive(connection, folder, lambda *_: None).written == 2
        assert archive(connection, folder, lambda *_: None).kept == 2
    back = tmp_path / "back.duckdb"
    with open_season(back, create=True) as connection:
        assert len(take_back(connection, archives_of([folder]))) == 2
        assert take_back(connection, archives_of([folder])) == []
    take_in(tmp_path / "same.duckdb", tmp_path / "0.jsonl", tmp_path / "1.jsonl")
    assert contents(back) == contents(tmp_path / "same.duckdb")
    part = write_log(tmp_path / "part.jsonl", lines[:30])
    assert [each.fate for each in take_in(back, part)] == ["shorter"]


@pytest.mark.slow
def test_a_grown_log_takes_the_place_of_its_file(tmp_path: Path) -> None:
    day = play(4, 8, rounds=2)
    season = tmp_path / "season.duckdb"
    folder = tmp_path / "archive"
    take_in(season, write_log(tmp_path / "0.jsonl", day.lines))
    with opened(season) as connection:
        archive(connection, folder, lambda *_: None)
    (first,) = folder.iterdir()
    day.do(DisqualifyPlayer(1, "found out", "FFG-AUTH-DQ"))
    take_in(season, write_log(tmp_path / "0.jsonl", day.lines))
    with opened(season) as connection:
        assert archive(connection, folder, lambda *_: None).replaced == 1
    (second,) = folder.iterdir()
    assert first.name != second.name
    assert first.name[:32] == second.name[:32]


@pytest.mark.slow
@pytest.mark.parametrize("told", ["", ", KV_METADATA {season_format: '3'}"])
def test_an_archive_of_another_release_is_refused(tmp_path: Path, told: str) -> None:
    season = tmp_path / "season.duckdb"
    folder = tmp_path / "archive"
    take_in(season, write_log(tmp_path / "0.jsonl", play(4, 8, rounds=2).lines))
    with opened(season) as connection:
        archive(connection, folder, lambda *_: None)
        (file,) = archives_of([folder])
        copied = file.with_suffix(".old")
        connection.execute(f"COPY (FROM '{file}') TO '{copied}' (FORMAT parquet{told})")
    copied.replace(file)
    with (
        open_season(tmp_path / "back.duckdb", create=True) as connection,
        pytest.raises(InvalidLog, match="archived by another release"),
    ):
        take_back(connection, [file])
    assert not any(contents(tmp_path / "back.duckdb").values())


def test_files_that_are_no_season(tmp_path: Path) -> None:
    season = tmp_path / "season.duckdb"
    with pytest.raises(NotFound, match="there is no season"):
        open_season(season)
    open_season(season, create=True).close()
    with open_season(season) as connection:
        connection.execute("UPDATE season_format SET version = 99")
    with pytest.raises(StoreUnavailable, match="newer release"):
        open_season(season)
    data = bytearray(season.read_bytes())
    data[: len(data) // 2] = bytes(len(data) // 2)
    season.write_bytes(data)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        open_season(season)
    season.write_bytes(b"not a database")
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        open_season(season)
