"""Published rows compared with the rounds of their file, and what is unusual in these rounds.

A published number agrees if it is the computed number, rounded. The tolerance follows from its
column: half of the last decimal that any row of it has. A number that is made of another published
one may be computed from that one as it was rounded.

A place agrees if no number that the file publishes puts another player there: players level in
everything may be in any order, and if no tiebreaker is published, players level on points. After an
elimination the finishing order is accepted as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from projections.standings.bracket import finishing_order
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


class ReproductionVerdict(Struct, frozen=True):
    """How many numbers a file publishes, how many follow, and how many tables are not computed."""

    numbers: int
    follow: int
    not_computed: int = 0
    unknown: tuple[str, ...] = ()
    """What is published and the ruleset does not have: it is not compared."""


def verdict_of(foreign: ForeignTournament, tournament: Tournament) -> ReproductionVerdict:
    """Count what of a file's published numbers follows from a tournament."""
    table = compared(foreign, tournament)
    odd = len(foreign.not_computed)
    return ReproductionVerdict(table.numbers, table.numbers - table.wrong, odd, table.unknown)


class PublishedNumbers:
    """What a file publishes, read once: each number exactly, and how far it may be off."""

    def __init__(self, foreign: ForeignTournament) -> None:
        self._foreign = foreign
        codes = (code for row in foreign.published for code in row.figures)
        self._codes = tuple(dict.fromkeys(codes))
        self._tiebreakers = [code for code in self._codes if code != POINTS]
        self._bounds = {code: _tolerance(foreign.published, code) for code in self._codes}
        self._rows = [
            (row, [(code, text, fraction_of(text)) for code, text in row.figures.items()])
            for row in foreign.published
        ]
        self._numbers: tuple[object, dict[str, int]] = (None, {})

    def beside(self, tournament: Tournament) -> PublishedTable:
        """Compare the published rows with a tournament that the file became."""
        known, found = self._known(tournament), []
        for row, player, figures in self._compared(tournament):
            name = tournament.names.get(f"p{player}", "")
            found.append(ComparedRow(player, name, row.place, tuple(figures)))
        unknown = tuple(code for code in self._tiebreakers if code not in known)
        return PublishedTable(tuple(found), unknown)

    def follow_all(self, tournament: Tournament) -> bool:
        """Whether every published number follows."""
        return all(each.agrees for _, _, row in self._compared(tournament) for each in row)

    def figures_of(self, tournament: Tournament) -> tuple[int, list[Fraction | None]]:
        """Count the published numbers that do not follow, and return all that follow instead."""
        figures = [each for _, _, row in self._compared(tournament) for each in row]
        return sum(not each.agrees for each in figures), [each.follows for each in figures]

    def wrong_first(self, tournament: Tournament) -> PublishedNumbers:
        """Return the same with the rows in front of which a number does not follow.

        A trial that fails fails there, as a rule, and the others need not be looked at.
        """
        is_wrong = [
            not all(each.agrees for each in row) for _, _, row in self._compared(tournament)
        ]
        pairs = sorted(zip(is_wrong, self._rows, strict=True), key=lambda pair: not pair[0])
        found = PublishedNumbers(self._foreign)
        found._rows = [row for _, row in pairs]
        return found

    def _known(self, tournament: Tournament) -> list[str]:
        return [code for code in self._tiebreakers if code in tournament.ruleset.in_force]

    def _compared(
        self, tournament: Tournament
    ) -> Iterator[tuple[PublishedRow, int, Iterator[Figure]]]:
        """Yield each row, its player, and its numbers beside those that follow."""
        known = self._known(tournament)
        by_all = bool(self._tiebreakers) or self._foreign.is_ranked
        follows = _Following(tournament, known, self._foreign.points_unit, by_all=by_all)
        numbers, bounds = self._numbers_in(tournament), self._bounds_in(tournament, known)
        wanted = {POINTS, *known}
        for row, read in self._rows:
            player = numbers.get(row.key, 0)
            shown = [each for each in read if each[0] in wanted]
            yield row, player, _figures(row, player, shown, follows, bounds)

    def _numbers_in(self, tournament: Tournament) -> dict[str, int]:
        """Return everybody's number by the key of the file; trials mostly have the same people."""
        of, numbers = self._numbers
        if of is not tournament.players:
            numbers = _numbers(self._foreign, tournament)
            self._numbers = tournament.players, numbers
        return numbers

    def _bounds_in(self, tournament: Tournament, known: Sequence[str]) -> dict[str, Fraction]:
        """Add to each bound that of the published number that it is made of."""
        sources = {code: tournament.ruleset.in_force[code].source for code in known}
        return {
            code: own
            + (self._bounds[sources[code]] if sources.get(code) in self._tiebreakers else 0)
            for code, own in self._bounds.items()
        }


class _Following:
    """What follows of a tournament: points, tiebreakers and places of each player."""

    def __init__(
        self, tournament: Tournament, codes: Sequence[str], unit: int, *, by_all: bool
    ) -> None:
        self._rows = {row.player: row for row in everyone(tournament).rows}
        self._unit, self._by_all = unit, by_all
        self._final = _final(tournament)
        self._places: dict[int, tuple[int, int]] | None = None
        self._valued, self._at = self._rows, _positions(tournament.ruleset)
        if further := [code for code in codes if code not in self._at]:
            rules = tournament.ruleset
            ranked = [one.code for one in rules.tiebreakers]
            rules = replace(rules, ranked_by=(*ranked, *further))
            everybody = everyone(with_rules(tournament, rules))
            self._valued = {row.player: row for row in everybody.rows}
            self._at = _positions(rules)

    def number(self, player: int, code: str) -> Fraction | None:
        """Return a player's points or tiebreaker; None for who is not in the standings."""
        row = self._valued.get(player)
        if row is None:
            return None
        if code == POINTS:
            return Fraction(row.points, self._unit)
        at = self._at[code]
        return Fraction(row.numerators[at], row.denominators[at])

    def place(self, player: int) -> tuple[int, int]:
        """Return the first and the last place of those who are level with a player."""
        if self._places is None:
            self._places = _places([*self._rows.values()], by_all=self._by_all)
        return self._places.get(player, (0, 0))

    def is_at(self, player: int, rank: int) -> bool:
        """Whether a player may have a place: by the standings, or at the end of the tournament."""
        row = self._rows.get(player)
        if (row is not None and row.rank == rank) or self._final.get(player) == rank:
            return True
        low, high = self.place(player)
        return low <= rank <= high


def _positions(rules: Ruleset) -> dict[str, int]:
    return {one.code: at for at, one in enumerate(rules.tiebreakers)}


def compared(foreign: ForeignTournament, tournament: Tournament) -> PublishedTable:
    """Compare the published rows of a file with the tournament that it became."""
    return PublishedNumbers(foreign).beside(tournament)


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
    """Return everybody's number by the key of the file: by the name, or else by the drawn rank.

    Several may have one name, and a log may have forgotten one since.
    """
    named: dict[str, list[int]] = {}
    for player in tournament.registered():
        named.setdefault(tournament.names.get(f"p{player.number}", ""), []).append(player.number)
    ranks = {player.random_rank: player.number for player in tournament.registered()}
    found = {each.key: named.get(each.name, []) for each in foreign.players}
    return {
        each.key: found[each.key][0] if len(found[each.key]) == 1 else ranks.get(each.rank, 0)
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


def _tolerance(rows: Sequence[PublishedRow], code: str) -> Fraction:
    texts = (row.figures.get(code, "").replace(",", ".") for row in rows)
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return Fraction(1, 2 * 10 ** min(decimals, DECIMALS_MAX)) + Fraction(1, 10**DECIMALS_MAX)


def _figures(
    row: PublishedRow,
    player: int,
    read: Sequence[tuple[str, str, Fraction | None]],
    follows: _Following,
    bounds: Mapping[str, Fraction],
) -> Iterator[Figure]:
    """Yield a row's published numbers beside those that follow."""
    if row.rank:
        low = Fraction(follows.place(player)[0])
        yield Figure(RANK, str(row.rank), low, follows.is_at(player, row.rank))
    for code, text, number in read:
        own = follows.number(player, code)
        agrees = (
            number is not None
            and own is not None
            and (number == own or abs(number - own) <= bounds[code])
        )
        yield Figure(code, text, own, agrees)


class Oddity(Struct, frozen=True):
    """A rematch, a second bye, or two byes at once: the round, and whom it is about."""

    kind: str
    round: int
    players: tuple[int, ...]
    before: int = 0
    """The round in which it was so before."""


def oddities(tournament: Tournament) -> Iterator[Oddity]:
    """Yield what is unusual in the Swiss rounds, in their order."""
    met: dict[tuple[int, ...], int] = {}
    byes: dict[int, int] = {}
    for round_ in tournament.rounds:
        if not tournament.stages[round_.stage - 1].is_swiss:
            continue
        alone = 0
        for match in round_.matches:
            key = tuple(sorted(match.players))
            if match.is_bye:
                if match.named or not key:
                    continue
                if earlier := byes.get(key[0], 0):
                    yield Oddity("second-bye", round_.number, key, earlier)
                if alone:
                    yield Oddity("two-byes", round_.number, (alone, *key))
                byes.setdefault(key[0], round_.number)
                alone = key[0]
            elif (earlier := met.setdefault(key, round_.number)) != round_.number:
                yield Oddity("rematch", round_.number, key, earlier)
        yield from _open(tournament, round_.number)


def _open(tournament: Tournament, number: int) -> Iterator[Oddity]:
    """Yield the tables without a result of a round that others followed."""
    round_ = tournament.rounds[number - 1]
    if number < len(tournament.rounds):
        for match in round_.matches:
            if match.is_open:
                yield Oddity("no-result", number, match.players)
