"""Two histories of one tournament: where they part, and which of them is signed there."""

from __future__ import annotations

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.problems import Problem, problem, remedy
from ledger.proof.formats import HASH_BYTES
from projections.season.loading.signed_prefix import SignedPrefix


class ContradictingLog(InvalidLog):
    """A log that contradicts another one of its tournament."""


class History(Struct, frozen=True):
    """A tournament's log: where it is from, how many events it has, what a head covers of them."""

    where: str
    size: int
    signed: SignedPrefix
    name: str = ""
    """What it is called, where that is not where it is from."""


class HistoryConflict(Struct, frozen=True):
    """A log, and what came before it; the first event that differs is 0 where it is not known."""

    new: History
    old: History
    seq: int

    @property
    def winner(self) -> History | None:
        """The one whose head says more of what differs; None where neither does.

        Two that are signed with one key are a fraud of its holder: neither wins.
        """
        new, old = self._weight(self.new), self._weight(self.old)
        if new == old or self._has_one_signer:
            return None
        return self.new if new > old else self.old

    def _weight(self, history: History) -> int:
        return history.signed.weight(self.seq or history.size)

    def refusal(self) -> Problem:
        """Say that one of them has to go, and what is known of both."""
        proof = (remedy("compare"),) if self._has_one_signer else ()
        return problem(
            "season.contradiction",
            "{new} contradicts {old}; find out which one is true: {signatures}",
            new=self.new.where,
            old=f"{self.old.where}{self._from}",
            signatures=self._signatures,
            remedy=(remedy("season.add.signed"),) if self.winner is not None else proof,
        )

    def outcome(self) -> str:
        """Say which one was taken."""
        winner = self.winner or self.old
        return (
            f"{self.new.where} contradicts {self.old.where}{self._from}; "
            f"{winner.name or winner.where} was taken: {self._signatures}"
        )

    @property
    def _has_one_signer(self) -> bool:
        """Whether one key signed both where they differ: a fraud, which can be proven."""
        weights = self._weight(self.new), self._weight(self.old)
        return all(weights) and self.new.signed.by == self.old.signed.by

    @property
    def _from(self) -> str:
        return f": they differ from event {self.seq} on" if self.seq else ""

    @property
    def _signatures(self) -> str:
        new, old = (
            f"{each.name or each.where} is {each.signed.in_words(self.seq or each.size)}"
            for each in (self.new, self.old)
        )
        if not self._weight(self.new) and not self._weight(self.old):
            return "neither is signed there; ask the organizer for an export with its head"
        if self.winner is not None:
            return f"{new}; {old}"
        if self._has_one_signer:
            return f"{new}; {old}; one key signed both, which can be proven"
        return f"{new}; {old}; a policy says whose key counts"


def first_difference(one: bytes, other: bytes) -> int:
    """Return the number of the first line whose hash differs; 0 if no hash does."""
    differing = (
        place // HASH_BYTES + 1
        for place in range(0, min(len(one), len(other)), HASH_BYTES)
        if one[place : place + HASH_BYTES] != other[place : place + HASH_BYTES]
    )
    return next(differing, 0)
