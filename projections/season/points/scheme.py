"""A points scheme: what a place in a tournament is worth in the season, as TOML."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from ledger.events.base import PLAYERS_MAX, Tier
from ledger.rulesets.toml_files import TomlFiles
from ledger.rulesets.words import Key, Line, Part, span, span_problems, twice

SCHEME_BYTES_MAX = 40_000
_MONTHS = 12

Players = Annotated[int, Meta(ge=1, le=PLAYERS_MAX)]
Worth = Annotated[int, Meta(ge=0, le=1_000_000)]
Day = Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class PlaceRange(Part, frozen=True):
    """What the places from the first to the last (absent: and below) are worth."""

    first: Players
    points: Worth
    last: Players | None = None


class AttendanceBand(Part, frozen=True):
    """What places are worth with `players_min` to `players_max` entrants (absent: and above).

    `attendance` is for taking part, whatever the place.
    """

    players_min: Players
    places: tuple[PlaceRange, ...]
    players_max: Players | None = None
    attendance: Worth = 0

    def points(self, place: int) -> int:
        """What a place is worth."""
        worth = (each.points for each in self.places if place <= (each.last or place))
        return self.attendance + next(worth, 0)


class WeightedTier(Part, frozen=True):
    """A tier that counts, and what its points are multiplied by."""

    tier: Tier
    weight: Annotated[int, Meta(ge=1, le=1_000)]


class Scheme(Part, frozen=True):
    """How a season is counted.

    The best `best` results of a person count; with `of` only among the first `of` tournaments
    they took part in. `rulesets` are the games that count; none named: every game. Tournaments
    held before `begins` or after `ends` do not count. The first `qualify` persons qualify.
    """

    key: Key
    name: Line
    tiers: tuple[WeightedTier, ...]
    bands: tuple[AttendanceBand, ...]
    best: Annotated[int, Meta(ge=1, le=1_000)]
    of: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    qualify: Annotated[int, Meta(ge=0, le=PLAYERS_MAX)] = 0
    rulesets: tuple[Key, ...] = ()
    begins: Day = "0001-01-01"
    ends: Day = "9999-12-31"

    def weight(self, tier: str) -> int:
        """What a tier's points are multiplied by; 0 where it does not count."""
        return next((each.weight for each in self.tiers if each.tier == tier), 0)

    def worth(self, tier: str, entrants: int, place: int) -> int:
        """Return what a place among the entrants is worth in a tournament of that tier."""
        for band in self.bands:
            if band.players_min <= entrants <= (band.players_max or entrants):
                return self.weight(tier) * band.points(place)
        return 0

    def problems(self) -> Iterator[str]:
        """Yield every contradiction, with its place in the file."""
        if self.of is not None and self.of < self.best:
            yield f"of: the best {self.best} of {self.of} tournaments are more than there are"
        for name, day in (("begins", self.begins), ("ends", self.ends)):
            if not _is_day(day):
                yield f"{name}: {day} is no day"
        if self.ends < self.begins:
            yield "ends: before begins"
        tiers = [each.tier for each in self.tiers]
        if not tiers:
            yield "tiers: none counts"
        for tier in sorted(twice(tiers)):
            yield f"tiers: {tier} is there twice"
        yield from _band_problems(self.bands)


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


def _band_problems(bands: tuple[AttendanceBand, ...]) -> Iterator[str]:
    if not bands:
        yield "bands: at least one is needed"
        return
    spans = [(band.players_min, band.players_max) for band in bands]
    yield from _seam_problems("bands", "players", spans)
    for number, band in enumerate(bands, start=1):
        where = f"bands {number} ({span(*spans[number - 1])}), places"
        places = [(each.first, each.last) for each in band.places]
        if not places:
            yield f"{where}: at least one is needed"
        elif places[0][0] != 1:
            yield f"{where}: a gap, place 1 is worth nothing"
        yield from _seam_problems(where, "place", places)


def _seam_problems(where: str, what: str, spans: list[tuple[int, int | None]]) -> Iterator[str]:
    """Yield every gap and overlap of spans that go from the least to the most, without an end."""
    yield from span_problems(where, spans)
    if spans and spans[-1][1] is not None:
        yield f"{where}: a gap, no {what} above {spans[-1][1]}; leave the last end out"
