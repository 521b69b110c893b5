"""What the draws rest on beside the key: the head that covers the word, and the random ranks."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.events.base import ORGANIZER, RANKS_MAX, Event, Number, Recording, Sha256, Size
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
