"""What only the fold can say of a log: standings, cuts, who finished where, what waits, set-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import gcd
from operator import attrgetter
from types import MappingProxyType

from ledger.tournament.lists import battle_cards
from ledger.tournament.state import Match, Tournament
from projections.standings.final import finishing_order
from projections.standings.table import standings

Row = tuple[object, ...]

ROWS_AT_ONCE = 500
"""How many rows of standings one line has: what reads them holds a few such lines in memory."""


_COLUMNS = MappingProxyType(
    {name: attrgetter(name) for name in ("player", "points", "wins", "losses", "draws", "byes")}
    | {"place": attrgetter("rank"), "left_event": attrgetter("dropped")}
)
"""What is read of each row of standings, by the name of its column."""


def standings_of(tournament: Tournament, log: int) -> Iterator[dict[str, object]]:
    """Yield the table of every Swiss round, some rows at a time, column by column.

    A player's tiebreakers are in the ruleset's order, each by its code, as fractions in lowest
    terms: `SOS 57/16 ESOS 4`.
    """
    for stage in tournament.stages:
        for number in stage.rounds if stage.is_swiss else ():
            table = standings(tournament, stage.number, number)
            codes = [each.code for each in table.tiebreakers]
            for start in range(0, len(table.rows), ROWS_AT_ONCE):
                rows = table.rows[start : start + ROWS_AT_ONCE]
                yield {
                    "log": log,
                    "round": number,
                    "stage": stage.number,
                    "tiebreakers": [
                        " ".join(map(_fraction, codes, row.numerators, row.denominators))
                        for row in rows
                    ],
                } | {name: list(map(column, rows)) for name, column in _COLUMNS.items()}


def _fraction(code: str, numerator: int, denominator: int) -> str:
    shared = gcd(numerator, denominator)
    if shared == denominator:
        return f"{code} {numerator // shared}"
    return f"{code} {numerator // shared}/{denominator // shared}"


def _finishes(tournament: Tournament) -> Iterator[Row]:
    """Yield where every entrant stood at the log's end; places once play is closed."""
    order = {each.player: each for each in finishing_order(tournament)}
    for player in tournament.players[1:]:
        place = order.get(player.number)
        decided = place.rank if place is not None and tournament.finished else 0
        stage = place.stage if place is not None else None
        yield player.number, player.status, player.byes, stage, decided or None


def _cuts(tournament: Tournament) -> Iterator[Row]:
    """Yield who went on by every cut; without a seed they left before the first game."""
    for stage in tournament.stages:
        if stage.cut_seq:
            seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
            for player in stage.entrants:
                yield stage.number, player, seeds.get(player), stage.cut_seq


def _setups(tournament: Tournament) -> Iterator[Row]:
    """Yield what was set up at the tables; None: not recorded, or battle cards during play."""
    floor = tournament.floor
    for round_ in tournament.rounds:
        for match in round_.matches:
            if round_.number in floor.scenarios or any(
                match.number in kept for kept in (floor.first_players, floor.sides, floor.battles)
            ):
                yield _set_up(tournament, match)


def _set_up(tournament: Tournament, match: Match) -> Row:
    floor = tournament.floor
    first, side = floor.first_players.get(match.number), floor.sides.get(match.number)
    scenario = floor.scenarios.get(match.round)
    battle = battle_cards.played(tournament, match.number)
    if not battle and scenario is not None:
        battle = (scenario.objective, scenario.deployment)
    chosen = (first.first, first.chooser) if first else (None, None)
    sides = (side.blue, side.chooser) if side else (None, None)
    return (match.number, match.round, *chosen, *sides, *(*battle, None, None, None)[:3])


_KINDS: Mapping[str, tuple[Callable[[Tournament], Iterable[Row]], tuple[str, ...]]] = {
    "finishes": (_finishes, ("player", "status", "byes", "last_stage", "final_place")),
    "qualified": (_cuts, ("stage", "player", "seed", "cut_seq")),
    "unconfirmed": (lambda now: ((match,) for match in now.floor.unconfirmed), ("match",)),
    "set_up": (
        _setups,
        (
            *("match", "round", "first_player", "first_chosen_by", "blue", "side_chosen_by"),
            *("scenario_objective", "scenario_deployment", "scenario_condition"),
        ),
    ),
}
"""The further kinds of rows, each for the working table of that name, and their columns."""

ROW_FILES = tuple(_KINDS)


def rows_of(tournament: Tournament, log: int) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield every kind of rows but the standings, with the log's number in the load."""
    for kind, (rows, names) in _KINDS.items():
        yield kind, [{"log": log, **dict(zip(names, row, strict=True))} for row in rows(tournament)]
