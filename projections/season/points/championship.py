"""The season's standings by a points scheme: whose results count, and for how much.

Reading of a scheme: a disqualified entrant gets nothing, not even for taking part. Who is not
known to the league (no pseudonym in the log) is in no season. Equal points are decided by the best
counted result, then the second best, and so on; who is equal in all of them shares a rank.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from projections.season.points.scheme import Scheme
from projections.season.tables.definitions import sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class SeasonResult(Struct, frozen=True, order=True):
    """What a person has from one tournament, and whether it counts among the best."""

    held_on: str
    tournament: str
    place: int
    entrants: int
    points: int
    counts: bool = False


class SeasonRow(Struct, frozen=True):
    """A person's place in the season; results by date."""

    rank: int
    person: str
    points: int
    tournaments: int
    qualified: bool
    results: tuple[SeasonResult, ...]


class Championship(Struct, frozen=True):
    """The season's table, and how many entrants were left out for want of a pseudonym."""

    rows: list[SeasonRow]
    unknown: int


def championship(connection: DuckDBPyConnection, scheme: Scheme, at: str = "") -> Championship:
    """Rank everybody known to the league by finished tournaments, as of a day (default: all).

    Reads the tables `tournaments`, `entrants` and `people` of the connection's schema.
    """
    last = min(at or scheme.ends, scheme.ends)
    found = connection.execute(
        sql("tables/championship"),
        {"first": scheme.begins, "last": last, "rulesets": list(scheme.rulesets)},
    ).fetchall()
    results: dict[str, dict[str, SeasonResult]] = {}
    unknown = 0
    for person, known, tournament, held_on, tier, entrants, place in found:
        if not scheme.weight(tier):
            continue
        if not known:
            unknown += 1
            continue
        points = scheme.worth(tier, entrants, place)
        result = SeasonResult(str(held_on), tournament, place, entrants, points)
        # One who was merged after playing twice in one tournament has the better result.
        results.setdefault(person, {}).setdefault(tournament, result)
    rows = [_row(person, sorted(had.values()), scheme) for person, had in results.items()]
    return Championship(_ranked(rows, scheme.qualify), unknown)


def _row(person: str, results: list[SeasonResult], scheme: Scheme) -> SeasonRow:
    best = sorted(results[: scheme.of], key=lambda each: (-each.points, each))[: scheme.best]
    marked = tuple(replace(each, counts=each in best) for each in results)
    total = sum(each.points for each in best)
    return SeasonRow(0, person, total, len(results), qualified=False, results=marked)


def _ranked(rows: Iterable[SeasonRow], qualify: int) -> list[SeasonRow]:
    ordered = sorted(rows, key=lambda row: (_strength(row), row.person))
    ranked: list[SeasonRow] = []
    for _, equals in groupby(ordered, key=_strength):
        rank = len(ranked) + 1
        ranked += [replace(each, rank=rank, qualified=rank <= qualify) for each in equals]
    return ranked


def _strength(row: SeasonRow) -> tuple[int, ...]:
    """Less is better: the points, then the counted results from the best."""
    counted = sorted(-each.points for each in row.results if each.counts and each.points)
    return (-row.points, *counted)
