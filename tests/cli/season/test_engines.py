"""`stats --engine`: what is refused before anything starts, and runs as their user sees them."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from cli.season import spark_cluster
from cli.season.engines import is_spark
from cli.verbs.season import stats
from ledger.errors import StoreUnavailable
from projections.season.asking import AnswerTable, answer
from tests.support.chance.random_seasons import day
from tests.support.season import take_in, write_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from cli.season.spark_cluster import RunningSpark
    from projections.season.tables.definitions import Question
    from tests.support.cli_desk import Desk

Rows = list[tuple[Any, ...]]

TWO = "local[2]"


def needs_extra(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that is refused before any Java starts, but after the extra is looked for."""
    missing = any(find_spec(name) is None for name in ("pyspark", "sqlglot"))
    skipped = pytest.mark.skipif(missing, reason="the extra `spark` is not installed")
    marked: Callable[..., None] = pytest.mark.spark(skipped(test))
    return marked


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A season's file."""
    folder = tmp_path_factory.mktemp("season")
    take_in(folder / "season.duckdb", write_log(folder / "day.jsonl", day(4)))
    return (folder / "season.duckdb").read_bytes()


@pytest.fixture
def season(desk: Desk, made: bytes) -> Desk:
    (desk.folder / "season.duckdb").write_bytes(made)
    return desk


ENGINES = (
    "spark://cluster:7077",
    "spark://10.0.0.1:7077,[::1]:7078",
    "local",
    "local[*]",
    "local[16]",
    "local-cluster[2,1,1024]",
    "yarn",
    "k8s://https://cluster:443",
)


NONE = (
    *("spark", "spark://", "spark://host", "spark://a b:1", "SPARK://h:1", "spark://h:1;rm"),
    *("local[0]", "local[", "local[2]\n", "local-cluster[2,1]", "--conf", "sc://h:1", "sqlite"),
)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_spark_calls_a_master_is_an_engine(engine: str) -> None:
    assert is_spark(engine)
    assert not is_spark("duckdb")


@pytest.mark.parametrize("engine", NONE)
def test_what_is_no_engine(season: Desk, engine: str) -> None:
    answer = season.refused("stats", "factions", f"--engine={engine}")
    assert answer.code == 2
    assert "no engine" in answer.err
    assert answer.err.count("\n") == 1


@needs_extra
def test_an_engine_that_is_away(season: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    answer = season.refused("stats", "factions", "--engine", f"spark://127.0.0.1:{port}")
    assert answer.code == 4
    assert "does not answer (Connection refused)" in answer.err


@needs_extra
def test_no_java(season: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(season.folder / "nowhere"))
    answer = season.refused("stats", "factions", "--engine", TWO)
    assert answer.code == 4
    assert "Spark needs Java 17 or newer, but JAVA_HOME" in answer.err
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(season.folder))
    assert "no Java is installed here" in season.refused("stats", "factions", "--engine", TWO).err


@needs_extra
@pytest.mark.parametrize(
    ("says", "told"),
    [
        ('openjdk version "11.0.2" 2019-01-15', "is Java 11"),
        ('java version "1.8.0_201"', "is Java 8"),
        ("I am no Java", "does not report that it is Java"),
    ],
)
def test_java_of_another_version(
    season: Desk, monkeypatch: pytest.MonkeyPatch, says: str, told: str
) -> None:
    java = season.folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(season.folder))
    answer = season.refused("stats", "factions", "--engine", TWO)
    assert answer.code == 4
    assert told in answer.err


@pytest.mark.parametrize("missing", ["pyspark", "sqlglot"])
def test_the_extra_is_named_where_it_is_missing(
    season: Desk, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setitem(sys.modules, "pyspark" if missing == "sqlglot" else "sqlglot", sys)
    answer = season.refused("stats", "factions", "--engine", TWO)
    assert (
        f"needs {missing}, which is not installed: pip install 'tourney-ledger[spark]'"
        in answer.err
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--check",),
        ("--check", "--engine", "duckdb"),
        ("--check", "--engine", TWO, "--top", "3"),
        ("--check", "--engine", TWO, "--plot", "a.svg"),
        ("factions", "--workers-wait", "5"),
        ("factions", "--engine", TWO, "--workers-wait", "soon"),
        ("factions", "--engine", TWO, "--workers-wait", "0"),
    ],
)
def test_what_does_not_go_together(season: Desk, words: tuple[str, ...]) -> None:
    assert season.refused("stats", *words).code == 2


class NoWorkers:
    """A context of Spark whose master has no worker: only this program is there."""

    @property
    def _jsc(self) -> NoWorkers:
        return self

    def sc(self) -> NoWorkers:
        """Return what Java has of the context."""
        return self

    def getExecutorMemoryStatus(self) -> NoWorkers:  # noqa: N802 - Java's name
        """Return whose memory is known."""
        return self

    def size(self) -> int:
        """Return of how many."""
        return 1


def test_a_master_without_a_worker_is_given_up() -> None:
    waiting: Any = NoWorkers()
    with pytest.raises(StoreUnavailable, match=r"within 1 seconds.*--workers-wait") as refused:
        spark_cluster._wait_for_workers(waiting, "spark://cluster:7077", 1)
    assert "\n" not in str(refused.value)
    spark_cluster._wait_for_workers(waiting, TWO, 1)


def test_nothing_says_spark_where_duckdb_answers(season: Desk) -> None:
    asked = ("stats", "factions", "--json")
    assert season.done(*asked).out == season.done(*asked, "--engine", "duckdb").out


def test_runs_as_their_user_sees_them(
    season: Desk, spark: RunningSpark, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In processes of their own: nothing of Spark's is seen, and nothing of it stays."""
    assert spark.scratch.is_dir()
    room = season.folder / "tmp"
    room.mkdir()
    monkeypatch.setenv("TMPDIR", str(room))
    before = {path.name for path in season.folder.iterdir()}
    asked = ("stats", "outcomes", "--csv")
    mine, theirs = (_ran(season.folder, *asked, *more) for more in ((), ("--engine", TWO)))
    assert mine.stdout == theirs.stdout
    assert theirs.stderr == mine.stderr
    checked = _ran(season.folder, "stats", "outcomes", "--check", "--engine", TWO)
    assert checked.returncode == 0
    assert "the same" in checked.stdout
    assert checked.stderr == f"1 question answered by duckdb and {TWO}: the same rows\n"
    assert {path.name for path in season.folder.iterdir()} == before
    assert not list(room.iterdir())


def _ran(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


class OtherEngine:
    """One that loses a row, or says another number."""

    def __init__(self, connection: DuckDBPyConnection, change: Callable[[Rows], Rows]) -> None:
        self._connection, self._change = connection, change

    def answer(self, question: Question, person: str = "") -> AnswerTable:
        """Answer, but not quite."""
        found = answer(self._connection, question, person)
        return AnswerTable(found.columns, self._change(found.rows))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rows: rows[:-1], "rows here, "),
        (lambda rows: [(*rows[0][:-1], 0.125), *rows[1:]], "0.125 there"),
        (lambda rows: rows[::-1], ""),
        (lambda rows: [(*row[:-1], row[-1] and row[-1] * (1 + 1e-12)) for row in rows], ""),
        (lambda rows: [(*row[:-1], row[-1] and row[-1] * (1 + 1e-8)) for row in rows], "there"),
        (lambda rows: [(row[0], float(row[1]), *row[2:]) for row in rows], "there"),
    ],
)
def test_a_difference_is_named(
    season: Desk, monkeypatch: pytest.MonkeyPatch, change: Callable[[Rows], Rows], told: str
) -> None:
    @contextmanager
    def other(
        _name: str, _place: Path, connection: DuckDBPyConnection, *_: object, **__: object
    ) -> Iterator[OtherEngine]:
        yield OtherEngine(connection, change)

    monkeypatch.setattr(stats, "engine_at", other)
    found = season.type("stats", "byes", "--check", "--engine", TWO, "--json")
    assert found.code == bool(told)
    (record,) = found.json
    assert (told in record["difference"]) if told else record["difference"] is None
