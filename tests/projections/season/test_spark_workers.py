"""A worker of Spark that dies at its work: another does it again, or the season is as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.errors import StoreUnavailable
from projections.season.loading import spark_deriving
from projections.season.loading.deriving import Deriving, derive
from projections.season.loading.manifest import MANIFEST
from projections.season.loading.sources import sources_of
from projections.season.loading.spark_deriving import in_tasks
from tests.support.chance.random_seasons import day
from tests.support.season import silent, write_log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cli.season.spark_cluster import RunningSpark
    from projections.season.loading.deriving import Chunk, DerivedChunk

    Task = Callable[[Chunk, Path, Path], DerivedChunk]

LOGS = 4
CHUNK_EVENTS = 100


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    return [str(write_log(tmp_path / f"{number}.jsonl", day(number))) for number in range(LOGS)]


def dying(once: Path | None, *, is_done: bool) -> Task:
    """Make a task that kills Java's program around it: the first one, or each; before or after."""

    def work(chunk: Chunk, season: Path, room: Path) -> DerivedChunk:
        # Comes to a worker by value: nothing from up here is there.
        import os  # noqa: PLC0415
        import signal  # noqa: PLC0415
        from pathlib import Path  # noqa: PLC0415

        from projections.season.loading.deriving import derive_chunk  # noqa: PLC0415

        found = derive_chunk(chunk, season, room) if is_done else None
        try:
            if once is not None:
                once.open("x").close()
            daemon = Path(f"/proc/{os.getppid()}/stat").read_text("utf-8")
            os.kill(int(daemon.rpartition(")")[2].split()[1]), signal.SIGKILL)
            signal.pause()
        except FileExistsError:
            pass
        return found or derive_chunk(chunk, season, room)

    return work


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_worker_that_dies_is_followed_by_another(
    spark: RunningSpark,
    logs: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_done: bool,  # noqa: FBT001 - as it is parametrized
) -> None:
    _derived(tmp_path / "alone", logs, Deriving(chunk_events=CHUNK_EVENTS, processes=1))
    died = tmp_path / "died"
    monkeypatch.setattr(spark_deriving, "derive_in_task", dying(died, is_done=is_done))
    by = in_tasks(spark.session.sparkContext)
    _derived(tmp_path / "tasks", logs, Deriving(chunk_events=CHUNK_EVENTS, by=by))
    assert died.exists()
    assert _files(tmp_path / "tasks") == _files(tmp_path / "alone")


def test_where_each_worker_dies_the_season_is_as_it_was(
    spark: RunningSpark, logs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = tmp_path / "season"
    _derived(season, logs[:1], Deriving(processes=1))
    before = _files(season)
    monkeypatch.setattr(spark_deriving, "derive_in_task", dying(None, is_done=True))
    with pytest.raises(StoreUnavailable, match="Spark stopped at deriving") as refused:
        _derived(season, logs[:2], Deriving(by=in_tasks(spark.session.sparkContext)))
    assert "\n" not in str(refused.value)
    assert _files(season) == before
    monkeypatch.undo()
    _derived(season, logs, Deriving(by=in_tasks(spark.session.sparkContext)))
    assert MANIFEST in _files(season)


def _derived(season: Path, logs: list[str], how: Deriving) -> None:
    derive(season, list(sources_of(logs)), silent, how)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
