"""Two histories of one tournament: where they part, and which of them is signed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.proof.formats import HASH_BYTES

if TYPE_CHECKING:
    from projections.season.loading.signed_prefix import SignedPrefix


class ContradictingLog(InvalidLog):
    """A log that tells another history of its tournament than another one."""


class History(Struct, frozen=True):
    """A tournament's log: where it is from, how many events it has, what a head covers of them."""

    where: str
    size: int
    signed: SignedPrefix
    name: str = ""
    """What it is called, where that is not where it is from."""


class HistoryConflict(Struct, frozen=True):
    """A log, and what came before it; `seq` is the first event that differs, 0: not known."""

    new: History
    old: History
    seq: int

    @property
    def winner(self) -> History | None:
        """The one whose head says more of what differs; None where neither does.

        Two that are signed with one key are a fraud of whoever has that key: neither wins.
        """
        new, old = self._weight(self.new), self._weight(self.old)
        if new == old or (new and old and self.new.signed.by == self.old.signed.by):
            return None
        return self.new if new > old else self.old

    def _weight(self, history: History) -> int:
        return history.signed.weight(self.seq or history.size)

    def refusal(self) -> str:
        """Say that one of them has to go, and what is known of both."""
        return (
            f"{self.new.where} tells another history of its tournament than {self.old.where}"
            f"{self._from}; find out which one is the true one: {self._signatures}"
        )

    def outcome(self) -> str:
        """Say which one was taken, and which one was left out."""
        winner = self.winner
        assert winner is not None  # noqa: S101 - whoever says this has asked
        return (
            f"{self.new.where} tells another history of its tournament than {self.old.where}"
            f"{self._from}; {winner.name or winner.where} was taken: {self._signatures}"
        )

    @property
    def _from(self) -> str:
        return f": they differ from event {self.seq} on" if self.seq else ""

    @property
    def _signatures(self) -> str:
        new, old = (self._signature(each) for each in (self.new, self.old))
        if not self._weight(self.new) and not self._weight(self.old):
            return "neither is signed there; ask the organizer for an export with its head"
        told = f"{new}; {old}"
        if self.winner is not None:
            return told
        if self.new.signed.by == self.old.signed.by:
            return f"{told}; `tourney compare` proves that one key signed both"
        return f"{told}; --policy says whose key counts"

    def _signature(self, history: History) -> str:
        said = history.signed.in_words(self.seq or history.size)
        return f"{history.name or history.where} is {said}"


def first_difference(one: bytes, other: bytes) -> int:
    """The number of the first line whose hash is another."""
    places = range(0, min(len(one), len(other)), HASH_BYTES)
    return next(
        place // HASH_BYTES + 1
        for place in places
        if one[place : place + HASH_BYTES] != other[place : place + HASH_BYTES]
    )
