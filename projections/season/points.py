"""Points schemes as TOML: the worth of a place in a tournament, and the season's standings by one.

Reading of a scheme: a disqualified entrant gets nothing, not even for taking part. An entrant who
is not known to the league (no pseudonym in the log) is in no season. Equal points are decided by
the best counted result, then the second best, and so on; persons who are equal in all of them
share a rank.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from ledger.facts.base import PLAYERS_MAX, Tier
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Key, Line, Part, TomlFiles, span, span_problems, twice
from projections.season.tables.definitions import sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SCHEME_BYTES_MAX = 40_000
_MONTHS = 12

Players = Annotated[int, Meta(ge=1, le=PLAYERS_MAX)]
Worth = Annotated[int, Meta(ge=0, le=1_000_000)]
Day = Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class PlaceRange(Part, frozen=True):
    """Points of the places from the first to the last (absent: and below)."""

    first: Players
    points: Worth
    last: Players | None = None


class AttendanceBand(Part, frozen=True):
    """Points of places with `players_min` to `players_max` entrants (absent: and above).

    `attendance` is for taking part, whatever the place.
    """

    players_min: Players
    places: tuple[PlaceRange, ...]
    players_max: Players | None = None
    attendance: Worth = 0

    def points(self, place: int) -> int:
        """Return the points of a place."""
        worth = (
            place_range.points
            for place_range in self.places
            if place <= (place_range.last or place)
        )
        return self.attendance + next(worth, 0)


class WeightedTier(Part, frozen=True):
    """A tier that counts, and what its points are multiplied by."""

    tier: Tier
    weight: Annotated[int, Meta(ge=1, le=1_000)]


class Division(Part, frozen=True):
    """A division, and the league ids of its members; the lowest one may name none: all others."""

    name: Line
    members: tuple[str, ...] = ()


class Scheme(Part, frozen=True):
    """How a season is counted.

    The best `best` results of a person count; with `of` only among the first `of` tournaments
    they took part in. `rulesets` are the games that count; none named: every game. Tournaments
    held before `begins` or after `ends` do not count. The first `qualify` persons qualify, of the
    highest division where there are several.

    The first `promote` persons of a division go up, and the last `relegate` go down; of several
    `divisions`, from the highest to the lowest, none goes up from the first or down from the last.
    """

    key: Key
    name: Line
    tiers: tuple[WeightedTier, ...]
    bands: tuple[AttendanceBand, ...]
    best: Annotated[int, Meta(ge=1, le=1_000)]
    of: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    qualify: Annotated[int, Meta(ge=0, le=PLAYERS_MAX)] = 0
    promote: Annotated[int, Meta(ge=0, le=PLAYERS_MAX)] = 0
    relegate: Annotated[int, Meta(ge=0, le=PLAYERS_MAX)] = 0
    divisions: tuple[Division, ...] = ()
    rulesets: tuple[Key, ...] = ()
    begins: Day = "0001-01-01"
    ends: Day = "9999-12-31"

    def weight(self, tier: str) -> int:
        """Return the factor of a tier's points; 0 if the tier does not count."""
        return next((weighted.weight for weighted in self.tiers if weighted.tier == tier), 0)

    def worth(self, tier: str, entrants: int, place: int) -> int:
        """Return what a place among the entrants is worth in a tournament of that tier."""
        for band in self.bands:
            if band.players_min <= entrants <= (band.players_max or entrants):
                return self.weight(tier) * band.points(place)
        return 0

    def problems(self) -> Iterator[Phrase | str]:
        """Yield every contradiction, with its place in the file."""
        if self.of is not None and self.of < self.best:
            yield phrase(
                "of: {of} tournaments are fewer than the best {best}", of=self.of, best=self.best
            )
        for name, day in (("begins", self.begins), ("ends", self.ends)):
            if not _is_day(day):
                yield phrase("{name}: {day} is not a day", name=name, day=day)
        if self.ends < self.begins:
            yield phrase("ends: it must not be before begins")
        tiers = [weighted.tier for weighted in self.tiers]
        if not tiers:
            yield phrase("tiers: at least one is needed")
        for tier in sorted(twice(tiers)):
            yield phrase("tiers: {tier} is listed twice", tier=tier)
        yield from _band_problems(self.bands)
        yield from _division_problems(self.divisions)


SCHEMES = TomlFiles("points scheme", Scheme, SCHEME_BYTES_MAX)


def parse_scheme(text: str) -> Scheme:
    """Read and check a points scheme; InvalidRuleset has every problem with its place."""
    return SCHEMES.parse(text)


def load_scheme(path: Path) -> Scheme:
    """Read the points scheme in a file; NotFound where it cannot be read; as `parse_scheme`."""
    return parse_scheme(SCHEMES.text_in(path))


def _is_day(day: str) -> bool:
    year, month, number = map(int, day.split("-"))
    return year > 0 and 1 <= month <= _MONTHS and 1 <= number <= monthrange(year, month)[1]


def _band_problems(bands: tuple[AttendanceBand, ...]) -> Iterator[Phrase | str]:
    if not bands:
        yield phrase("bands: at least one is needed")
        return
    spans = [(band.players_min, band.players_max) for band in bands]
    yield from _seam_problems("bands", "players", spans)
    for number, band in enumerate(bands, start=1):
        where = f"bands {number} ({span(*spans[number - 1])}), places"
        places = [(place_range.first, place_range.last) for place_range in band.places]
        if not places:
            yield phrase("{where}: at least one is needed", where=where)
        elif places[0][0] != 1:
            yield phrase("{where}: there is a gap: place 1 has no points", where=where)
        yield from _seam_problems(where, "place", places)


def _division_problems(divisions: tuple[Division, ...]) -> Iterator[Phrase | str]:
    if len(divisions) == 1:
        yield phrase("divisions: a single division has no effect; omit it, or name a second one")
    for name in sorted(twice([division.name for division in divisions])):
        yield phrase("divisions: {name} is listed twice", name=name)
    for member in sorted(twice([member for division in divisions for member in division.members])):
        yield phrase("divisions: {member} is a member of two divisions", member=member)
    for division in divisions[:-1]:
        if not division.members:
            yield phrase(
                "divisions: {name} has no members; only the lowest one may leave them out",
                name=division.name,
            )


def _seam_problems(
    where: str, what: str, spans: list[tuple[int, int | None]]
) -> Iterator[Phrase | str]:
    """Yield every gap and overlap of spans that go from the least to the most, without an end."""
    yield from map(str, span_problems(where, spans))
    if spans and spans[-1][1] is not None:
        yield phrase(
            "{where}: there is a gap: no {what} above {last}; omit the last end",
            where=where,
            what=what,
            last=spans[-1][1],
        )


class SeasonResult(Struct, frozen=True, order=True):
    """Result of a person in one tournament, and whether it counts among the best."""

    held_on: str
    tournament: str
    place: int
    entrants: int
    points: int
    counts: bool = False


Move = Literal["", "promoted", "relegated", "promotion tied", "relegation tied"]
"""Change of a person's division; tied: equals share the places at the border."""


class SeasonRow(Struct, frozen=True):
    """A person's place in the season, or in their division; results by date."""

    rank: int
    person: str
    points: int
    tournaments: int
    qualified: bool
    results: tuple[SeasonResult, ...]
    division: str = ""
    move: Move = ""

    def points_counted(self) -> str:
        """Return the points that count, result by result, as a sum."""
        return " + ".join(str(result.points) for result in self.results if result.counts)


Border = Literal["qualify", "promote", "relegate"]


class BorderTie(Struct, frozen=True):
    """Persons who share a rank across a border: how many there are, for how many places."""

    border: Border
    division: str
    rank: int
    persons: int
    places: int


class Championship(Struct, frozen=True):
    """The season's table, and how many entrants were left out for want of a pseudonym."""

    rows: list[SeasonRow]
    unknown: int
    ties: tuple[BorderTie, ...] = ()
    """The borders that run through persons of one rank, who all qualify or do not move."""


def championship(connection: DuckDBPyConnection, scheme: Scheme, at: str = "") -> Championship:
    """Rank all persons known to the league by finished tournaments, as of a day (default: all).

    Reads the tables `tournaments`, `entrants` and `people` of the connection's schema.
    """
    last = min(at or scheme.ends, scheme.ends)
    entries = connection.execute(
        sql("tables/championship"),
        {"first": scheme.begins, "last": last, "rulesets": list(scheme.rulesets)},
    ).fetchall()
    results: dict[str, dict[str, SeasonResult]] = {}
    unknown = 0
    for person, is_known, tournament, held_on, tier, entrants, place in entries:
        if not scheme.weight(tier):
            continue
        if not is_known:
            unknown += 1
            continue
        points = scheme.worth(tier, entrants, place)
        result = SeasonResult(str(held_on), tournament, place, entrants, points)
        # One who was merged after playing twice in one tournament has the better result.
        results.setdefault(person, {}).setdefault(tournament, result)
    rows = [_row(person, sorted(had.values()), scheme) for person, had in results.items()]
    if not scheme.divisions:
        borders = Borders("", scheme.qualify, scheme.promote, scheme.relegate)
        ranked, ties = ranked_within(rows, borders)
        return Championship(ranked, unknown, ties)
    return _by_division(rows, scheme, _persons_behind(connection, scheme), unknown)


def _persons_behind(connection: DuckDBPyConnection, scheme: Scheme) -> dict[str, str]:
    """Return the person of each member whose pseudonym is an alias."""
    members = [member for division in scheme.divisions for member in division.members]
    return dict(
        connection.execute(
            "SELECT league_id, min(person) FROM entrants JOIN people USING (tournament, player) "
            "WHERE list_contains($members, league_id) GROUP BY league_id "
            "HAVING count(DISTINCT person) = 1",
            {"members": members},
        ).fetchall()
    )


def _by_division(
    rows: Iterable[SeasonRow], scheme: Scheme, behind: Mapping[str, str], unknown: int
) -> Championship:
    """Rank each division by itself, the highest first."""
    division_of: dict[str, str] = {}
    for division in scheme.divisions:
        for member in division.members:
            division_of.setdefault(behind.get(member, member), division.name)
    others = "" if scheme.divisions[-1].members else scheme.divisions[-1].name
    by_person = {row.person: row for row in rows}
    absent = [person for person in division_of if person not in by_person]
    placed: dict[str, list[SeasonRow]] = {division.name: [] for division in scheme.divisions}
    for row in (*by_person.values(), *(_row(person, [], scheme) for person in absent)):
        if name := division_of.get(row.person, others):
            placed[name].append(replace(row, division=name))
    ranked: list[SeasonRow] = []
    ties: list[BorderTie] = []
    first, last = scheme.divisions[0].name, scheme.divisions[-1].name
    for name, members in placed.items():
        borders = Borders(
            name,
            scheme.qualify if name == first else 0,
            0 if name == first else scheme.promote,
            0 if name == last else scheme.relegate,
        )
        table, tied = ranked_within(members, borders)
        ranked += table
        ties += tied
    return Championship(ranked, unknown, tuple(ties))


def _row(person: str, results: list[SeasonResult], scheme: Scheme) -> SeasonRow:
    best = sorted(results[: scheme.of], key=lambda result: (-result.points, result))[: scheme.best]
    marked = tuple(replace(result, counts=result in best) for result in results)
    total = sum(result.points for result in best)
    return SeasonRow(0, person, total, len(results), qualified=False, results=marked)


class Borders(Struct, frozen=True):
    """Numbers of persons of a division who qualify, are promoted and are relegated."""

    division: str
    qualify: int
    promote: int
    relegate: int

    def ties(self, rank: int, persons: int, total: int) -> Iterator[BorderTie]:
        """Yield the borders that run through the persons of a rank."""
        last = rank + persons - 1
        tops: dict[Border, int] = {"qualify": self.qualify, "promote": self.promote}
        for border, most in tops.items():
            if rank <= most < last:
                yield BorderTie(border, self.division, rank, persons, most - rank + 1)
        safe = max(total - self.relegate, min(self.promote, total))
        if self.relegate and rank <= safe < last:
            yield BorderTie("relegate", self.division, rank, persons, last - safe)

    def move(self, rank: int, persons: int, total: int) -> Move:
        """Return what becomes of the persons of a rank; promotion goes before relegation."""
        last = rank + persons - 1
        if last <= self.promote:
            return "promoted"
        if rank <= self.promote:
            return "promotion tied"
        safe = max(total - self.relegate, min(self.promote, total))
        if rank > safe:
            return "relegated"
        return "relegation tied" if last > safe else ""


def ranked_within(
    rows: Iterable[SeasonRow], borders: Borders
) -> tuple[list[SeasonRow], tuple[BorderTie, ...]]:
    """Rank persons, and list the borders that divide equals."""
    ordered = sorted(rows, key=lambda row: (_strength(row), row.person))
    ranked: list[SeasonRow] = []
    ties: list[BorderTie] = []
    for _, equals in groupby(ordered, key=_strength):
        rank, persons = len(ranked) + 1, list(equals)
        move = borders.move(rank, len(persons), len(ordered))
        ties += borders.ties(rank, len(persons), len(ordered))
        is_qualified = rank <= borders.qualify
        ranked += [replace(p, rank=rank, qualified=is_qualified, move=move) for p in persons]
    return ranked, tuple(ties)


def _strength(row: SeasonRow) -> tuple[int, ...]:
    """Less is better: the points, then the counted results from the best."""
    counted = sorted(-result.points for result in row.results if result.counts and result.points)
    return (-row.points, *counted)
