"""The ruleset as a whole: one game's numbers, orders and lists, and what is looked up in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from msgspec import field

from ledger.errors import NotFound, Refused
from ledger.events.base import Label
from ledger.rulesets.floor import FloorRules
from ledger.rulesets.outcomes import Field, Letter, Outcome, Scoring, Worth, outcome_problems
from ledger.rulesets.procedure_findings import procedure_problems
from ledger.rulesets.procedures import Procedure
from ledger.rulesets.structures import Band, Clock, Rematch, StructureKind, Structures
from ledger.rulesets.tiebreakers import Tiebreaker, tiebreaker_problems, whole_numbers
from ledger.rulesets.words import Clause, Faction, Key, Line, Name, Part, nearest, twice


class Interpretation(Part, frozen=True):
    """How a silent or contradictory clause is read here, for a judge to see and to cite."""

    name: Name
    value: Line
    meaning: Line
    clause: Clause


class Ruleset(Part, frozen=True, dict=True):
    """What a game's tournament regulations fix; `ledger.rulesets.parse` makes and checks one."""

    key: Key
    edition: Label
    name: Line
    document: Line
    source: Line
    scoring: Scoring
    outcomes: tuple[Outcome, ...]
    bye: Worth
    unpaired_loss: Worth
    structures: Structures
    clock: Clock
    fields: tuple[Field, ...] = ()
    tiebreakers: tuple[Tiebreaker, ...] = ()
    procedure: Procedure | None = None
    """How a result follows from what the table saw; absent, an outcome or points are reported."""

    confirmation: Literal["none", "opponent"] = "none"
    """When a player's own report counts: at once (none), or once the other side or the desk has
    confirmed it (opponent). What an official reports counts at once."""

    rejoin: Literal["stage", "event"] = "event"
    """Until when a dropped player may return: within the stage they left, or at any time."""

    leaving: Literal["concession", "no-show"] = "concession"
    """What it is where a player leaves after the pairing, before the round has started."""

    factions: tuple[Faction, ...] = ()
    """The factions, clans or armies of the game; none listed: any word is taken for one."""

    rematch: Rematch = Rematch()
    readings: tuple[Interpretation, ...] = ()
    floor: FloorRules = FloorRules()
    clauses: dict[Clause, Clause] = field(default_factory=dict)
    """What this game's own text has for a clause that the code cites."""

    @cached_property
    def records(self) -> dict[str, Letter]:
        """The letter of each outcome by its name."""
        return {outcome.name: outcome.record for outcome in self.outcomes}

    @cached_property
    def whole(self) -> tuple[bool, ...]:
        """Which tiebreakers are whole numbers whatever happens, in the order declared."""
        return whole_numbers(self.tiebreakers)

    @cached_property
    def _by_name(self) -> dict[str, Outcome]:
        return {outcome.name: outcome for outcome in self.outcomes}

    @cached_property
    def _by_word(self) -> dict[str, Outcome]:
        return {word: one for one in self.outcomes for word in one.typed} | self._by_name

    def outcome(self, name: str) -> Outcome:
        """Find the outcome of that name, as a log holds it.

        Raises:
            NotFound: the ruleset has no such outcome.
        """
        return self._find(name, self._by_name)

    def typed(self, word: str) -> Outcome:
        """Find an outcome by its name or one of its short words, in any case.

        Raises:
            NotFound: no outcome has that word.
        """
        return self._find(" ".join(word.lower().split()), self._by_word)

    def _find(self, word: str, known: dict[str, Outcome]) -> Outcome:
        if word not in known:
            raise NotFound(f"{self.key} has no outcome {word!r}; {nearest(word, known)}")
        return known[word]

    def cites(self, clauses: str) -> str:
        """Return clauses, apart by commas, as this game's own text has them."""
        own = (self.clauses.get(each, each) for each in clauses.split(", "))
        return ", ".join(dict.fromkeys(own))

    @property
    def derives(self) -> Procedure | None:
        """The procedure, where a result follows from facts; None where it is reported as such."""
        return self.procedure if self.procedure and self.procedure.facts else None

    @property
    def full_win(self) -> Outcome:
        """What a concession, a no-show or a declaration gives: the first win listed."""
        return next(outcome for outcome in self.outcomes if outcome.record == "W")

    @property
    def full_points(self) -> int:
        """What a full win is worth: its points, or the most that a table may report or derive."""
        if self.full_win.points is not None:
            return self.full_win.points
        bands = self.procedure.bands if self.procedure else ()
        return max((band.winner for band in bands), default=self.scoring.points_max)

    def compared(self, points: int, other: int) -> Outcome:
        """Find the outcome of a side by both sides' points, where points are reported.

        Raises:
            Refused: they are equal, and the ruleset has no draw.
        """
        letter: Letter = "W" if points > other else "L" if points < other else "D"
        if outcome := next((each for each in self.outcomes if each.record == letter), None):
            return outcome
        raise Refused(f"{points} to {other} is a draw, which {self.key} does not have")

    def points(self, outcome: Outcome) -> tuple[int, int]:
        """Return what an outcome and the one against it are worth, where outcomes have points.

        Raises:
            Refused: this ruleset's points are reported, not fixed.
        """
        against = self.outcome(outcome.against)
        if outcome.points is None or against.points is None:
            raise Refused(f"{self.key} has no points for a {outcome.name}; the table reports them")
        return outcome.points, against.points

    def structure(self, kind: StructureKind, players: int) -> Band | None:
        """Find rounds and cut for an attendance; None for a custom or an unknown structure."""
        table = self.structures.tables.get(kind)
        return table.band(players) if table else None

    def problems(self) -> Iterator[str]:
        """Yield every contradiction between the parts, each with its place."""
        yield from outcome_problems(self.scoring, self.outcomes, self.fields)
        names = [declared.name for declared in self.fields]
        yield from procedure_problems(self.procedure, self.scoring.kind, names, self.records)
        yield from self.bye.field_problems("bye", self.fields)
        yield from self.unpaired_loss.field_problems("unpaired_loss", self.fields)
        yield from tiebreaker_problems(self.tiebreakers, self.fields)
        yield from (f"factions: {name} is listed twice" for name in twice(self.factions))
        yield from self.structures.problems()
        yield from self.floor.problems()
