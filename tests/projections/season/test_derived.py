"""A season as a folder of files: the same answers as the one file, and nothing by halves."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from projections.season.derived.deriving import Deriving, derive
from projections.season.derived.manifest import MANIFEST, TablePart, read_manifest
from projections.season.loading.intake import LoadTerms
from projections.season.loading.sources import sources_of
from tests.support.season import contents, silent, take_in, write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from pathlib import Path

    from projections.season.loading.intake import LogOutcome

SMALL = 150
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
    return list(read_manifest(folder).files())


def test_a_folder_answers_as_the_file(tmp_path: Path, logs: list[Path]) -> None:
    assert fates(derived(tmp_path / "parts", *logs)) == ["new"] * 6
    take_in(tmp_path / "season.duckdb", *logs)
    assert contents(tmp_path / "parts") == contents(tmp_path / "season.duckdb")
    assert len(read_manifest(tmp_path / "parts").chunks) > 1
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
    before = read_manifest(tmp_path / "parts").chunks
    assert fates(derived(tmp_path / "parts", logs[0])) == ["grown"]
    after = read_manifest(tmp_path / "parts").chunks
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
        chunks = enumerate(read_manifest(tmp_path / "parts").chunks)
        return {log.tournament: number for number, chunk in chunks for log in chunk.logs}

    known: dict[str, int] = {}
    for log in logs:
        derived(tmp_path / "parts", log)
        assert known.items() <= place().items()
        known = place()
    take_in(tmp_path / "season.duckdb", *logs)
    assert contents(tmp_path / "parts") == contents(tmp_path / "season.duckdb")
