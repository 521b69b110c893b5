"""What both desks entered is one act; what they say differently stays as it is here.

The same act has the same id, or is refused because this desk entered it already: a result of the
same match, a drop of the same player, the same games of a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import structs

from ledger.errors import Refused
from ledger.exchange.merging.remaking import Situation, remade
from ledger.facts import opening, people, rounds, setups, shared
from ledger.facts.clock import RoundExtended, RoundPaused, RoundResumed, TimeCalled
from ledger.facts.draws import RanksDrawn
from ledger.facts.keys import LinkIssued
from ledger.facts.people import name_key
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.undo import ActWithdrawn
from ledger.problems import Official, Player, Problem, Table, problem
from ledger.tournament.disputes import current_claim
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

OF_ROUND = (
    rounds.RoundUnpaired,
    rounds.SeatsSwapped,
    rounds.TablesRepaired,
    rounds.PlayersSeated,
    rounds.RoundStarted,
    rounds.RoundClosed,
    rounds.RoundReopened,
    shared.DeckChecksDrawn,
    shared.ScenarioDrawn,
    TimeCalled,
    RoundExtended,
    RoundPaused,
    RoundResumed,
)
"""Acts on all tables of a round, as it is paired at their own desk."""

_IDENTITY: Mapping[type[Event], tuple[str, ...]] = MappingProxyType(
    {
        rounds.RoundClosed: ("round",),
        rounds.RoundPaired: ("round", "games"),
        people.PlayerDropped: ("player", "reason"),
        people.PlayerDisqualified: ("player",),
        people.PlayerRejoined: ("player",),
        people.PlayerRegistered: ("league_id", "faction"),
        opening.TournamentFinished: ("shuffle_key", "hidden_key"),
        opening.OfficialAppointed: ("roles",),
        opening.RegistrationAnswered: ("asked", "player"),
        rounds.Posted: ("what", "round", "sha256"),
        RanksDrawn: ("first",),
        setups.DraftGroupsDrawn: ("groups",),
        LinkIssued: ("of", "digest"),
    }
)
"""By what an act is known as the same one: all its members, where nothing is said here."""


def is_same(one: Event, other: Event) -> bool:
    """Whether two events of one log are of the same act, entered at two desks."""
    if type(one) is not type(other):
        return False
    names = _IDENTITY.get(type(one), one.__struct_fields__)
    return all(getattr(one, name) == getattr(other, name) for name in names)


def result_here(at: Situation, theirs: Recorded) -> int:
    """Return the event that gives a match here the result that they give it; 0: none does."""
    event = theirs.event
    if not isinstance(event, ResultReported | ResultCorrected):
        return 0
    plain = theirs
    if isinstance(event, ResultCorrected):  # what it corrects may be another event here
        said = ResultReported(event.match, event.result)
        plain = structs.replace(theirs, event=said)
    try:
        made = remade(at, plain)
    except Refused:
        return 0
    assert isinstance(made, ResultReported)  # noqa: S101 - as it was
    claim = current_claim(at.here, at.here.matches[made.match])
    return claim.seq if claim is not None and claim.result == made.result else 0


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


def _person_of(event: Event) -> str:
    if isinstance(event, people.PlayerRegistered):
        return f"p{event.player}"
    return f"o{event.official}" if isinstance(event, opening.OfficialAppointed) else ""


def may_be_one(ours: Any, theirs: Any) -> bool:  # noqa: ANN401 - two events of one type
    """Whether nothing that both entries say differs, of what an act is known by."""
    pairs = [(getattr(ours, name), getattr(theirs, name)) for name in _IDENTITY[type(ours)]]
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
    if isinstance(event, OF_ROUND) and event.round in paired_otherwise:
        seq = paired_otherwise[event.round]
        otherwise = "round {round} is paired differently here (event {event})"
        return problem("merge.paired", otherwise, round=event.round, event=seq)
    target = _target(at.here, event, own)
    return problem("merge.stands", text, event=target) if target in own else None


def _target(here: Tournament, event: Event, own: Mapping[int, Recorded]) -> int:
    """Return the event that an event takes back or replaces; 0: none."""
    match event:
        case ActWithdrawn(withdraws=seq) | ResultCorrected(corrects=seq):
            return seq
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
            return 0


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
    if isinstance(event, opening.TournamentStarted) and here.start_seq:
        return (here.start_seq,)
    return ()


def table_there(there: Tournament, event: Event) -> Table | None:
    """Return the table that an event of theirs is about, as it is there."""
    number = getattr(event, "match", 0)
    if number and 0 < number < len(there.matches):
        match = there.matches[number]
        return Table(match.round, match.table)
    return None
