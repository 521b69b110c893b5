"""Every named question against plain Python over the rows that it reads, on odd and real seasons.

`tests/truth/season_answers` computes each answer from what its header and INTERVALS.md define.
`test_truth.py` compares the rows themselves with the logs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.exchange import Details
from ledger.store import open_store
from projections.season.asking import (
    Filters,
    answer,
    answer_in_part,
    narrow,
    prepare,
    question_named,
)
from projections.season.tables.database import open_season
from projections.season.tables.definitions import questions
from projections.standings.table import ranking
from tests.support.chance.odd_rows import fill_oddly
from tests.support.chance.random_seasons import season_of_days
from tests.support.examples import seeds
from tests.support.files.imports import import_file
from tests.support.paths import ROOT
from tests.support.sample_season import season as sample_season
from tests.support.season import opened, take_in, write_log
from tests.support.shared import SHARED, needs_shared
from tests.truth.season_answers.answers import (
    ANSWERS,
    OF_WHOLE,
    compared,
    in_order,
    outside,
)
from tests.truth.season_answers.people_answers import head_to_head
from tests.truth.season_answers.season_rows import Row, SeasonRows, chosen, read_rows

QUESTIONS = questions()
NAMES = [question.name for question in QUESTIONS]
DAYS = 40


class Asked(NamedTuple):
    """A season open to be asked, and its rows."""

    connection: Any
    whole: SeasonRows


def check(asked: Asked, name: str, season: SeasonRows | None = None) -> int:
    """Compare the answers to one question; return how many values were compared."""
    question = question_named(name)
    found = answer(asked.connection, question)
    assert found.columns == [column.name for column in question.columns]
    expected = outside(name, season or asked.whole, asked.whole)
    assert in_order(name, found.columns, found.rows)
    part, count = answer_in_part(asked.connection, question, "", 2)
    assert (part.rows, count) == (found.rows[:2], len(found.rows))
    return compared(name, found.rows, expected)


@contextmanager
def _asked(path: Path) -> Iterator[Asked]:
    with opened(path) as connection:
        whole = read_rows(connection)
        prepare(connection)
        yield Asked(connection, whole)


@pytest.mark.parametrize("name", NAMES)
def test_every_question_is_computed_outside(name: str) -> None:
    assert name in {**ANSWERS, **OF_WHOLE}, f"{name} needs a function in tests/truth/season_answers"


def test_every_computation_is_of_a_question() -> None:
    assert {**ANSWERS, **OF_WHOLE}.keys() == set(NAMES)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The sample logs."""
    path = tmp_path_factory.mktemp("samples") / "season.duckdb"
    logs = (ROOT / "sample_logs").glob("[de]*/**/*.jsonl")
    take_in(path, *sorted(logs))
    with _asked(path) as asked:
        yield asked


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_logs(samples: Asked, name: str) -> None:
    check(samples, name)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The season of forty simulated tournaments."""
    folder = tmp_path_factory.mktemp("sample")
    logs = [write_log(folder / name, lines) for name, lines in sample_season().items()]
    take_in(folder / "season.duckdb", *logs)
    with _asked(folder / "season.duckdb") as asked:
        yield asked


@pytest.mark.slow
@pytest.mark.xdist_group("sample_season")
@pytest.mark.parametrize("name", NAMES)
def test_the_sample_season(sample: Asked, name: str) -> None:
    assert check(sample, name) > len(question_named(name).columns)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """Tournaments that other programs published, a fortnight apart."""
    folder = tmp_path_factory.mktemp("real")
    with open_store(str(folder / "tourney.db")) as store:
        for number, path in enumerate(sorted((SHARED / "real").rglob("*.json"))):
            day = date(2026, 1 + number // 2, 1 + 14 * (number % 2))
            import_file(store, path, ranking=ranking, details=Details("", date=day.isoformat()))
    take_in(folder / "season.duckdb", folder / "tourney.db")
    with _asked(folder / "season.duckdb") as asked:
        yield asked


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_published_tournaments(real: Asked, name: str) -> None:
    check(real, name)


@pytest.fixture(scope="module")
def long_season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of random days, in which some persons were merged."""
    path = season_of_days(tmp_path_factory.mktemp("days"), DAYS)
    with open_season(path) as connection:
        connection.execute(
            "UPDATE people SET person = replace(person, 'd', 'e') "
            "WHERE known AND right(person, 2) = '0d'"
        )
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_random_days(long_season: Path, name: str) -> None:
    with _asked(long_season) as asked:
        assert check(asked, name) > len(question_named(name).columns)


FILTERS: Mapping[str, tuple[Filters, Callable[[Row], bool]]] = {
    "ruleset": (Filters(ruleset="swiss"), lambda row: row["ruleset"] == "swiss"),
    "tier": (Filters(tier="formal"), lambda row: row["tier"] == "formal"),
    "from and to": (
        Filters(first="2026-02-16", last="2026-03-16"),
        lambda row: date(2026, 2, 16) <= row["held_on"] <= date(2026, 3, 16),
    ),
    "ruleset and to": (
        Filters(ruleset="l5r", last="2026-04-30"),
        lambda row: row["ruleset"] == "l5r" and row["held_on"] <= date(2026, 4, 30),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", FILTERS)
def test_a_filter_chooses_tournaments(long_season: Path, which: str) -> None:
    filters, fits = FILTERS[which]
    with _asked(long_season) as asked:
        narrow(asked.connection, filters)
        season = chosen(asked.whole, fits)
        assert 0 < len(season["tournaments"]) < DAYS
        for name in NAMES:
            check(asked, name, season)


@pytest.mark.slow
def test_one_person_against_the_others(long_season: Path) -> None:
    with _asked(long_season) as asked:
        persons = {*asked.whole.person.values()}
        question = question_named("head-to-head")
        for person in persons:
            found = answer(asked.connection, question, person).rows
            compared("head-to-head", found, head_to_head(asked.whole, person))


@pytest.mark.parametrize("seed", seeds(12))
def test_random_rows(tmp_path: Path, seed: int) -> None:
    """Merged persons, tournaments of one day or of none, and whatever else rows can hold."""
    drawn = random.Random(seed)
    with open_season(tmp_path / "season.duckdb", create=True) as connection:
        fill_oddly(connection, drawn)
        asked = Asked(connection, read_rows(connection))
        prepare(connection)
        for name in NAMES:
            check(asked, name)
        for person in drawn.sample(sorted({*asked.whole.person.values()}), 1):
            found = answer(connection, question_named("head-to-head"), person).rows
            compared("head-to-head", found, head_to_head(asked.whole, person))
        tier = drawn.choice(asked.whole["tournaments"])["tier"]
        by = "deck" if any(row["attributes"] for row in asked.whole["entrants"]) else ""
        narrow(connection, Filters(tier=tier, by=by))
        season = chosen(asked.whole, lambda row: row["tier"] == tier, by)
        for name in NAMES:
            check(asked, name, season)
