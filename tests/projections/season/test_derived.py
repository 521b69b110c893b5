"""A season as a folder of files: the same answers as the one file, and nothing by halves."""

from __future__ import annotations

import os
import signal
from functools import cache
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.errors import InvalidLog, NotFound, Refused, StoreUnavailable
from ledger.files.locks import lock_beside, take_alone
from projections.season.loading import deriving
from projections.season.loading.adding import take_parts
from projections.season.loading.deriving import Deriving, derive, derive_chunk
from projections.season.loading.intake import DEFAULT_TERMS, LoadTerms
from projections.season.loading.manifest import MANIFEST, read_manifest
from projections.season.loading.publishing import DERIVING
from projections.season.loading.sources import FileLog, sources_of
from projections.season.tables.database import FORMAT, open_season
from tests.support.sample_days import FOLDER
from tests.support.season import contents, opened, silent, take_in, write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ledger.tournament.state import Tournament
    from projections.season.loading.deriving import Chunk, DerivedChunk
    from projections.season.loading.intake import LogOutcome
    from projections.season.loading.manifest import TablePart

WRONG = FOLDER / "broken" / "forged-points.jsonl"
SMALL = 70
"""Events of a chunk: a few of these logs."""


@cache
def days() -> list[list[bytes]]:
    """The lines of some days, finished all of them."""
    return [play(seed, 4 + seed % 3, rounds=2, cut=0).lines for seed in range(1, 7)]


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "logs"
    folder.mkdir()
    return [write_log(folder / f"{n}.jsonl", lines) for n, lines in enumerate(days())]


def derived(
    folder: Path, *places: Path, processes: int = 1, keep_going: bool = False, events: int = SMALL
) -> list[LogOutcome]:
    """Derive logs into a folder."""
    how = Deriving(LoadTerms(keep_going), processes, chunk_events=events)
    return derive(folder, list(sources_of(map(str, places))), silent, how)


def fates(taken: list[LogOutcome]) -> list[str]:
    return [each.fate for each in taken]


def files(folder: Path) -> dict[str, bytes]:
    """Every part that is there, whether it is listed or not, and the manifest."""
    found = [*folder.glob("*/year=*/*"), folder / MANIFEST]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def listed(folder: Path) -> list[TablePart]:
    return list(read_manifest(folder, FORMAT).files())


@pytest.mark.slow
def test_a_folder_answers_as_the_file(tmp_path: Path, logs: list[Path]) -> None:
    assert fates(derived(tmp_path / "parts", *logs)) == ["new"] * 6
    take_in(tmp_path / "season.duckdb", *logs)
    assert contents(tmp_path / "parts") == contents(tmp_path / "season.duckdb")
    assert len(read_manifest(tmp_path / "parts", FORMAT).chunks) > 1
    assert sorted(files(tmp_path / "parts")) == sorted(
        [MANIFEST, *(part.file for part in listed(tmp_path / "parts"))]
    )


@pytest.mark.slow
def test_processes_and_the_order_of_logs_make_no_difference(
    tmp_path: Path, logs: list[Path]
) -> None:
    derived(tmp_path / "one", *logs)
    derived(tmp_path / "two", *reversed(logs), processes=2)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_the_same_logs_again_change_nothing(tmp_path: Path, logs: list[Path]) -> None:
    derived(tmp_path / "parts", *logs[:2])
    before = files(tmp_path / "parts")
    assert fates(derived(tmp_path / "parts", *logs[:2])) == ["known"] * 2
    assert files(tmp_path / "parts") == before


@pytest.mark.slow
def test_a_grown_log_rewrites_its_chunk_alone(tmp_path: Path, logs: list[Path]) -> None:
    """The rows of the others come from the parts before: their logs are not at hand."""
    beginning = write_log(tmp_path / "beginning.jsonl", days()[0][:20])
    derived(tmp_path / "parts", beginning, *logs[1:4])
    before = read_manifest(tmp_path / "parts", FORMAT).chunks
    assert fates(derived(tmp_path / "parts", logs[0])) == ["grown"]
    after = read_manifest(tmp_path / "parts", FORMAT).chunks
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    take_in(tmp_path / "season.duckdb", *logs[:4])
    assert contents(tmp_path / "parts") == contents(tmp_path / "season.duckdb")
    derived(tmp_path / "whole", *logs[:4], events=10**6)
    derived(tmp_path / "grown", beginning, *logs[1:4], events=10**6)
    derived(tmp_path / "grown", logs[0], events=10**6)
    assert files(tmp_path / "grown") == files(tmp_path / "whole") | {
        MANIFEST: (tmp_path / "grown" / MANIFEST).read_bytes()
    }


@pytest.mark.slow
def test_a_log_stays_in_its_chunk_when_others_come(tmp_path: Path, logs: list[Path]) -> None:
    def place() -> dict[str, int]:
        chunks = enumerate(read_manifest(tmp_path / "parts", FORMAT).chunks)
        return {log.tournament: number for number, chunk in chunks for log in chunk.logs}

    known: dict[str, int] = {}
    for log in logs:
        derived(tmp_path / "parts", log)
        assert known.items() <= place().items()
        known = place()
    take_in(tmp_path / "season.duckdb", *logs)
    assert contents(tmp_path / "parts") == contents(tmp_path / "season.duckdb")


def told(error: pytest.ExceptionInfo[Exception]) -> str:
    """What was said, which is one line."""
    (line,) = str(error.value).splitlines()
    return line


def refused(folder: Path, *places: Path) -> str:
    """Derive in vain: the folder stays as it was. Returns what is said of it."""
    before = files(folder) if folder.exists() else {}
    with pytest.raises((InvalidLog, NotFound, Refused, StoreUnavailable)) as error:
        derived(folder, *places)
    assert (files(folder) if folder.exists() else {}) == before
    assert not folder.exists() or not list(folder.glob(".season*"))
    return told(error)


def test_a_wrong_log_leaves_no_folder(tmp_path: Path, logs: list[Path]) -> None:
    said = refused(tmp_path / "parts", logs[0], WRONG)
    assert f"{WRONG}: line" in said
    assert "; nothing was changed" in said
    assert not (tmp_path / "parts").exists()


@pytest.mark.slow
def test_a_wrong_log_is_skipped_where_that_is_asked_for(tmp_path: Path, logs: list[Path]) -> None:
    taken = derived(tmp_path / "parts", logs[0], WRONG, logs[1], keep_going=True)
    assert fates(taken) == ["new", "skipped", "new"]
    take_in(tmp_path / "season.duckdb", *logs[:2])
    assert contents(tmp_path / "parts") == contents(tmp_path / "season.duckdb")


@pytest.mark.slow
def test_every_log_is_to_a_folder_what_it_is_to_a_file(tmp_path: Path, logs: list[Path]) -> None:
    """Twins, beginnings, other histories, wrong ones: the same fates in the same words."""
    forked = [*days()[1][:20], days()[1][20].replace(b"T08:", b"T09:"), *days()[1][21:]]
    write_log(tmp_path / "older.jsonl", days()[0][:20])
    write_log(tmp_path / "forked.jsonl", forked)
    tries = [
        [logs[0], logs[1]],
        [logs[0], tmp_path / "older.jsonl", logs[2], logs[2]],
        [tmp_path / "forked.jsonl", WRONG, logs[3]],
    ]
    for places in tries:
        folder, file = tmp_path / "parts", tmp_path / "season.duckdb"
        taken = derived(folder, *places, keep_going=True)
        expected = take_in(file, *places, keep_going=True)
        assert [msgspec.to_builtins(each) for each in taken] == [
            msgspec.to_builtins(each) for each in expected
        ]
        assert contents(folder) == contents(file)
    assert "contradicts the log of its tournament" in refused(folder, tmp_path / "forked.jsonl")


def flip(path: Path) -> None:
    """Turn one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    "damage", [flip, lambda path: path.unlink(), lambda path: path.write_bytes(b"PAR1")]
)
def test_a_missing_or_altered_part_is_said_before_anything_is_answered(
    tmp_path: Path, logs: list[Path], damage: Callable[[Path], None]
) -> None:
    folder = tmp_path / "parts"
    derived(folder, logs[0])
    part = next(each.file for each in listed(folder) if each.file.startswith("results/"))
    damage(folder / part)
    with pytest.raises(StoreUnavailable) as error:
        open_season(folder, read_only=True)
    assert f"{folder} cannot be read: its part {part}" in told(error)
    # a flipped bit is found where its rows are taken over
    assert f"its part {part}" in refused(folder, logs[1])


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (b"{", "not a manifest, or is damaged"),
        (b'{"tourney-season":1,"tables":1}', "made by another release"),
        (b'{"tourney-season":2,"tables":%d}' % FORMAT, "made by another release"),
        (
            b'{"tourney-season":1,"tables":%d,"retired":["../../etc/passwd"]}' % FORMAT,
            "names files that are not parts",
        ),
        (
            b'{"tourney-season":1,"tables":%d,"chunks":[{"name":"%s","year":1,"logs":[],"parts":{}}]}'
            % (FORMAT, b"0" * 64),
            "a chunk whose name does not match its logs",
        ),
    ],
)
def test_a_manifest_that_is_wrong(tmp_path: Path, damage: bytes, why: str) -> None:
    (tmp_path / MANIFEST).write_bytes(damage)
    with pytest.raises(StoreUnavailable) as error:
        open_season(tmp_path, read_only=True)
    assert why in told(error)


def test_parts_of_two_seasons_do_not_go_into_one_folder(tmp_path: Path, logs: list[Path]) -> None:
    """They are no part of what is read, and nothing removes them."""
    folder = tmp_path / "parts"
    derived(folder, logs[0])
    before = contents(folder)
    derived(tmp_path / "other", logs[1])
    stranger = listed(tmp_path / "other")[0].file
    (folder / stranger).write_bytes((tmp_path / "other" / stranger).read_bytes())
    assert contents(folder) == before
    assert "one folder cannot contain parts of two seasons" in refused(folder, logs[2])


def test_a_folder_with_other_things_is_no_place_for_a_season(logs: list[Path]) -> None:
    with pytest.raises(Refused, match=r"contains other files \(0.jsonl\): name a new folder"):
        derived(logs[0].parent, logs[0])
    with pytest.raises(NotFound, match="is a folder without a season"):
        open_season(logs[0].parent, read_only=True)


def test_one_derives_at_a_time(tmp_path: Path, logs: list[Path]) -> None:
    folder = tmp_path / "parts"
    derived(folder, logs[0])
    with take_alone(lock_beside(folder, DERIVING)):
        assert "is being derived by another program" in refused(folder, logs[1])
    assert fates(derived(folder, logs[1])) == ["new"]


def test_what_somebody_reads_stays_until_they_are_done(tmp_path: Path, logs: list[Path]) -> None:
    folder = tmp_path / "parts"
    derived(folder, logs[0])
    first = {part.file for part in listed(folder)}
    reading = open_season(folder, read_only=True)
    asked = "SELECT count(*) FROM events"
    derived(folder, logs[1])
    assert reading.execute(asked).fetchone() == (len(days()[0]),)
    assert not first & {part.file for part in listed(folder)}
    reading.close()
    del reading
    derived(folder, logs[1])
    assert not first & files(folder).keys()


def test_a_log_that_changes_while_it_is_read(
    tmp_path: Path, logs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that has grown is taken as it was; of any other change the whole derive is refused."""

    def changed(line: int, text: bytes) -> Callable[..., DerivedChunk]:
        def work(chunk: Chunk, season: Path, into: Path) -> DerivedChunk:
            lines = [*days()[0][:line], text, *days()[0][line + 1 :]]
            write_log(logs[0], lines)
            return derive_chunk(chunk, season, into)

        return work

    write_log(logs[0], days()[0][:-1])
    monkeypatch.setattr(deriving, "derive_chunk", changed(len(days()[0]) - 1, days()[0][-1]))
    assert fates(derived(tmp_path / "parts", logs[0])) == ["new"]
    with opened(tmp_path / "parts") as connection:
        assert connection.execute("SELECT size FROM tournaments").fetchall() == [
            (len(days()[0]) - 1,)
        ]
    forged = days()[0][9].replace(b"T08:", b"T09:")
    write_log(logs[0], days()[0])
    monkeypatch.setattr(deriving, "derive_chunk", changed(9, forged))
    assert "0.jsonl changed while it was being read" in refused(tmp_path / "parts", logs[0])


class Fatal(FileLog):
    """A log whose reader is killed where its chunk is derived."""

    def checked(self, _lines: object, _known: int = 0, _leaves: object = None) -> Tournament:
        """Die."""
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@pytest.mark.slow
def test_a_worker_that_dies(tmp_path: Path, logs: list[Path]) -> None:
    folder = tmp_path / "parts"
    derived(folder, logs[0])
    before = files(folder)
    sources: Sequence[FileLog] = [Fatal(logs[1]), *map(FileLog, logs[2:])]
    with pytest.raises(Refused) as error:
        derive(folder, sources, silent, Deriving(processes=2, chunk_events=SMALL))
    assert told(error).endswith(
        "was stopped from outside: run the command again; nothing was changed"
    )
    assert files(folder) == before
    assert not list(folder.glob(".season-room-*"))


@pytest.mark.slow
def test_of_several_folders_all_go_into_the_file_or_none(tmp_path: Path, logs: list[Path]) -> None:
    file = tmp_path / "season.duckdb"
    take_in(file, logs[0])
    before = contents(file)
    derived(tmp_path / "one", logs[1], write_log(tmp_path / "older.jsonl", days()[2][:20]))
    derived(tmp_path / "other", *logs[2:4])
    both = [tmp_path / "one", tmp_path / "other"]
    part = next((tmp_path / "other" / "results").rglob("*.parquet"))
    sound = part.read_bytes()
    part.write_bytes(sound + b"x")
    with open_season(file) as connection, pytest.raises(StoreUnavailable):
        take_parts(connection, both, DEFAULT_TERMS)
    assert contents(file) == before
    part.write_bytes(sound)
    with open_season(file) as connection:
        taken = sorted(fates(take_parts(connection, both, DEFAULT_TERMS)))
    assert taken == ["grown", "new", "new", "new"]
    take_in(tmp_path / "logs.duckdb", *logs[:4])
    assert contents(file) == contents(tmp_path / "logs.duckdb")


@pytest.mark.slow
def test_a_folder_goes_into_the_file_like_the_logs(tmp_path: Path, logs: list[Path]) -> None:
    folder, file = tmp_path / "parts", tmp_path / "season.duckdb"
    derived(folder, *logs[:3])
    take_in(file, write_log(tmp_path / "older.jsonl", days()[0][:20]), logs[1])
    with open_season(file) as connection:
        assert sorted(fates(take_parts(connection, [folder], DEFAULT_TERMS))) == [
            "grown",
            "known",
            "new",
        ]
    take_in(tmp_path / "logs.duckdb", *logs[:3])
    assert contents(file) == contents(tmp_path / "logs.duckdb")
    forked = [*days()[1][:20], days()[1][20].replace(b"T08:", b"T09:"), *days()[1][21:]]
    derived(tmp_path / "other", logs[4], write_log(tmp_path / "forked.jsonl", forked))
    with open_season(file) as connection, pytest.raises(InvalidLog) as error:
        take_parts(connection, [tmp_path / "other"], DEFAULT_TERMS)
    assert "contradicts the log of its tournament in the season: they differ from event 21" in told(
        error
    )
    assert contents(file) == contents(tmp_path / "logs.duckdb")


def test_a_chunk_is_of_one_year(tmp_path: Path) -> None:
    for number, day in enumerate((b"2025-03-14", b"2026-03-14")):
        opening = days()[number][0].replace(b'"date":"2026-03-14"', b'"date":"%s"' % day)
        write_log(tmp_path / f"{number}.jsonl", [opening, *days()[number][1:8]])
    derived(tmp_path / "parts", *sorted(tmp_path.glob("*.jsonl")))
    places = {part.file.split("/")[1] for part in listed(tmp_path / "parts")}
    assert places == {"year=2025", "year=2026"}
