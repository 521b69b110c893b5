"""Which rounds count for a tiebreaker, and what they add: for everybody, and for one player.

Everybody's are columns, made at once; one player's are a row, place by place. Both say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from operator import mul

from ledger.rulesets.tiebreakers import KINDS, Further, Tiebreaker, Trailing
from projections.standings.crosstable import Crosstable


def own_columns(one: Tiebreaker, name: str, table: Crosstable) -> list[list[int]]:
    """What each round added to a column, 0 where the tiebreaker does not count the round."""
    columns = table.columns(name)
    if one.picks:
        columns = [
            list(map(mul, column, counted(one, table, place)))
            for place, column in enumerate(columns)
        ]
    trails = one.trailing is not None and name == one.source
    return _with_trailing(one, columns, table) if trails else columns


def own_totals(one: Tiebreaker, name: str, table: Crosstable) -> list[int]:
    """Everybody's total of a column over the rounds that a tiebreaker counts."""
    if name in table.numbers or not (one.picks or one.trailing):
        return table.totals(name)
    columns = own_columns(one, name, table)
    return list(map(sum, zip(*columns, strict=True))) if columns else [0] * table.size


def counted(one: Tiebreaker, table: Crosstable, place: int) -> list[bool]:
    """To whom the round at a place counts for a tiebreaker of own rounds."""
    mask = picked(one, table, place)
    if set(one.kinds) == set(KINDS):
        return mask
    of_kind = table.mask(place, one.kinds)
    return [yes and also for yes, also in zip(mask, of_kind, strict=True)]


def _with_trailing(one: Tiebreaker, columns: list[list[int]], table: Crosstable) -> list[list[int]]:
    """The columns with another worth for rounds at the end of a player's day."""
    assert one.trailing is not None  # noqa: S101 - asked by the caller
    columns = [column[:] for column in columns]
    for player in table.unplayed(len(columns) - 1) if columns else ():
        for place in trailing_places(one.trailing, table, player):
            columns[place][player] = one.trailing.points
    return columns


def trailing_places(trailing: Trailing, table: Crosstable, player: int) -> Iterator[int]:
    """The rounds that have another worth, of who met nobody in the last round."""
    following = {*trailing.rounds, *trailing.before}
    for place in reversed(range(len(table.rounds))):
        kind = table.kind(place, player).kind
        if kind not in following:
            break
        if kind in trailing.rounds:
            yield place


def running_totals(one: Tiebreaker, table: Crosstable) -> list[list[int]]:
    """Everybody's total of a column after each round."""
    columns = own_columns(one, one.source, table)
    if one.source == "points" and table.start is not None and columns:
        start = zip(table.start, columns[0], strict=True)
        columns = [[begun + earned for begun, earned in start], *columns[1:]]
    return [list(accumulate(row)) for row in zip(*columns, strict=True)]


def own_row(one: Tiebreaker, name: str, table: Crosstable, player: int) -> list[int]:
    """What each round added to a column of one player, 0 where it does not count."""
    row = table.row(name, player)
    if one.picks:
        row = [
            worth if is_counted(one, table, place, player) else 0 for place, worth in enumerate(row)
        ]
    if one.trailing is not None and name == one.source and row and not table.against[-1][player]:
        for place in trailing_places(one.trailing, table, player):
            row[place] = one.trailing.points
    return row


def is_counted(one: Tiebreaker, table: Crosstable, place: int, player: int) -> bool:
    """Whether the round at a place counts to a player for a tiebreaker of own rounds."""
    of_kind = set(one.kinds) == set(KINDS) or table.kind(place, player).kind in one.kinds
    return of_kind and is_picked(one, table, place, player)


def running_row(one: Tiebreaker, table: Crosstable, player: int) -> list[int]:
    """A player's total of a column after each round."""
    row = own_row(one, one.source, table, player)
    if one.source == "points" and table.start is not None and row:
        row[0] += table.start[player]
    return list(accumulate(row))


def picked(one: Tiebreaker, table: Crosstable, place: int) -> list[bool]:
    """To whom the round at a place is one that a tiebreaker counts."""
    mask = [True] * table.size
    round_ = table.rounds[place]
    if one.records:
        letters = [*round_.records, *" " * (table.size - len(round_.records))]
        mask = [letter in one.records for letter in letters]
    if one.seat:
        first = one.seat == "first"
        there = {match.first if first else match.second for match in round_.matches}
        mask = [yes and player in there for player, yes in enumerate(mask)]
    if one.worth:
        points = table.columns("points")[place]
        mask = [yes and gave >= one.worth for yes, gave in zip(mask, points, strict=True)]
    return mask


def is_picked(one: Tiebreaker, table: Crosstable, place: int, player: int) -> bool:
    """Whether the round at a place is one that a tiebreaker counts to a player."""
    round_ = table.rounds[place]
    if one.records and (round_.records[player : player + 1] or [" "])[0] not in one.records:
        return False
    if one.seat:
        match = table.seats(place).get(player)
        if match is None or player != (match.first if one.seat == "first" else match.second):
            return False
    return not one.worth or table.columns("points")[place][player] >= one.worth


def beside(declared: Further, table: Crosstable) -> list[list[int]]:
    """What each round adds to the worth of who was met."""
    plus, times = table.columns(declared.plus), declared.times
    if declared.minus is None:
        return [[times * more for more in column] for column in plus]
    minus = table.columns(declared.minus)
    return [
        [times * (more - less) for more, less in zip(*both, strict=True)]
        for both in zip(plus, minus, strict=True)
    ]


def beside_row(declared: Further, table: Crosstable, player: int) -> list[int]:
    """What each round adds to the worth of whom a player met."""
    more = table.row(declared.plus, player)
    less = table.row(declared.minus, player) if declared.minus else [0] * len(more)
    return [declared.times * (plus - minus) for plus, minus in zip(more, less, strict=True)]
