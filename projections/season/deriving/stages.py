"""Stages, who went on to them, the standings after each Swiss round, and what opponents scored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from math import gcd

from ledger.events.elimination import QualifierReplaced
from ledger.tournament.scoring import UNPLAYED
from ledger.tournament.state import Stage
from projections.season.deriving.folded_log import FoldedLog, Row
from projections.standings.table import Standings, StandingsRow

_HALVES = {"W": 2, "D": 1, "L": 0}


def stages(log: FoldedLog) -> Iterator[Row]:
    """Yield the stages as last announced."""
    for stage in log.tournament.stages:
        plan = stage.plan
        yield (
            *(stage.number, plan.kind, plan.rounds, plan.entry, plan.size),
            *(plan.carries, plan.rematch),
        )


def cuts(log: FoldedLog) -> Iterator[Row]:
    """Yield who went on by every cut; without a seed they left before the first game."""
    replaced = {(event.stage, event.entrant) for _, event in log.of(QualifierReplaced)}
    for stage in log.tournament.stages:
        if stage.cut_seq:
            seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
            for player in stage.entrants:
                replacement = (stage.number, player) in replaced
                yield stage.number, player, seeds.get(player), replacement, stage.cut_seq


def standings(log: FoldedLog) -> Iterator[Row]:
    """Yield the table of every Swiss round.

    A player's tiebreakers are in the ruleset's order, each by its code, as fractions in lowest
    terms: `SOS 57/16 ESOS 4`.
    """
    for (stage, number), table in log.tables.items():
        yield from map(_standing, repeat(number), repeat(stage), table.rows, _tiebreakers(table))


def _standing(number: int, stage: int, row: StandingsRow, tiebreakers: str) -> Row:
    return (
        number,
        stage,
        row.player,
        row.rank,
        row.points,
        row.wins,
        row.losses,
        row.draws,
        row.byes,
        row.dropped,
        tiebreakers,
    )


def _tiebreakers(table: Standings) -> Iterator[str]:
    """Yield everybody's tiebreakers; many of a table have the same worth in one of them."""
    rows = table.rows
    if not (rows and table.tiebreakers):
        return repeat("")
    codes = [each.code for each in table.tiebreakers]
    columns = zip(*[row.numerators for row in rows], strict=True)
    return map(" ".join, zip(*map(_fractions, codes, columns, rows[0].denominators), strict=True))


def _fractions(code: str, numerators: tuple[int, ...], denominator: int) -> list[str]:
    written = {each: _fraction(code, each, denominator) for each in set(numerators)}
    return [written[each] for each in numerators]


def _fraction(code: str, numerator: int, denominator: int) -> str:
    shared = gcd(numerator, denominator)
    if shared == denominator:
        return f"{code} {numerator // shared}"
    return f"{code} {numerator // shared}/{denominator // shared}"


def schedules(log: FoldedLog) -> Iterator[Row]:
    """Yield what everybody scored in the games of a Swiss stage, and what their opponents did."""
    for stage in log.tournament.stages:
        if stage.is_swiss:
            yield from _schedules(log, stage)


def _schedules(log: FoldedLog, stage: Stage) -> Iterator[Row]:
    places = len(log.tournament.players)
    games, halves = [0] * places, [0] * places
    met: list[list[int]] = [[] for _ in range(places)]
    for player, opponent, record in _sides(log, stage):
        games[player] += 1
        halves[player] += _HALVES[record]
        met[player].append(opponent)
    for player, opponents in enumerate(met):
        if opponents:
            faced = sum([games[each] for each in opponents])
            theirs = sum([halves[each] for each in opponents])
            yield stage.number, player, games[player], halves[player], faced, theirs


def _sides(log: FoldedLog, stage: Stage) -> Iterator[tuple[int, int, str]]:
    """Yield every game that was played in a stage from both sides."""
    letters = log.tournament.letters
    for pairing in log.pairings:
        for match in pairing.matches if pairing.made.stage == stage.number else ():
            if match.result is not None and match.result.manner not in UNPLAYED:
                one, other = match.result.outcomes
                yield match.first, match.second, letters[one]
                yield match.second, match.first, letters[other]
