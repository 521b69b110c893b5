"""What only the fold can say of a log: standings, cuts, who finished where, what waits, set-ups."""

from __future__ import annotations

from math import gcd
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.tournament import battle_cards
from projections.standings.final import finishing_order
from projections.standings.table import StandingsRow, standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tournament.state import Match, Tournament

ROWS_AT_ONCE = 500
"""How many rows of standings one line has: what reads them holds a few such lines in memory."""


class StandingRows(Struct, frozen=True, gc=False):
    """Some rows of a table after one round, column by column, by the log's number in the load.

    A player's tiebreakers are in the ruleset's order, each by its code, as fractions in lowest
    terms: `SOS 57/16 ESOS 4`.
    """

    log: int
    round: int
    stage: int
    player: list[int]
    place: list[int]
    points: list[int]
    wins: list[int]
    losses: list[int]
    draws: list[int]
    byes: list[int]
    left_event: list[bool]
    tiebreakers: list[str]


class FinishRow(Struct, frozen=True, gc=False):
    """What the entrants say of a player at the log's end; an open place has no number."""

    log: int
    player: int
    status: str
    byes: int
    last_stage: int | None
    final_place: int | None


class QualifiedRow(Struct, frozen=True, gc=False):
    """Who a cut let go on to a stage; without a seed they left before the first game."""

    log: int
    stage: int
    player: int
    seed: int | None
    cut_seq: int


class UnconfirmedRow(Struct, frozen=True, gc=False):
    """A match whose report does not count before it is confirmed."""

    log: int
    match: int


class SetUpRow(Struct, frozen=True, gc=False):
    """What was chosen before a match began; None: not recorded, or not to be seen yet."""

    log: int
    match: int
    round: int
    first_player: int | None
    first_chosen_by: int | None
    blue: int | None
    side_chosen_by: int | None
    scenario_objective: str | None
    scenario_deployment: str | None
    scenario_condition: str | None


_COLUMNS = [
    attrgetter(name)
    for name in ("player", "rank", "points", "wins", "losses", "draws", "byes", "dropped")
]
"""The first columns of `StandingRows` behind the stage, as a row of standings has them."""


def standings_of(tournament: Tournament, log: int) -> Iterator[StandingRows]:
    """Yield the table of every Swiss round, with all that the log says of the rounds up to it."""
    for stage in tournament.stages:
        if stage.is_swiss:
            for number in stage.rounds:
                table = standings(tournament, stage.number, number)
                codes = [each.code for each in table.tiebreakers]
                for start in range(0, len(table.rows), ROWS_AT_ONCE):
                    part = table.rows[start : start + ROWS_AT_ONCE]
                    yield _standing(part, codes, log, number, stage.number)


def _standing(
    rows: list[StandingsRow], codes: list[str], log: int, number: int, stage: int
) -> StandingRows:
    columns = [list(map(column, rows)) for column in _COLUMNS]
    players, places, points, wins, losses, draws, byes, left_event = columns
    ties = [" ".join(map(_fraction, codes, row.numerators, row.denominators)) for row in rows]
    record = (wins, losses, draws, byes)
    return StandingRows(log, number, stage, players, places, points, *record, left_event, ties)


def _fraction(code: str, numerator: int, denominator: int) -> str:
    """A tiebreaker by its code, as a fraction in lowest terms."""
    shared = gcd(numerator, denominator)
    if shared == denominator:
        return f"{code} {numerator // shared}"
    return f"{code} {numerator // shared}/{denominator // shared}"


def finishes_of(tournament: Tournament, log: int) -> Iterator[FinishRow]:
    """Yield where every entrant stood at the log's end; places once play is closed."""
    order = {each.player: each for each in finishing_order(tournament)}
    for player in tournament.players[1:]:
        place = order.get(player.number)
        decided = place.rank if place is not None and tournament.finished else 0
        yield FinishRow(
            log,
            player.number,
            player.status,
            player.byes,
            place.stage if place is not None else None,
            decided or None,
        )


def cuts_of(tournament: Tournament, log: int) -> Iterator[QualifiedRow]:
    """Yield who went on by every cut that stands."""
    for stage in tournament.stages:
        if stage.cut_seq:
            seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
            for player in stage.entrants:
                yield QualifiedRow(log, stage.number, player, seeds.get(player), stage.cut_seq)


def unconfirmed_of(tournament: Tournament, log: int) -> Iterator[UnconfirmedRow]:
    """Yield what is reported and waits to be confirmed."""
    for match in tournament.floor.unconfirmed:
        yield UnconfirmedRow(log, match)


def setups_of(tournament: Tournament, log: int) -> Iterator[SetUpRow]:
    """Yield what was set up at the tables; battle cards once play is closed."""
    floor = tournament.floor
    for round_ in tournament.rounds:
        for match in round_.matches:
            if round_.number in floor.scenarios or any(
                match.number in kept for kept in (floor.first_players, floor.sides, floor.battles)
            ):
                yield _set_up(tournament, log, match)


def _set_up(tournament: Tournament, log: int, match: Match) -> SetUpRow:
    floor = tournament.floor
    first = floor.first_players.get(match.number)
    side = floor.sides.get(match.number)
    scenario = floor.scenarios.get(match.round)
    battle = battle_cards.played(tournament, match.number)
    if not battle and scenario is not None:
        battle = (scenario.objective, scenario.deployment)
    return SetUpRow(
        log,
        match.number,
        match.round,
        first.first if first else None,
        first.chooser if first else None,
        side.blue if side else None,
        side.chooser if side else None,
        *(*battle, None, None, None)[:3],
    )
