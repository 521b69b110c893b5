"""Commands about the set-up: draw scenarios and groups; record first players, sides, terrain."""

from __future__ import annotations

from ledger.commands.base import Command
from ledger.events.setups import (
    Struck,  # noqa: TC001 - msgspec resolves the annotations
    Three,  # noqa: TC001 - as above
)


class DrawScenario(Command, frozen=True):
    """Draw the scenario of the round in play; by name only where an outline says so."""

    deployment: str = ""
    objective: str = ""


class DrawDraftGroups(Command, frozen=True):
    """Draw who drafts with whom."""


class DrawChooser(Command, frozen=True):
    """Draw who chooses the first player or the side, where chance decides it."""

    match: int
    totals: tuple[int, int] | None = None


class ChooseFirstPlayer(Command, frozen=True):
    """Record who is first player; `chooser` 0: who it has to be by totals or rolls."""

    match: int
    first: int
    chooser: int = 0
    totals: tuple[int, int] | None = None
    rolls: tuple[tuple[int, int], ...] = ()


class TakeSide(Command, frozen=True):
    """Record who is blue; `chooser` 0: who it has to be."""

    match: int
    blue: int
    chooser: int = 0
    totals: tuple[int, int] | None = None
    edge: str = ""


class BuildBattle(Command, frozen=True):
    """Record the cards revealed and what was struck out; what is played follows from it."""

    match: int
    objectives: Three
    deployments: Three
    conditions: Three
    struck: tuple[Struck, Struck, Struck, Struck]


class AnnounceTerrain(Command, frozen=True):
    """Say whether the terrain is fixed."""

    fixed: bool


class CountTerrain(Command, frozen=True):
    """Record what stands on a table."""

    table: int
    covered: int
    pieces: dict[str, int]


class OrderVerification(Command, frozen=True):
    """Let the players verify each other's army totals."""


class ReviewFirstFive(Command, frozen=True):
    """Record who looked at a player's First Five."""

    match: int
    player: int
    official: int = 0
    reviewer: int = 0
