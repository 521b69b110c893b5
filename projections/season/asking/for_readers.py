"""What readers of a season see beside the named questions: events, final places, persons, records.

Rows as tuples, with pseudonyms alone; their order is one for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

RECORDS_MAX = 10

_LISTED = """
SELECT tournament, name, held_on, tier, ruleset, entrants, rounds, size, finished, signed_size,
    signed_by, by_policy
FROM tournaments ORDER BY held_on, name, tournament
"""
_EVENTS = """
SELECT tournament, name, held_on, tier, ruleset, entrants, rounds, size, root, finished,
    signed_size, signed_by, by_policy, reason AS unsigned_reason
FROM tournaments LEFT JOIN unsigned_logs USING (tournament)
ORDER BY held_on DESC NULLS LAST, name, tournament
"""
_PLACES = """
WITH last AS (
    SELECT tournament, player, arg_max(place, round) AS place FROM standings GROUP BY ALL
),
played AS (
    SELECT tournament, player, count(*) AS games,
        count(*) FILTER (record = 'W') AS wins, count(*) FILTER (record = 'D') AS draws
    FROM games GROUP BY ALL
)
SELECT tournament, CASE WHEN finished THEN final_place ELSE last.place END AS place, person,
    coalesce(games, 0) AS games, coalesce(wins, 0) AS wins, coalesce(draws, 0) AS draws
FROM entrants
JOIN people USING (tournament, player)
JOIN tournaments USING (tournament)
LEFT JOIN last USING (tournament, player)
LEFT JOIN played USING (tournament, player)
WHERE status IS DISTINCT FROM 'withdrawn'
ORDER BY tournament, place NULLS LAST, player
"""
_PERSONS = """
WITH there AS (
    SELECT person, count(DISTINCT tournament) AS events, min(final_place) AS best,
        count(DISTINCT tournament) FILTER (final_place = 1) AS won, max(held_on) AS last_day
    FROM people JOIN entrants USING (tournament, player) JOIN tournaments USING (tournament)
    WHERE known AND status IS DISTINCT FROM 'withdrawn' GROUP BY person
),
played AS (
    SELECT person, count(*) AS games, count(*) FILTER (record = 'W') AS wins,
        count(*) FILTER (record = 'D') AS draws
    FROM games GROUP BY person
)
SELECT person, events, won, best, coalesce(games, 0) AS games, coalesce(wins, 0) AS wins,
    coalesce(draws, 0) AS draws, last_day
FROM there LEFT JOIN played USING (person)
ORDER BY person
"""
_RUNS = """
WITH numbered AS (
    SELECT person, record, held_on,
        row_number() OVER own - row_number() OVER (
            PARTITION BY person, ruleset, record = 'W' ORDER BY held_on, tournament, round, match
        ) AS run, ruleset
    FROM games JOIN (SELECT DISTINCT person FROM people WHERE known) USING (person)
    WINDOW own AS (PARTITION BY person, ruleset ORDER BY held_on, tournament, round, match)
)
SELECT person, ruleset, count(*) AS games, min(held_on) AS first, max(held_on) AS last
FROM numbered WHERE record = 'W'
GROUP BY person, ruleset, run ORDER BY games DESC, first, person LIMIT {most}
"""


class WinningRun(NamedTuple):
    """Games of one kind that somebody won in a row."""

    person: str
    ruleset: str
    wins: int
    first: Any  # a day, or none
    last: Any  # a day, or none


class SeasonEvent(NamedTuple):
    """A tournament of the season, and what its log is known by."""

    tournament: str
    name: str
    held_on: Any  # a day, or none
    tier: str
    ruleset: str
    entrants: int
    rounds: int
    size: int
    root: str
    finished: bool
    signed_size: int
    signed_by: str | None
    by_policy: bool
    unsigned_reason: str | None = None


class EventPlace(NamedTuple):
    """Where a person ended in a tournament, or stands so far; no place: none is decided."""

    tournament: str
    place: int | None
    person: str
    games: int
    wins: int
    draws: int


class SeasonPerson(NamedTuple):
    """What somebody whom the league knows has played in the season."""

    person: str
    events: int
    won: int
    best: int | None
    games: int
    wins: int
    draws: int
    last_day: Any  # a day, or none


def listed(connection: DuckDBPyConnection) -> list[dict[str, Any]]:
    """List the tournaments as records, in the order of their days."""
    found = connection.execute(_LISTED)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def events_of(connection: DuckDBPyConnection) -> list[SeasonEvent]:
    """Every tournament, the newest first."""
    return [SeasonEvent(*row) for row in connection.execute(_EVENTS).fetchall()]


def places_of(connection: DuckDBPyConnection) -> list[EventPlace]:
    """Every entrant's place, by tournament."""
    return [EventPlace(*row) for row in connection.execute(_PLACES).fetchall()]


def persons_seen(connection: DuckDBPyConnection) -> list[SeasonPerson]:
    """Everybody whom the league knows by a pseudonym."""
    return [SeasonPerson(*row) for row in connection.execute(_PERSONS).fetchall()]


def everybody(connection: DuckDBPyConnection) -> list[str]:
    """Every person, guests too."""
    found = connection.execute("SELECT DISTINCT person FROM people ORDER BY person").fetchall()
    return [person for (person,) in found]


def longest_runs(connection: DuckDBPyConnection) -> list[WinningRun]:
    """The longest runs of wins of persons of the league."""
    found = connection.execute(_RUNS.format(most=RECORDS_MAX)).fetchall()
    return [WinningRun(*row) for row in found]
