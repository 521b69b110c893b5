"""Commands about office: plays, stands down, rules, notes conduct, recommends, penalizes."""

from __future__ import annotations

from typing import Literal

from ledger.commands.base import Command
from ledger.commands.disputes import Told  # noqa: TC001 - as above
from ledger.events.office import (
    Misconduct,  # noqa: TC001 - msgspec resolves the annotations
    PenaltyKind,  # noqa: TC001 - as above
)


class LinkOfficial(Command, frozen=True):
    """Record which player an official is."""

    official: int
    player: int


class StandDown(Command, frozen=True):
    """Make an official a spectator until they resume."""

    official: int


class Resume(Command, frozen=True):
    """Let an official who stood down take office again."""

    official: int


class Rule(Command, frozen=True):
    """Record a ruling; `match` 0: on no single match.

    A dispute of the match is settled with it: the report stands, or `decides` tells the result.
    Where the desk may, the result is corrected in the same act, unless it is left to another.
    """

    official: int
    ruling: str
    match: int = 0
    clause: str = ""
    raised: Literal["player", "spectator", "official"] = "official"
    player: int = 0
    review: bool = False
    reviews: int = 0
    overrules: str = ""
    upheld: bool = False
    stands: bool = False
    decides: Told | None = None
    corrects: bool = True


class NoteConduct(Command, frozen=True):
    """Record unsporting conduct and its remedy."""

    player: int
    kind: Misconduct
    remedy: str
    note: str = ""


class TakeNote(Command, frozen=True):
    """Put something on record, on a match, on a player or on neither; it decides nothing."""

    text: str
    match: int = 0
    player: int = 0


class RecommendDisqualification(Command, frozen=True):
    """Recommend to the organizer that a player be disqualified."""

    player: int
    reason: str
    clause: str = ""


class Penalize(Command, frozen=True):
    """Give a penalty; a match loss also ends the player's open match, a removal their event."""

    player: int
    kind: PenaltyKind
    infraction: str
    clause: str = ""
