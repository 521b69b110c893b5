"""The set-up of a round and its tables: scenarios, draft groups, first players, sides."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from ledger.events import base
from ledger.events.base import DESK, LEADERS, MARSHAL, ORGANIZER, Event, Recording
from ledger.problems import remedy

Card = Annotated[str, Meta(min_length=1, max_length=200)]
Three = tuple[Card, Card, Card]
Struck = Literal["objective", "deployment", "condition", "pass"]

SEALED_MAX = 40_000
"""Characters of a sealed text; nine card names of the greatest length need fewer."""


class ScenarioDrawn(Event, frozen=True):
    """The deployment and the objective of a round (RW-SCENARIO).

    `by_hand`: cards or a die in the room drew them, and no key can repeat it.
    """

    recording = Recording(
        "drawing a scenario",
        ORGANIZER,
        drawn=True,
        stays="a draw stands; made again, it would be the same",
    )

    round: base.Ordinal
    deployment: Card
    objective: Card
    by_hand: bool = False


class DraftGroupsDrawn(Event, frozen=True):
    """Who drafts with whom; drawn again, the latest groups count (AOP-DRAFT)."""

    recording = Recording(
        "drawing draft groups", ORGANIZER, drawn=True, instead=remedy("draft.draw")
    )

    attempt: base.Ordinal
    groups: tuple[tuple[base.Number, ...], ...]


class FirstPlayerChosen(Event, frozen=True):
    """`chooser` chose who is first player (RW-FIRST, AOP-FIRST, L5R-FIRST).

    `totals` are both army totals, `rolls` every roll, the first player's of the match first;
    each is there where the game chooses by it. `reason`: why the totals are no longer those that
    somebody was drawn at.
    """

    recording = Recording("recording a first player", DESK | LEADERS, instead=remedy("first"))

    match: base.Ordinal
    chooser: base.Number
    first: base.Number
    totals: tuple[base.Count, base.Count] | None = None
    rolls: tuple[tuple[base.Count, base.Count], ...] = ()
    reason: base.Text = ""


class SideTaken(Event, frozen=True):
    """`chooser` chose a side; `blue` has the blue one (SWL-SIDES, RW-SIDE).

    `edge` is the long edge that blue chose where the terrain is fixed (SWL-FIXED-TERRAIN).
    `reason`: why the totals are no longer those that somebody was drawn at.
    """

    recording = Recording("recording a side", DESK | LEADERS, instead=remedy("side"))

    match: base.Ordinal
    chooser: base.Number
    blue: base.Number
    totals: tuple[base.Count, base.Count] | None = None
    edge: Annotated[str, Meta(max_length=64)] = ""
    reason: base.Text = ""


class BattleBuilt(Event, frozen=True):
    """The battle of a match was set up from blue's cards, which stay hidden (SWL-SETUP).

    `sealed` holds what was revealed and struck, and opens with the hidden key, which the last
    event reveals (SWL-HIDDEN); `ledger.lines.sealing` says how.
    """

    recording = Recording("recording a set-up", DESK | LEADERS, stays="another battle replaces it")

    match: base.Ordinal
    sealed: Annotated[str, Meta(max_length=SEALED_MAX, extra={base.FORM: r"^([0-9a-f]{2})+\Z"})]


class ChooserDrawn(Event, frozen=True):
    """`chooser` was drawn to choose the side or the first player (SWL-SIDES, RW-FIRST).

    `totals` are both army totals where equal ones left it to chance.
    """

    recording = Recording(
        "drawing who chooses",
        DESK | LEADERS,
        drawn=True,
        stays="a draw stands; made again, it would be the same",
    )

    match: base.Ordinal
    chooser: base.Number
    totals: tuple[base.Count, base.Count] | None = None


class TerrainAnnounced(Event, frozen=True):
    """Whether the terrain of the event is fixed (SWL-FIXED-TERRAIN)."""

    recording = Recording("announcing the terrain", ORGANIZER)

    fixed: bool

    def reversal(self, _reason: str) -> Event:
        return TerrainAnnounced(not self.fixed)


class TerrainCounted(Event, frozen=True):
    """What stands on a table: how much of it is covered, in percent, and how many of each type."""

    recording = Recording("counting terrain", DESK | LEADERS, instead=remedy("terrain"))

    table: base.Ordinal
    covered: Annotated[int, Meta(ge=0, le=100)]
    pieces: dict[base.Label, base.Count] = field(default_factory=dict)


class VerificationOrdered(Event, frozen=True):
    """Before round 1 the players verify each other's army totals (RW-VERIFY)."""

    recording = Recording(
        "ordering a verification", MARSHAL, stays="tell the players that it is not asked for"
    )


class FirstFiveReviewed(Event, frozen=True):
    """A player's First Five was looked at, by an official or by another player."""

    recording = Recording(
        "reviewing a First Five",
        LEADERS,
        instead=remedy("firstfive"),
        stays="who looked stays on record",
    )

    match: base.Ordinal
    player: base.Number
    official: base.Seat = 0
    reviewer: base.Seat = 0
