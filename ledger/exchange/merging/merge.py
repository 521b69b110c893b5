"""Decide about the acts of the other desk in order, each behind this log and the earlier acts.

A plan writes nothing. Every event of an act lands separately if the rules admit it; the events that
land are one act, with the id of the act in the other log. An act lands completely or not at all if
a part of it would be nonsense, or if one of its events needs a signature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from ledger.errors import NoDrawKey, Refused, Unsigned
from ledger.exchange.merging.kept import Decided, NewAct, new_act
from ledger.exchange.merging.numbers import ENTERED, Numbers, enters_somebody, numbers_behind
from ledger.exchange.merging.remaking import Deciders, Situation, remade
from ledger.exchange.merging.sameness import (
    is_same,
    may_be_one,
    name_given,
    name_here,
    ours_about,
    person_here,
    result_here,
    stands_here,
)
from ledger.facts.opening import TournamentStarted
from ledger.facts.rounds import Posted, RoundPaired
from ledger.fold import evolve, fold
from ledger.lines.recorded import Recorded, record
from ledger.problems import Problem, marked, problem
from ledger.proof.signatures import SIGNED
from ledger.rules import before_signing, check, signing

if TYPE_CHECKING:
    from ledger.exchange.merging.other_log import OtherLog
    from ledger.facts.base import Event

_AS_WRITTEN = (*ENTERED, Posted)
"""Events of an act entered at both desks that are compared without new numbers."""


class Judged(Struct, frozen=True):
    """An event of the other desk, and the decision about it."""

    theirs: Recorded
    decided: Decided
    is_new: bool
    """Whether no earlier merge made this decision."""


class MergePlan(Struct):
    """The decision about every event of the other desk, and the acts that a merge would write."""

    common: int
    judged: list[Judged] = field(default_factory=list)
    landing: list[NewAct] = field(default_factory=list)
    drafts: list[NewAct] = field(default_factory=list)

    def of(self, *fates: str) -> list[Judged]:
        """Return the events that have one of these fates, in order."""
        return [judged for judged in self.judged if judged.decided.fate in fates]

    @property
    def decided(self) -> dict[str, Decided]:
        """The decision about each event of the other desk, by the id of the event there."""
        return {judged.theirs.id: judged.decided for judged in self.judged}


class _Waits(Exception):  # noqa: N818 - no error: an act that waits for a signature
    """An event needs a signature; its argument is the event's type."""


class Merging:
    """Two logs with a common beginning, and the decisions of earlier merges."""

    def __init__(
        self,
        ours: Sequence[Recorded],
        other: OtherLog,
        behind: Deciders,
        decided: Mapping[str, Decided],
    ) -> None:
        common = other.common
        self._theirs, self._lines = other.events[common:], other.lines[common:]
        self._known, self._log = decided, list(ours)
        there = fold(other.events[:common])
        numbers = numbers_behind(there)
        self._at = Situation(there, fold(ours), numbers, behind)
        landed = {decision.here for decision in decided.values() if decision.fate == "landed"}
        later = ours[common:]
        self._own = {recorded.seq: recorded for recorded in later if recorded.seq not in landed}
        self._persons = dict(self._own)
        """The entries of this desk that do not belong to a person of the other desk yet."""

        self._paired_otherwise: dict[int, int] = {}
        self.plan = MergePlan(common)

    def planned(self) -> MergePlan:
        """Decide about every act of theirs, in order.

        Raises:
            NoDrawKey: a draw must be repeated, and the key of the draws is on another machine.
        """
        start = 0
        for _, events in groupby(self._theirs, lambda recorded: recorded.command_id):
            act = list(events)
            decided = self._decided(act, self._lines[start : start + len(act)])
            for theirs, decision in zip(act, decided, strict=True):
                is_new = self._known.get(theirs.id) != decision
                self.plan.judged.append(Judged(theirs, decision, is_new))
            start += len(act)
        return self.plan

    def _decided(self, act: list[Recorded], lines: Sequence[bytes]) -> list[Decided]:
        """Decide about an act, and advance the states of both logs past the act."""
        command_id = self._at.numbers.command_id(act[0].command_id)
        earlier = self._known_of(act, command_id)
        if earlier is not None:
            self._follow(act, earlier)
            return earlier
        if command_id in self._at.here.ids:
            return self._entered_twice(act, self._at.here.ids[command_id])
        return self._tried(act, lines, command_id)

    def _known_of(self, act: list[Recorded], command_id: str) -> list[Decided] | None:
        """Return the decisions of an earlier merge; None without any that still apply."""
        earlier = [self._known[theirs.id] for theirs in act if theirs.id in self._known]
        if len(earlier) < len(act):
            return None
        is_here = command_id in self._at.here.ids
        landed = [decision.here for decision in earlier if decision.fate == "landed"]
        if landed and not is_here:
            return None  # the merge that decided so was interrupted
        is_signed = is_here and any(decision.fate == "draft" for decision in earlier)
        return None if is_signed or max(landed, default=0) > len(self._log) else earlier

    def _follow(self, act: list[Recorded], decided: list[Decided]) -> None:
        """Advance the state of the other log through events with a decision."""
        for theirs, decision in zip(act, decided, strict=True):
            self._learn(theirs, decision)
            evolve(self._at.there, theirs)

    def _learn(self, theirs: Recorded, decision: Decided) -> None:
        """Record the numbers of an event that this log has, and the rounds paired differently."""
        is_here = decision.fate in {"landed", "same"}
        if is_here and decision.here:
            ours = self._log[decision.here - 1]
            self._at.numbers.learn(theirs, ours)
            self._persons.pop(ours.seq, None)
        if isinstance(theirs.event, RoundPaired):
            number, rounds = theirs.event.round, self._at.here.rounds
            self._paired_otherwise.pop(number, None)
            if not is_here and number <= len(rounds):
                self._paired_otherwise[number] = rounds[number - 1].paired_seq

    def _entered_twice(self, act: list[Recorded], first: int) -> list[Decided]:
        """Decide about an act whose id this log has: the act is the same, or a different one."""
        command_id = self._log[first - 1].command_id
        later = self._log[first - 1 :]
        ours = [recorded for recorded in later if recorded.command_id == command_id]
        decided = []
        for theirs in act:
            same = next((entry for entry in ours if self._is_same(theirs, entry)), None)
            if same is not None:
                ours.remove(same)
                decision = Decided("same", same.seq)
            else:
                text = marked("the id {id} is that of another act here (event {event})")
                reason = problem("merge.other_act", text, id=command_id, event=first)
                decision = Decided("listed", ours=(first,), problems=(reason,))
            self._follow([theirs], [decision])
            decided.append(decision)
        return decided

    def _is_same(self, theirs: Recorded, ours: Recorded) -> bool:
        """Return whether both desks entered the same event in an act that both have."""
        there, here = theirs.event, ours.event
        if type(there) is not type(here):
            return False
        if isinstance(there, _AS_WRITTEN):
            return may_be_one(here, there) if isinstance(there, ENTERED) else is_same(there, here)
        if result_here(self._at, theirs) == ours.seq:
            return True
        try:
            return is_same(remade(self._at, theirs), here)
        except NoDrawKey:
            raise
        except Refused:
            return False

    def _tried(self, act: list[Recorded], lines: Sequence[bytes], command_id: str) -> list[Decided]:
        """Decide about the events of an act that this log does not have, in their order."""
        at, size, numbers = self._at, len(self._log), self._at.numbers.copied()
        had_handover = at.here.floor.handover is not None
        landed: list[Recorded] = []
        decided: list[Decided] = []
        try:
            for theirs in act:
                decision = self._judged(theirs, act, landed, command_id)
                self._follow([theirs], [decision])
                decided.append(decision)
        except _Waits as waits:
            self._go_back(size, numbers)
            return self._drafted(act, lines, decided, command_id, str(waits))
        is_half = at.here.floor.handover is not None and not had_handover
        listed = [decision for decision in decided if decision.fate == "listed"]
        if listed and any(isinstance(theirs.event, TournamentStarted) for theirs in act):
            is_half = True
        if is_half and landed:
            self._go_back(size, numbers)
            return [self._with_rest(decision, listed) for decision in decided]
        if landed:
            pairs = zip(decided, lines, strict=True)
            landed_lines = [line for decision, line in pairs if decision.fate == "landed"]
            self.plan.landing.append(new_act(landed, landed_lines, command_id))
        return decided

    def _go_back(self, size: int, numbers: Numbers) -> None:
        """Remove the landed events of an act from the log."""
        here = self._at.here
        if len(self._log) > size:
            del self._log[size:]
            here = fold(self._log)
        self._at = self._at._replace(here=here, numbers=numbers)

    @staticmethod
    def _with_rest(decision: Decided, listed: list[Decided]) -> Decided:
        """Return the decision about an event if another event of its act cannot land."""
        if decision.fate != "landed":
            return decision
        text = marked("the rest of the same act cannot be entered here")
        problems = listed[0].problems if listed else (problem("merge.half", text),)
        return Decided("listed", problems=problems)

    def _judged(
        self, theirs: Recorded, act: list[Recorded], landed: list[Recorded], command_id: str
    ) -> Decided:
        """Decide about one event behind the others, and let it land if the rules admit it."""
        at = self._at
        try:
            if seq := result_here(at, theirs) or self._person_here(theirs, act):
                return Decided("same", seq)
            event, author = remade(at, theirs), at.numbers.author(theirs.by)
        except NoDrawKey:
            raise
        except Refused as refused:
            return self._listed(theirs.event, refused.problems)
        if seq := name_here(at.here, event, self._log):
            return Decided("same", seq)
        if conflict := stands_here(at, event, self._own, self._paired_otherwise):
            return self._listed(event, (conflict,))
        event_id = f"{command_id}.{len(landed)}" if landed else command_id
        recorded = record(at.here.seq + 1, event_id, theirs.at, author, event)
        problems = list(self._problems(recorded))
        if problems:
            seq = self._entered_here(event)
            return Decided("same", seq) if seq else self._listed(event, tuple(problems))
        evolve(at.here, recorded)
        self._log.append(recorded)
        landed.append(recorded)
        return Decided("landed", recorded.seq)

    def _person_here(self, theirs: Recorded, act: list[Recorded]) -> int:
        """Return the event with which this desk entered the same person, or 0."""
        name = name_given(theirs, act)
        entries = self._standing(self._persons) if name else ()
        entry = person_here(theirs.event, name, entries, self._at.here)
        return entry.seq if entry is not None else 0

    def _entered_here(self, event: Event) -> int:
        """Return the event with which this desk entered the same act itself, or 0.

        An event that enters a person is not compared: only the name identifies a person.
        """
        if enters_somebody(self._at.here, event):
            return 0
        entries = self._standing(self._own)
        same = (entry.seq for entry in entries if is_same(entry.event, event))
        return max(same, default=0)

    def _standing(self, entries: Mapping[int, Recorded]) -> list[Recorded]:
        """Return the entries that remain in force in this log."""
        withdrawn = {getattr(recorded.event, "withdraws", 0) for recorded in self._log}
        paired = {round_.paired_seq for round_ in self._at.here.rounds}
        return [
            entry
            for entry in entries.values()
            if entry.seq not in withdrawn
            and (entry.seq in paired or not isinstance(entry.event, RoundPaired))
        ]

    def _problems(self, recorded: Recorded) -> Iterator[Problem]:
        """Yield the reasons of the rules against an event.

        Raises:
            _Waits: the event needs only a signature.
        """
        here = self._at.here
        if recorded.type in SIGNED:
            try:
                need = signing.needed(here, recorded)
            except Refused as refused:
                yield from refused.problems
                return
            if need.must:
                problems = before_signing(here, recorded)
                if not problems and any(need.officials):
                    raise _Waits(recorded.type)
                yield from problems or Unsigned(recorded.type, need).problems
                return
        yield from check(here, recorded, self._at.behind.context.ranking)

    def _listed(self, event: Event, problems: tuple[Problem, ...]) -> Decided:
        """Return the decision to list an event, with our events that it conflicts with."""
        named = [reason.about["event"] for reason in problems if reason.code == "merge.stands"]
        ours = tuple(seq for seq in named if isinstance(seq, int))
        plain = tuple(structs.replace(reason, remedies=()) for reason in problems)
        return Decided("listed", 0, ours or ours_about(self._at, event), plain)

    def _drafted(
        self,
        act: list[Recorded],
        lines: Sequence[bytes],
        before: list[Decided],
        command_id: str,
        kind: str,
    ) -> list[Decided]:
        """Let an act wait for a signature, without its events that this log already has."""
        at, numbers = self._at, self._at.numbers.copied()
        waiting: list[Recorded] = []
        waiting_lines: list[bytes] = []
        decided: list[Decided] = []
        fates = [*before, *[Decided("draft")] * (len(act) - len(before))]
        for theirs, line, earlier in zip(act, lines, fates, strict=True):
            is_final = earlier.fate in {"same", "listed"}
            decision = earlier if is_final else self._awaited(theirs, waiting)
            if decision.fate == "draft":
                event_id = f"{command_id}.{len(waiting)}" if waiting else command_id
                waiting.append(structs.replace(self._awaiting(theirs, waiting), id=event_id))
                waiting_lines.append(line)
                at.numbers.learn(theirs, waiting[-1])
            elif decision.here:
                at.numbers.learn(theirs, self._log[decision.here - 1])
            decided.append(decision)
        self.plan.drafts.append(new_act(waiting, waiting_lines, command_id, kind))
        self._at = at._replace(numbers=numbers)
        for theirs, decision in zip(act, decided, strict=True):
            self._learn(theirs, decision)
        for theirs in act[len(before) :]:
            evolve(at.there, theirs)
        return decided

    def _awaited(self, theirs: Recorded, waiting: list[Recorded]) -> Decided:
        """Decide whether an event of an act that waits for a signature waits with it."""
        if seq := result_here(self._at, theirs):
            return Decided("same", seq)
        try:
            self._awaiting(theirs, waiting)
        except NoDrawKey:
            raise
        except Refused as refused:
            return self._listed(theirs.event, refused.problems)
        return Decided("draft")

    def _awaiting(self, theirs: Recorded, waiting: list[Recorded]) -> Recorded:
        """Return an event as it would land behind the waiting events of its act."""
        at = self._at
        place, author = at.here.seq + 1 + len(waiting), at.numbers.author(theirs.by)
        return record(place, theirs.id, theirs.at, author, remade(at, theirs))
