"""Logs compared with a season, one after the other: new, grown, already there, or contradicting.

If two histories of one tournament meet, the refusal names where they part, and which of them is
signed there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.files.access import one_line
from ledger.problems import Problem, in_words, problem, remedy
from ledger.proof.formats import HASH_BYTES
from projections.season.grouping.archetypes import Archetypes
from projections.season.loading.checking import NOTHING_KNOWN, CheckedLog, KnownChecks, Logged
from projections.season.loading.sources import Source
from projections.season.tables import signed_heads
from projections.season.tables.signed_heads import SignedPrefix, SignWith

if TYPE_CHECKING:
    from ledger.proof.heads import Asked


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
            return "neither is signed up to there; ask the organizer for an export with its head"
        if self.winner is not None:
            return f"{new}; {old}"
        if self._has_one_signer:
            return f"{new}; {old}; one key signed both, which can be proven"
        return f"{new}; {old}; a policy states whose key counts"


def first_difference(one: bytes, other: bytes) -> int:
    """Return the number of the first line whose hash differs; 0 if no hash does."""
    differing = (
        place // HASH_BYTES + 1
        for place in range(0, min(len(one), len(other)), HASH_BYTES)
        if one[place : place + HASH_BYTES] != other[place : place + HASH_BYTES]
    )
    return next(differing, 0)


Fate = Literal[
    "new", "grown", "known", "older", "shorter", "other", "signed", "unsigned", "skipped", "removed"
]
""""shorter": perhaps older; the season took the longer one from an archive, which has no hashes.
`other`: another history of its tournament; such a log is never taken, unless it is asked for that
the signed one wins: then one of the two is `signed` and taken, the other `unsigned` and left."""


class LogOutcome(Struct, frozen=True):
    """What became of one log; problem says why it was left out.

    `signed` is what the head beside it covers; None where there are no lines to hold it to.
    `checked_before` is how many of its events were folded alone, since they count as checked.
    """

    where: str
    fate: Fate
    tournament: str = ""
    size: int = 0
    problem: str = ""
    signed: SignedPrefix | None = None
    checked_before: int = 0


AliasesOf = Callable[
    [Sequence[Source], Sequence[LogOutcome], Mapping[str, str]], list[tuple[str, str, str]]
]
"""Returns aliases for sources, what became of each, and the roots of their logs by tournament."""


class LoadTerms(Struct, frozen=True):
    """How logs are taken: whether a wrong one is skipped and named, and which heads count.

    With `trust` every log has to have a head that it accepts. Where two histories meet and
    `signed_wins`, the one that is signed where they part is taken, in the place of the other.
    `before` is what counts as checked already, beside what the season says itself. With `sign_with`
    the season is signed, and a tournament whose rows no head covers is derived from its log again.
    """

    keep_going: bool = False
    signed_wins: bool = False
    trust: Asked = None
    before: KnownChecks = NOTHING_KNOWN
    sign_with: SignWith | None = None
    archetypes: tuple[Archetypes, ...] = ()
    """Files by which lists are named; a tournament whose lists others named is derived again."""

    believes_season: bool = True
    """Whether what the season states was checked before counts."""

    aliases: AliasesOf | None = None
    """Who everybody is by the league's vault, with logs that are taken for a look only."""

    removed: Mapping[str, str] = MappingProxyType({})
    """Tournaments that the season leaves out since they were removed, each with what is said."""


DEFAULT_TERMS = LoadTerms()


IN_SEASON = "the log of its tournament in the season"


class KnownLog(Struct, frozen=True):
    """A tournament's log as it is in the season, or as this load has it from a source."""

    size: int
    root: str
    signed: SignedPrefix
    where: str = IN_SEASON
    source: Source | None = None
    is_derived_again: bool = False
    """Whether the same log is taken once more, since nothing covers the rows."""


LeavesOf = Callable[[str], bytes | None]
"""Gives the hashes of a tournament's log in the season; None where it has none of them."""


def _outcome(source: Source, checked: CheckedLog, fate: Fate, why: str = "") -> LogOutcome:
    return LogOutcome(
        source.where, fate, checked.stream, checked.size, why, checked.signed, checked.known
    )


class Intake:
    """One load: what the season knows, and the logs that this load takes."""

    def __init__(
        self, known: Mapping[str, KnownLog], season_leaves: LeavesOf, terms: LoadTerms
    ) -> None:
        self.taken: list[LogOutcome] = []
        self.replaced: list[str] = []
        self.logs: dict[str, Logged] = {}
        self.newly_signed: dict[str, SignedPrefix] = {}
        self._terms = terms
        self._season_leaves = season_leaves
        self._known = dict(known)
        self.sizes = {
            tournament: known.size - known.is_derived_again
            for tournament, known in self._known.items()
        }

    def take_or_skip(self, source: Source, checked: CheckedLog) -> None:
        """Take one log; a wrong one is skipped where the terms say so."""
        try:
            self.taken.append(self._take(source, checked))
        except InvalidLog as error:
            why = error.problems[0]
            if not isinstance(error, ContradictingLog):
                why = in_words(one_line(str(error)), why.code)
            if not self._terms.keep_going:
                raise InvalidLog(replace(why, text=f"{why.text}; nothing was changed")) from None
            self.taken.append(LogOutcome(source.where, "skipped", problem=str(why)))

    def _take(self, source: Source, checked: CheckedLog) -> LogOutcome:
        stream = checked.stream
        if not stream and checked.problem is not None:
            raise checked.problem
        known = self._known.get(stream)
        if known is None and (removed := self._terms.removed.get(stream)):
            return _outcome(source, checked, "removed", f"{source.where} {removed}")
        if known is None:
            return self._enter(source, checked, None, "new")
        fate = self._fate(checked, known, stream)
        if fate == "other":
            return self._meet(source, checked, known)
        if fate == "grown" or (fate == "known" and known.is_derived_again):
            return self._enter(source, checked, known, fate)
        if fate != "shorter" and not known.is_derived_again:  # or these rows are of other lines
            self._sign(stream, known, checked.signed)
        return _outcome(source, checked, fate)

    def _enter(
        self, source: Source, checked: CheckedLog, known: KnownLog | None, fate: Fate, why: str = ""
    ) -> LogOutcome:
        """Take a log, in the place of what is known of its tournament."""
        if checked.problem is not None:
            raise checked.problem
        assert checked.logged is not None  # noqa: S101 - what is new was spooled
        stream, signed = checked.stream, checked.signed
        if known is not None and fate in {"grown", "known"}:
            best = signed_heads.stronger(known.signed, signed)
            left = signed.unsigned if best.size < checked.size else ""
            signed = replace(best, unsigned=left)
        if known is not None and known.source is None:
            self.replaced.append(stream)
        self.newly_signed.pop(stream, None)
        self.logs[stream] = replace(checked.logged, signed=signed)
        self._known[stream] = KnownLog(checked.size, checked.root, signed, source.where, source)
        self.sizes[stream] = checked.size
        return _outcome(source, checked, fate, why)

    def _sign(self, stream: str, known: KnownLog, signed: SignedPrefix) -> None:
        """Keep a head that says more of the same lines than what was known of them."""
        best = signed_heads.stronger(known.signed, signed)
        if best == known.signed:
            return
        self._known[stream] = replace(known, signed=best)
        if stream in self.logs:
            self.logs[stream] = replace(self.logs[stream], signed=best)
        else:
            self.newly_signed[stream] = best

    def _fate(self, checked: CheckedLog, known: KnownLog, stream: str) -> Fate:
        """What a log is to one of the same tournament that came before."""
        if checked.size >= known.size:
            if (
                signed_heads.root_of(signed_heads.beginning(checked.leaves, known.size))
                != known.root
            ):
                return "other"
            return "known" if checked.size == known.size else "grown"
        longer = self._leaves_of(known, stream)
        if longer is None:
            return "shorter"
        return "older" if longer.startswith(checked.leaves) else "other"

    def _leaves_of(self, known: KnownLog, stream: str) -> bytes | None:
        """The hashes of what came before; None if it came from an archive, which has none."""
        if known.source is not None:
            return signed_heads.leaves_of(known.source.lines())
        return self._season_leaves(stream)

    def _meet(self, source: Source, checked: CheckedLog, known: KnownLog) -> LogOutcome:
        """Decide between two histories if terms ask for it and one alone is signed; else refuse."""
        if checked.problem is not None:
            raise checked.problem
        source.checked(source.lines())
        leaves = self._leaves_of(known, checked.stream)
        meeting = HistoryConflict(
            History(source.where, checked.size, checked.signed),
            History(known.where, known.size, known.signed, "" if known.source else "the season's"),
            first_difference(checked.leaves, leaves) if leaves is not None else 0,
        )
        winner = meeting.winner
        if not self._terms.signed_wins or winner is None:
            raise ContradictingLog(meeting.refusal())
        if winner is meeting.old:
            return _outcome(source, checked, "unsigned", meeting.outcome())
        self._leave_out(checked.stream, meeting)
        return self._enter(source, checked, known, "signed", meeting.outcome())

    def _leave_out(self, stream: str, meeting: HistoryConflict) -> None:
        """Say of logs of this load that a signed one took their place."""
        for place, each in enumerate(self.taken):
            is_other = each.tournament == stream and each.size >= meeting.seq
            if is_other and each.fate in {"new", "grown", "known", "signed"}:
                text = f"{each.where} was left out, because of {meeting.new.where}"
                self.taken[place] = replace(each, fate="unsigned", problem=text)
