"""Tournaments, final places, persons and records, as readers of a season see them.

Rows are tuples, with pseudonyms only; their order is the same for every reader. A person has a
name if it is known, else the beginning of the pseudonym, and no two have the same label.

A group of fewer persons than the least size is left out, and with it the smallest other group of
its line if it is the only one left out there: else the group that is left out would be the line's
sum minus what is shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from projections.standings.bracket import Bracket, BracketGame, BracketPlace, BracketRound, Seat

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    _SeatMaker = Callable[[str, int, int | None], Seat | None]

RECORDS_MAX = 10

_LISTED = """
SELECT tournament, name, held_on, tier, ruleset, entrants, rounds, size, finished, signed_size,
    signed_by, by_policy
FROM tournaments ORDER BY held_on, name, tournament
"""
_EVENTS = """
SELECT tournament, name, held_on, tier, ruleset, entrants, rounds, size, root, finished,
    signed_size, signed_by, by_policy, reason AS unsigned_reason, time_zone
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


_BRACKET_GAMES = """
SELECT tournament, stage, kind, m.round, table_number, match, m.player1, m.player2, r.winner,
    r.points1, r.points2
FROM stages JOIN matches m USING (tournament, stage)
LEFT JOIN results r USING (tournament, stage, match)
WHERE kind != 'swiss' AND NOT void
ORDER BY tournament, stage, m.round, table_number
"""
_BRACKET_SEATS = """
SELECT tournament, stage, player, coalesce(seed, 0), replacement FROM cuts
"""
_LEFT = """
SELECT tournament, player, status FROM entrants WHERE status IN ('dropped', 'disqualified')
"""
_PERSON_OF = "SELECT tournament, player, person FROM people"
_WINNERS = """
SELECT tournament, max(stage), any_value(winner) FROM tournaments JOIN matches USING (tournament)
WHERE winner IS NOT NULL AND NOT void GROUP BY tournament
"""


class WinningRun(NamedTuple):
    """Games of one kind that a person won in a row."""

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
    time_zone: str = ""


class EventPlace(NamedTuple):
    """Final or current place of a person in a tournament; no place if it is undecided."""

    tournament: str
    place: int | None
    person: str
    games: int
    wins: int
    draws: int


class SeasonPerson(NamedTuple):
    """Tournaments and games of a person known to the league."""

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
    rows = connection.execute(_LISTED)
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


def events_of(connection: DuckDBPyConnection) -> list[SeasonEvent]:
    """Every tournament, the newest first."""
    return [SeasonEvent(*row) for row in connection.execute(_EVENTS).fetchall()]


def places_of(connection: DuckDBPyConnection) -> list[EventPlace]:
    """Every entrant's place, by tournament."""
    return [EventPlace(*row) for row in connection.execute(_PLACES).fetchall()]


class SeasonBracket(NamedTuple):
    """An elimination stage of a tournament, and the person of each player."""

    tournament: str
    shown: Bracket
    persons: Mapping[int, str]


def brackets_of(connection: DuckDBPyConnection) -> Iterator[SeasonBracket]:
    """Yield every elimination that has begun, by tournament and stage, with its games so far.

    The ranking has no more than the winner, who is known if no later stage was played.
    """
    persons: dict[str, dict[int, str]] = defaultdict(dict)
    for tournament, player, person in connection.execute(_PERSON_OF).fetchall():
        persons[tournament][player] = person
    seat = _seats_of(connection)
    winners = {(row[0], row[1]): row[2] for row in connection.execute(_WINNERS).fetchall()}
    games = connection.execute(_BRACKET_GAMES).fetchall()
    for (tournament, stage, kind), rows in groupby(games, itemgetter(0, 1, 2)):
        rounds = [
            BracketRound(number, [_game_of(row, seat) for row in played])
            for number, played in groupby(rows, itemgetter(3))
        ]
        first = seat(tournament, stage, winners.get((tournament, stage)))
        ranking = [BracketPlace(1, first)] if first else []
        bracket = Bracket(stage, kind, rounds, ranking)
        yield SeasonBracket(tournament, bracket, persons[tournament])


def _seats_of(connection: DuckDBPyConnection) -> _SeatMaker:
    """Return the maker of seats, by tournament, stage and player."""
    gone = connection.execute(_LEFT).fetchall()
    statuses = {(tournament, player): status for tournament, player, status in gone}
    seats = connection.execute(_BRACKET_SEATS).fetchall()
    cut = {tuple(row[:3]): (row[3], row[4]) for row in seats}

    def seat(tournament: str, stage: int, player: int | None) -> Seat | None:
        if player is None:
            return None
        seed, replacement = cut.get((tournament, stage, player), (0, False))
        return Seat(player, seed, statuses.get((tournament, player), ""), replacement)

    return seat


def _game_of(row: Sequence[Any], seat: _SeatMaker) -> BracketGame:
    """Return a game of `_BRACKET_GAMES`; the player of a bye advances."""
    tournament, stage, _, _, table, match, upper, lower, winner, first, second = row
    seats = seat(tournament, stage, upper), seat(tournament, stage, lower)
    single = 0 if upper and lower else upper or lower or 0
    points = None if first is None else (first, second)
    return BracketGame(table, match, seats, winner or single, points)


def persons_seen(connection: DuckDBPyConnection) -> list[SeasonPerson]:
    """All persons whom the league knows by a pseudonym."""
    return [SeasonPerson(*row) for row in connection.execute(_PERSONS).fetchall()]


def everybody(connection: DuckDBPyConnection) -> list[str]:
    """Every person, guests too."""
    persons = connection.execute("SELECT DISTINCT person FROM people ORDER BY person").fetchall()
    return [person for (person,) in persons]


def longest_runs(connection: DuckDBPyConnection) -> list[WinningRun]:
    """The longest runs of wins of persons of the league."""
    rows = connection.execute(_RUNS.format(most=RECORDS_MAX)).fetchall()
    return [WinningRun(*row) for row in rows]


PERSONS_MIN = 5

_BY_MONTH = """
WITH entered AS (
    SELECT date_trunc('month', held_on)::DATE AS month, ruleset, faction,
        count(DISTINCT person) AS persons
    FROM entrants JOIN people USING (tournament, player) JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL AND faction != ''
    GROUP BY ALL
),
played AS (
    SELECT date_trunc('month', held_on)::DATE AS month, ruleset, faction,
        count(DISTINCT person) AS persons
    FROM games WHERE faction != opponent_faction AND '' NOT IN (faction, opponent_faction)
    GROUP BY ALL
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
    """Groups that are not shown: those below the least size, and those that would reveal them."""

    small: frozenset[Hashable]
    further: frozenset[Hashable]


NOTHING_LEFT_OUT = LeftOut(frozenset(), frozenset())


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
    """Of the factions, by game and faction; entrants without a faction are not a group."""
    return left_out({(row[0], row[1]): PersonGroup(row[4], (row[0],)) for row in rows if row[1]})


def matchups_left_out(rows: Iterable[Sequence[Any]]) -> LeftOut:
    """Of the match-ups, by game, faction and opponent."""
    return left_out(
        {
            (game, first, second): PersonGroup(
                persons, ((game, first),), twin=(game, second, first)
            )
            for game, first, second, persons, *_ in rows
        }
    )


def months_left_out(connection: DuckDBPyConnection) -> LeftOut:
    """Of the factions by month, by month, game and faction."""
    rows = connection.execute(_BY_MONTH).fetchall()
    return left_out(
        {
            (month, game, faction): PersonGroup(persons or 0, ((month, game), (game, faction)))
            for month, game, faction, persons in rows
        }
    )


LETTERS = 12
TOURNAMENT_LETTERS = 8


def cut_short(person: str) -> str:
    """The beginning of a pseudonym; of a guest's tournament and number, which has no other."""
    tournament, slash, player = person.partition("/")
    return f"{tournament[:TOURNAMENT_LETTERS]}/{player}" if slash else person[:LETTERS]


def labels_of(persons: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """What to call each person; who would be called like another has the pseudonym, too."""
    labels = {person: names.get(person) or cut_short(person) for person in persons}
    for shown in (cut_short, str):
        bearers = Counter(labels.values())
        labels = {
            person: label if bearers[label] == 1 else _with(names.get(person), shown(person))
            for person, label in labels.items()
        }
    return labels


def _with(name: str | None, pseudonym: str) -> str:
    return f"{name} ({pseudonym})" if name else pseudonym
