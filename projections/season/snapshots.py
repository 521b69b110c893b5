"""What only the fold can say of a log: standings after each round, cuts, who finished where."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from msgspec import Struct

from projections.final import finishing_order
from projections.standings import standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.state import Stage
    from ledger.state import Tournament
    from projections.standings import Row


class Tiebreaker(Struct, frozen=True, gc=False):
    """A tiebreaker's value: the fraction in lowest terms as text, and its nearest double."""

    exact: str
    value: float


class Standing(Struct, frozen=True, gc=False):
    """A row of `standings`, by the log's number in the load."""

    log: int
    round: int
    stage: int
    player: int
    place: int
    points: int
    wins: int
    losses: int
    draws: int
    byes: int
    left_event: bool
    tiebreakers: dict[str, Tiebreaker]


class Finish(Struct, frozen=True, gc=False):
    """What `entrants` says of a player at the log's end; `final_place` None: not decided."""

    log: int
    player: int
    status: str
    byes: int
    last_stage: int | None
    final_place: int | None


class Qualified(Struct, frozen=True, gc=False):
    """Who a cut let go on to a stage; `seed` None: left before the first game."""

    log: int
    stage: int
    player: int
    seed: int | None
    cut_seq: int


def standings_of(tournament: Tournament, log: int) -> Iterator[Standing]:
    """Yield the table of every Swiss round, with all that the log says of the rounds up to it."""
    for stage in tournament.stages:
        if stage.is_swiss:
            for number in stage.rounds:
                shown = standings(tournament, stage.number, number)
                codes = [each.code for each in shown.tiebreakers]
                for row in shown.rows:
                    yield _standing(row, log, number, stage, codes)


def _standing(row: Row, log: int, number: int, stage: Stage, codes: list[str]) -> Standing:
    values = map(_tiebreaker, row.numerators, row.denominators)
    return Standing(
        log,
        number,
        stage.number,
        row.player,
        row.rank,
        row.points,
        row.wins,
        row.losses,
        row.draws,
        row.byes,
        row.dropped,
        dict(zip(codes, values, strict=True)),
    )


def _tiebreaker(numerator: int, denominator: int) -> Tiebreaker:
    shared = gcd(numerator, denominator)
    top, bottom = numerator // shared, denominator // shared
    return Tiebreaker(f"{top}/{bottom}" if bottom > 1 else str(top), top / bottom)


def finishes_of(tournament: Tournament, log: int) -> Iterator[Finish]:
    """Yield where every entrant stood at the log's end; places once play is closed."""
    order = {each.player: each for each in finishing_order(tournament)}
    for player in tournament.players[1:]:
        place = order.get(player.number)
        decided = place.rank if place is not None and tournament.finished else 0
        yield Finish(
            log,
            player.number,
            player.status,
            player.byes,
            place.stage if place is not None else None,
            decided or None,
        )


def cuts_of(tournament: Tournament, log: int) -> Iterator[Qualified]:
    """Yield who went on by every cut that stands."""
    for stage in tournament.stages:
        if stage.cut_seq:
            seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
            for player in stage.entrants:
                yield Qualified(log, stage.number, player, seeds.get(player), stage.cut_seq)
