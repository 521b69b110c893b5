"""Who may rule on a match, review a ruling, correct the documents and impose a result."""

from __future__ import annotations

from ledger.checks.disputes import final_ruling, no_ruling, ruling_problems
from ledger.checks.references import no_official, no_player, stood_down
from ledger.events import office as events
from ledger.problems import Official, Problems, problem
from ledger.tournament import office
from ledger.tournament.disputes import is_appealed, latest_dispute, ruling_on
from ledger.tournament.progress import find_match, no_match
from ledger.tournament.state import Match, Tournament


def ruling_made(tournament: Tournament, event: events.RulingMade) -> Problems:
    match = find_match(tournament, event.match)
    if event.match and match is None:
        yield no_match(event.match)
        return
    if event.official >= len(tournament.officials):
        yield no_official(event.official)
        return
    if not event.ruling.strip():
        yield problem("ruling.empty", "a ruling has to say what was decided")
    if (event.raised == "player") != bool(event.player):
        text = "a ruling names a player where a player raised it, and only there"
        yield problem("ruling.raised_by", text)
    elif event.player and event.player >= len(tournament.players):
        yield no_player(event.player)
    if event.reviews:
        yield from _review(tournament, event)
    yield from ruling_problems(tournament, event, match)
    yield from _may_rule(tournament, event, match)


def _review(tournament: Tournament, event: events.RulingMade) -> Problems:
    reviewed = tournament.floor.ruling(event.reviews)
    if reviewed is None:
        yield no_ruling(event.reviews)
    elif reviewed.final or reviewed.reviewed_by:
        yield final_ruling(reviewed)
    elif reviewed.made.match != event.match:
        text = "ruling {ruling} is about another match"
        yield problem("ruling.other_match", text, ruling=event.reviews)
    elif not is_appealed(reviewed):
        text = "no player asked for a review of ruling {ruling}"
        yield problem("review.not_asked", text, clause="FFG-ROLE-JUDGE", ruling=event.reviews)


def _may_rule(tournament: Tournament, event: events.RulingMade, match: Match | None) -> Problems:
    official = tournament.officials[event.official]
    allowed = _who_rules(tournament, event, match)
    if official.stood_down:
        yield stood_down(event.official)
    elif match and official.player in match.players and event.official not in allowed:
        text, clause = "{official} is playing this match and does not rule", "FFG-LEADER-RULING"
        yield problem("ruling.plays_match", text, clause=clause, official=Official(event.official))
    elif event.official not in allowed:
        text = "{official} does not rule here, but {others}"
        who, others = Official(event.official), tuple(map(Official, allowed)) or "nobody"
        yield problem(
            "ruling.not_theirs", text, clause="FFG-ROLE-JUDGE", official=who, others=others
        )
    if event.review and office.is_final(tournament, event.official, match):
        text = "this ruling is final: nobody reviews it"
        yield problem("review.final", text, clause="FFG-ROLE-JUDGE")
    yield from _may_overrule(tournament, event)
    yield from _may_impose(tournament, event, match)


def _may_overrule(tournament: Tournament, event: events.RulingMade) -> Problems:
    """A marshal may, for a mistake found in the documents; where these bind, nobody does."""
    rules = office.authority_of(tournament)
    if not event.overrules:
        return
    if rules.documents:
        text = "what the rulebook and the FAQ say binds everybody: nobody overrules it"
        yield problem("ruling.documents_bind", text, clause=rules.documents)
    elif all(event.official != each.number for each in office.marshals(tournament)):
        text = "only a marshal overrules the rules documents"
        yield problem("ruling.overrules", text, clause="FFG-OVERRULE")


def _may_impose(tournament: Tournament, event: events.RulingMade, match: Match | None) -> Problems:
    """Yield that the official does not impose results, where the ruling decides on one."""
    if not (match and event.decides and event.decides.manner == "declared"):
        return
    was = match.result.manner if match.result is not None else ""
    allowed = office.who_declares(tournament, match.players)
    is_new = was != "declared" and office.is_bound_by(tournament, "declared")
    if is_new and event.official not in allowed:
        text, clause = "{official} imposes no result, but {others}", "FFG-AUTH-CONDUCT"
        who, others = Official(event.official), tuple(map(Official, allowed)) or "nobody"
        yield problem("ruling.imposes", text, clause=clause, official=who, others=others)


def _who_rules(tournament: Tournament, event: events.RulingMade, match: Match | None) -> list[int]:
    """Who may rule so; where nobody reviews, who rules first decides again as well.

    A marshal corrects the documents at once (FFG-OVERRULE).
    """
    first = office.who_rules(tournament, match)
    review = office.who_rules(tournament, match, "review")
    if event.reviews:
        return review
    if event.overrules and not office.authority_of(tournament).documents:
        return [*first, *review]
    return (review or first) if _decides_again(tournament, event) else first


def _decides_again(tournament: Tournament, event: events.RulingMade) -> bool:
    """Whether a result that was decided for good is decided again, by an official who may."""
    latest = latest_dispute(tournament, event.match)
    if event.decides is None or latest is None or latest.closed:
        return False
    ruling = ruling_on(tournament, latest)
    return ruling is not None and ruling.final
