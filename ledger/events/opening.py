"""How a tournament begins and ends: opening, officials, announcement, start, finish."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from msgspec import Meta, Struct

from ledger.events import base
from ledger.events.base import DESK, LEADERS, ORGANIZER, Event, Recording
from ledger.problems import remedy
from ledger.proof.lines import RULES, WIRE

StageKind = Literal["swiss", "single", "double", "recorded"]
EntryKind = Literal["all", "top", "points", "list"]
Names = Literal["open", "sealed"]
Wire = Annotated[int, Meta(ge=WIRE, le=WIRE)]


class Document(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruleset or format as it was in force: its whole text, so that the log replays alone."""

    key: base.Label
    edition: base.Label
    sha256: base.Sha256
    text: Annotated[str, Meta(max_length=40_000)]


READINGS_MAX = 8
"""How many readings a file has at most at once: an import tries two."""


class Source(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The foreign file that an imported tournament came from, and by which readings it was read.

    No reading: what the file says was taken as it says it.
    """

    kind: base.Label
    sha256: base.Sha256
    reading: Annotated[tuple[base.Label, ...], Meta(max_length=READINGS_MAX)] = ()


def id_from_file(sha256: str, name: str, date: str) -> str:
    """Return the id of an event whose file does not say what it is called, and when it was."""
    return hashlib.sha256(f"{sha256}\n{date}\n{name}".encode()).hexdigest()[:32]


class Stage(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One announced stage.

    `rounds` is 0 for an elimination that runs until one player is left. `entry` says who plays:
    all, the top `size` of the standings, those with `size` points or more, or a list made by hand.
    `carries` keeps the points, and the tiebreakers' rounds, of the stages before.
    `rematch` bans a second meeting within this stage or within the tournament.
    """

    kind: StageKind
    rounds: Annotated[int, Meta(ge=0, le=100)] = 0
    entry: EntryKind = "all"
    size: base.Count = 0
    carries: bool = False
    rematch: Literal["stage", "tournament"] = "stage"


APPEALS_MAX = 365
"""Days after the end that texts about others can be kept for."""


class TournamentOpened(Event, frozen=True):
    """The book is opened: always the first event.

    `wire` and `rules` say which releases read the log: see `ledger.proof.lines`.
    `names` says whether names and free texts stand in the lines in cipher (`sealed`) or as typed.

    `commitment` is the SHA-256 of the secret shuffle key, which draws are made with, and `hidden`
    that of the secret hidden key, which battle cards and hands are sealed with. Both are empty
    where nothing is drawn here: in a finished import. `log_key` is the public key of the log
    itself, in base64, for its signed heads.
    `witness` is the key (as a policy has it) of who cosigns the head of the start, before anything
    is drawn; empty where nobody does.
    `appeals`: for how many days after the end texts about others are kept from being forgotten.
    `lists_required`: nobody plays without having handed in a list (FFG-LIST).
    `last_day` is the day on which an imported event ended, if it is not the first one.
    """

    recording = Recording("opening a tournament", ORGANIZER)

    wire: Wire
    rules: Annotated[int, Meta(ge=1, le=RULES)]
    tournament: base.TournamentId
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    date: base.Day
    time_zone: base.Label
    tier: base.Tier
    ruleset: Document
    engine: base.Label
    commitment: base.SecretOrNone = ""
    hidden: base.SecretOrNone = ""
    format: Document | None = None
    imported: Source | None = None
    lists_required: bool = False
    names: Names = "open"
    appeals: Annotated[int, Meta(ge=0, le=APPEALS_MAX)] = 0
    log_key: Annotated[str, Meta(max_length=100)] = ""
    witness: Annotated[str, Meta(max_length=300)] = ""
    last_day: base.DayOrNone = ""


class OfficialAppointed(Event, frozen=True):
    """A person took office; appointed again, the new roles replace the old (FFG-ROLE-...).

    `player` is who this official is among the players, if they play. `hands_to` is who has the
    office of organizer next, which this official lays down; `for_now`: until they resume it. The
    next event appoints that one.
    """

    recording = Recording(
        "appointing an official", ORGANIZER, after_finish=True, instead=remedy("official")
    )

    official: base.Number
    roles: tuple[base.Role, ...]
    player: base.Seat = 0
    hands_to: base.Seat = 0
    for_now: bool = False


class StructureAnnounced(Event, frozen=True):
    """The stages are announced; after the start only with a `reason` (FFG-ANNOUNCE).

    `players` is the attendance that the structure was chosen for (FFG-STRUCTURE), and `outline`
    names the document that asked for a custom one (FFG-OUTLINE).
    """

    recording = Recording("announcing the structure", ORGANIZER, instead=remedy("start"))

    structure: Literal["basic", "advanced", "custom"]
    stages: tuple[Stage, ...]
    players: base.Count
    outline: base.Text = ""
    reason: base.Text = ""


class RegistrationAsked(Event, frozen=True):
    """Somebody who has no number yet asks to be registered: the desk answers.

    The name is no record of a person's; approval makes one.
    """

    recording = Recording("asking to be registered", DESK | LEADERS, stays="the desk answers it")

    name: base.Text
    faction: Annotated[str, Meta(max_length=64)] = ""
    league_id: Annotated[str, Meta(max_length=64)] = ""


class RegistrationAnswered(Event, frozen=True):
    """The desk registered who asked in an event as a player, or refused (0)."""

    recording = Recording(
        "answering a registration",
        DESK,
        after_finish=True,
        instead=remedy("unregister"),
        stays="the answer stays",
    )

    asked: base.Seq
    player: base.Seat = 0
    reason: base.Text = ""


class TournamentStarted(Event, frozen=True):
    """Play begins, once; `word` was called out in the room and is mixed into every later draw.

    It stands as `ledger.pairing.shuffling` writes it, and is never sealed: repeating a draw
    needs it.
    """

    recording = Recording(
        "starting the tournament",
        ORGANIZER,
        needs_draw_key=True,
        instead=remedy("start"),
        stays="the word stays",
    )

    word: Annotated[str, Meta(max_length=base.WORD_MAX)] = ""


class TournamentFinished(Event, frozen=True):
    """Play is closed; the two secret keys, in hex, open the commitments.

    Both are empty in a finished import, which commits to none.
    """

    recording = Recording("finishing", ORGANIZER, needs_draw_key=True, instead=remedy("correct"))

    shuffle_key: base.SecretOrNone = ""
    hidden_key: base.SecretOrNone = ""
    waiver: base.Waiver | None = None


class ImportResumed(Event, frozen=True):
    """A later state of the foreign file was taken in: the facts up to `ImportEnded` are its.

    An import goes on so until its owner finishes the event.
    """

    recording = Recording("taking a grown file in", ORGANIZER, stays="the file stays")

    source: Source


class ImportEnded(Event, frozen=True):
    """The facts of the foreign file end here; what follows is held to every rule again."""

    recording = Recording("ending an import", ORGANIZER, after_finish=True)
