"""The running round as a sum: who stands above whom, by what each open match may end in.

A place in the standings is a comparison of points, then of each tiebreaker, then of the random
rank. Each of these is a constant and one addend for every open match, because whatever a match
changes (the points, rounds and fields of its two players) it changes for itself alone, and the
tiebreakers add such values up. So all of it is one integer a player, the weightier part in
higher digits: `base[player]`, and `gains[match][result][player]` for what a result adds.

That holds unless a ruleset bounds or divides a value that several matches make up; `is_a_sum`
says whether it does.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.events.results import ResultCorrected
from ledger.events.results import ResultReported
from ledger.fold import evolve
from ledger.lines import record
from projections.standings import crosstable_of
from projections.tiebreakers import evaluate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.rulesets import Tiebreaker
    from ledger.state import Match
    from ledger.state import Tournament

SWEPT = "sweep"
"""The id of the results that are tried."""


class Race(Struct, frozen=True):
    """The players who play on, the open matches, and each player's order as a sum.

    `results[match]` are those considered; places in `gains` are like theirs. A player without an
    entry in a gain gets nothing by that result.
    """

    players: list[int]
    matches: list[Match]
    results: list[Result]
    base: dict[int, int]
    gains: list[list[dict[int, int]]]


def is_a_sum(declared: Sequence[Tiebreaker]) -> bool:
    """Whether every tiebreaker adds up what single matches change."""
    of_several: set[str] = set()
    for one in declared:
        several = one.source in of_several
        if several and (one.least is not None or one.per not in {None, "rounds"}):
            return False
        if several or one.over == "opponents":
            of_several.add(one.code)
    return True


def race(tournament: Tournament, matches: Sequence[Match], results: Sequence[Result]) -> Race:
    """Measure what each result of each open match adds; the tournament is used up by it."""
    for match in matches:
        enter(tournament, ResultReported(match.number, results[0]))
    start = _values(tournament)
    tried: list[list[_Values]] = []
    for match in matches:
        tried.append([start])
        for result in results[1:]:
            enter(tournament, ResultCorrected(match.number, tournament.seq, result, SWEPT))
            tried[-1].append(_values(tournament))
        enter(tournament, ResultCorrected(match.number, tournament.seq, results[0], SWEPT))
    players = tournament.active()
    base, gains = _weighed(tournament, players, start, tried)
    return Race(players, list(matches), list(results), base, gains)


def enter(tournament: Tournament, event: Event) -> None:
    """Let a result that is tried count."""
    seq = tournament.seq + 1
    evolve(tournament, record(seq, SWEPT, "", "o1", event))


class _Values(Struct, frozen=True):
    """Points and tiebreakers of every player as columns, the most first; one denominator each."""

    columns: list[list[int]]
    denominators: list[int]


def _values(tournament: Tournament) -> _Values:
    table = crosstable_of(tournament)
    columns, denominators = [table.totals("points")], [1]
    for one in evaluate(table, tournament.ruleset.tiebreakers):
        numerators = one.result.numerators
        rising = one.declared.order == "ascending"
        columns.append([-value for value in numerators] if rising else numerators)
        denominators.append(one.result.denominator)
    return _Values(columns, denominators)


def _weighed(
    tournament: Tournament, players: list[int], start: _Values, tried: list[list[_Values]]
) -> tuple[dict[int, int], list[list[dict[int, int]]]]:
    """Put the columns into one number, from the random rank up to the points."""
    by_lot = sorted(players, key=lambda one: (tournament.players[one].random_rank, one))
    base = {player: -place for place, player in enumerate(by_lot)}
    gains: list[list[dict[int, int]]] = [[{} for _ in values] for values in tried]
    for place in reversed(range(len(start.columns))):
        denominators = (each.denominators[place] for row in tried for each in row)
        common = lcm(start.denominators[place], *denominators)
        weight = _range(players, base, gains) + 1
        first = _column(start, place, common)
        for player in players:
            base[player] += weight * first[player]
        for row, gained in zip(tried, gains, strict=True):
            for values, gain in zip(row[1:], gained[1:], strict=True):
                column = _column(values, place, common)
                for player in players:
                    if added := column[player] - first[player]:
                        gain[player] = gain.get(player, 0) + weight * added
    return base, gains


def _column(values: _Values, place: int, common: int) -> list[int]:
    factor = common // values.denominators[place]
    column = values.columns[place]
    return column if factor == 1 else [value * factor for value in column]


def _range(players: list[int], base: dict[int, int], gains: list[list[dict[int, int]]]) -> int:
    """How far two players can be apart by what has been weighed so far."""
    lowest = dict(base)
    highest = dict(base)
    for row in gains:
        for player in {player for gain in row for player in gain}:
            added = [gain.get(player, 0) for gain in row]
            lowest[player] += min(added)
            highest[player] += max(added)
    return max(highest.values()) - min(lowest.values()) if players else 0
