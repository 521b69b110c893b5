"""Groups as readers see them: small ones folded into one, and what a game can be grouped by.

A group of fewer persons than the least size is folded into "other", by the persons who entered with
it and by those of them who played against other groups, if any did. If that would be one group alone, or still fewer
persons, the next smallest group goes along: else the group that is folded would be known by name.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from projections.season.asking import Filters, narrow
from projections.season.for_readers import PERSONS_MIN
from projections.season.grouping import groups

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Label = tuple[str, str]
"""A group by its game and its label."""

_PERSONS = """
WITH entered AS (
    SELECT ruleset, faction, count(DISTINCT person) AS persons
    FROM entrants JOIN people USING (tournament, player) JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn' AND faction != ''
    GROUP BY ALL
),
played AS (
    SELECT ruleset, faction, count(DISTINCT person) AS persons
    FROM games WHERE faction != opponent_faction AND '' NOT IN (faction, opponent_faction)
    GROUP BY ALL
)
SELECT ruleset, faction, least(entered.persons, coalesce(played.persons, entered.persons))
FROM entered LEFT JOIN played USING (ruleset, faction)
"""


def folded(connection: DuckDBPyConnection, filters: Filters) -> list[Label]:
    """Narrow a connection, with its small groups folded, and list them by game and label.

    Raises:
        NotFound: as `narrow`.
    """
    small: set[Label] = set()
    while True:
        narrow(connection, filters, sorted(small))
        persons = {(game, label): count for game, label, count in _persons(connection)}
        more = _too_small(persons, small)
        if not more:
            return sorted(small)
        small |= more


def _persons(connection: DuckDBPyConnection) -> list[tuple[str, str, int]]:
    return connection.execute(_PERSONS).fetchall()


def _too_small(persons: dict[Label, int], small: set[Label]) -> set[Label]:
    """Return the groups that must be folded next, in addition to the folded ones."""
    games = {game for game, _ in small}
    counts = {
        label: count
        for label, count in persons.items()
        if label[1] != groups.OTHER or label[0] not in games
    }
    more = {label for label, count in counts.items() if count < PERSONS_MIN}
    if more:
        return more
    for game in games:
        is_alone = sum(of_game == game for of_game, _ in small) == 1
        candidates = [label for label in counts if label[0] == game]
        if candidates and (is_alone or persons.get((game, groups.OTHER), 0) < PERSONS_MIN):
            more.add(min(candidates, key=lambda label: (counts[label], label)))
    return more


class SeenGroups(NamedTuple):
    """Kind of groups, the folded groups, and the number of entries with a label.

    `shown` are the labels of the groups that are left; without one there is nothing to compare.
    """

    by: str
    small: list[Label]
    shown: list[str]
    given: groups.EntriesGiven
    rules: list[str]
    """Digests of the archetype files by which the groups are named."""

    @property
    def name(self) -> str:
        """Return the displayed name of the kind of groups."""
        return groups.name_of(self.by)


def see_groups(connection: DuckDBPyConnection, filters: Filters) -> SeenGroups:
    """Narrow a connection, with its small groups folded, and return the groups that it sees.

    Raises:
        NotFound: as `narrow`.
    """
    small = folded(connection, filters)
    labels = {label for (label,) in connection.execute(groups.LABELS).fetchall()}
    games = {game for game, _ in small}
    labels_left = sorted(labels - {groups.OTHER} if games else labels)
    entries, rules = (
        groups.given_by(connection, filters.by),
        groups.rules_of(connection, filters.by),
    )
    return SeenGroups(filters.by, small, labels_left, entries, rules)


@contextmanager
def seen_in_groups(
    connection: DuckDBPyConnection, ruleset: str, by: str = groups.FACTION
) -> Iterator[SeenGroups]:
    """Let a connection see one game in groups, small ones folded; afterwards the whole season."""
    try:
        yield see_groups(connection, Filters(ruleset=ruleset, by=by))
    finally:
        narrow(connection, Filters())


_GIVEN = """
SELECT name, label, count(*) AS entries, count(DISTINCT person) AS persons
FROM (
    SELECT person, unnest(map_keys(attributes)) AS name, unnest(map_values(attributes)) AS label
    FROM entrants JOIN people USING (tournament, player) JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn' AND ruleset = $ruleset
)
WHERE regexp_matches(label, $seen) AND NOT list_contains($closed, label)
GROUP BY ALL
"""
COMPARED_MIN = 2
"""Minimum number of groups of the least size, for an attribute that is shown unasked."""

ENTRIES_A_LABEL = 3
"""Minimum number of entries a label in the mean: an attribute with fewer is a name or a number."""


def ways_to_group(connection: DuckDBPyConnection, ruleset: str) -> list[str]:
    """List what the entrants of a game are grouped by if nothing is asked for.

    That is the faction if an entrant has one, else each attribute that can group: with two groups
    of the least size or more, and with several entries a label. Empty: nothing can.
    """
    has_factions = connection.execute(
        "SELECT count(*) FROM entrants JOIN tournaments USING (tournament) "
        "WHERE ruleset = ? AND faction != '' AND status IS DISTINCT FROM 'withdrawn'",
        [ruleset],
    ).fetchone()
    if has_factions and has_factions[0]:
        return [groups.FACTION]
    parameters = {
        "ruleset": ruleset,
        "seen": groups.SEEN,
        "closed": list(groups.NOT_DISCLOSED),
    }
    by_name: dict[str, list[tuple[int, int]]] = {}
    for name, _, entries, persons in connection.execute(_GIVEN, parameters).fetchall():
        by_name.setdefault(name, []).append((entries, persons))
    return [
        f"{groups.ATTRIBUTE}{name}"
        for name, labels in sorted(by_name.items())
        if not name.endswith((groups.ALSO, groups.RULES))
        if sum(persons >= PERSONS_MIN for _, persons in labels) >= COMPARED_MIN
        if sum(entries for entries, _ in labels) >= ENTRIES_A_LABEL * len(labels)
    ]
