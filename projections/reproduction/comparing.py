"""Published rows beside those that the rounds give: a number agrees if it is that one, rounded.

How far it may be off follows from its column: half of the last decimal that any row of it has. A
number that is made of another published one may rest on that one as it was rounded.

A place agrees where nothing that the file publishes puts anybody else there: those level in
everything may be in any order, and where no tiebreaker is published, those level on points. After
an elimination the finishing order will do as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from projections.standings.final import finishing_order
from projections.standings.table import everyone

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament, PublishedRow
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament
    from projections.standings.table import StandingsRow

POINTS, RANK = "points", "rank"
DECIMALS_MAX = 12
"""What more decimals say is the noise of binary fractions."""

DIGITS_MAX, SIZE_MAX = 60, 20


class Figure(Struct, frozen=True):
    """One published number, and the one that follows; none where the ruleset has no such."""

    code: str
    published: str
    follows: Fraction | None
    agrees: bool


class ComparedRow(Struct, frozen=True):
    """A published row: whose, where in the file, and each number of it."""

    player: int
    name: str
    place: str
    figures: tuple[Figure, ...]

    @property
    def agrees(self) -> bool:
        """Whether every number of it follows."""
        return all(each.agrees for each in self.figures)


class PublishedTable(Struct, frozen=True):
    """All rows of a file beside what follows from its rounds."""

    rows: tuple[ComparedRow, ...]
    unknown: tuple[str, ...] = ()
    """What is published and the ruleset does not have."""

    @property
    def numbers(self) -> int:
        """How many numbers were compared."""
        return sum(len(row.figures) for row in self.rows)

    @property
    def wrong(self) -> int:
        """How many do not follow."""
        return sum(not each.agrees for row in self.rows for each in row.figures)


def compared(foreign: ForeignTournament, tournament: Tournament) -> PublishedTable:
    """Compare the published rows of a file with the tournament that it became."""
    codes = dict.fromkeys(code for row in foreign.published for code in row.figures)
    tiebreakers = [code for code in codes if code != POINTS]
    known = [code for code in tiebreakers if code in tournament.ruleset.in_force]
    rows = {row.player: row for row in everyone(tournament).rows}
    places = _places(list(rows.values()), by_all=bool(tiebreakers) or foreign.is_ranked)
    final = _final(tournament)
    values = _values(tournament, known)
    numbers = _numbers(foreign, tournament)
    bounds = {code: _tolerance(foreign.published, code) for code in codes}
    sources = {code: tournament.ruleset.in_force[code].source for code in known}
    bounds = {
        code: own + (bounds[sources[code]] if sources.get(code) in tiebreakers else 0)
        for code, own in bounds.items()
    }
    found = []
    for row in foreign.published:
        player = numbers.get(row.key, 0)
        unit = foreign.points_unit
        own = {POINTS: Fraction(rows[player].points, unit)} if player in rows else {}
        own |= values.get(player, {})
        figures = [
            _figure(row, code, own, bounds[code])
            for code in row.figures
            if code in {POINTS, *known}
        ]
        if row.rank:
            low, high = places.get(player, (0, 0))
            agrees = low <= row.rank <= high or final.get(player) == row.rank
            figures.insert(0, Figure(RANK, str(row.rank), Fraction(low), agrees))
        name = tournament.names.get(f"p{player}", "")
        found.append(ComparedRow(player, name, row.place, tuple(figures)))
    unknown = tuple(code for code in tiebreakers if code not in known)
    return PublishedTable(tuple(found), unknown)


def with_rules(tournament: Tournament, rules: Ruleset) -> Tournament:
    """Return the tournament as it would be read under another ruleset, its results unchanged."""
    return replace(tournament, rules=rules)


def fraction_of(text: str) -> Fraction | None:
    """Return a published number exactly; None where it is no number, or an endless one."""
    try:
        number = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    is_short = number.is_finite() and len(text) <= DIGITS_MAX and abs(number.adjusted()) < SIZE_MAX
    return Fraction(number) if is_short else None


def _numbers(foreign: ForeignTournament, tournament: Tournament) -> dict[str, int]:
    """Return everybody's number by the key of the file: players came in the file's order."""
    named: dict[str, list[int]] = {}
    for player in tournament.registered():
        named.setdefault(tournament.names[f"p{player.number}"], []).append(player.number)
    ranks = {player.random_rank: player.number for player in tournament.registered()}
    return {
        each.key: named[each.name][0] if len(named[each.name]) == 1 else ranks[each.rank]
        for each in foreign.players
    }


def _places(rows: Sequence[StandingsRow], *, by_all: bool) -> dict[int, tuple[int, int]]:
    """Return the first and the last place of those who are level with each player."""
    level: dict[object, list[StandingsRow]] = {}
    for row in rows:
        key = (row.points, row.tiebreakers, row.disqualified) if by_all else row.points
        level.setdefault(key, []).append(row)
    return {
        row.player: (min(each.rank for each in group), max(each.rank for each in group))
        for group in level.values()
        for row in group
    }


def _final(tournament: Tournament) -> dict[int, int]:
    if all(stage.is_swiss or not stage.rounds for stage in tournament.stages):
        return {}
    return {place.player: place.rank for place in finishing_order(tournament)}


def _values(tournament: Tournament, codes: Sequence[str]) -> dict[int, dict[str, Fraction]]:
    """Return the tiebreakers of these codes of everybody, also those that rank nobody."""
    rules = tournament.ruleset
    ranked = [one.code for one in rules.tiebreakers]
    further = [code for code in codes if code not in ranked]
    if further:
        tournament = with_rules(tournament, replace(rules, ranked_by=(*ranked, *further)))
    codes_of = [one.code for one in tournament.ruleset.tiebreakers]
    return {
        row.player: dict(zip(codes_of, row.tiebreakers, strict=True))
        for row in everyone(tournament).rows
    }


def _tolerance(rows: Sequence[PublishedRow], code: str) -> Fraction:
    texts = (row.figures.get(code, "").replace(",", ".") for row in rows)
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return Fraction(1, 2 * 10 ** min(decimals, DECIMALS_MAX)) + Fraction(1, 10**DECIMALS_MAX)


def _figure(row: PublishedRow, code: str, own: Mapping[str, Fraction], bound: Fraction) -> Figure:
    text, follows = row.figures[code], own.get(code)
    number = fraction_of(text)
    agrees = number is not None and follows is not None and abs(number - follows) <= bound
    return Figure(code, text, follows, agrees)
