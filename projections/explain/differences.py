"""Differences between two states of a tournament, and the events that can have caused them.

The states are those of two moments, or of the log and of a fork. The table is the one that
`standings` shows of the whole tournament; games of an elimination are compared as the bracket has
them, everything else as matches. Equal values are not listed.

`Walk` goes through a log event by event, and keeps the changes by each event.

An event touches the players whose own points, byes, record or standing it changes. A tiebreaker
over opponents carries that on to those who met them, one over opponents' opponents a step further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from ledger.facts import disputes, draws, elimination, people, results, rounds
from ledger.facts.base import Event
from ledger.facts.shared import Result
from ledger.fold import collector_paused, evolve, with_meaning
from ledger.lines.line import decoded
from ledger.lines.recorded import Recorded
from ledger.lines.sealing import unopened
from ledger.rulesets import Tiebreaker
from ledger.tournament.state import Match, Status, Tournament
from projections.standings.bracket import BracketGame, bracket, finishing_order
from projections.standings.table import Standings, StandingsRow, everyone, worth_as_json
from projections.standings.updating import UpToDate

if TYPE_CHECKING:
    from ledger.lines.sealing import Opener

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


class Snapshot(NamedTuple):
    """The values of a state that are compared with another state; they do not change later."""

    seq: int
    stage: int
    round: int
    rows: dict[int, StandingsRow]
    people: dict[int, PersonState]
    matches: dict[tuple[int, int], TableState]
    games: dict[tuple[int, int], BracketGame]
    cuts: dict[int, tuple[int, ...]]
    places: dict[int, int]


def snapshot(
    tournament: Tournament, table_of: Callable[[Tournament], Standings] = everyone
) -> Snapshot:
    """Return the snapshot of a state; `table_of` makes its table."""
    table = table_of(tournament)
    return Snapshot(
        tournament.seq,
        table.stage,
        _last_round(table),
        rows_of(table),
        _people(tournament),
        _swiss(tournament),
        _games(tournament),
        _cuts(tournament),
        _places(tournament),
    )


NOTHING_YET = Snapshot(0, 0, 0, {}, {}, {}, {}, {}, {})
"""Before the first event, which brings the rules that a table is made by."""


def differences(before: Tournament, after: Tournament) -> Differences:
    """List what differs between two states of the same tournament."""
    return differences_of(snapshot(before), snapshot(after))


def differences_of(before: Snapshot, after: Snapshot) -> Differences:
    """List what differs between two states of the same tournament, by their snapshots."""
    matches, games = _changed(before.matches, after.matches), _changed(before.games, after.games)
    cuts = _changed(before.cuts, after.cuts)
    return Differences(
        (before.seq, after.seq),
        (before.stage, after.stage),
        (before.round, after.round),
        tuple(PlayerChange(*each) for each in _changed(before.rows, after.rows)),
        tuple(PlayerChange(*each) for each in _changed(before.people, after.people)),
        tuple(TableChange(*at, *sides) for at, *sides in matches),
        tuple(TableChange(*at, *sides) for at, *sides in games),
        tuple(CutChange(stage, one or (), other or ()) for stage, one, other in cuts),
        tuple(PlayerChange(*each) for each in _changed(before.places, after.places)),
    )


WALKED_BACK = 20
"""Number of events before the requested one that are walked again, for further steps back."""


class Walk:
    """The changes by each event of a log, for steps forward and back.

    A step forward applies one event. Differences are kept for steps back. A step back to an event
    without them folds the log again, and keeps the differences of some earlier events, too.
    """

    def __init__(self, lines: Sequence[bytes], opener: Opener = unopened) -> None:
        self._lines, self._opener = lines, opener
        self._tables = UpToDate()
        self._reached = Tournament()
        self._before: Snapshot | None = None
        self._kept: dict[int, Differences] = {}

    def at(self, seq: int) -> Differences:
        """Return the differences that the event of that number made."""
        if seq not in self._kept:
            if seq <= self._reached.seq:
                self._reached, self._before = Tournament(), None
                self._go_to(max(seq - 1 - WALKED_BACK, 0))
            elif seq - 1 > self._reached.seq:
                self._before = None
                self._go_to(seq - 1)
            while self._reached.seq < seq:
                self._step()
        return self._kept[seq]

    def _go_to(self, seq: int) -> None:
        with collector_paused():
            for recorded in decoded(self._lines[self._reached.seq : seq], self._opener):
                evolve(self._reached, recorded)

    def _step(self) -> None:
        before = self._before or self._snapshot()
        self._go_to(self._reached.seq + 1)
        self._before = self._snapshot()
        self._kept[self._before.seq] = differences_of(before, self._before)

    def _snapshot(self) -> Snapshot:
        reached = self._reached
        return snapshot(reached, self._tables.everyone) if reached.seq else NOTHING_YET


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


class Cause(Struct, frozen=True):
    """An event that can move a number, and the players that it touches."""

    recorded: Recorded
    players: tuple[int, ...]


class Reasons(Struct, frozen=True):
    """The events behind a player's change, by seq: their own, and those through opponents."""

    direct: tuple[int, ...]
    through: tuple[int, ...]


def causes(events: Iterable[Recorded], tournament: Tournament) -> tuple[Cause, ...]:
    """List those of the events that can move a number, in their order.

    `tournament` is one in which all of them have happened: it knows their matches. A confirmation
    moves something only where results wait for it.
    """
    found = (
        (each, TOUCHES.get(type(each.event)))
        for each in (with_meaning(tournament, each) for each in events)
        if tournament.ruleset.confirmation != "none"
        or not isinstance(each.event, disputes.ResultConfirmed)
    )
    return tuple(Cause(each, touches(each.event, tournament)) for each, touches in found if touches)


def reach_of(tiebreakers: Sequence[Tiebreaker]) -> int | None:
    """How many steps from opponent to opponent the furthest tiebreaker looks; None: everywhere.

    Direct encounter looks at all who are level, and an opponent who is made up at who was to come.
    """
    if not all(one.is_plain for one in tiebreakers):
        return None
    steps: dict[str, int] = {}
    for one in tiebreakers:
        steps[one.code] = steps.get(one.source, 0) + (one.over == "opponents")
    return max(steps.values(), default=0)


def opponents(*tournaments: Tournament) -> dict[int, set[int]]:
    """Whom everybody has met in any of the tournaments' rounds."""
    met: dict[int, set[int]] = {}
    for tournament in tournaments:
        for round_ in tournament.rounds:
            for player, other in enumerate(round_.against):
                if other:
                    met.setdefault(player, set()).add(other)
    return met


def reasons(
    player: int, found: Sequence[Cause], met: Mapping[int, set[int]], reach: int | None
) -> Reasons:
    """Tell which events moved a player's row, where it was moved by events that touch players."""
    circle = {player}
    for _ in range(reach or 0):
        circle |= {other for each in circle for other in met.get(each, ())}
    everywhere = reach is None
    direct = tuple(cause.recorded.seq for cause in found if player in cause.players)
    through = tuple(
        cause.recorded.seq
        for cause in found
        if player not in cause.players and (everywhere or not circle.isdisjoint(cause.players))
    )
    return Reasons(direct, through)


def _at_the_table(event: Any, tournament: Tournament) -> tuple[int, ...]:  # noqa: ANN401 - any of those with a match
    match: Match = tournament.matches[event.match]
    return match.players


def _the_player(event: Any, _: Tournament) -> tuple[int, ...]:  # noqa: ANN401 - any of those with a player
    return (event.player,)


def _byes_lost(event: rounds.RoundUnpaired, tournament: Tournament) -> tuple[int, ...]:
    return tuple(
        player
        for match in tournament.matches
        if match.void and match.is_bye and match.round == event.round
        for player in match.players
    )


TOUCHES: Mapping[type[Event], Callable[[Any, Tournament], tuple[int, ...]]] = {
    results.ResultReported: _at_the_table,
    results.ResultCorrected: _at_the_table,
    results.ResultWithdrawn: _at_the_table,
    rounds.RoundPaired: lambda event, _: tuple(
        max(game) for game in event.games if 0 in game and max(game)
    ),
    rounds.RoundUnpaired: _byes_lost,
    rounds.SeatsSwapped: lambda event, _: event.players,
    rounds.TablesRepaired: lambda event, _: tuple(filter(None, chain(*event.games))),
    rounds.PlayersSeated: lambda event, _: tuple(filter(None, event.game)),
    rounds.SeatingWithdrawn: lambda event, _: tuple(filter(None, event.game)),
    disputes.ResultConfirmed: _at_the_table,
    people.PlayerRegistered: _the_player,
    draws.RanksDrawn: lambda event, _: tuple(range(event.first, event.first + len(event.ranks))),
    people.RegistrationWithdrawn: _the_player,
    people.PlayerDropped: _the_player,
    people.DropWithdrawn: _the_player,
    people.PlayerRejoined: _the_player,
    people.PlayerDisqualified: _the_player,
    people.DisqualificationWithdrawn: _the_player,
    elimination.CutMade: lambda event, _: event.seeds,
    elimination.CutWithdrawn: lambda event, tournament: tuple(
        tournament.stages[event.stage - 1].seeds
    ),
    elimination.QualifierReplaced: lambda event, _: (event.entrant, event.leaver),
    elimination.PlaceForfeited: lambda event, _: (event.leaver,),
}
"""The players that each event touches; an event that is not here moves no number."""


def as_json(
    found: Differences, names: Mapping[str, str], tiebreakers: Sequence[Tiebreaker]
) -> dict[str, object]:
    """Make all that differs for scripts; the names are by "p7"."""

    def named(player: int) -> dict[str, object]:
        return {"player": player, "name": names.get(f"p{player}", f"player {player}")}

    return {
        "seqs": found.seqs,
        "stages": found.stages,
        "rounds": found.rounds,
        "rows": [
            named(row.player) | _sides(row, lambda side: _row(side, tiebreakers))
            for row in found.rows
        ],
        "people": msgspec.to_builtins(found.people),
        "matches": [
            {"round": each.round, "table": each.table, **_sides(each, _table)}
            for each in found.matches
        ],
        "games": [
            {"round": each.round, "game": each.table, **_sides(each, _game)} for each in found.games
        ],
        "cuts": msgspec.to_builtins(found.cuts),
        "places": [named(each.player) | _sides(each, int) for each in found.places],
    }


def with_reasons(
    shown: dict[str, object], found: Sequence[Cause], of: Mapping[int, Reasons]
) -> dict[str, object]:
    """Add the events: those that can move a number, and to each row those that moved it."""
    rows: Any = shown["rows"]
    for row in rows:
        row["events"] = of[row["player"]].direct
        row["through"] = of[row["player"]].through
    return shown | {
        "events": [
            {name: getattr(each.recorded, name) for name in ("seq", "at", "by", "type")}
            | {"players": each.players}
            for each in found
        ]
    }


def _sides(change: Any, shown: Callable[[Any], object]) -> dict[str, object]:  # noqa: ANN401 - any change
    sides = {"before": change.before, "after": change.after}
    return {name: None if side is None else shown(side) for name, side in sides.items()}


def _row(row: StandingsRow, tiebreakers: Sequence[Tiebreaker]) -> dict[str, object]:
    return {"rank": row.rank, **worth_as_json(row, tiebreakers)}


def _table(table: TableState) -> dict[str, object]:
    result = msgspec.to_builtins(table.result)
    return {"players": [table.first, table.second], "result": result}


def _game(game: BracketGame) -> dict[str, object]:
    players = [seat.player if seat else None for seat in game.seats]
    return {"players": players, "winner": game.winner or None}
