"""Every question on a Spark of two workers gives what DuckDB gives, over a file and a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from ledger.errors import InvalidLog, Refused, StoreUnavailable
from projections.season.asking import (
    Filters,
    answer,
    answer_in_part,
    answer_of_groups,
    difference,
    narrow,
    prepare,
    question_named,
)
from projections.season.grouping import groups
from projections.season.loading.deriving import Deriving, derive
from projections.season.loading.manifest import ListedAlias, read_manifest
from projections.season.loading.sources import sources_of
from projections.season.loading.spark_deriving import in_tasks
from projections.season.spark import SeasonFiles, SparkSeason, files_of, size_of, tables_read
from projections.season.tables.database import FORMAT, open_season
from projections.season.tables.definitions import Question, questions
from tests.support.chance.random_seasons import day
from tests.support.season import silent, take_in, write_log

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cli.season.spark_cluster import RunningSpark

DAYS = 24
BY_GROUP = ("factions", "attendance", "corrections", "rulings")
"""One that reads groups, and one for each way in which rows belong to a group."""

HALF, LABEL = 'it\'s \\ "half"', "two\nlines \\n '{}' $group \u202e\u05e2"
"""An attribute and a label that are data wherever they stand."""

FILTERS = (
    Filters(ruleset="l5r"),
    Filters(tier="formal", last="2026-04-30"),
    Filters(ruleset="swiss", by="clan"),
)


class TwoPlaces(NamedTuple):
    """One season, as a file and as a folder."""

    file: Path
    folder: Path


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> TwoPlaces:
    """In the folder two pseudonyms are one person, and chunks are of few logs."""
    at = tmp_path_factory.mktemp("seasons")
    logs = [write_log(at / f"{number:02}.jsonl", day(number)) for number in range(DAYS)]
    take_in(at / "season.duckdb", *logs)
    with open_season(at / "season.duckdb", read_only=True) as connection:
        known = connection.execute(
            "SELECT DISTINCT person FROM people WHERE known ORDER BY person LIMIT 2"
        ).fetchall()
    one, other = (person for (person,) in known)
    with open_season(at / "season.duckdb") as connection:
        connection.execute(
            "UPDATE entrants SET attributes = map(['clan', $half], "
            "[faction || player % 3, CASE player % 3 WHEN 0 THEN 'A' WHEN 1 THEN $label "
            "ELSE '(sealed)' END])",
            {"half": HALF, "label": LABEL},
        )
    how = Deriving(aliases=(ListedAlias("", one, other),), chunk_events=600, processes=1)
    derive(at / "season", list(sources_of(map(str, logs))), silent, how)
    return TwoPlaces(at / "season.duckdb", at / "season")


class BothEngines:
    """A season as two engines see it."""

    def __init__(
        self,
        spark: RunningSpark,
        place: Path,
        filters: Filters,
        folded: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.here = open_season(place, read_only=True)
        prepare(self.here)
        narrow(self.here, filters, folded)
        read = tables_read(questions(), by_group=bool(filters.by))
        files = files_of(place, self.here, read, spark.scratch)
        self.there = SparkSeason(spark.session, files, filters, folded)

    def agree(self, question: Question, person: str = "") -> int:
        """Compare an answer, and return how many rows it has."""
        mine = answer(self.here, question, person).rows
        theirs = self.there.answer(question, person).rows
        assert not difference(question.columns, mine, theirs)
        return len(mine)


@pytest.fixture(scope="module")
def both(spark: RunningSpark, places: TwoPlaces) -> Iterator[BothEngines]:
    opened = BothEngines(spark, places.folder, Filters())
    yield opened
    opened.here.close()


@pytest.mark.parametrize("question", questions(), ids=lambda each: each.name)
def test_two_engines_give_the_same_rows(both: BothEngines, question: Question) -> None:
    assert both.agree(question) > 1


def test_a_person_and_the_first_rows(both: BothEngines) -> None:
    question = question_named("head-to-head")
    mine, count = answer_in_part(both.here, question, "", 5)
    theirs, there = both.there.answer_in_part(question, "", 5)
    assert (mine, count) == (theirs, there)
    assert 0 < both.agree(question, str(mine.rows[0][0])) < count
    assert both.agree(question, "o'nobody") == 0


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_a_filter_narrows_both_alike(
    spark: RunningSpark, places: TwoPlaces, filters: Filters
) -> None:
    both = BothEngines(spark, places.file, filters)
    for name in ("attendance", "retention", "cut-conversion"):
        assert both.agree(question_named(name)) > 0
    both.here.close()


def test_groups_are_the_same_by_both(spark: RunningSpark, places: TwoPlaces) -> None:
    """Questions with groups in them, and others asked of each group; small ones as one."""
    filters = Filters(by=HALF)
    both = BothEngines(spark, places.file, filters, [("l5r", LABEL)])
    for question in map(question_named, BY_GROUP):
        if groups.reads_groups(question):
            assert both.agree(question) > 0, question.name
            continue
        mine = answer_of_groups(both.here, question, HALF, folded=True)
        theirs = both.there.answer_of_groups(question)
        columns = groups.of_each_group(question).columns
        assert not difference(columns, mine.rows, theirs.rows)
        assert {row[0] for row in mine.rows} == {"A", LABEL, "other"}, question.name
    both.here.close()


def test_what_spark_cannot_answer_is_one_line(both: BothEngines) -> None:
    asked = question_named("rulings")
    odd = Question(
        asked.title, asked.answers, asked.columns, select="SELECT huh(1) AS a", order="a"
    )
    with pytest.raises(Refused, match="Spark cannot answer") as refused:
        both.there.answer(odd)
    assert "\n" not in str(refused.value)
    failing = Question(
        asked.title, asked.answers, asked.columns, select="SELECT 1 / 0 AS a", order="a"
    )
    with pytest.raises(StoreUnavailable, match="Spark stopped at") as refused_later:
        both.there.answer(failing)
    assert "\n" not in str(refused_later.value)


def test_a_part_that_is_gone_is_one_line(spark: RunningSpark, tmp_path: Path) -> None:
    gone = SeasonFiles({"tournaments": [str(tmp_path / "gone.parquet")]})
    with pytest.raises((Refused, StoreUnavailable), match=r"gone\.parquet") as refused:
        SparkSeason(spark.session, gone, Filters())
    assert "\n" not in str(refused.value)


def test_tasks_give_the_parts_of_processes(
    spark: RunningSpark, places: TwoPlaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, and where a log has grown; the logs are named from the folder in hand."""
    monkeypatch.chdir(places.file.parent)
    logs = [f"{number:02}.jsonl" for number in range(8)]
    by = in_tasks(spark.session.sparkContext)
    (tmp_path / "begun").mkdir()
    begun = write_log(tmp_path / "begun" / "00.jsonl", day(0)[:30])
    for name, how in (("tasks", by), ("processes", None)):
        terms = Deriving(by=how, chunk_events=150, processes=1)
        for given in ([str(begun)], logs[:5], logs):
            derive(tmp_path / name, list(sources_of(given)), silent, terms)
    assert _files(tmp_path / "tasks") == _files(tmp_path / "processes")
    assert len(read_manifest(tmp_path / "tasks", FORMAT).chunks) > 2


def test_a_wrong_log_is_named_by_a_task(spark: RunningSpark, tmp_path: Path) -> None:
    lines = list(day(3))
    wrong = write_log(tmp_path / "wrong.jsonl", [*lines[:-1], lines[-2]])
    how = Deriving(by=in_tasks(spark.session.sparkContext))
    with pytest.raises(InvalidLog, match=r"wrong\.jsonl") as refused:
        derive(tmp_path / "season", list(sources_of([str(wrong)])), silent, how)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "season").exists()


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.suffix in {".parquet", ".json"}
    }


@pytest.mark.slow
def test_the_size_of_a_season(places: TwoPlaces) -> None:
    parts = sum(path.stat().st_size for path in places.folder.glob("*/*/*.parquet"))
    assert size_of(places.folder) == parts > 0
    assert size_of(places.file) == places.file.stat().st_size
