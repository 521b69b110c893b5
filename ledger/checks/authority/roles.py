"""Who may enter what, read from the log alone.

An official may enter an event when its class names one of their roles, unless they have stood down
or would judge a match that they play. A player may enter what is marked so, for themselves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ledger.checks.authority import clauses
from ledger.checks.authority.offices import is_declared, roles_for
from ledger.checks.authority.words import SPOKEN, not_at_match
from ledger.checks.references import no_official, no_player, not_active, stood_down
from ledger.events import disputes
from ledger.events.keys import LinkIssued, LinkRevoked
from ledger.events.lists import ListSubmitted
from ledger.events.office import JudgeCalled, OfficialResumed, OfficialStoodDown
from ledger.events.opening import OfficialAppointed, RegistrationAsked
from ledger.events.people import PlayerDropped
from ledger.events.results import ResultCorrected, ResultReported
from ledger.events.rounds import CheckedIn
from ledger.events.undo import ActWithdrawn
from ledger.lines.recorded import Recorded
from ledger.problems import Act, Official, Player, Problem, Problems, problem
from ledger.tournament import involvement, office, state
from ledger.tournament.links import link_in
from ledger.tournament.progress import check_in_now
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.events import Event

FOUNDING: Final = 3
"""The first events make the organizer: before them nobody has a role."""


def not_allowed(tournament: Tournament, recorded: Recorded) -> list[Problem]:
    """List why somebody may not enter the event."""
    if recorded.seq <= FOUNDING and recorded.by == "o1":
        return []
    over = list(_not_over_link(tournament, recorded)) if tournament.floor.links else []
    wrong = _not_by(tournament, recorded)
    return over if wrong is None else [*over, wrong]


def _not_by(tournament: Tournament, recorded: Recorded) -> Problem | None:
    """Say why the event is not this person's to enter, at whatever desk."""
    desk, _, player = recorded.by.partition("/")
    number, kind = int(desk[1:]), type(recorded.event)
    if player and int(player[1:]) >= len(tournament.players):
        return no_player(int(player[1:]))
    if desk[0] == "o" and number >= len(tournament.officials):
        return no_official(number)
    if (spoken := SPOKEN.get(kind)) and (wrong := spoken(tournament, recorded)):
        return wrong
    if desk[0] == "p":
        return next(_not_for_player(tournament, recorded, number), None)
    return _not_for_official(tournament, recorded, tournament.officials[number])


def _not_over_link(tournament: Tournament, recorded: Recorded) -> Problems:
    """Yield why an act whose id names a link was not made over it.

    A player's may come as a code that an official scans: `o1/p7`, with the id of the player's link.
    """
    number = link_in(recorded.id)
    if not number or "." in recorded.id:
        return
    link = tournament.floor.links.get(number)
    if link is None:
        text = "no link {link} was given out, which the id {id} names: take another id"
        yield problem("link.unknown_in_id", text, link=number, id=recorded.id)
    elif link.until:
        text = "link {link} ended with event {event}: nothing is entered over it any more"
        yield problem("link.ended_in_id", text, link=number, event=link.until)
    elif office.is_bound_by(tournament, "links") and not office.lets_in(tournament, link):
        text = "{of} has no place in this event now: nothing is entered over link {link}"
        yield problem("link.rests", text, link=number, of=link.of)
    elif link.of.startswith("e"):
        if not isinstance(recorded.event, RegistrationAsked):
            text = "link {link} is for who asks to be registered, and for nothing else"
            yield problem("link.to_register", text, link=number)
    elif link.of not in recorded.by.split("/"):
        text = "link {link} is for {of}, and not for {by}"
        yield problem("link.others", text, link=number, of=link.of, by=recorded.by)


def _not_for_official(
    tournament: Tournament, recorded: Recorded, official: state.Official
) -> Problem | None:
    event = _withdrawn_or_said(tournament, recorded.event)
    if isinstance(event, OfficialAppointed) and _hands_over(tournament, event, official.number):
        return None
    if isinstance(event, LinkIssued) and event.of == recorded.by:
        return None
    allowed = roles_for(tournament, event)
    if official.stood_down and event != OfficialResumed(official.number):
        return stood_down(official.number)
    if too_near := involvement.too_near(tournament, official, recorded, event):
        return too_near
    if allowed.isdisjoint(official.roles):
        return _takes_another(tournament, recorded, event, official, allowed)
    return _not_their_own(tournament, recorded, event, official)


def _not_their_own(
    tournament: Tournament, recorded: Recorded, event: Event, official: state.Official
) -> Problem | None:
    """Return why another official has to enter it: it is about their ruling, office or link."""
    act = Act(recorded.type)
    match event:
        case LinkRevoked(link=number):
            return _not_their_link(tournament, number, official)
        case disputes.RulingWithdrawn(official=number) if number != official.number:
            text = "{official} made this ruling: {act} is entered by them alone"
            made, clause = Official(number), "FFG-RULING"
            return problem("authority.own_ruling", text, clause=clause, official=made, act=act)
        case OfficialStoodDown(official=number) | OfficialResumed(official=number):
            if number == official.number or "organizer" in official.roles:
                return None
            text = "{act} is entered by the official themselves, or by the organizer"
            return problem("authority.own_office", text, clause="FFG-ROLE-STATUS", act=act)
        case _:
            return None


def _not_their_link(
    tournament: Tournament, number: int, official: state.Official
) -> Problem | None:
    """Return why an official may not revoke another official's link."""
    link = tournament.floor.links.get(number)
    if link is None or not link.of.startswith("o") or not office.is_bound_by(tournament, "links"):
        return None
    holder = int(link.of[1:])
    if holder == official.number or office.is_above(tournament, official.number, holder):
        return None
    text = "link {link} is {holder}'s: it is revoked by themselves, or by who has a higher office"
    who = Official(holder)
    return problem("authority.link", text, clause="FFG-ROLE-STATUS", link=number, holder=who)


def _hands_over(tournament: Tournament, event: OfficialAppointed, by: int) -> bool:
    """Whether who laid the office down names the next, or who resumes it takes it back."""
    handover = tournament.floor.handover
    if handover:
        return handover.by == by and handover.to == event.official
    return event.hands_to == by == tournament.floor.deputies.get(event.official)


def _takes_another(
    tournament: Tournament,
    recorded: Recorded,
    event: Event,
    official: state.Official,
    allowed: frozenset[str],
) -> Problem:
    """Say whose act it is, of the offices that the game has, and by which clause."""
    here = {*office.authority_of(tournament).leaders, "scorekeeper"}
    what: Act | str = Act(recorded.type)
    if isinstance(event, ResultReported | ResultCorrected) and is_declared(tournament, event):
        what = "imposing a result"
    return problem(
        "authority.role",
        "{act} takes the {roles} ({official} is {has})",
        clause=clauses.clause_of(event, tournament.ruleset),
        act=what,
        roles=" or the ".join(sorted(allowed & here)),
        official=Official(official.number),
        has=", ".join(official.roles) or "without a role",
    )


def _withdrawn_or_said(tournament: Tournament, event: Event) -> Event:
    """What an event is about: who may enter a thing may withdraw it."""
    if isinstance(event, ActWithdrawn) and event.withdraws in tournament.floor.acts:
        return tournament.floor.acts[event.withdraws].event
    return event


def _not_own_result(tournament: Tournament, event: ResultReported, player: int) -> Problems:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    if match is None or player not in match.players:
        yield not_at_match(player)
        return
    side = match.players.index(player) if len(match.players) > 1 else 0
    loses = tournament.letters.get(event.result.outcomes[side]) == "L"
    manner = event.result.manner
    both_lose = {tournament.letters.get(each) for each in event.result.outcomes} == {"L"}
    leaves_early = tournament.ruleset.leaving == manner == "no-show" and loses and not both_lose
    if leaves_early:
        return
    if manner in {"concession", "departure"} and not loses:
        text = "{player} cannot concede for another"
        yield problem("authority.concession", text, clause="FFG-CONCEDE", player=Player(player))
    elif manner not in {"played", "time", "concession", "departure"}:
        text = "a result by {manner} is entered by an official"
        clause = "FFG-AUTH-CONDUCT" if manner == "declared" else "FFG-DROP"
        yield problem("authority.manner", text, clause=clause, manner=manner)


def _not_own_drop(tournament: Tournament, event: PlayerDropped, player: int) -> Problems:
    if event.player != player:
        text = "{player} cannot drop another"
        yield problem("authority.drop", text, clause="FFG-DROP", player=Player(player))
    elif event.reason not in {"request", "unable"}:
        text = "a drop for {reason} is entered by an official"
        clause = clauses.clause_of(event, tournament.ruleset)
        yield problem("authority.drop_reason", text, clause=clause, reason=event.reason)


def _not_own_check_in(tournament: Tournament, event: CheckedIn, player: int) -> Problems:
    check_in = check_in_now(tournament)
    if event.player != player:
        text = "{player} says of themselves alone that they are here"
        yield problem("authority.check_in", text, player=Player(player))
    elif check_in and check_in.closed:
        yield problem("check_in.closed", "the check-in is closed: tell the desk that you are here")


def _not_own_words(_: Tournament, event: JudgeCalled | ListSubmitted, player: int) -> Problems:
    if event.player != player:
        text = "{act} is done by a player for themselves alone"
        yield problem("authority.own", text, act=Act(type(event).__name__))


_OWN: Mapping[type[Event], Callable[[Tournament, Any, int], Problems]] = MappingProxyType(
    {
        ResultReported: _not_own_result,
        PlayerDropped: _not_own_drop,
        CheckedIn: _not_own_check_in,
        JudgeCalled: _not_own_words,
        ListSubmitted: _not_own_words,
    }
)
"""What says why an event that players may enter is not this one's to enter."""


def _not_for_player(tournament: Tournament, recorded: Recorded, player: int) -> Problems:
    kind = type(recorded.event)
    if not kind.recording.by_players:
        text = "{act} is entered by an official, not by {by}"
        clause, act = clauses.clause_of(recorded.event, tournament.ruleset), Act(recorded.type)
        yield problem("authority.official", text, clause=clause, act=act, by=f"p{player}")
    elif not 0 < player < len(tournament.players):
        yield no_player(player)
    elif tournament.players[player].status != "active":
        yield not_active(player)
    elif kind in _OWN:
        yield from _OWN[kind](tournament, recorded.event, player)
