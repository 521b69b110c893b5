"""The games of one person: every result with its opponent, byes, best wins, and head-to-head.

These are for the pages of persons who agreed to be named. Their opponents may not have agreed: an
opponent is known by the player's number in one tournament, and by the pseudonym only if the caller
knows of their consent. A rating is a fingerprint: an opponent met twice in one period has the same
rating twice. So of an opponent who did not agree a band of ratings is shown that five persons or
more have had.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from projections.season.for_readers import PERSONS_MIN, RECORDS_MAX
from projections.season.ratings import places_of_games

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.ratings import Belief, RatedGame

_OWN_GAMES = """
WITH own AS (SELECT * FROM people WHERE person IN (SELECT unnest($persons))),
sides AS (
    SELECT own.person, r.tournament, r.stage, r.round, r.match, r.player1 AS player,
        r.player2 AS opponent, r.record1 AS record, r.met
    FROM results r JOIN own ON own.tournament = r.tournament AND own.player = r.player1
    UNION ALL
    SELECT own.person, r.tournament, r.stage, r.round, r.match, r.player2, r.player1, r.record2,
        r.met
    FROM results r JOIN own ON own.tournament = r.tournament AND own.player = r.player2
    UNION ALL
    SELECT own.person, m.tournament, m.stage, m.round, m.match, own.player, NULL, 'bye', FALSE
    FROM matches m JOIN own
        ON own.tournament = m.tournament AND own.player = coalesce(m.player1, m.player2)
    WHERE m.bye AND NOT m.void
)
SELECT sides.person, held_on, sides.tournament, ruleset, faction, stage, round, match, record, met,
    sides.opponent, theirs.person
FROM sides
JOIN tournaments USING (tournament)
JOIN entrants ON entrants.tournament = sides.tournament AND entrants.player = sides.player
LEFT JOIN people AS theirs
    ON theirs.tournament = sides.tournament AND theirs.player = sides.opponent
ORDER BY sides.person, held_on DESC NULLS LAST, sides.tournament, stage DESC, round DESC, match
"""


class OwnGame(NamedTuple):
    """Result of a person, or a bye, which has no opponent and whose record says so."""

    person: str
    held_on: Any  # a day, or none
    tournament: str
    ruleset: str
    faction: str
    stage: int
    round: int
    match: int
    record: str
    is_played: bool
    opponent_player: int | None
    opponent_person: str | None


def own_games(connection: DuckDBPyConnection, persons: Collection[str]) -> dict[str, list[OwnGame]]:
    """Return the results and byes of each of these persons, the newest first."""
    found: dict[str, list[OwnGame]] = defaultdict(list)
    if persons:
        rows = connection.execute(_OWN_GAMES, {"persons": sorted(persons)}).fetchall()
        for row in rows:
            found[row[0]].append(OwnGame(*row))
    return found


class GamesRecord(NamedTuple):
    """Games that were played, and how many of them were won and drawn."""

    games: int
    wins: int
    draws: int

    @property
    def score(self) -> float | None:
        """Wins and half of the draws, of the games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


def record_of(games: Iterable[OwnGame]) -> GamesRecord:
    """Count the games that were played."""
    records = [game.record for game in games if game.is_played]
    return GamesRecord(len(records), records.count("W"), records.count("D"))


class HeadToHead(NamedTuple):
    """Games against one person who agreed to be named, or against all others: None."""

    opponent: str | None
    record: GamesRecord
    first_met: Any  # a day, or none
    last_met: Any  # a day, or none


def head_to_head(games: Sequence[OwnGame], agreed: Collection[str]) -> list[HeadToHead]:
    """Count a person's games against each person who agreed, and against all others together.

    How many the others are is not counted: with two games and one opponent that would join the two.
    """
    by_opponent: dict[str | None, list[OwnGame]] = defaultdict(list)
    for game in games:
        if game.is_played:
            who = game.opponent_person
            by_opponent[who if who in agreed else None].append(game)
    rows = [_met(who, some) for who, some in by_opponent.items()]
    return sorted(rows, key=lambda row: (row.opponent is None, -row.record.games, row.opponent))


def _met(opponent: str | None, games: Sequence[OwnGame]) -> HeadToHead:
    days = [game.held_on for game in games if game.held_on]
    return HeadToHead(opponent, record_of(games), min(days, default=None), max(days, default=None))


class BestWin(NamedTuple):
    """A game won, and the opponent's rating before it with its band, from low to high."""

    tournament: str
    match: int
    rating: float
    low: float | None
    high: float | None


class RatingBands:
    """Bands of ratings, each of which five persons or more have had before a game of theirs."""

    def __init__(self, before: Iterable[tuple[str, float]], width: float) -> None:
        """Make the bands from the ratings of all persons before their games."""
        persons: dict[int, set[str]] = defaultdict(set)
        for person, rating in before:
            persons[int(rating // width)].add(person)
        self._starts: list[float] = []
        met: set[str] = set()
        start = None
        for step in sorted(persons):
            start = step if start is None else start
            met |= persons[step]
            if len(met) >= PERSONS_MIN:
                self._starts.append(start * width)
                start, met = None, set()
        self._end = (max(persons) + 1) * width if persons else 0.0

    def of(self, rating: float) -> tuple[float, float] | tuple[None, None]:
        """Return the band of a rating; None if fewer than five persons have ratings at all."""
        if not self._starts:
            return None, None
        place = max(bisect_right(self._starts, rating) - 1, 0)
        ends = [*self._starts[1:], self._end]
        return self._starts[place], ends[place]


def best_wins(
    connection: DuckDBPyConnection,
    games: Sequence[RatedGame],
    beliefs: Sequence[tuple[Belief, Belief]],
    persons: Collection[str],
    width: float,
) -> dict[str, list[BestWin]]:
    """Return each person's wins against the highest ratings, by the ratings before the games.

    `beliefs` is what was known of both players before each game, `width` that of a band.
    """
    before = (
        (who, belief.value)
        for game, pair in zip(games, beliefs, strict=True)
        for who, belief in zip((game.first, game.second), pair, strict=True)
    )
    bands = RatingBands(before, width)
    won: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for place, ((_, first, second, score), pair) in enumerate(zip(games, beliefs, strict=True)):
        if first in persons and score == 1.0:
            won[first].append((-pair[1].value, place))
        elif second in persons and score == 0.0:
            won[second].append((-pair[0].value, place))
    best = {person: sorted(some)[:RECORDS_MAX] for person, some in won.items()}
    places = [place for some in best.values() for _, place in some]
    matches = dict(zip(places, places_of_games(connection, places), strict=True))
    return {
        person: [BestWin(*matches[place], -rating, *bands.of(-rating)) for rating, place in some]
        for person, some in best.items()
    }


def by_faction(games: Iterable[OwnGame]) -> Mapping[tuple[str, str], list[OwnGame]]:
    """Group a person's games by ruleset and faction."""
    groups: dict[tuple[str, str], list[OwnGame]] = defaultdict(list)
    for game in games:
        groups[game.ruleset, game.faction].append(game)
    return dict(sorted(groups.items()))
