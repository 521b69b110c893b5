"""What both desks entered is one act; what they say differently stays as it is here.

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
from ledger.problems import Official, Player, Problem, problem
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
"""What the same act may say otherwise at another desk: it follows from the lines before."""

_OF_A_PERSON = ("league_id", "faction", "roles")
"""What tells two persons of one name apart."""


def is_same(one: Event, other: Event) -> bool:
    """Whether two events of one log are of the same act, entered at two desks."""
    if type(one) is not type(other):
        return False
    names = (name for name in one.__struct_fields__ if name not in _BESIDE)
    return all(getattr(one, name) == getattr(other, name) for name in names)


def result_here(at: Situation, theirs: Recorded) -> int:
    """Return the event that gives a match here the result that they give it; 0: none does."""
    try:
        said = result_said(at, theirs.event)
    except Refused:
        return 0
    claim = current_claim(at.here, at.here.matches[said[0]]) if said else None
    return claim.seq if said and claim and claim.result == said[1] else 0


def name_here(tournament: Tournament, event: Event, log: Sequence[Recorded]) -> int:
    """Return the event that gives a person here the same name; 0: none does."""
    if not isinstance(event, shared.PersonRecorded):
        return 0
    if tournament.names.get(event.of) != event.name:
        return 0
    named = (each.seq for each in reversed(log) if is_same(each.event, event))
    return next(named, 0)


def person_here(
    theirs: Event, name: str, own: Iterable[Recorded], tournament: Tournament
) -> Recorded | None:
    """Return the registration, or the office, that this desk entered for the same person.

    Raises:
        Refused: there is somebody of that name here who is said to be somebody else.
    """
    key = name_key(name)
    for each in own if name else ():
        of = _person_of(each.event)
        if type(each.event) is not type(theirs) or name_key(tournament.names.get(of, "")) != key:
            continue
        if may_be_one(each.event, theirs):
            return each
        text = "{person} has the same name here, and was entered with other data"
        who = Player(int(of[1:])) if of.startswith("p") else Official(int(of[1:]))
        raise Refused(problem("merge.namesake", text, person=who))
    return None


def _person_of(event: Any) -> str:  # noqa: ANN401 - of any type
    """Name the person whom an event enters, as it numbers them; empty for any other event."""
    if not isinstance(event, ENTERED):
        return ""
    return f"o{event.official}" if hasattr(event, "roles") else f"p{event.player}"


def may_be_one(ours: Any, theirs: Any) -> bool:  # noqa: ANN401 - two events of one type
    """Whether nothing that both entries say differs, of what an act is known by."""
    pairs = [(getattr(ours, name, ""), getattr(theirs, name, "")) for name in _OF_A_PERSON]
    return all(not one or not other or one == other for one, other in pairs)


def name_given(theirs: Recorded, act: Iterable[Recorded]) -> str:
    """Return the name that an act gives to the person whom an event of it enters; or nothing."""
    of = _person_of(theirs.event)
    events = (each.event for each in act)
    named = (it.name for it in events if isinstance(it, shared.PersonRecorded) and it.of == of)
    return next(named, "") if of else ""


def stands_here(
    at: Situation, event: Event, own: Mapping[int, Recorded], paired_otherwise: Mapping[int, int]
) -> Problem | None:
    """Say which entry of this desk an event would take back or contradict; None: it does not.

    `paired_otherwise`: the rounds that are paired in another way here, by which event.
    """
    text = "this desk entered event {event} itself: what it says stays until it is changed here"
    number = getattr(event, "round", 0)
    is_of_tables = not isinstance(event, rounds.RoundPaired | rounds.Posted)
    if is_of_tables and number in paired_otherwise:
        seq = paired_otherwise[number]
        otherwise = "round {round} is paired differently here (event {event})"
        return problem("merge.paired", otherwise, round=number, event=seq)
    target = _target(at.here, event, own)
    return problem("merge.stands", text, event=target) if target in own else None


def _target(here: Tournament, event: Event, own: Mapping[int, Recorded]) -> int:
    """Return the event that an event takes back or replaces; 0: none."""
    seq: int = getattr(event, "withdraws", 0) or getattr(event, "corrects", 0)
    match event:
        case rounds.RoundUnpaired(round=number) if number <= len(here.rounds):
            return here.rounds[number - 1].paired_seq
        case rounds.RoundReopened(round=number):
            closings = (
                each.seq
                for each in own.values()
                if isinstance(each.event, rounds.RoundClosed) and each.event.round == number
            )
            return max(closings, default=0)
        case _:
            return seq


def ours_about(at: Situation, event: Event) -> tuple[int, ...]:
    """Return the events of this log that say something about the same thing."""
    here = at.here
    number = getattr(event, "match", 0)
    round_ = getattr(event, "round", 0)
    if number and 0 < number < len(at.there.matches):
        round_ = at.there.matches[number].round
        with suppress(Refused):
            found = here.matches[at.numbers.match(at.there, here, number).number]
            claim = current_claim(here, found)
            return (claim.seq,) if claim else (here.rounds[round_ - 1].paired_seq,)
    if round_ and round_ <= len(here.rounds):
        return (here.rounds[round_ - 1].paired_seq,)
    if hasattr(event, "word") and not hasattr(event, "audit") and here.start_seq:
        return (here.start_seq,)
    return ()
