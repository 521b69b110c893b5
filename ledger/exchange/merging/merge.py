"""Their acts in order, each decided behind this log and those of theirs that came before it.

A plan writes nothing. Of an act every event lands by itself where the rules admit it, in one act
with the id that it has there. An act is whole or not at all where half of it would be nonsense, and
where one of its events needs a signature.
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
from ledger.problems import Problem, problem
from ledger.proof.signatures import SIGNED
from ledger.rules import before_signing, check, signing

if TYPE_CHECKING:
    from ledger.exchange.merging.other_log import OtherLog
    from ledger.facts.base import Event

_AS_WRITTEN = (*ENTERED, Posted)
"""Events of an act entered at both desks that are compared as they are written."""


class Judged(Struct, frozen=True):
    """An event of theirs, and what became of it."""

    theirs: Recorded
    decided: Decided
    is_new: bool
    """Whether no earlier merge decided about it."""


class MergePlan(Struct):
    """What a merge would do, event by event of theirs, and the acts that would be written."""

    common: int
    judged: list[Judged] = field(default_factory=list)
    landing: list[NewAct] = field(default_factory=list)
    drafts: list[NewAct] = field(default_factory=list)

    def of(self, *fates: str) -> list[Judged]:
        """Return the events that have one of these fates, in order."""
        return [each for each in self.judged if each.decided.fate in fates]

    @property
    def decided(self) -> dict[str, Decided]:
        """What became of each event of theirs, by its id there."""
        return {each.theirs.id: each.decided for each in self.judged}


class _Waits(Exception):  # noqa: N818 - no error: an act that waits for a signature
    """An event needs a signature; its argument is the event's type."""


class Merging:
    """Two logs with a common beginning, and what earlier merges decided."""

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
        landed = {each.here for each in decided.values() if each.fate == "landed"}
        self._own = {each.seq: each for each in ours[common:] if each.seq not in landed}
        self._persons = dict(self._own)
        """The entries of this desk that are not known as a person of theirs yet."""

        self._paired_otherwise: dict[int, int] = {}
        self.plan = MergePlan(common)

    def planned(self) -> MergePlan:
        """Decide about every act of theirs, in order.

        Raises:
            NoDrawKey: a draw has to be made again, and the key of the draws is elsewhere.
        """
        start = 0
        for _, events in groupby(self._theirs, lambda each: each.command_id):
            act = list(events)
            decided = self._decided(act, self._lines[start : start + len(act)])
            for theirs, one in zip(act, decided, strict=True):
                is_new = self._known.get(theirs.id) != one
                self.plan.judged.append(Judged(theirs, one, is_new))
            start += len(act)
        return self.plan

    def _decided(self, act: list[Recorded], lines: Sequence[bytes]) -> list[Decided]:
        """Decide about an act, and follow both logs to behind it."""
        command_id = self._at.numbers.command_id(act[0].command_id)
        known = self._known_of(act, command_id)
        if known is not None:
            self._follow(act, known)
            return known
        if command_id in self._at.here.ids:
            return self._entered_twice(act, self._at.here.ids[command_id])
        return self._tried(act, lines, command_id)

    def _known_of(self, act: list[Recorded], command_id: str) -> list[Decided] | None:
        """Return what an earlier merge decided; None where that does not hold, or none has."""
        known = [self._known[each.id] for each in act if each.id in self._known]
        if len(known) < len(act):
            return None
        is_here = command_id in self._at.here.ids
        landed = [each.here for each in known if each.fate == "landed"]
        if landed and not is_here:
            return None  # the merge that decided so came to no end
        is_signed = is_here and any(each.fate == "draft" for each in known)
        return None if is_signed or max(landed, default=0) > len(self._log) else known

    def _follow(self, act: list[Recorded], decided: list[Decided]) -> None:
        """Follow their log through events that are decided about."""
        for theirs, one in zip(act, decided, strict=True):
            self._learn(theirs, one)
            evolve(self._at.there, theirs)

    def _learn(self, theirs: Recorded, one: Decided) -> None:
        """Remember the numbers of an event that is here, and which rounds are paired otherwise."""
        is_here = one.fate in {"landed", "same"}
        if is_here and one.here:
            ours = self._log[one.here - 1]
            self._at.numbers.learn(theirs, ours)
            self._persons.pop(ours.seq, None)
        if isinstance(theirs.event, RoundPaired):
            number, rounds = theirs.event.round, self._at.here.rounds
            self._paired_otherwise.pop(number, None)
            if not is_here and number <= len(rounds):
                self._paired_otherwise[number] = rounds[number - 1].paired_seq

    def _entered_twice(self, act: list[Recorded], first: int) -> list[Decided]:
        """Decide about an act whose id this log has: it is the same act, or another one."""
        command_id = self._log[first - 1].command_id
        ours = [each for each in self._log[first - 1 :] if each.command_id == command_id]
        decided = []
        for theirs in act:
            same = next((each for each in ours if self._is_same(theirs, each)), None)
            if same is not None:
                ours.remove(same)
                one = Decided("same", same.seq)
            else:
                text = "the id {id} is that of another act here (event {event})"
                said = problem("merge.other_act", text, id=command_id, event=first)
                one = Decided("listed", ours=(first,), problems=(said,))
            self._follow([theirs], [one])
            decided.append(one)
        return decided

    def _is_same(self, theirs: Recorded, ours: Recorded) -> bool:
        """Whether an event of an act entered at both desks says the same at both."""
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
        """Decide about the events of an act that is new here, one after the other."""
        at, size, numbers = self._at, len(self._log), self._at.numbers.copied()
        had_handover = at.here.floor.handover is not None
        made: list[Recorded] = []
        decided: list[Decided] = []
        try:
            for theirs in act:
                one = self._judged(theirs, act, made, command_id)
                self._follow([theirs], [one])
                decided.append(one)
        except _Waits as waits:
            self._go_back(size, numbers)
            return self._drafted(act, lines, decided, command_id, str(waits))
        is_half = at.here.floor.handover is not None and not had_handover
        listed = [each for each in decided if each.fate == "listed"]
        if listed and any(isinstance(each.event, TournamentStarted) for each in act):
            is_half = True
        if is_half and made:
            self._go_back(size, numbers)
            return [self._with_rest(each, listed) for each in decided]
        if made:
            of_made = [
                line for one, line in zip(decided, lines, strict=True) if one.fate == "landed"
            ]
            self.plan.landing.append(new_act(made, of_made, command_id))
        return decided

    def _go_back(self, size: int, numbers: Numbers) -> None:
        """Take back what landed of an act."""
        here = self._at.here
        if len(self._log) > size:
            del self._log[size:]
            here = fold(self._log)
        self._at = self._at._replace(here=here, numbers=numbers)

    @staticmethod
    def _with_rest(one: Decided, listed: list[Decided]) -> Decided:
        """Return that an event does not land because another one of its act does not."""
        if one.fate != "landed":
            return one
        text = "the rest of the same act cannot be entered here"
        problems = listed[0].problems if listed else (problem("merge.half", text),)
        return Decided("listed", problems=problems)

    def _judged(
        self, theirs: Recorded, act: list[Recorded], made: list[Recorded], command_id: str
    ) -> Decided:
        """Decide about one event behind the others, and let it land where it may."""
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
        if stands := stands_here(at, event, self._own, self._paired_otherwise):
            return self._listed(event, (stands,))
        event_id = f"{command_id}.{len(made)}" if made else command_id
        recorded = record(at.here.seq + 1, event_id, theirs.at, author, event)
        problems = list(self._problems(recorded))
        if problems:
            seq = self._entered_here(event)
            return Decided("same", seq) if seq else self._listed(event, tuple(problems))
        evolve(at.here, recorded)
        self._log.append(recorded)
        made.append(recorded)
        return Decided("landed", recorded.seq)

    def _person_here(self, theirs: Recorded, act: list[Recorded]) -> int:
        """Return the event with which this desk entered the same person; 0: it has not."""
        name = name_given(theirs, act)
        own = self._standing(self._persons) if name else ()
        found = person_here(theirs.event, name, own, self._at.here)
        return found.seq if found is not None else 0

    def _entered_here(self, event: Event) -> int:
        """Return the event with which this desk entered the same itself; 0: it has not.

        A person is known by the name alone.
        """
        if enters_somebody(self._at.here, event):
            return 0
        same = (each.seq for each in self._standing(self._own) if is_same(each.event, event))
        return max(same, default=0)

    def _standing(self, own: Mapping[int, Recorded]) -> list[Recorded]:
        """Return those of these entries that have not been taken back here."""
        withdrawn = {getattr(each.event, "withdraws", 0) for each in self._log}
        paired = {each.paired_seq for each in self._at.here.rounds}
        return [
            each
            for each in own.values()
            if each.seq not in withdrawn
            and (each.seq in paired or not isinstance(each.event, RoundPaired))
        ]

    def _problems(self, recorded: Recorded) -> Iterator[Problem]:
        """Yield what the rules have against an event; _Waits where it only needs a signature."""
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
        """Return that an event goes on the sheet, with the events here that it stands against."""
        named = [each.about["event"] for each in problems if each.code == "merge.stands"]
        ours = tuple(each for each in named if isinstance(each, int))
        plain = tuple(structs.replace(each, remedies=()) for each in problems)
        return Decided("listed", 0, ours or ours_about(self._at, event), plain)

    def _drafted(
        self,
        act: list[Recorded],
        lines: Sequence[bytes],
        before: list[Decided],
        command_id: str,
        kind: str,
    ) -> list[Decided]:
        """Let an act wait for a signature, without those of its events that are here already."""
        at, numbers = self._at, self._at.numbers.copied()
        made: list[Recorded] = []
        of_made: list[bytes] = []
        decided: list[Decided] = []
        fates = [*before, *[Decided("draft")] * (len(act) - len(before))]
        for theirs, line, known in zip(act, lines, fates, strict=True):
            one = known if known.fate in {"same", "listed"} else self._awaited(theirs, made)
            if one.fate == "draft":
                event_id = f"{command_id}.{len(made)}" if made else command_id
                made.append(structs.replace(self._awaiting(theirs, made), id=event_id))
                of_made.append(line)
                at.numbers.learn(theirs, made[-1])
            elif one.here:
                at.numbers.learn(theirs, self._log[one.here - 1])
            decided.append(one)
        self.plan.drafts.append(new_act(made, of_made, command_id, kind))
        self._at = at._replace(numbers=numbers)
        for theirs, one in zip(act, decided, strict=True):
            self._learn(theirs, one)
        for theirs in act[len(before) :]:
            evolve(at.there, theirs)
        return decided

    def _awaited(self, theirs: Recorded, made: list[Recorded]) -> Decided:
        """Decide whether an event of an act that waits for a signature waits with it."""
        if seq := result_here(self._at, theirs):
            return Decided("same", seq)
        try:
            self._awaiting(theirs, made)
        except NoDrawKey:
            raise
        except Refused as refused:
            return self._listed(theirs.event, refused.problems)
        return Decided("draft")

    def _awaiting(self, theirs: Recorded, made: list[Recorded]) -> Recorded:
        """Return an event as it would land behind those of its act that wait before it."""
        at = self._at
        place, author = at.here.seq + 1 + len(made), at.numbers.author(theirs.by)
        return record(place, theirs.id, theirs.at, author, remade(at, theirs))
