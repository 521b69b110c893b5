"""The details of tournaments for their readers: rounds, standings with the reason of each place.

Also corrections of results, and how many rulings and penalties cite each clause. Nothing has a
name or a text of the log; an entrant is the number in the tournament.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.problems import marked
from projections.season.for_readers import PERSONS_MIN, PersonGroup, left_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection

AT_ONCE = 200
"""Number of tournaments whose details are read at once."""

_GAMES = """
SELECT tournament, m.stage, m.round, table_number, m.match, m.player1, m.player2, outcome1,
    points1, points2, record1, manner, coalesce(corrections, 0) AS corrections
FROM matches m LEFT JOIN results r USING (tournament, match)
WHERE tournament IN (SELECT unnest($some)) AND NOT void
ORDER BY tournament, m.round, table_number, m.match
"""
_STANDINGS = """
WITH last AS (
    SELECT tournament, stage, max(round) AS round FROM standings
    WHERE tournament IN (SELECT unnest($some)) GROUP BY ALL
)
SELECT tournament, stage, player, place, points, tiebreakers
FROM standings JOIN last USING (tournament, stage, round) ORDER BY tournament, stage, place
"""
_ENTRANTS = """
SELECT tournament, player, person, faction, status, random_rank, last_stage, final_place
FROM entrants JOIN people USING (tournament, player)
WHERE status IS DISTINCT FROM 'withdrawn' AND tournament IN (SELECT unnest($some))
ORDER BY tournament, player
"""
_STAGES = """
SELECT tournament, stage, kind FROM stages WHERE tournament IN (SELECT unnest($some))
ORDER BY tournament, stage
"""
_SEEDS = """
SELECT tournament, stage, player, seed FROM cuts
WHERE seed IS NOT NULL AND tournament IN (SELECT unnest($some)) ORDER BY ALL
"""
_CORRECTIONS = """
SELECT tournament, c.seq, c.round, table_number, m.player1, m.player2, outcome1_before,
    points1_before, points2_before, outcome1, c.points1, c.points2, after_close, after_finish
FROM corrections c JOIN matches m USING (tournament, match)
WHERE tournament IN (SELECT unnest($some)) ORDER BY tournament, c.seq
"""
_RULED = """
SELECT tournament, 'ruling' AS kind, clause, count(*) AS count, count(reviewed_by) AS reviewed
FROM rulings WHERE tournament IN (SELECT unnest($some)) GROUP BY tournament, clause
UNION ALL
SELECT tournament, kind, clause, count(*), 0
FROM penalties WHERE tournament IN (SELECT unnest($some)) GROUP BY tournament, kind, clause
ORDER BY ALL
"""
_OF_NOTE = """
WITH corrected AS (
    SELECT tournament, count(*) AS corrections, count(*) FILTER (after_close) AS late
    FROM corrections GROUP BY tournament
),
ruled AS (
    SELECT tournament, count(*) AS rulings, count(reviewed_by) AS reviewed
    FROM rulings GROUP BY tournament
)
SELECT tournament, coalesce(corrections, 0), coalesce(late, 0), coalesce(rulings, 0),
    coalesce(reviewed, 0)
FROM tournaments LEFT JOIN corrected USING (tournament) LEFT JOIN ruled USING (tournament)
WHERE late > 0 OR rulings > 0
ORDER BY held_on DESC NULLS LAST, name, tournament LIMIT $most
"""


class PlayedGame(NamedTuple):
    """A game of a round, by the numbers of its players; no outcome: it has no result."""

    stage: int
    round: int
    table: int
    match: int
    player1: int | None
    player2: int | None
    outcome: str | None
    points1: int | None
    points2: int | None
    record: str | None
    manner: str | None
    corrections: int


class SwissRow(NamedTuple):
    """A row of the last standings of a Swiss stage."""

    stage: int
    player: int
    place: int
    points: int
    tiebreakers: Mapping[str, Fraction]


class Entrant(NamedTuple):
    """A player of a tournament, with the person and what the final place follows from."""

    player: int
    person: str
    faction: str
    status: str | None
    random_rank: int
    last_stage: int | None
    final_place: int | None


class CorrectedResult(NamedTuple):
    """A correction of a result; each side is the first player's outcome and both points."""

    seq: int
    round: int
    table: int
    player1: int | None
    player2: int | None
    before: tuple[str, int, int]
    after: tuple[str, int, int]
    after_close: bool
    after_finish: bool


class RuledOn(NamedTuple):
    """Number of rulings, or of penalties of a kind, that cite a clause."""

    kind: str
    clause: str
    times: int
    reviewed: int


class EventDetails(NamedTuple):
    """Details of one tournament."""

    games: Sequence[PlayedGame]
    standings: Sequence[SwissRow]
    entrants: Mapping[int, Entrant]
    stages: Mapping[int, str]
    corrections: Sequence[CorrectedResult]
    ruled: Sequence[RuledOn]
    seeds: Mapping[tuple[int, int], int]
    """Seeds of the players who qualified for a stage, by stage and player."""

    def rows_of(self, stage: int) -> dict[int, SwissRow]:
        """Return the last standings of a stage, by player."""
        return {row.player: row for row in self.standings if row.stage == stage}


def details_of(
    connection: DuckDBPyConnection, tournaments: Sequence[str]
) -> Iterator[tuple[str, EventDetails]]:
    """Yield the details of each tournament, in the order that is given."""
    for start in range(0, len(tournaments), AT_ONCE):
        some = tournaments[start : start + AT_ONCE]
        games, standings, entrants, stages, corrections, ruled, seeds = (
            _by_tournament(connection, query, some)
            for query in (_GAMES, _STANDINGS, _ENTRANTS, _STAGES, _CORRECTIONS, _RULED, _SEEDS)
        )
        for stream in some:
            yield (
                stream,
                EventDetails(
                    [PlayedGame(*row) for row in games[stream]],
                    [_swiss_row(*row) for row in standings[stream]],
                    {row[0]: Entrant(*row) for row in entrants[stream]},
                    dict(stages[stream]),
                    [_corrected(*row) for row in corrections[stream]],
                    [RuledOn(*row) for row in ruled[stream]],
                    {(stage, player): seed for stage, player, seed in seeds[stream]},
                ),
            )


def _swiss_row(stage: int, player: int, place: int, points: int, tiebreakers: str) -> SwissRow:
    return SwissRow(stage, player, place, points, fractions_of(tiebreakers))


def _corrected(*row: Any) -> CorrectedResult:  # noqa: ANN401 - a row of `_CORRECTIONS`
    seq, number, table, first, second, *sides, after_close, after_finish = row
    before, after = (sides[0], sides[1], sides[2]), (sides[3], sides[4], sides[5])
    return CorrectedResult(
        seq, number, table, first, second, before, after, after_close, after_finish
    )


def _by_tournament(
    connection: DuckDBPyConnection, query: str, some: Sequence[str]
) -> dict[str, list[tuple[Any, ...]]]:
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for tournament, *row in connection.execute(query, {"some": list(some)}).fetchall():
        rows[tournament].append(tuple(row))
    return rows


def fractions_of(tiebreakers: str) -> dict[str, Fraction]:
    """Read the exact tiebreakers of a row of standings, by code."""
    words = tiebreakers.split()
    return dict(zip(words[::2], map(Fraction, words[1::2]), strict=True))


class PlaceReason(NamedTuple):
    """The column that separates an entrant from the one above, with both values."""

    column: str
    value: Fraction
    above: Fraction


POINTS, STAGE, ROUND = marked("points"), marked("stage"), marked("last round")
SEED = marked("seed")
RANDOM, NUMBER, DISQUALIFIED = marked("random rank"), marked("number"), marked("disqualified")


def decided(details: EventDetails, entrant: Entrant, above: Entrant) -> PlaceReason | None:
    """Return the column that separates an entrant from the one above; None if they share a place.

    The columns are compared in the order of `projections.explain`: disqualification and the stage
    that each reached; in an elimination the round of the last defeat, 0 without one, and the seed;
    else points, tiebreakers and random rank.
    """
    for column, value, others_value in _compared(details, entrant, above):
        if value != others_value:
            return PlaceReason(column, Fraction(value), Fraction(others_value))
    return None


def _compared(
    details: EventDetails, entrant: Entrant, above: Entrant
) -> Iterator[tuple[str, Fraction | int, Fraction | int]]:
    if entrant.final_place is not None and entrant.final_place == above.final_place:
        return
    gone = [int(stream.status == "disqualified") for stream in (entrant, above)]
    yield DISQUALIFIED, gone[0], gone[1]
    yield STAGE, entrant.last_stage or 0, above.last_stage or 0
    stage = entrant.last_stage or 0
    if details.stages.get(stage, "swiss") != "swiss":
        yield ROUND, _last_defeat(details, entrant, stage), _last_defeat(details, above, stage)
        first_value, two = (
            details.seeds.get((stage, stream.player), 0) for stream in (entrant, above)
        )
        yield SEED, first_value, two
        return
    rows = details.rows_of(stage)
    if entrant.player not in rows or above.player not in rows:
        return
    row, others_value = rows[entrant.player], rows[above.player]
    yield POINTS, row.points, others_value.points
    for code, value in row.tiebreakers.items():
        yield code, value, others_value.tiebreakers.get(code, value)
    yield RANDOM, entrant.random_rank, above.random_rank
    yield NUMBER, entrant.player, above.player


def _last_defeat(details: EventDetails, entrant: Entrant, stage: int) -> int:
    """Return the round of a stage in which an entrant lost for the last time; 0 without one."""
    lost = [
        game.round
        for game in details.games
        if game.stage == stage
        and (
            (game.player1 == entrant.player and game.record == "L")
            or (game.player2 == entrant.player and game.record == "W")
        )
    ]
    return max(lost, default=0)


class FactionShare(NamedTuple):
    """A faction of a tournament and its entrants; no faction: the groups that are too small."""

    faction: str | None
    entrants: int


def factions_of(details: EventDetails) -> list[FactionShare]:
    """Count the entrants of each faction; groups of fewer than five persons are one together.

    A rest that would be too small takes the next group with it, so it never follows from a sum.
    Without any group that is large enough nothing is counted.
    """
    persons: dict[str, set[str]] = defaultdict(set)
    for entrant in details.entrants.values():
        persons[entrant.faction].add(entrant.person)
    if not set(persons) - {""}:
        return []
    hidden = left_out(
        {name: PersonGroup(len(bearers), ("all",)) for name, bearers in persons.items()}
    )
    names = hidden.small | hidden.further
    shares = [
        FactionShare(name, len(bearers)) for name, bearers in persons.items() if name not in names
    ]
    shares.sort(key=lambda share: (-share.entrants, share.faction or ""))
    others = sum(len(bearers) for name, bearers in persons.items() if name in names)
    while shares and 0 < others < PERSONS_MIN:
        others += shares.pop().entrants
    return [*shares, FactionShare(None, others)] if shares and others else shares


class OfNote(NamedTuple):
    """A tournament with results that were corrected late, or with rulings."""

    tournament: str
    corrections: int
    late: int
    rulings: int
    reviewed: int


def of_note(connection: DuckDBPyConnection, most: int) -> list[OfNote]:
    """List the newest tournaments with late corrections or rulings."""
    return [OfNote(*row) for row in connection.execute(_OF_NOTE, {"most": most}).fetchall()]


_LAST = "SELECT tournament, max(entered_at) FROM {table} GROUP BY tournament"


def last_moments(connection: DuckDBPyConnection) -> dict[str, Any]:
    """Return the last moment that the log of each tournament names."""
    return dict(connection.execute(_LAST.format(table="events")).fetchall())


_CLOSED = """
SELECT tournament, round, closed_at FROM clocks
WHERE closed_at IS NOT NULL ORDER BY tournament, round
"""


def rounds_closed(connection: DuckDBPyConnection) -> dict[str, list[tuple[int, Any]]]:
    """Return the closed rounds of each tournament with their moments."""
    rounds: dict[str, list[tuple[int, Any]]] = defaultdict(list)
    for tournament, number, moment in connection.execute(_CLOSED).fetchall():
        rounds[tournament].append((number, moment))
    return rounds
