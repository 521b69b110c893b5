"""The ruleset as a whole: one game's numbers, orders and lists, and what is looked up in them.

Rulesets ship with the program or come from a user's own file. A refusal names a clause: its rule's
own or its code's, as the game in play has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct, field, json, toml
from msgspec.structs import replace

from ledger.errors import NotFound, Refused
from ledger.facts.base import Role, Tier
from ledger.facts.shared import Document, Manner
from ledger.problems import Phrase, Problem, marked, phrase
from ledger.rulesets.entries import PlayerNumber, Start, number_problems
from ledger.rulesets.floor import Conduct, FloorRules
from ledger.rulesets.outcomes import (
    Field,
    Forfeit,
    Letter,
    NamedBye,
    Outcome,
    Scoring,
    Worth,
    outcome_problems,
)
from ledger.rulesets.procedures import Procedure, procedure_problems
from ledger.rulesets.structures import Band, Clock, Rematch, StructureKind, Structures
from ledger.rulesets.tiebreakers import (
    Nameable,
    Steps,
    Tiebreaker,
    cut_problems,
    tiebreaker_problems,
    whole_numbers,
)
from ledger.rulesets.toml_files import (
    Clause,
    Code,
    Edition,
    Faction,
    Key,
    Line,
    Name,
    Part,
    TomlFiles,
    nearest,
    of_file,
    twice,
)


class Interpretation(Part, frozen=True):
    """How a silent or contradictory clause is read here, for a judge to see and to cite."""

    name: Name
    value: Line
    meaning: Line
    clause: Clause


class Ruleset(Part, frozen=True, dict=True):
    """What a game's tournament regulations fix; `ledger.rulesets.parse` makes and checks one."""

    key: Key
    edition: Edition
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
    declared: tuple[Tiebreaker, ...] = field(default=(), name="tiebreakers")
    """Every tiebreaker of the file, of all editions, those that are only read among them."""

    ranked_by: tuple[Code, ...] = ()
    """Those that players are ranked by, in this order; none listed: all, as they are declared."""

    steps: tuple[Steps, ...] = ()
    procedure: Procedure | None = None
    """How a result follows from what the table saw; absent, an outcome or points are reported."""

    confirmation: Literal["none", "opponent"] = "none"
    """When a player's own report counts: at once (none), or once the other side or the desk has
    confirmed it (opponent). What an official reports counts at once."""

    rejoin: Literal["stage", "event"] = "event"
    """Until when a dropped player may return: within the stage they left, or at any time."""

    leaving: Literal["concession", "no-show"] = "concession"
    """What it is where a player leaves after the pairing, before the round has started."""

    byes: tuple[NamedBye, ...] = ()
    """Byes of other worth than the round's, which players ask for, or are given."""

    numbers: tuple[PlayerNumber, ...] = ()
    """What each player is registered with: a rating, a place to start from."""

    start: Start | None = None
    """The points that players begin with; absent: none."""

    factions: tuple[Faction, ...] = ()
    """The factions, clans or armies of the game; none listed: any word is taken for one."""

    forfeit: Forfeit | None = None
    """What a match counts for to which a side did not come; absent: a bye and a round missed."""

    rematch: Rematch = Rematch()
    readings: tuple[Interpretation, ...] = ()
    floor: FloorRules = FloorRules()
    clauses: dict[Clause, Clause] = field(default_factory=dict)
    """What this game's own text has for a clause that the code cites."""

    @cached_property
    def judged(self) -> dict[tuple[object, ...], tuple[Problem, ...]]:
        """What the rules have against results that were looked at before; see scoring."""
        return {}

    @cached_property
    def records(self) -> dict[str, Letter]:
        """The letter of each outcome by its name."""
        return {outcome.name: outcome.record for outcome in self.outcomes}

    @cached_property
    def in_force(self) -> dict[str, Tiebreaker]:
        """Every tiebreaker by its code, in the order declared; of editions the one in force."""
        return {one.code: self.counted(one) for one in self.declared if one.until is None}

    def counted(self, one: Tiebreaker) -> Tiebreaker:
        """Return a declared tiebreaker as it is counted: forfeits may be opponents met."""
        return one.with_forfeits() if self.forfeit and self.forfeit.met else one

    @cached_property
    def tiebreakers(self) -> tuple[Tiebreaker, ...]:
        """The tiebreakers that players are ranked by, in their order."""
        ranked = (self.in_force.get(code) for code in self.ranked_by or self.in_force)
        return tuple(one for one in ranked if one is not None)

    @cached_property
    def whole(self) -> tuple[bool, ...]:
        """Which tiebreakers are whole numbers whatever happens, in the order of the ranking."""
        return whole_numbers(tuple(self.in_force.values()), self.tiebreakers)

    def on(self, day: str) -> Ruleset:
        """Return the ruleset as it is in force on a day: it has the tiebreakers of that edition."""
        if not any(one.since or one.until for one in self.declared):
            return self
        return self._editions.setdefault(day, self._of(day))

    def _of(self, day: str) -> Ruleset:
        dated = (replace(one, since=None, until=None) for one in self.declared if one.holds(day))
        return replace(self, declared=tuple(dated))

    @cached_property
    def _editions(self) -> dict[str, Ruleset]:
        return {}

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
            raise NotFound(
                phrase(
                    "{game} has no outcome {word}; {known}",
                    game=self.key,
                    word=f"{word!r}",
                    known=nearest(word, known),
                )
            )
        return known[word]

    def cites(self, clauses: str) -> str:
        """Return clauses, apart by commas, as this game's own text has them."""
        own = (self.clauses.get(each, each) for each in clauses.split(", "))
        return ", ".join(dict.fromkeys(own))

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """The prefixes of the clauses that this ruleset cites."""
        from ledger.rulesets.clauses import cited_in, prefix_of  # noqa: PLC0415 - as below

        return frozenset(prefix_of(label) for label in cited_in(json.encode(self).decode()))

    def without_foreign(self, clauses: str) -> str:
        """Return clauses, apart by commas, without those of other games' regulations."""
        from ledger.rulesets.clauses import prefix_of, prefixes_of_games  # noqa: PLC0415 - refusals

        foreign = prefixes_of_games() - self.prefixes
        return ", ".join(label for label in clauses.split(", ") if prefix_of(label) not in foreign)

    @property
    def derives(self) -> Procedure | None:
        """The procedure, where a result follows from facts; None where it is reported as such."""
        return self.procedure if self.procedure and self.procedure.facts else None

    @property
    def ends_by(self) -> str:
        """Return the clause on how a game ends, or else on the worth of its outcomes."""
        return self.derives.clause if self.derives else self.scoring.clause

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
        raise Refused(
            Problem(
                Refused.code,
                marked("{points} to {other} is a draw, and {game} has no draws"),
                {"points": points, "other": other, "game": self.key},
                self.ends_by,
            )
        )

    @cached_property
    def byes_by_name(self) -> dict[str, NamedBye]:
        """The byes that a pairing may name."""
        return {one.name: one for one in self.byes}

    def worth_of_bye(self, name: str) -> Worth:
        """What a bye is worth by its name; without one, the round's."""
        return self.byes_by_name.get(name, self.bye)

    def worth_of_absence(self, *, is_absent: bool) -> Worth:
        """Return what a side has of a match that was not played, absent itself or present."""
        given = self.forfeit.worth(is_absent=is_absent) if self.forfeit else None
        return given or (self.unpaired_loss if is_absent else self.bye)

    @cached_property
    def most_points(self) -> int:
        """What a side can have of one match at the most."""
        given = [one.points or 0 for one in self.outcomes]
        if self.forfeit and self.forfeit.met:
            given += [self.worth_of_absence(is_absent=absent).points for absent in (True, False)]
        bands = self.procedure.bands if self.procedure else ()
        return max(*given, self.scoring.points_max, *(band.winner for band in bands), 0)

    def points(self, outcome: Outcome) -> tuple[int, int]:
        """Return what an outcome and the one against it are worth, where outcomes have points.

        Raises:
            Refused: this ruleset's points are reported, not fixed.
        """
        against = self.outcome(outcome.against)
        if outcome.points is None or against.points is None:
            raise Refused(
                phrase(
                    "{game} has no fixed points for a {outcome}; the table reports them",
                    game=self.key,
                    outcome=of_file(outcome.name),
                )
            )
        return outcome.points, against.points

    def structure(self, kind: StructureKind, players: int) -> Band | None:
        """Find rounds and cut for an attendance; None for a custom or an unknown structure."""
        table = self.structures.tables.get(kind)
        return table.band(players) if table else None

    def problems(self) -> Iterator[Phrase]:
        """Yield every contradiction between the parts, each with its place."""
        yield from outcome_problems(self.scoring, self.outcomes, self.fields)
        names = [declared.name for declared in self.fields]
        yield from procedure_problems(self.procedure, self.scoring.kind, names, self.records)
        yield from self.bye.field_problems("bye", self.fields)
        yield from self.unpaired_loss.field_problems("unpaired_loss", self.fields)
        yield from self.forfeit.worth_problems(self.fields) if self.forfeit else ()
        yield from number_problems(self.numbers, self.fields, self.start)
        for one in self.byes:
            yield from one.field_problems(f"byes ({one.name})", self.fields)
        yield from (
            phrase("byes: {name} is listed twice", name=name)
            for name in twice(b.name for b in self.byes)
        )
        known = Nameable(self.fields, [one.name for one in self.numbers], self.steps)
        yield from tiebreaker_problems(self.declared, self.ranked_by, known)
        for kind, table in self.structures.tables.items():
            least = min((band.rounds for band in table.bands), default=0)
            yield from cut_problems(self.declared, least, f"structures.{kind}")
        yield from (
            phrase("factions: {name} is listed twice", name=name) for name in twice(self.factions)
        )
        yield from self.structures.problems()
        yield from self.floor.problems()


RULESET_BYTES_MAX = 40_000
"""The longest ruleset file: its whole text goes into the opening event."""

RULESETS = TomlFiles("ruleset", Ruleset, RULESET_BYTES_MAX, Path(__file__).with_name("games"))

_EDITION = re.compile(r'^edition = "(.*)"$', re.MULTILINE)

names, text_of, parse = RULESETS.names, RULESETS.text_of, RULESETS.parse


class LoadedRuleset(Struct, frozen=True):
    """A ruleset, and the document of it that the opening event carries."""

    document: Document
    ruleset: Ruleset


def load(key: str) -> LoadedRuleset:
    """Load the ruleset of that key, as it ships with the program.

    Raises:
        NotFound: no ruleset has that key.
    """
    return load_text(text_of(key))


def load_text(text: str) -> LoadedRuleset:
    """Make a ruleset and its document from the whole text of a file.

    Raises:
        InvalidRuleset: every problem found.
    """
    ruleset = parse(text)
    digest = sha256(text.encode()).hexdigest()
    return LoadedRuleset(Document(ruleset.key, ruleset.edition, digest, text), ruleset)


def of_edition(text: str, what: str) -> str:
    """Return a ruleset's text whose edition says what an import changed of it."""
    return _EDITION.sub(rf'edition = "\1, {what}"', text, count=1)


def with_forfeits(text: str, forfeit: Forfeit, what: str) -> str:
    """Return a ruleset's text with another `[forfeit]` section, which its edition names as `what`.

    Raises:
        InvalidRuleset: the ruleset declares no such fields, or the section declares nothing.
    """
    lines = ["", "[forfeit]", f'clause = "{forfeit.clause}"']
    for name, worth in (("absent", forfeit.absent), ("present", forfeit.present)):
        if worth is not None:
            fields = ", ".join(f"{label} = {value}" for label, value in worth.fields.items())
            given = f", fields = {{ {fields} }}" if fields else ""
            lines.append(f"{name} = {{ points = {worth.points}{given} }}")
    if forfeit.met:
        lines.append("met = true")
    changed = of_edition("\n".join([*_without_forfeits(text), *lines, ""]), what)
    parse(changed)
    return changed


def _without_forfeits(text: str) -> list[str]:
    """Return the lines of a ruleset's text without its section of forfeits."""
    lines, is_left_out = [], False
    for line in text.rstrip("\n").split("\n"):
        if line.startswith(("[", "#")):
            is_left_out = line.startswith(("[forfeit]", "[forfeit."))
        if not is_left_out:
            lines.append(line)
    return lines


def load_file(path: Path) -> LoadedRuleset:
    """Load the ruleset in a user's own file, of at most `RULESET_BYTES_MAX` bytes.

    Raises:
        NotFound: the file cannot be read.
        InvalidRuleset: every problem found.
    """
    return load_text(RULESETS.text_in(path))


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    clauses: dict[str, Clause]


@cache
def clauses() -> Mapping[str, str]:
    """Return the clause by the code of a problem whose rule names none."""
    path = Path(__file__).with_name("refusals.toml")
    return toml.decode(path.read_bytes(), type=_File).clauses


def cited(rules: Ruleset | None, found: Problem) -> Problem:
    """Return a problem with its clause as the game in play has it, if there is a game."""
    clause = found.clause or clauses().get(found.code, "")
    return found.cited(rules.cites(clause)) if rules and clause else found


def words_shown() -> Iterator[str]:
    """Yield each word and sentence of the files that ship which pages show, in a fixed order.

    Names of games, documents, cards and clauses are not among them.
    """
    from ledger.rulesets.clauses import texts  # noqa: PLC0415 - as above

    yield from (*get_args(Role), *get_args(Tier), *map(str.capitalize, get_args(Tier)))
    yield from (*get_args(StructureKind), *get_args(Conduct), *get_args(Manner))
    for key in names():
        yield from _words_of(load(key).ruleset)
    for _, clause in sorted(texts().items()):
        yield from filter(None, (clause.title, clause.actors, clause.asks))


def _words_of(rules: Ruleset) -> Iterator[str]:
    """Yield the words and sentences of one ruleset."""
    yield from (outcome.name for outcome in rules.outcomes)
    yield from (bye.name for bye in rules.byes)
    declared = rules.procedure
    facts, endings = (declared.facts, declared.endings) if declared else ((), ())
    for column in rules.fields:
        yield from (column.name, column.meaning)
    for number in rules.numbers:
        yield from (number.name, number.meaning)
    for fact in facts:
        yield from (fact.name, fact.meaning)
    for ending in endings:
        yield from (ending.name, ending.meaning)
    yield from (one.name for one in rules.declared)
    yield from rules.structures.type_names
    yield from rules.floor.inspections.of if rules.floor.inspections else ()
    for reading in rules.readings:
        yield from (reading.name, reading.value, reading.meaning)
