"""The running round as a sum: who stands above whom, by what each open match may end in.

A place in the standings is a comparison of points, then of each tiebreaker, then of the random
rank. Each of these is a constant and one addend for every open match, because whatever a match
changes (the points, rounds and fields of its two players) it changes for itself alone, and the
tiebreakers add such values up. So all of it is one integer a player, the weightier part in
higher digits: `base[player]`, and `gains[player][match]` for what the match's results add.

That holds unless a ruleset bounds or divides a value that several matches make up; `is_a_sum`
says whether it does.
"""

from __future__ import annotations

from math import lcm
from operator import add
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


class Addend(Struct, frozen=True):
    """What a match adds to a sum by each of its results, and the bounds of that."""

    values: list[int]
    least: int
    most: int


Gains = dict[int, Addend]
"""By the place of the match; a match that adds nothing whatever its result is left out."""


class Race(Struct, frozen=True):
    """The players who play on, the open matches, and each player's order as a sum.

    `results` are those that any of the matches may end in.
    """

    players: list[int]
    matches: list[Match]
    results: list[Result]
    base: dict[int, int]
    gains: dict[int, Gains]


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


def addend(values: list[int]) -> Addend:
    """Bound what the results add."""
    return Addend(values, min(values), max(values))


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
) -> tuple[dict[int, int], dict[int, Gains]]:
    """Put the columns into one number, from the random rank up to the points."""
    by_lot = sorted(players, key=lambda one: (tournament.players[one].random_rank, one))
    base = {player: -place for place, player in enumerate(by_lot)}
    rows: dict[int, dict[int, list[int]]] = {player: {} for player in players}
    for place in reversed(range(len(start.columns))):
        denominators = (each.denominators[place] for row in tried for each in row)
        common = lcm(start.denominators[place], *denominators)
        weight = _range(base, rows) + 1
        first = _column(start, place, common)
        for player in players:
            base[player] += weight * first[player]
        for match, row in enumerate(tried):
            columns = [_column(values, place, common) for values in row]
            for player in players:
                before = first[player]
                added = [weight * (column[player] - before) for column in columns]
                if any(added):
                    known = rows[player].get(match)
                    rows[player][match] = list(map(add, known, added)) if known else added
    gains = {
        player: {match: addend(values) for match, values in row.items()}
        for player, row in rows.items()
    }
    return base, gains


def _column(values: _Values, place: int, common: int) -> list[int]:
    factor = common // values.denominators[place]
    column = values.columns[place]
    return column if factor == 1 else [value * factor for value in column]


def _range(base: dict[int, int], rows: dict[int, dict[int, list[int]]]) -> int:
    """How far two players can be apart by what has been weighed so far."""
    lowest = [base[player] + sum(map(min, row.values())) for player, row in rows.items()]
    highest = [base[player] + sum(map(max, row.values())) for player, row in rows.items()]
    return max(highest) - min(lowest) if rows else 0
