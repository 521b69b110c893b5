"""Groups of persons that are too small to be looked at one by one, where everybody reads.

A group below the least size is left out, and with it the smallest other one of its line where it is
the only one there: else what is left out is the line's sum minus what is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PERSONS_MIN = 5

_BY_MONTH = """
WITH entered AS (
    SELECT date_trunc('month', held_on)::DATE AS month, ruleset, faction,
        count(DISTINCT person) AS persons
    FROM entrants JOIN people USING (tournament, player) JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL
    GROUP BY ALL
),
played AS (
    SELECT date_trunc('month', held_on)::DATE AS month, ruleset, faction,
        count(DISTINCT person) AS persons
    FROM games WHERE faction != opponent_faction GROUP BY ALL
)
SELECT month, ruleset, faction, least(entered.persons, played.persons)
FROM entered LEFT JOIN played USING (month, ruleset, faction)
"""


class PersonGroup(NamedTuple):
    """A group of persons: how many they are, and the lines whose sums it is part of.

    `twin` is a group that says the same from the other side: either is shown with the other alone.
    """

    persons: int
    lines: tuple[Hashable, ...]
    twin: Hashable = None


class LeftOut(NamedTuple):
    """Which groups are not shown: those below the least size, and those that would tell of them."""

    small: frozenset[Hashable]
    further: frozenset[Hashable]


def left_out(cells: Mapping[Any, PersonGroup]) -> LeftOut:
    """Choose which groups are not shown."""
    small = {key for key, cell in cells.items() if _persons(cells, cell) < PERSONS_MIN}
    lines: dict[Hashable, list[Any]] = defaultdict(list)
    for key, cell in cells.items():
        for line in cell.lines:
            lines[line].append(key)
    hidden, waiting = set(small), list(lines)
    while waiting:
        keys = lines[waiting.pop()]
        if len(hidden.intersection(keys)) != 1:
            continue
        others = [key for key in keys if key not in hidden]
        if not others:
            continue
        least = min(others, key=lambda key: (_persons(cells, cells[key]), str(key)))
        for key in {least, cells[least].twin} & cells.keys():
            hidden.add(key)
            waiting += cells[key].lines
    return LeftOut(frozenset(small), frozenset(hidden - small))


def _persons(cells: Mapping[Any, PersonGroup], cell: PersonGroup) -> int:
    twin = cells.get(cell.twin)
    return min(cell.persons, twin.persons) if twin else cell.persons


def factions_left_out(rows: Iterable[Sequence[Any]]) -> LeftOut:
    """Of the factions, by game and faction."""
    return left_out({(row[0], row[1]): PersonGroup(row[4], (row[0],)) for row in rows})


def matchups_left_out(rows: Iterable[Sequence[Any]]) -> LeftOut:
    """Of the match-ups, by game, faction and opponent."""
    return left_out(
        {
            (game, one, other): PersonGroup(persons, ((game, one),), twin=(game, other, one))
            for game, one, other, persons, *_ in rows
        }
    )


def months_left_out(connection: DuckDBPyConnection) -> LeftOut:
    """Of the factions by month, by month, game and faction."""
    found = connection.execute(_BY_MONTH).fetchall()
    return left_out(
        {
            (month, game, faction): PersonGroup(persons or 0, ((month, game), (game, faction)))
            for month, game, faction, persons in found
        }
    )
