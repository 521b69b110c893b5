"""What a ruleset says of the floor around the tables: who rules, the clock, the set-up, components.

Every table is optional: what it leaves out is as in the three games that share their regulations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Annotated
from typing import Literal

from msgspec import Meta

from ledger.events.base import Role  # noqa: TC001 - msgspec resolves the annotations
from ledger.rulesets.words import Clause
from ledger.rulesets.words import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

Minutes = Annotated[int, Meta(ge=0, le=240)]


class Authority(Part, frozen=True):
    """Who leads an event, and whether a leader may play in it.

    `playing`: "relaxed", only in that tier and with another leader announced at the beginning
    (FFG-LEADER-TIER); "announced", wherever it is announced before the start (AOP-ORGANIZER).
    `placing_prize`: whether a playing organizer keeps a prize for placing, or passes it down.
    """

    clause: Clause = "FFG-ROLE-JUDGE"
    leaders: tuple[Role, ...] = ("organizer", "marshal", "judge")
    playing: Literal["relaxed", "announced"] = "relaxed"
    placing_prize: Literal["kept", "passes"] = "kept"

    @property
    def has_judges(self) -> bool:
        """Whether a judge rules first and a marshal reviews."""
        return "judge" in self.leaders


class FloorClock(Part, frozen=True):
    """`extra_max`: minutes that the organizer may add to a round if announced before the event.

    `warning`: at so many minutes left the end of the round is called out; 0 for never. The final
    keeps its length (SWL-CLOCK).
    """

    clause: Clause = "FFG-CLOCK"
    extra_max: Minutes = 0
    warning: Minutes = 0


class Floor(Part, frozen=True):
    """The floor's tables of a ruleset."""

    authority: Authority = Authority()
    clock: FloorClock = FloorClock()

    def problems(self) -> Iterator[str]:
        """Yield every contradiction, with its place."""
        if "organizer" not in self.authority.leaders:
            yield "floor.authority, leaders: the organizer is one of them"
        if "scorekeeper" in self.authority.leaders:
            yield "floor.authority, leaders: a scorekeeper does not lead"
