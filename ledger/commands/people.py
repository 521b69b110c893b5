"""Commands about people: who enters, leaves, returns, is removed."""

from __future__ import annotations

from msgspec import Struct, field

from ledger.commands.base import Command
from ledger.events.people import Departure  # noqa: TC001 - msgspec resolves the annotations


class Entry(Struct, frozen=True):
    """One person to register."""

    name: str
    faction: str = ""
    league_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


class RegisterPlayers(Command, frozen=True):
    """Enroll players; all or none. `namesake` allows a name that is registered already."""

    entries: tuple[Entry, ...]
    namesake: bool = False


class RenamePerson(Command, frozen=True):
    """Record a person's name anew. `namesake` allows a name that another has already."""

    of: str
    name: str
    namesake: bool = False


class ForgetPerson(Command, frozen=True):
    """Forget a person: name, and what was written about them.

    `kept` is how many texts about others as well are held back; see `ledger.books.forgetting`.
    """

    of: str
    kept: int = 0


class WithdrawRegistration(Command, frozen=True):
    """Take a registration back that was a mistake."""

    player: int
    reason: str


class DropPlayer(Command, frozen=True):
    """Let a player leave; an open match is conceded."""

    player: int
    reason: Departure = "request"
    note: str = ""


class RejoinPlayer(Command, frozen=True):
    """Let a dropped player return; `reason` waives the limit of the stage they left."""

    player: int
    reason: str = ""


class DisqualifyPlayer(Command, frozen=True):
    """Remove a player for good; an open match goes to the opponent."""

    player: int
    reason: str
    clause: str = ""
