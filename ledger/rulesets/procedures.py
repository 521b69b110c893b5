"""How a ruleset comes from what a table saw to a result: a procedure's name and its constants.

A table sees an ending (how the game ended) and facts (a number for each side). Which ones exist,
what they may be and what each ending needs is data; the procedure named here does the arithmetic
(`ledger.procedures`). `REQUIRED` says what a procedure must find in the file.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.events.base import Points, Whole
from ledger.rulesets.words import Clause, Key, Line, Name, Part, Word

ProcedureName = Literal[
    "outcome@1", "comparison@1", "runewars@1", "ashes@1", "legion@1", "l5r-time@1"
]

REPEATS_MAX = 20


class Fact(Part, frozen=True):
    """A number that the table saw on each side, between a least and a most.

    `sides`: `each` has its own; `one` side has it (1) and the other not (0); at `most-one` has
    it; `shared` is one number for both. `repeats` makes it a row of rolls, `flurry-1` and on.
    Only one side may have `max` where it is `max_for_one`; `official` numbers a person in office.
    `recorded`: it must agree with what was recorded at the table.
    """

    name: Key
    min: Whole
    max: Whole
    meaning: Line
    clause: Clause
    sides: Literal["each", "one", "most-one", "shared"] = "each"
    repeats: Annotated[int, Meta(ge=0, le=REPEATS_MAX)] = 0
    max_for_one: bool = False
    official: bool = False
    recorded: Literal["", "first", "chooser", "blue"] = ""
    titles: tuple[Word, ...] = ()
    """What else a spreadsheet calls its column, without the side (wins for games won)."""

    def names(self) -> tuple[str, ...]:
        """The labels under which a result holds it."""
        rows = tuple(f"{self.name}-{number}" for number in range(1, self.repeats + 1))
        return rows or (self.name,)


class Ending(Part, frozen=True):
    """How a game can end; the first one listed is the default.

    `needs` are facts that must be reported. `marks` is a fact of one side that naming the winner
    at the desk sets on the other side: who was destroyed, who conceded. `asks` are facts that a
    person is asked for in Swiss rounds, because points hang on them; a log may lack them.
    """

    name: Name
    manner: Literal["played", "time", "concession", "declared"]
    meaning: Line
    clause: Clause
    needs: tuple[Key, ...] = ()
    asks: tuple[Key, ...] = ()
    marks: Key = ""
    typed: tuple[Word, ...] = ()


class MarginBand(Part, frozen=True):
    """What a margin in a range is worth; without a maximum the range has no end."""

    margin_min: Points
    winner: Points
    loser: Points
    margin_max: Points | None = None
    outcome: Name | None = None


class Sum(Part, frozen=True):
    """A field as a sum of a base and of both sides' facts, each times a weight.

    It is held to the field's range. `winner`: the other side has 0, and both on a draw.
    """

    field: Key
    clause: Clause
    base: Whole = 0
    own: dict[Key, Whole] = msgspec.field(default_factory=dict)
    other: dict[Key, Whole] = msgspec.field(default_factory=dict)
    side: Literal["both", "winner"] = "both"


class Procedure(Part, frozen=True, dict=True):
    """The procedure's name, the endings and facts that a table reports, and its constants.

    `main` is the fact that `107-49` gives, `third` the one that `2-1-1` adds, `then` is compared
    while the main fact is equal. `bare`: an outcome alone may be reported, without facts.
    """

    name: ProcedureName
    clause: Clause
    main: Key = ""
    third: Key = ""
    then: tuple[Key, ...] = ()
    bare: bool = False
    endings: tuple[Ending, ...] = ()
    facts: tuple[Fact, ...] = ()
    numbers: dict[Key, Whole] = msgspec.field(default_factory=dict)
    bands: tuple[MarginBand, ...] = ()
    sums: tuple[Sum, ...] = ()

    @cached_property
    def labels(self) -> dict[str, Fact]:
        """Each fact by every label that it has in a result."""
        return {label: fact for fact in self.facts for label in fact.names()}

    def ending(self, name: str) -> Ending | None:
        """Find the ending of that name; without a name, the first one."""
        return next((one for one in self.endings if name in {"", one.name}), None)

    def by_manner(self, manner: str) -> Ending | None:
        """Find the first ending of that manner."""
        return next((one for one in self.endings if one.manner == manner), None)

    def band(self, margin: int) -> MarginBand:
        """Find what a margin is worth; the bands have no gap and no end."""
        return next(one for one in reversed(self.bands) if one.margin_min <= margin)
