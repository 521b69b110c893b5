"""Office: standing down, rulings, conduct and penalties."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ledger.events import base
from ledger.events.base import DESK, LEADERS, MARSHAL, Event, Recording
from ledger.events.results import Result
from ledger.problems import remedy

Clause = Annotated[str, Meta(max_length=64)]

Misconduct = Literal[
    "stalling",
    "excessive force",
    "inappropriate behavior",
    "discourtesy",
    "cheating",
    "collusion on scores",
    "notes or outside material",
    "help from spectators",
    "other",
]
"""The kinds of unsporting conduct (FFG-CONDUCT-KIND)."""

PenaltyKind = Literal[
    "warning",
    "corrected play",
    "discard",
    "game forfeit",
    "match loss",
    "removal",
    "declared win",
    "declared draw",
    "other",
]
"""What may follow an infraction (AOP-PENALTY)."""

LOSES_THE_MATCH: frozenset[PenaltyKind] = frozenset({"game forfeit", "match loss"})
"""The penalties that end the match as a loss."""

DECLARES: dict[PenaltyKind, Literal["W", "D"]] = {"declared win": "W", "declared draw": "D"}
"""The penalties that end the match as declared, and what the player has then."""


class OfficialStoodDown(Event, frozen=True):
    """A judge or marshal is a spectator until they resume (FFG-ROLE-STATUS)."""

    recording = Recording("standing down", LEADERS | DESK, after_finish=True)

    official: base.Number

    def reversal(self, _reason: str) -> Event:
        return OfficialResumed(self.official)


class OfficialResumed(Event, frozen=True):
    """An official who stood down is back in office (FFG-ROLE-STATUS)."""

    recording = Recording("resuming office", LEADERS | DESK, after_finish=True)

    official: base.Number

    def reversal(self, _reason: str) -> Event:
        return OfficialStoodDown(self.official)


class RulingMade(Event, frozen=True):
    """An official ruled (FFG-RULING); `match` 0: on no single match.

    `raised` says who asked, `player` which one if it was a player. `review` says that a player
    asked for a marshal's review. `reviews` is the ruling that this one decides again, for good, or
    leaves as it is (`upheld`). `overrules` names the mistake of the rules documents that it puts
    right (FFG-OVERRULE). `settles` is the dispute that it ends, and `decides` the result that the
    match then has; without one the disputed report stands.
    """

    recording = Recording(
        "a ruling", DESK | LEADERS, after_finish=True, withdrawable=True, instead=remedy("appeal")
    )

    official: base.Number
    ruling: base.Text
    match: base.MatchOrNone = 0
    clause: Clause = ""
    raised: Literal["player", "spectator", "official"] = "official"
    player: base.Seat = 0
    review: bool = False
    reviews: base.SeqOrNone = 0
    overrules: base.Text = ""
    upheld: bool = False
    settles: base.SeqOrNone = 0
    decides: Result | None = None


class ConductNoted(Event, frozen=True):
    """A marshal found a player's conduct unsporting and decided the remedy (FFG-AUTH-CONDUCT)."""

    recording = Recording("deciding on conduct", MARSHAL, after_finish=True, withdrawable=True)

    player: base.Number
    kind: Misconduct
    remedy: base.Text
    match: base.MatchOrNone = 0
    note: base.Text = ""


class DisqualificationRecommended(Event, frozen=True):
    """A marshal recommends a disqualification; the organizer decides it (FFG-AUTH-DQ)."""

    recording = Recording(
        "recommending a disqualification", MARSHAL, after_finish=True, withdrawable=True
    )

    player: base.Number
    reason: base.Text
    clause: Clause = ""


class NoteTaken(Event, frozen=True):
    """An official put something on record that decides nothing.

    It is on a match, on a player, or with neither of them on the day.
    """

    recording = Recording("a note", DESK | LEADERS, after_finish=True, withdrawable=True)

    text: base.Text
    match: base.MatchOrNone = 0
    player: base.Seat = 0


class PenaltyGiven(Event, frozen=True):
    """A penalty: what for, by which clause, and what follows (AOP-PENALTY)."""

    recording = Recording("a penalty", LEADERS, after_finish=True, withdrawable=True)

    player: base.Number
    kind: PenaltyKind
    infraction: base.Text
    clause: Clause = ""
    match: base.MatchOrNone = 0


class JudgeCalled(Event, frozen=True):
    """Somebody wants a judge: at the table of a match, or a player without one anywhere."""

    recording = Recording("calling a judge", DESK | LEADERS, by_players=True, withdrawable=True)

    match: base.MatchOrNone = 0
    player: base.Seat = 0
    reason: base.Text = ""


class CallAnswered(Event, frozen=True):
    """An official went to who had called a judge."""

    recording = Recording("answering a call", DESK | LEADERS, withdrawable=True)

    call: base.Seq
    official: base.Number
