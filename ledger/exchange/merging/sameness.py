"""Recognize acts that both desks entered; if the desks differ, the entry of this desk remains.

The same act has the same id, or is refused because this desk entered it already: a result of the
same match, a drop of the same player, the same games of a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ledger.errors import Refused
from ledger.exchange.merging.numbers import ENTERED
from ledger.exchange.merging.remaking import Situation, result_said
from ledger.facts import rounds, shared
from ledger.facts.people import name_key
from ledger.problems import Official, Player, Problem, marked, problem
from ledger.tournament.disputes import current_claim
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

_BESIDE = frozenset(
    {
        "waiver",
        "results",
        "missed",
        "note",
        "up_to",
        "engine",
        "link",
        "attempt",
        "passed_over",
        "procedure",
        "by_hand",
        "recommendation",
    }
)
"""Members that may differ in the same act of another desk: they follow from earlier lines."""

_OF_A_PERSON = ("league_id", "faction", "roles")
"""Members that distinguish two persons of the same name."""


def is_same(first: Event, second: Event) -> bool:
    """Return whether two events with the numbers of one log are the same act of two desks."""
    if type(first) is not type(second):
        return False
    names = (name for name in first.__struct_fields__ if name not in _BESIDE)
    return all(getattr(first, name) == getattr(second, name) for name in names)


def result_here(at: Situation, theirs: Recorded) -> int:
    """Return the event that gives a match in this log the same result, or 0."""
    try:
        reported = result_said(at, theirs.event)
    except Refused:
        return 0
    claim = current_claim(at.here, at.here.matches[reported[0]]) if reported else None
    return claim.seq if reported and claim and claim.result == reported[1] else 0


def name_here(tournament: Tournament, event: Event, log: Sequence[Recorded]) -> int:
    """Return the event that gives a person in this log the same name, or 0."""
    if not isinstance(event, shared.PersonRecorded):
        return 0
    if tournament.names.get(event.of) != event.name:
        return 0
    named = (recorded.seq for recorded in reversed(log) if is_same(recorded.event, event))
    return next(named, 0)


def person_here(
    theirs: Event, name: str, entries: Iterable[Recorded], tournament: Tournament
) -> Recorded | None:
    """Return the registration, or the office, that this desk entered for the same person.

    Raises:
        Refused: this log has a different person of that name.
    """
    key = name_key(name)
    for entry in entries if name else ():
        of = _person_of(entry.event)
        if type(entry.event) is not type(theirs) or name_key(tournament.names.get(of, "")) != key:
            continue
        if may_be_one(entry.event, theirs):
            return entry
        text = marked("{person} has the same name here, and was entered with other data")
        person = Player(int(of[1:])) if of.startswith("p") else Official(int(of[1:]))
        raise Refused(problem("merge.namesake", text, person=person))
    return None


def _person_of(event: Any) -> str:  # noqa: ANN401 - of any type
    """Return the person whom an event enters, such as `p7`; empty for any other event."""
    if not isinstance(event, ENTERED):
        return ""
    return f"o{event.official}" if hasattr(event, "roles") else f"p{event.player}"


def may_be_one(ours: Any, theirs: Any) -> bool:  # noqa: ANN401 - two events of one type
    """Return whether two entries agree in every identifying member that both have."""
    pairs = [(getattr(ours, name, ""), getattr(theirs, name, "")) for name in _OF_A_PERSON]
    return all(not first or not second or first == second for first, second in pairs)


def name_given(theirs: Recorded, act: Iterable[Recorded]) -> str:
    """Return the name in an act of the person whom one of its events enters, or ""."""
    of = _person_of(theirs.event)
    events = (recorded.event for recorded in act)
    named = (
        event.name
        for event in events
        if isinstance(event, shared.PersonRecorded) and event.of == of
    )
    return next(named, "") if of else ""


def stands_here(
    at: Situation,
    event: Event,
    entries: Mapping[int, Recorded],
    paired_otherwise: Mapping[int, int],
) -> Problem | None:
    """Return which entry of this desk an event would withdraw or contradict, or None.

    `paired_otherwise` maps each round that this log pairs differently to the event that paired it.
    """
    text = marked(
        "this desk entered event {event} itself: what it says stays until it is changed here"
    )
    number = getattr(event, "round", 0)
    is_of_tables = not isinstance(event, rounds.RoundPaired | rounds.Posted)
    if is_of_tables and number in paired_otherwise:
        seq = paired_otherwise[number]
        otherwise = marked("round {round} is paired differently here (event {event})")
        return problem("merge.paired", otherwise, round=number, event=seq)
    target = _target(at.here, event, entries)
    return problem("merge.stands", text, event=target) if target in entries else None


def _target(here: Tournament, event: Event, entries: Mapping[int, Recorded]) -> int:
    """Return the event that an event withdraws or replaces, or 0."""
    seq: int = getattr(event, "withdraws", 0) or getattr(event, "corrects", 0)
    match event:
        case rounds.RoundUnpaired(round=number) if number <= len(here.rounds):
            return here.rounds[number - 1].paired_seq
        case rounds.RoundReopened(round=number):
            closings = (
                entry.seq
                for entry in entries.values()
                if isinstance(entry.event, rounds.RoundClosed) and entry.event.round == number
            )
            return max(closings, default=0)
        case _:
            return seq


def ours_about(at: Situation, event: Event) -> tuple[int, ...]:
    """Return the events of this log that concern the same match, round or start."""
    here = at.here
    number = getattr(event, "match", 0)
    round_ = getattr(event, "round", 0)
    if number and 0 < number < len(at.there.matches):
        round_ = at.there.matches[number].round
        with suppress(Refused):
            match = here.matches[at.numbers.match(at.there, here, number).number]
            claim = current_claim(here, match)
            return (claim.seq,) if claim else (here.rounds[round_ - 1].paired_seq,)
    if round_ and round_ <= len(here.rounds):
        return (here.rounds[round_ - 1].paired_seq,)
    if hasattr(event, "word") and not hasattr(event, "audit") and here.start_seq:
        return (here.start_seq,)
    return ()
