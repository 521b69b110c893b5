"""Results: reported, corrected, withdrawn."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ledger.events import base
from ledger.events.base import DESK, LEADERS, Event, Meaning, Recording
from ledger.problems import remedy

Manner = Literal["played", "time", "concession", "no-show", "departure", "declared"]


class Result(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """How a match ended, side by side: the first member is the first player's.

    `outcomes` are names of the ruleset's outcomes, `points` what they are worth, `fields` the
    further numbers that tiebreakers read. `ending` and `facts` are what the table saw, where the
    ruleset derives all that from it. A match that was not played (`no-show`, and `departure` in
    an elimination) is no meeting for the tiebreakers. `adjusted` is what a judge elsewhere gave
    or took from each side beside `points`, as an imported file has it.
    """

    outcomes: tuple[base.Label, base.Label]
    points: tuple[base.Points, base.Points]
    manner: Manner = "played"
    fields: dict[base.Label, tuple[base.Whole, base.Whole]] = field(default_factory=dict)
    ending: Annotated[str, Meta(max_length=64)] = ""
    facts: dict[base.Label, tuple[base.Whole, base.Whole]] = field(default_factory=dict)
    adjusted: tuple[base.Adjustment, base.Adjustment] = (0, 0)

    @property
    def counted(self) -> tuple[int, int]:
        """The points of each side that count, adjustments included."""
        return self.points[0] + self.adjusted[0], self.points[1] + self.adjusted[1]


class ResultReported(Event, frozen=True):
    """A match's first result."""

    recording = Recording(
        "reporting a result",
        DESK | LEADERS,
        by_players=True,
        withdrawable=True,
        instead=remedy("correct"),
    )

    match: base.Ordinal
    result: Result


class ResultCorrected(Event, frozen=True):
    """Another result replaces that of the event which it corrects; a ruling may have decided it."""

    recording = Recording("correcting a result", DESK, after_finish=True, instead=remedy("correct"))

    match: base.Ordinal
    corrects: base.Seq
    result: Result
    reason: base.Text
    ruling: base.SeqOrNone = 0


class ResultWithdrawn(Meaning, frozen=True):
    """A result entered by mistake is taken back: the match is open again."""

    recording = Recording("taking a result back", DESK, instead=remedy("report"))
    takes_back = (ResultReported, ResultCorrected)

    match: base.Ordinal
