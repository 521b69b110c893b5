"""Every named question against plain Python, on small random seasons."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import NotFound, Refused
from projections.season.asking import (
    Filters,
    answer,
    answer_in_part,
    narrow,
    prepare,
    question_named,
    write_parquet,
)
from projections.season.calibration import upsets_of
from projections.season.rating_tables import upset_rows
from projections.season.ratings import SYSTEMS, games_of, played_in
from projections.season.tables.database import open_season
from projections.season.tables.definitions import questions, sql
from tests.support.chance.random_seasons import day
from tests.support.examples import examples
from tests.support.question_logs import Log, sides
from tests.support.season import opened, silent, take_in, write_log
from tests.truth.question_truth import OF_WHOLE, TRUTHS

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from duckdb import DuckDBPyConnection

DAYS = 40
_NUMBER = count()

numbers = st.sets(st.integers(0, DAYS - 1), min_size=1, max_size=7)


def season_of(folder: Path, chosen: Collection[int]) -> Path:
    here = folder / str(next(_NUMBER))
    here.mkdir()
    logs = [write_log(here / f"{number:02}.jsonl", day(number)) for number in chosen]
    take_in(here / "season.duckdb", *logs)
    return here / "season.duckdb"


def same(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            if isinstance(other, float):
                assert one == pytest.approx(other, abs=1e-8), (mine, theirs)
            else:
                assert one == other, (mine, theirs)


def check(connection: DuckDBPyConnection, logs: list[Log], whole: list[Log] | None = None) -> None:
    for question in questions():
        name = question.name
        if name in TRUTHS or name in OF_WHOLE:
            found = answer(connection, question)
            assert [column.name for column in question.columns] == found.columns
            rows = found.rows
            first, count = answer_in_part(connection, question, "", 2)
            assert (first.rows, count) == (rows[:2], len(rows))
            if question.name == "schedule-luck":  # equal luck is equal up to rounding alone
                totals = [-1e9 if row[-1] is None else row[-1] for row in rows]
                assert all(a > b - 1e-6 for a, b in pairwise(totals))
                rows = sorted(rows)
            of_whole = OF_WHOLE.get(name)
            same(rows, of_whole(logs, whole or logs) if of_whole else TRUTHS[name](logs))


@pytest.mark.slow
@examples(10)
@given(chosen=numbers)
def test_every_question_on_random_seasons(tmp_path: Path, chosen: set[int]) -> None:
    with opened(season_of(tmp_path, chosen)) as connection:
        prepare(connection)
        check(connection, [Log(day(number)) for number in chosen])


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of all days."""
    return season_of(tmp_path_factory.mktemp("season"), range(DAYS))


@pytest.mark.slow
def test_every_question_on_a_long_season(everything: Path) -> None:
    logs = [Log(day(number)) for number in range(DAYS)]
    for name, truth in TRUTHS.items():
        assert len(truth(logs)) > 1, f"{name}: the season does not show it"
    with opened(everything) as connection:
        prepare(connection)
        check(connection, logs)


FILTERS = (
    Filters(ruleset="swiss"),
    Filters(tier="formal"),
    Filters(first="2026-02-16", last="2026-03-16"),
    Filters(ruleset="l5r", last="2026-04-30"),
)


@pytest.mark.slow
@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_a_filter_is_a_season_of_what_fits_alone(everything: Path, filters: Filters) -> None:
    def fits(log: Log) -> bool:
        words = filters.ruleset in {"", log.ruleset} and filters.tier in {"", log.tier}
        first, last = filters.first or "0001-01-01", filters.last or "9999-12-31"
        return words and first <= log.day.isoformat() <= last

    logs = [log for number in range(DAYS) if fits(log := Log(day(number)))]
    assert 0 < len(logs) < DAYS
    with opened(everything) as connection:
        prepare(connection)
        narrow(connection, filters)
        check(connection, logs, [Log(day(number)) for number in range(DAYS)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("filters", "told"),
    [
        (Filters(ruleset="l5"), "did you mean l5r?"),
        (Filters(tier="huge"), "known: formal, premier, relaxed"),
        (Filters(first="2027-01-01"), "it goes from 2026-01-"),
        (Filters(last="2025-01-01"), "to 2025-01-01"),
    ],
)
def test_a_filter_that_leaves_nothing_says_what_there_is(
    everything: Path, filters: Filters, told: str
) -> None:
    with opened(everything) as connection, pytest.raises(NotFound, match="the season") as refused:
        narrow(connection, filters)
    assert told in str(refused.value)


def test_one_person_against_everybody(everything: Path) -> None:
    person = f"{12:032x}"
    logs = [Log(day(number)) for number in range(DAYS)]
    expected = []
    for row in TRUTHS["head-to-head"](logs):
        one, other, games, wins, draws, losses, *days = row
        if person == one:
            expected.append(row)
        elif person == other:
            expected.append((other, one, games, losses, draws, wins, *days))
    expected.sort(key=lambda row: (-row[2], row[:2]))
    with opened(everything) as connection:
        prepare(connection)
        found = answer(connection, question_named("head-to-head"), person)
        assert found.rows == expected
        with pytest.raises(Refused, match="cannot be asked about one person"):
            answer(connection, question_named("byes"), person)


def test_an_attribute_in_the_place_of_the_faction(everything: Path, tmp_path: Path) -> None:
    """What is told of factions is told of the attribute, where it has the same words."""
    copied = tmp_path / "season.duckdb"
    copied.write_bytes(everything.read_bytes())
    asked = [question_named(name) for name in ("factions", "faction-matchups", "faction-trend")]
    with open_season(copied) as connection:
        prepare(connection)
        expected = [answer(connection, each).rows for each in asked]
        connection.execute(
            """UPDATE entrants SET faction = '', attributes = MAP {'it''s "{}"': faction}"""
        )
        with pytest.raises(NotFound, match="did you mean it's"):
            narrow(connection, Filters(by='attribute:it\'s "{"'))
        narrow(connection, Filters(by='it\'s "{}"'))
        found = [answer(connection, each).rows for each in asked]
    assert found == expected


def test_every_question_is_told_of_in_full() -> None:
    names = [question.name for question in questions()]
    assert set(names) == {*TRUTHS, *OF_WHOLE}
    for question in questions():
        columns = {column.name for column in question.columns}
        assert question.title
        assert question.answers.endswith(".")
        if plot := question.plot:
            named = {plot.x, plot.y, plot.also, plot.value, plot.low, plot.high, *plot.parts}
            assert named | {plot.color, plot.facet} <= columns | {""}


def test_a_wrong_name_gets_the_nearest() -> None:
    with pytest.raises(NotFound, match="did you mean factions"):
        question_named("faction")


def test_parquet_holds_the_same_rows_in_their_order(everything: Path, tmp_path: Path) -> None:
    file = tmp_path / "it's.parquet"
    with opened(everything) as connection:
        prepare(connection)
        question = question_named("schedule-luck")
        rows = answer(connection, question).rows
        assert write_parquet(connection, question, file) == len(rows) > 10
        found = connection.execute("FROM read_parquet(?)", [str(file)]).fetchall()
        with pytest.raises(Refused, match="cannot be written"):
            write_parquet(connection, question, tmp_path / "none" / "x.parquet")
    assert found == rows


def test_the_games_of_the_ratings(everything: Path) -> None:
    logs = [Log(day(number)) for number in range(DAYS)]
    expected = []
    for side in sides(logs):
        result = side.match.result
        assert result is not None
        letters = "".join(side.log.tournament.letters[each] for each in result.outcomes)
        if side.is_first and letters in {"WL", "LW", "DD"}:
            where = side.log.day, side.log.id, side.match.round, side.match.number
            persons = side.log.person(side.player), side.log.person(side.opponent)
            score = {"W": 1.0, "D": 0.5, "L": 0.0}[side.letter]
            expected.append((where, (side.log.day.toordinal(), *persons, score)))
    with opened(everything) as connection:
        found = games_of(connection, silent)
    assert [tuple(game) for game in found] == [game for _, game in sorted(expected)]
    assert date.fromordinal(found[0].day).year == 2026


def test_the_games_of_the_ratings_grow_with_the_season(everything: Path) -> None:
    """Each join has an equality: 333,000 entrants compared with each other fill a disk."""
    with opened(everything) as connection:
        rows = connection.execute(f"EXPLAIN {sql('tables/rated_games')}").fetchall()
    plan = "".join(text for _, text in rows)
    assert "Hash Join" in plan
    assert not [join for join in ("Nested Loop", "Cross Product", "Blockwise") if join in plan]


def plain_upsets(logs: list[Log]) -> list[tuple[Any, ...]]:
    """Won against the odds of an Elo that is written down here once more."""
    played = []
    for side in sides(logs):
        if side.is_first:
            log, match = side.log, side.match
            where = log.day, log.id, match.round, match.number
            persons = log.person(side.player), log.person(side.opponent)
            played.append((where, log.name, (side.letter, *persons)))
    ratings: dict[str, float] = {}
    games_before: Counter[str] = Counter()
    rows = []
    for place, ((held_on, _, number, _), name, (letter, one, other)) in enumerate(sorted(played)):
        lead = ratings.get(one, 1500.0) - ratings.get(other, 1500.0)
        chance = 1 / (1 + 10 ** (-lead / 400))
        score = {"W": 1.0, "D": 0.5, "L": 0.0}[letter]
        for person, beyond in ((one, score - chance), (other, chance - score)):
            factor = 48 if games_before[person] < 15 else 24
            ratings[person] = ratings.get(person, 1500.0) + factor * beyond
            games_before[person] += 1
        if score == 1.0 and chance < 0.5:
            rows.append((chance, place, (held_on, name, number, one, other, chance)))
        elif score == 0.0 and chance > 0.5:
            rows.append((1 - chance, place, (held_on, name, number, other, one, 1 - chance)))
    return [row for _, _, row in sorted(rows)]


def test_upsets_by_rating(everything: Path) -> None:
    logs = [log for n in range(DAYS) if (log := Log(day(n))).ruleset == "legion"]
    expected = plain_upsets(logs)
    assert len(expected) > 10
    with opened(everything) as connection:
        narrow(connection, Filters(ruleset="legion"))
        games = games_of(connection, silent)
        found = upsets_of(games, SYSTEMS["elo"].rate(games).expected)
        rows = upset_rows(found, games, played_in(connection, [each.place for each in found]))
    same(rows, expected)
