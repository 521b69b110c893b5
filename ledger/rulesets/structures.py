"""How many rounds, which cut, how long a round is and who may meet again, as a ruleset says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from ledger.facts.base import PLAYERS_MAX, Tier
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Clause, Name, Part, either, place, span, span_problems, twice

StructureKind = Literal["basic", "advanced", "custom"]

Attendance = Annotated[int, Meta(ge=1, le=PLAYERS_MAX)]
Minutes = Annotated[int, Meta(ge=0, le=1_440)]


class Band(Part, frozen=True):
    """For `players_min` to `players_max` players (absent: and above): Swiss rounds and cut.

    `cut` is how many go on to the elimination, 0 for none; `cut_choices` are other cuts that may
    be announced instead. `at_least`: more rounds may be announced.
    """

    players_min: Attendance
    rounds: Annotated[int, Meta(ge=1, le=100)]
    cut: Annotated[int, Meta(ge=0, le=PLAYERS_MAX)]
    players_max: Attendance | None = None
    at_least: bool = False
    cut_choices: tuple[Annotated[int, Meta(ge=0, le=PLAYERS_MAX)], ...] = ()

    def allows(self, rounds: int, cut: int) -> bool:
        """Whether this number of rounds and this cut may be announced."""
        enough = rounds >= self.rounds if self.at_least else rounds == self.rounds
        return enough and cut in {self.cut, *self.cut_choices}

    @property
    def in_words(self) -> Phrase:
        """What it asks for, as "5 rounds and a cut to 8"."""
        cut = phrase("no cut")
        if self.cut:
            cut = phrase("a cut to {cut}", cut=either((self.cut, *self.cut_choices)))
        if self.at_least:
            return phrase(
                "at least {count} round and {cut}",
                plural="at least {count} rounds and {cut}",
                count=self.rounds,
                cut=cut,
            )
        return phrase(
            "{count} round and {cut}",
            plural="{count} rounds and {cut}",
            count=self.rounds,
            cut=cut,
        )


class Structure(Part, frozen=True):
    """A table of bands, from the fewest players to the most."""

    clause: Clause
    bands: tuple[Band, ...]

    def band(self, players: int) -> Band | None:
        """Find the band of an attendance; None where the table has no such attendance."""
        fits = (b for b in self.bands if b.players_min <= players <= (b.players_max or players))
        return next(fits, None)


class Tiers(Part, frozen=True):
    """The structure that events of each tier are expected to have; another one gives a warning.

    None: any structure will do.
    """

    clause: Clause
    relaxed: StructureKind | None = None
    formal: StructureKind | None = None
    premier: StructureKind | None = None

    @property
    def usual(self) -> dict[str, StructureKind]:
        """The expected structure by tier, of the tiers that have one."""
        tiers = {"relaxed": self.relaxed, "formal": self.formal, "premier": self.premier}
        return {tier: kind for tier, kind in tiers.items() if kind is not None}


class TypeOfEvent(Part, frozen=True):
    """A type of event, and the tier and structure that its events are expected to have.

    None: any will do.
    """

    name: Name
    tier: Tier | None = None
    structure: StructureKind | None = None


class TypesOfEvent(Part, frozen=True):
    """The types of event that an organizer may record; a departure from one gives a warning."""

    clause: Clause
    kinds: tuple[TypeOfEvent, ...]

    @property
    def names(self) -> list[str]:
        """The names of the types, as the file lists them."""
        return [kind.name for kind in self.kinds]

    def problems(self) -> Iterator[Phrase]:
        """Yield an empty list of types, and names that are listed twice."""
        if not self.kinds:
            yield phrase("structures.types: needs at least one type of tournament")
        names = twice(self.names)
        yield from (
            phrase("structures.types, kinds: {name} is listed twice", name=f"{name!r}")
            for name in names
        )


class Structures(Part, frozen=True):
    """The structures that an organizer may choose from (FFG-STRUCTURE)."""

    clause: Clause
    custom: bool
    basic: Structure | None = None
    advanced: Structure | None = None
    tiers: Tiers | None = None
    types: TypesOfEvent | None = None

    @property
    def is_by_table(self) -> bool:
        """Whether the game has its table only, and no custom structure next to it (AOP-ROUNDS)."""
        return self.basic is not None and self.basic.clause == self.clause

    @property
    def type_names(self) -> list[str]:
        """The names of the types of event that may be recorded."""
        return self.types.names if self.types else []

    def type_of(self, name: str) -> TypeOfEvent | None:
        """Find a type of event by its name; None if the ruleset does not list it."""
        kinds = self.types.kinds if self.types else ()
        return next((kind for kind in kinds if kind.name == name), None)

    @property
    def tables(self) -> dict[str, Structure]:
        """The tables that there are, by kind."""
        both = {"basic": self.basic, "advanced": self.advanced}
        return {kind: table for kind, table in both.items() if table is not None}

    def problems(self) -> Iterator[Phrase]:
        """Yield where a table of bands has a gap, an overlap or an impossible cut."""
        for kind, table in self.tables.items():
            yield from _band_problems(f"structures.{kind}", table.bands)
        if self.types:
            yield from self.types.problems()
        if not self.custom and not self.tables:
            yield phrase(
                "structures: nothing to choose from; give basic, advanced or custom = true"
            )


class Clock(Part, frozen=True):
    """Minutes of a round; 0 where the organizer says."""

    clause: Clause
    swiss: Minutes
    elimination: Minutes
    final: Minutes


class Rematch(Part, frozen=True):
    """The ban on a second meeting; an elimination is exempt.

    `scope`: the ban holds within one `stage`, or in all Swiss stages of the `tournament`.
    `no_show`: a pairing that nobody played `counts` as a meeting where a legal round without a
    repetition of it exists, and may be repeated where none does; or it is `free`.
    """

    clause: Clause = "FFG-REMATCH"
    scope: Literal["stage", "tournament"] = "stage"
    no_show: Literal["counts", "free"] = "free"


def _band_problems(table: str, bands: tuple[Band, ...]) -> Iterator[Phrase]:
    if not bands:
        yield phrase("{table}: needs at least one band", table=table)
    spans = [(band.players_min, band.players_max) for band in bands]
    yield from span_problems(f"{table}, band", spans)
    for number, band in enumerate(bands, start=1):
        where = place(f"{table}, band", number, span(*spans[number - 1]))
        for cut in (band.cut, *band.cut_choices):
            if cut == 1 or cut > band.players_min:
                yield phrase(
                    "{where}: a cut to {cut} is not possible with {players} players",
                    where=where,
                    cut=cut,
                    players=band.players_min,
                )
