"""What every stored fact has in common, and the bounds of its values.

A body is what a line carries under `data`. Bodies hold numbers, never names: whatever tells who
a person is belongs in `PersonRecorded` alone, and free text is of one type, so that both can be
sealed.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from msgspec import Meta, Struct

from ledger.problems import Phrase, Remedy, phrase

PLAYERS_MAX = 8_000
"""Players in one tournament; keeps the longest line (a round of 4,000 tables) under the cap."""

PLAYERS_MIN = 2
"""Players that make a tournament, and that a cut leaves."""

POINTS_MAX = 1_000_000
"""Points a side can have from one match."""

SECRET_BYTES = 32
"""How long each of the secret keys is that the first event commits to."""

WORD_MAX = 100
"""Characters in the word that is called out."""

RANKS_MAX = 2**48
"""How many random ranks there are, from 0."""

Number = Annotated[int, Meta(ge=1, le=PLAYERS_MAX)]
"""A player or an official, in order of registration."""

NOBODY: Final = 0
"""In the place of a player or an official; who sits opposite has the bye."""

Seat = Annotated[int, Meta(ge=NOBODY, le=PLAYERS_MAX)]
"""A player, or `NOBODY`."""

Ordinal = Annotated[int, Meta(ge=1, le=1_000_000)]
"""A round, a stage or a match: counted from 1 through the whole tournament."""

MatchOrNone = Annotated[int, Meta(ge=0, le=1_000_000)]
"""A match, or 0: none in particular."""

Seq = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""A place in the stream, from 1."""

SeqOrNone = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A place in the stream, or 0: none."""

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Size = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""How many lines a head covers."""

Points = Annotated[int, Meta(ge=0, le=POINTS_MAX)]
Adjustment = Annotated[int, Meta(ge=-POINTS_MAX, le=POINTS_MAX)]
"""Points that a judge gave or took beside a match's result."""

Whole = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]

SEALED_UP_TO = "sealed_up_to"
"""Marks a type whose text is sealed in the line; its value is the longest text, in characters.

The bound is the text's own: sealed it is longer. `ledger.lines.sealing` finds the mark by itself.
"""

TEXT_MAX = 1_000
"""Characters of the longest text about people: the same for every such type."""

Text = Annotated[str, Meta(extra={SEALED_UP_TO: TEXT_MAX})]
"""Free text, kept exactly as typed; made safe where it is shown."""

PersonName = Annotated[str, Meta(min_length=1, extra={SEALED_UP_TO: TEXT_MAX})]
"""A person's name, kept exactly as typed."""

PublicNames = Literal["full", "short", "number"]
"""How much of a name pages for everybody show."""

FORM = "form"
"""Marks a type whose text follows a pattern, its value.

It is looked for when a line is accepted (`ledger.lines.line`), not each time it is read from a
store: a regular expression for each label of each line would take as long as all the rest of it.
"""

PersonId = Annotated[str, Meta(extra={FORM: r"^[op][1-9][0-9]{0,3}\Z"})]
"""`p7` for player 7, `o2` for official 2."""

LABEL_MAX = 64
"""Characters of a label."""

_LABEL_WORD = r"[^\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+"
LABEL = rf"\A{_LABEL_WORD}( {_LABEL_WORD})*\Z"
"""Words with single spaces between them, of characters that are seen and end no line."""

Label = Annotated[str, Meta(min_length=1, max_length=LABEL_MAX, extra={FORM: LABEL})]
Sha256 = Annotated[str, Meta(extra={FORM: r"^[0-9a-f]{64}\Z"})]
TournamentId = Annotated[str, Meta(extra={FORM: r"^[0-9a-f]{32}\Z"})]
SecretOrNone = Annotated[str, Meta(extra={FORM: r"^([0-9a-f]{64})?\Z"})]
"""A secret key or its SHA-256, in hex; or empty."""

Day = Annotated[str, Meta(extra={FORM: r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z"})]
DayOrNone = Annotated[str, Meta(extra={FORM: r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?\Z"})]

Role = Literal["organizer", "marshal", "judge", "scorekeeper", "co-organizer"]
Tier = Literal["relaxed", "formal", "premier"]


ORGANIZER: Final = frozenset({"organizer"})
MARSHAL: Final = frozenset({"marshal"})
"""With no active marshal the organizer holds this authority (FFG-ROLE-MARSHAL)."""

DESK: Final = frozenset({"organizer", "scorekeeper"})
LEADERS: Final = frozenset({"organizer", "marshal", "judge", "co-organizer"})


class Recording(NamedTuple):
    """Who may record the events of a type, when, and how it is taken back."""

    act: str
    """What recording it is called: for example, reporting a result."""

    by: frozenset[str]
    """The roles that may."""

    by_players: bool = False
    """Whether players may as well, for themselves."""

    after_finish: bool = False
    """Whether it is still taken once play is closed."""

    drawn: bool = False
    """Whether it holds a draw, which rests on the head of the start and the random ranks."""

    needs_draw_key: bool = False
    """Whether the key of the draws has to be committed to, though nothing is drawn with it."""

    withdrawable: bool = False
    """Whether an `ActWithdrawn` takes it back, on its author's word."""

    instead: Remedy | None = None
    """The act that does what undoing it would, where it is not taken back."""

    stays: str = ""
    """Why it is not taken back."""


class Event(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A fact of the tournament, in the past tense; fields at their default are not written.

    Events hold no cycles, so they are kept out of the garbage collector's rounds. `version` counts
    the forms that the type has had: see `ledger.facts.vocabulary`.
    """

    version: ClassVar[int] = 1
    recording: ClassVar[Recording]

    def reversal(self, _reason: str) -> Event | None:
        """Return the event that undoes this one, where it is not an `ActWithdrawn`."""
        return None


class Meaning(Event, frozen=True):
    """What an `ActWithdrawn` comes to where the event it names is known; never stored.

    It has the members of that event that it names as well.
    """

    takes_back: ClassVar[tuple[type[Event], ...]]

    withdraws: Seq
    reason: Text

    @classmethod
    def of(cls, event: Event, seq: int, reason: str) -> Event:
        """Return what it comes to that an event of that place is taken back."""
        members: dict[str, Any] = {each: getattr(event, each, "") for each in cls.__struct_fields__}
        return cls(**members | {"withdraws": seq, "reason": reason})


class Waiver(Struct, frozen=True, forbid_unknown_fields=True):
    """Leave to break waivable rules, given by the official who entered the event."""

    clauses: tuple[Label, ...]
    reason: Text


def label_problem(text: str) -> Phrase | None:
    """Say why a text is no label; None where it is one. Letters are composed (NFC), too."""
    is_composed = unicodedata.is_normalized("NFC", text)
    if 0 < len(text) <= LABEL_MAX and re.search(LABEL, text) and is_composed:
        return None
    return phrase(
        "{text} is not a label: use up to {most} letters, digits and signs, "
        "with single spaces between words, and no line break or control character",
        text=f"{text[:LABEL_MAX]!r}",
        most=LABEL_MAX,
    )
