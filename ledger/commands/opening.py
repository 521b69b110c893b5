"""Commands about the opening, the structure and the end."""

from __future__ import annotations

from typing import Literal

from ledger.commands.base import Command
from ledger.events.base import (
    Role,  # noqa: TC001 - msgspec resolves the annotations
    Tier,  # noqa: TC001
)
from ledger.events.opening import (
    Names,  # noqa: TC001
    Stage,  # noqa: TC001
)


class OpenTournament(Command, frozen=True):
    """Open the book; the author is its organizer."""

    tournament: str
    name: str
    date: str
    time_zone: str
    ruleset: str
    organizer: str
    tier: Tier = "relaxed"
    format: str = ""
    variant: str = ""
    """The whole text of a format, and which variant of it; empty: none is named."""

    lists_required: bool = False
    names: Names = "open"
    appeals: int = 0
    """For how many days after the end texts about others are kept from being forgotten."""

    log_key: str = ""
    """The log's own public key, in base64."""

    witness: str = ""
    """The key of who cosigns the head of the start, as a policy has it."""

    commitment: str = ""
    """The SHA-256 of the shuffle key, in hex, where that is a file; empty: the vault has it."""


class AppointOfficial(Command, frozen=True):
    """Give a person office: a new one by name, a known one (`official`) other roles.

    A player of the same name is that person, unless `namesake` says that it is another.
    """

    name: str
    roles: tuple[Role, ...]
    official: int = 0
    namesake: bool = False


class StartTournament(Command, frozen=True):
    """Announce the structure and begin; once more before round 1 to announce it anew.

    `word` is as it was typed. `asked` are rounds and cut where the table leaves a choice, 0 for
    the table's own.
    """

    structure: Literal["basic", "advanced", "custom"]
    stages: tuple[Stage, ...] = ()
    outline: str = ""
    word: str = ""
    asked: tuple[int, int] = (0, 0)


class ChangeStructure(Command, frozen=True):
    """Change what was announced, with a reason."""

    stages: tuple[Stage, ...]
    reason: str


class FinishTournament(Command, frozen=True):
    """Close play; the shuffle key is revealed."""

    despite_dispute: bool = False
    reason: str = ""
