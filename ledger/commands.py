"""What people ask for: one imperative struct a command; `ledger.decisions` answers it.

Players, matches and rounds come as numbers: finding them by the words a person typed is the
command line's work.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec import field

from ledger.events.base import Role  # noqa: TC001 - msgspec resolves the annotations
from ledger.events.base import Tier  # noqa: TC001 - as above
from ledger.events.lists import CardSource  # noqa: TC001
from ledger.events.lists import ListFinding  # noqa: TC001
from ledger.events.opening import Stage  # noqa: TC001
from ledger.events.people import Departure  # noqa: TC001


class Command(Struct, frozen=True):
    """A wish; it becomes events, or is refused with a reason."""


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

    log_key: str = ""
    """The log's own public key, in base64."""


class AppointOfficial(Command, frozen=True):
    """Give a person office: a new one by name, a known one (`official`) other roles."""

    name: str
    roles: tuple[Role, ...]
    official: int = 0


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
    """Record a person's name anew."""

    of: str
    name: str


class WithdrawRegistration(Command, frozen=True):
    """Take a registration back that was a mistake."""

    player: int
    reason: str


class StartTournament(Command, frozen=True):
    """Announce the structure and begin; once more before round 1 to announce it anew.

    `asked` are rounds and cut where the table leaves a choice, 0 for the table's own.
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


class PairRound(Command, frozen=True):
    """Pair the next round; `by_hand` sets tables first, the rest is drawn."""

    by_hand: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    allow_rematch: bool = False


class UnpairRound(Command, frozen=True):
    """Take the pairing of the round in play back."""

    reason: str


class SwapSeats(Command, frozen=True):
    """Let two players of the round in play change places."""

    players: tuple[int, int]
    reason: str
    allow_rematch: bool = False


class PostTable(Command, frozen=True):
    """Record what was put on the wall."""

    what: Literal["pairings", "standings"]
    round: int
    up_to: int
    sha256: str


class StartRound(Command, frozen=True):
    """Start the round in play and its clock."""


class CloseRound(Command, frozen=True):
    """Close the round in play."""


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


class CorrectPoints(Command, frozen=True):
    """Replace a match's result by other points."""

    match: int
    points: tuple[int, int]
    reason: str


class CorrectFacts(Command, frozen=True):
    """Replace a match's result by what other facts make."""

    match: int
    facts: dict[str, tuple[int, int]]
    reason: str
    ending: str = ""
    outcome: str = ""


class Undo(Command, frozen=True):
    """Take the last own act back, where nothing depends on it."""

    reason: str = "undone"


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


class MakeCut(Command, frozen=True):
    """Decide who goes on to the next stage; `players` only where the stage's entry is a list."""

    players: tuple[int, ...] = ()


class TakeBackCut(Command, frozen=True):
    """Take a cut back before its stage is paired, to make it anew."""

    reason: str


class AnswerReplacement(Command, frozen=True):
    """The next ranked was asked to replace a qualifier who left: yes or no."""

    player: int
    accepts: bool


class ForfeitPlace(Command, frozen=True):
    """Leave a qualifier's place empty: nobody is left to take it."""


class SubmitList(Command, frozen=True):
    """Hand a player's list in, as the whole text of a file."""

    player: int
    text: str


class CheckList(Command, frozen=True):
    """Record that a leader checked a player's list, or the deck itself, and what was found."""

    player: int
    cards: CardSource | None = None
    findings: tuple[ListFinding, ...] = ()
    note: str = ""


class CorrectList(Command, frozen=True):
    """Bring a list in line with what is played; a leader says whether it is an advantage."""

    player: int
    text: str
    reason: str
    advantageous: bool = True


class FinishTournament(Command, frozen=True):
    """Close play; the shuffle key is revealed."""
