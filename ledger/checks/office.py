"""Whether a leader may play and who may rule; what a ruling or a penalty needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.disputes import is_decided_anew, ruling_problems
from ledger.events.office import (
    ConductNoted,
    DisqualificationRecommended,
    NoteTaken,
    OfficialResumed,
    OfficialStoodDown,
    PenaltyGiven,
    RulingMade,
)
from ledger.tournament import office
from ledger.tournament.disputes import is_appealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ledger.events import Event
    from ledger.events.opening import OfficialAppointed
    from ledger.events.people import PlayerRegistered
    from ledger.tournament.state import Match, Official, Tournament


def leader_may_play(tournament: Tournament, official: int, roles: Iterable[str]) -> Iterator[str]:
    """Yield what keeps somebody with these roles from playing (FFG-LEADER-TIER)."""
    if tournament.importing or not office.leads(tournament, set(roles)):
        return
    if office.authority_of(tournament).playing == "announced":
        if tournament.started:
            yield "a leader who plays is announced before the start (AOP-ORGANIZER)"
        return
    tier = tournament.opening.tier if tournament.opening else "relaxed"
    if tier != "relaxed":
        yield f"a leader does not play in the {tier.capitalize()} tier (FFG-LEADER-TIER)"
    elif not _has_second_leader(tournament, official):
        yield (
            "a leader plays only where another leader is present, announced at the beginning "
            "(FFG-LEADER-TIER)"
        )


def _has_second_leader(tournament: Tournament, official: int) -> bool:
    return any(
        each.number != official
        and office.leads(tournament, each.roles)
        and (each.announced or not tournament.started)
        for each in office.active(tournament)
    )


def registered(tournament: Tournament, event: PlayerRegistered) -> Iterator[str]:
    """Yield what is against an official's own registration as a player."""
    if not event.official:
        return
    if event.official >= len(tournament.officials):
        yield f"there is no official {event.official}"
        return
    official = tournament.officials[event.official]
    if office.player_of(tournament, event.official):
        yield f"o{event.official} is player {official.player} already"
    yield from leader_may_play(tournament, event.official, official.roles)


def rejoined(tournament: Tournament, player: int) -> Iterator[str]:
    """Yield what is against a leader's return as a player."""
    for official in tournament.officials[1:]:
        if official.player == player:
            yield from leader_may_play(tournament, official.number, official.roles)


def appointed(tournament: Tournament, event: OfficialAppointed) -> Iterator[str]:
    """Yield what is against these roles, and against this player's holding them."""
    known = office.authority_of(tournament).leaders
    for role in event.roles:
        if role not in known and role != "scorekeeper" and not tournament.importing:
            yield (
                f"{tournament.ruleset.key} has no {role}: its leaders are {', '.join(known)} "
                f"({office.authority_of(tournament).clause})"
            )
    if event.player and event.player >= len(tournament.players):
        yield f"there is no player {event.player}"
        return
    if event.official >= len(tournament.officials):
        plays = event.player
    else:
        current = tournament.officials[event.official]
        plays = event.player or office.player_of(tournament, event.official)
        if current.stood_down and "organizer" in event.roles:
            yield f"o{event.official} is a spectator until they resume (FFG-ROLE-STATUS)"
    if event.player and tournament.players[event.player].status == "withdrawn":
        yield f"player {event.player} is not registered"
    if event.player and any(
        each.player == event.player and each.number != event.official
        for each in tournament.officials
    ):
        yield f"player {event.player} is another official"
    if plays:
        yield from leader_may_play(tournament, event.official, event.roles)


def everyone_may_play(tournament: Tournament) -> Iterator[str]:
    """Yield what keeps the leaders who are registered from playing, when play begins."""
    for official in office.playing_leaders(tournament):
        yield from leader_may_play(tournament, official.number, official.roles)


def every_match_has_a_ruling(
    tournament: Tournament, games: Iterable[tuple[int, ...]]
) -> Iterator[str]:
    """Yield the games of leaders that nobody could rule on (FFG-LEADER-RULING)."""
    if tournament.importing:
        return
    leaders = {official.player for official in office.playing_leaders(tournament)}
    for game in games:
        seated = [player for player in game if player]
        if len(seated) < 2 or leaders.isdisjoint(seated):  # noqa: PLR2004 - a bye needs no ruling
            continue
        if not office.who_rules_for(tournament, seated):
            one, other = seated
            yield (
                f"players {one} and {other}: no other leader could rule on their match; "
                "appoint one who does not play (FFG-LEADER-RULING)"
            )


def _stood_down(tournament: Tournament, event: OfficialStoodDown) -> Iterator[str]:
    if event.official >= len(tournament.officials):
        yield f"there is no official {event.official}"
        return
    official = tournament.officials[event.official]
    if official.stood_down:
        yield f"o{event.official} is a spectator already (FFG-ROLE-STATUS)"
    if "organizer" in official.roles:
        yield "the organizer does not stand down: give the office to another first"


def _resumed(tournament: Tournament, event: OfficialResumed) -> Iterator[str]:
    if event.official >= len(tournament.officials):
        yield f"there is no official {event.official}"
    elif not tournament.officials[event.official].stood_down:
        yield f"o{event.official} is in office: they have not stood down"


def _ruled(tournament: Tournament, event: RulingMade) -> Iterator[str]:
    match = _match(tournament, event.match)
    if event.match and match is None:
        yield f"there is no match {event.match}"
        return
    if event.official >= len(tournament.officials):
        yield f"there is no official {event.official}"
        return
    if not event.ruling.strip():
        yield "a ruling says what was decided"
    if (event.raised == "player") != bool(event.player):
        yield "a ruling that a player raised names the player, another one none"
    elif event.player and event.player >= len(tournament.players):
        yield f"there is no player {event.player}"
    if event.reviews:
        yield from _review(tournament, event)
    yield from ruling_problems(tournament, event, match)
    yield from _may_rule(tournament, event, match)


def _match(tournament: Tournament, number: int) -> Match | None:
    if not 0 < number < len(tournament.matches) or tournament.matches[number].void:
        return None
    return tournament.matches[number]


def _review(tournament: Tournament, event: RulingMade) -> Iterator[str]:
    reviewed = tournament.floor.ruling(event.reviews)
    if reviewed is None:
        yield f"event {event.reviews} is no ruling"
    elif reviewed.final or reviewed.reviewed_by:
        yield f"ruling {event.reviews} is final: it can not be appealed again (FFG-ROLE-JUDGE)"
    elif reviewed.made.match != event.match:
        yield f"ruling {event.reviews} is about another match"
    elif not is_appealed(reviewed):
        yield f"no player asked for a review of ruling {event.reviews} (FFG-ROLE-JUDGE)"


def _may_rule(tournament: Tournament, event: RulingMade, match: Match | None) -> Iterator[str]:
    official = tournament.officials[event.official]
    allowed = _who_rules(tournament, event, match)
    if official.stood_down:
        yield f"o{event.official} is a spectator until they resume (FFG-ROLE-STATUS)"
    elif _plays(official, match) and event.official not in allowed:
        yield f"o{event.official} is playing this match and does not rule (FFG-LEADER-RULING)"
    elif event.official not in allowed:
        may = ", or ".join(f"o{number} is" for number in allowed) or "nobody is"
        yield f"o{event.official} is not who rules here: {may} (FFG-ROLE-JUDGE)"
    if event.review and office.is_final(tournament, event.official, match):
        yield "this ruling is final: nobody reviews it (FFG-ROLE-JUDGE)"
    if event.overrules and official not in office.marshals(tournament):
        yield "only a marshal overrules the rules documents (FFG-OVERRULE)"


def _who_rules(tournament: Tournament, event: RulingMade, match: Match | None) -> list[int]:
    """Who may rule so; where nobody reviews, who rules first decides anew as well."""
    first = office.who_rules(tournament, match)
    review = office.who_rules(tournament, match, "review")
    if event.reviews:
        return review
    return (review or first) if is_decided_anew(tournament, event) else first


def _plays(official: Official, match: Match | None) -> bool:
    return match is not None and official.player in match.players


def _is_here(tournament: Tournament, player: int) -> Iterator[str]:
    if player >= len(tournament.players) or tournament.players[player].status == "withdrawn":
        yield f"player {player} is not in the event"


def _noted(tournament: Tournament, event: ConductNoted) -> Iterator[str]:
    yield from _is_here(tournament, event.player)
    if event.match and _match(tournament, event.match) is None:
        yield f"there is no match {event.match}"
    if not event.remedy.strip():
        yield "unsporting conduct has a remedy: say which (FFG-AUTH-CONDUCT)"


def _recommended(tournament: Tournament, event: DisqualificationRecommended) -> Iterator[str]:
    yield from _is_here(tournament, event.player)
    if not event.reason.strip():
        yield "a recommendation needs a reason (FFG-AUTH-DQ)"


def _penalized(tournament: Tournament, event: PenaltyGiven) -> Iterator[str]:
    yield from _is_here(tournament, event.player)
    match = _match(tournament, event.match)
    if event.match and (match is None or event.player not in match.players):
        yield f"player {event.player} does not sit at match {event.match}"
    if not event.infraction.strip():
        yield "a penalty says what it is for (AOP-PENALTY)"


def _note_taken(tournament: Tournament, event: NoteTaken) -> Iterator[str]:
    if event.player:
        yield from _is_here(tournament, event.player)
    match = _match(tournament, event.match)
    if event.match and match is None:
        yield f"there is no match {event.match}"
    elif match is not None and event.player:
        yield "a note is on a match or on a player: of both, on the match"
    if not event.text.strip():
        yield "a note says something"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    OfficialStoodDown: _stood_down,
    OfficialResumed: _resumed,
    RulingMade: _ruled,
    ConductNoted: _noted,
    DisqualificationRecommended: _recommended,
    PenaltyGiven: _penalized,
    NoteTaken: _note_taken,
}
