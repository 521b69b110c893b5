"""Commands about results: reports, concessions, corrections."""

from __future__ import annotations

from ledger.commands.base import Command


class ReportOutcome(Command, frozen=True):
    """Report a match by the first player's outcome."""

    match: int
    outcome: str


class ReportPoints(Command, frozen=True):
    """Report a match by the points of each side."""

    match: int
    points: tuple[int, int]


class ReportFacts(Command, frozen=True):
    """Report what a table saw: how the game ended ("": as usual), and its numbers side by side.

    `outcome` is the first player's by what was said; it must follow from the facts.
    """

    match: int
    facts: dict[str, tuple[int, int]]
    ending: str = ""
    outcome: str = ""


class ReportNoShow(Command, frozen=True):
    """Report that players did not come to their match; they are dropped."""

    match: int
    absent: tuple[int, ...]


class Concede(Command, frozen=True):
    """Concede the player's open match."""

    player: int


class CorrectOutcome(Command, frozen=True):
    """Replace a match's result by another outcome of the first player."""

    match: int
    outcome: str
    reason: str
    ruling: int = 0


class CorrectPoints(Command, frozen=True):
    """Replace a match's result by other points."""

    match: int
    points: tuple[int, int]
    reason: str
    ruling: int = 0


class CorrectFacts(Command, frozen=True):
    """Replace a match's result by what other facts make."""

    match: int
    facts: dict[str, tuple[int, int]]
    reason: str
    ending: str = ""
    outcome: str = ""
    ruling: int = 0


class CorrectNoShow(Command, frozen=True):
    """Replace a match's result: these players did not come to it. Nobody is dropped by that."""

    match: int
    absent: tuple[int, ...]
    reason: str
    ruling: int = 0
