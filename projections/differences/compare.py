"""What differs between two states of a tournament: two moments, or what happened and what did not.

The table is the one that `standings` shows of the whole event; games of an elimination are
compared as the bracket has them, everything else as matches. Nothing is listed that is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from ledger.events.results import Result
from ledger.tournament.state import Status, Tournament
from projections.standings.bracket import BracketGame, bracket, finishing_order
from projections.standings.table import Standings, StandingsRow, everyone

Key = TypeVar("Key")
Value = TypeVar("Value")


class PersonState(Struct, frozen=True):
    """Who a player is and whether they play on."""

    name: str
    faction: str
    status: Status


class TableState(Struct, frozen=True):
    """A match of points: who sits there, and its result."""

    first: int
    second: int
    result: Result | None


class PlayerChange(Struct, Generic[Value], frozen=True):
    """A player's row, state or place on both sides; None where they have none, or none yet."""

    player: int
    before: Value | None
    after: Value | None


class TableChange(Struct, Generic[Value], frozen=True):
    """A table of a round, or a bracket's game, on both sides; None where it is not paired."""

    round: int
    table: int
    before: Value | None
    after: Value | None


class CutChange(Struct, frozen=True):
    """Who went on to a stage, by seed; empty where there is no cut."""

    stage: int
    before: tuple[int, ...]
    after: tuple[int, ...]


class Differences(Struct, frozen=True):
    """All that differs between two states of one tournament, the one before and the one after.

    `stages` and `rounds` are the stage that each table shows and the last round that it counts.
    Rows stand in the order of the table after, those that are gone last. `places` is empty where
    no elimination has begun: there the rows tell it.
    """

    seqs: tuple[int, int]
    stages: tuple[int, int]
    rounds: tuple[int, int]
    rows: tuple[PlayerChange[StandingsRow], ...]
    people: tuple[PlayerChange[PersonState], ...]
    matches: tuple[TableChange[TableState], ...]
    games: tuple[TableChange[BracketGame], ...]
    cuts: tuple[CutChange, ...]
    places: tuple[PlayerChange[int], ...]

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return any((self.rows, self.people, self.matches, self.games, self.cuts, self.places))


def differences(before: Tournament, after: Tournament) -> Differences:
    """List what differs between two states of the same tournament."""
    tables = everyone(before), everyone(after)
    cuts = _changed(_cuts(before), _cuts(after))
    return Differences(
        (before.seq, after.seq),
        (tables[0].stage, tables[1].stage),
        (_last_round(tables[0]), _last_round(tables[1])),
        tuple(PlayerChange(*each) for each in _changed(rows_of(tables[0]), rows_of(tables[1]))),
        tuple(PlayerChange(*each) for each in _changed(_people(before), _people(after))),
        tuple(TableChange(*at, *sides) for at, *sides in _changed(_swiss(before), _swiss(after))),
        tuple(TableChange(*at, *sides) for at, *sides in _changed(_games(before), _games(after))),
        tuple(CutChange(stage, one or (), other or ()) for stage, one, other in cuts),
        tuple(PlayerChange(*each) for each in _changed(_places(before), _places(after))),
    )


def rows_of(table: Standings) -> dict[int, StandingsRow]:
    """Return the rows of a table by player, best first, with tiebreakers in lowest terms."""
    return {row.player: row.in_lowest_terms() for row in table.rows}


def _changed(
    before: Mapping[Key, Value], after: Mapping[Key, Value]
) -> Iterator[tuple[Key, Value | None, Value | None]]:
    """Yield the keys whose values differ, in the order after, those that are gone last."""
    for key in (*after, *(key for key in before if key not in after)):
        one, other = before.get(key), after.get(key)
        if one != other:
            yield key, one, other


def _last_round(table: Standings) -> int:
    return table.rounds[-1] if table.rounds else 0


def _people(tournament: Tournament) -> dict[int, PersonState]:
    name = tournament.names.get
    return {
        each.number: PersonState(name(f"p{each.number}", ""), each.faction, each.status)
        for each in tournament.registered()
    }


def _swiss(tournament: Tournament) -> dict[tuple[int, int], TableState]:
    return {
        (match.round, match.table): TableState(match.first, match.second, match.result)
        for round_ in tournament.rounds
        if tournament.stages[round_.stage - 1].is_swiss
        for match in round_.matches
    }


def _games(tournament: Tournament) -> dict[tuple[int, int], BracketGame]:
    return {
        (round_.round, game.game): game
        for stage in tournament.begun_stages()
        if not stage.is_swiss
        for round_ in bracket(tournament, stage.number).rounds
        for game in round_.games
    }


def _cuts(tournament: Tournament) -> dict[int, tuple[int, ...]]:
    cut = [stage for stage in tournament.stages if stage.cut_seq]
    return {stage.number: tuple(stage.seeds or stage.entrants) for stage in cut}


def _places(tournament: Tournament) -> dict[int, int]:
    if all(stage.is_swiss for stage in tournament.begun_stages()):
        return {}
    return {place.player: place.rank for place in finishing_order(tournament) if place.rank}
