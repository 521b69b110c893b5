"""What the draws rest on beside the key: the head that covers the word, and the random ranks."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.events import base
from ledger.events.base import (
    DESK,
    LEADERS,
    ORGANIZER,
    RANKS_MAX,
    WORD_MAX,
    Event,
    Number,
    Recording,
    Sha256,
    Size,
)
from ledger.events.results import Result
from ledger.problems import remedy

Signature = Annotated[str, Meta(max_length=100)]
"""Base64 of a signature; the check holds it to its length and its one spelling."""

Rank = Annotated[int, Meta(ge=0, lt=RANKS_MAX)]


class HeadRecorded(Event, frozen=True):
    """The head of all lines up to the start, with its word: always the next event after it.

    `root` is the tree's, in hex; `signature` the log's over the head, empty where the log's key was
    not at the desk. Every draw rests on it, or on the cosignature where the first event names a
    witness.
    """

    recording = Recording(
        "recording the head of the start",
        ORGANIZER,
        instead=remedy("start"),
        stays="the word and its head stay",
    )

    size: Size
    root: Sha256
    signature: Signature = ""


class HeadCosigned(Event, frozen=True):
    """The witness that the first event names cosigned the recorded head: once.

    `cosignature` is the time in 8 bytes and the signature of 64.
    """

    recording = Recording(
        "recording the witness's cosignature",
        ORGANIZER,
        stays="the cosignature stays, and what is drawn with it",
    )

    cosignature: Signature


class RanksDrawn(Event, frozen=True):
    """The random ranks of players in order of their numbers, from number `first` on.

    They break exact ties for good, the lowest first.
    """

    recording = Recording(
        "drawing the random ranks", ORGANIZER, instead=remedy("start"), stays="a draw stands"
    )

    first: Number
    ranks: tuple[Rank, ...]


class SlipAuditBegun(Event, frozen=True):
    """The paper slips before a cut are to be held to the log, with a limit to the risk.

    `stage` is the one that the cut leads to. `risk`, in millionths, is how likely it may be at the
    most that a cut that is wrong is taken for right. `size` and `root` are the head of every line
    before this one, and `signature` the log's over it, empty where the log's key was not at the
    desk: it is shown before a word is called out.
    """

    recording = Recording(
        "beginning a slip audit", DESK | LEADERS, after_finish=True, withdrawable=True
    )

    stage: base.Ordinal
    risk: Annotated[int, Meta(ge=1, le=500_000)]
    size: Size
    root: Sha256
    signature: Signature = ""


class SlipsDrawn(Event, frozen=True):
    """A word was called out once the head of a slip audit had been shown.

    The order in which slips are pulled follows from both; `audit` is the event that began it.
    """

    recording = Recording(
        "drawing slips", DESK | LEADERS, after_finish=True, stays="the word was called out"
    )

    audit: base.Seq
    word: Annotated[str, Meta(min_length=1, max_length=WORD_MAX)]


class SlipRead(Event, frozen=True):
    """A slip was pulled and read: the result that it gives its match; without one it is missing.

    A slip that nobody can read, and slips of one table that say different things, are missing too.
    """

    recording = Recording("reading a slip", DESK | LEADERS, after_finish=True, withdrawable=True)

    audit: base.Seq
    match: base.Ordinal
    result: Result | None = None
    note: base.Text = ""
