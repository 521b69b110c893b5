"""Who is too near to decide: nobody judges a match that they play (FFG-LEADER-RULING).

One rule for rulings, extensions, conduct, penalties, recommendations, disqualifications,
corrections and no-shows. What else an official reports of their own match is their side's word, as
any player's, which the other side may dispute. Where nobody else could decide, because the ruleset
lets leaders play without another one, who leads decides all the same, and the audit tells; so it
does where the organizer alone declares, and plays (AOP-DECLARE).
"""

from __future__ import annotations

from ledger.facts import office
from ledger.facts.base import Event
from ledger.facts.clock import PaceModerated, TableExtended
from ledger.facts.components import (
    ComponentDecided,
    ComponentsInspected,
    ComponentsShared,
    ProxyMade,
)
from ledger.facts.office import ConductNoted, DisqualificationRecommended, PenaltyGiven
from ledger.facts.people import PlayerDisqualified, PlayerDropped
from ledger.facts.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.facts.shared import Result, RulingMade
from ledger.lines.recorded import Recorded
from ledger.problems import Official, Player, Problem, Remedy, Table, problem, remedy
from ledger.tournament import state
from ledger.tournament.disputes import dispute_ruled_by, word_of
from ledger.tournament.progress import find_match, latest_match_of
from ledger.tournament.state import Tournament

_DECLARING = (
    ComponentDecided,
    ConductNoted,
    DisqualificationRecommended,
    PenaltyGiven,
    PlayerDisqualified,
    PlayerDropped,
)
"""What the organizer alone decides where a game has its results and penalties declared by them."""


def too_near(
    tournament: Tournament, official: state.Official, recorded: Recorded, event: Event
) -> Problem | None:
    """Say why an official is too near to what they enter; None where they are not.

    `event` is what it is about: of a withdrawal, what is withdrawn.
    """
    if not official.player:
        return None
    players = judges_own(tournament, official, recorded, event)
    if not players or official.number in office.who_rules_for(tournament, players):
        return None
    if _is_declaring(event) and office.declares_alone(tournament, official):
        return None
    return problem(
        "leader.plays_match",
        "{official} is playing this match: another leader must decide",
        clause="FFG-LEADER-RULING",
        remedy=_for_others(tournament, event),
        official=Official(official.number),
    )


def _is_declaring(event: Event) -> bool:
    """Whether a result is imposed, or what follows from a player's conduct or components."""
    if isinstance(event, ResultReported):
        return event.result.manner == "declared"
    return isinstance(event, _DECLARING)


def judges_own(
    tournament: Tournament, official: state.Official, recorded: Recorded, event: Event
) -> tuple[int, ...]:
    """Return the players, the official among them, whose matches are judged with the event.

    None where it judges no match of theirs, or says only what somebody else has decided.
    """
    players = judged(tournament, event)
    if tournament.importing or not plays_among(official, players):
        return ()
    return () if _has_leave(tournament, official, recorded, event) else players


def _has_leave(
    tournament: Tournament, official: state.Official, recorded: Recorded, event: Event
) -> bool:
    """Whether somebody else has decided it, or their own side alone loses or takes words back."""
    match event:
        case PlayerDisqualified(player=player) | PlayerDropped(player=player):
            return _is_advised(tournament, player, judged(tournament, event))
        case ResultCorrected():
            return _is_ruled(tournament, event)
        case RulingMade():
            return event.official == official.number
        case ResultReported(match=number, result=result):
            side = tournament.matches[number].players.index(official.player)
            loses = tournament.letters.get(result.outcomes[side]) == "L"
            return loses or is_of_a_removal(tournament, event)
        case ResultWithdrawn(match=number):
            word = word_of(tournament, recorded.by)
            return tournament.floor.reporters.get(number) == word
        case _:
            return False


def is_of_a_removal(tournament: Tournament, event: ResultReported | ResultCorrected) -> bool:
    """Whether the event before removed the loser, which ends the match (FFG-AUTH-DQ)."""
    match = find_match(tournament, event.match)
    if match is None or event.result.manner != "declared":
        return False
    letters = map(tournament.letters.get, event.result.outcomes)
    return any(
        letter == "L" and tournament.players[player].left_seq == tournament.seq
        for player, letter in zip(match.players, letters, strict=False)
    )


def _for_others(tournament: Tournament, event: Event) -> tuple[Remedy, ...]:
    """Return what another leader does, or the player whose word it was."""
    match event:
        case PlayerDisqualified(player=player) | PlayerDropped(player=player):
            return (remedy("recommend", player=Player(player)),)
        case ResultCorrected(match=number) | ResultWithdrawn(match=number):
            match = tournament.matches[number]
            ways = (remedy("rule", table=Table(match.round, match.table)),)
            reporter = tournament.floor.reporters.get(number)
            if isinstance(event, ResultWithdrawn) and reporter:
                return (*ways, remedy("undo.for", player=Player(reporter)))
            return ways
        case _:
            return ()


def plays_among(official: state.Official, players: tuple[int, ...]) -> bool:
    """Whether an official is one of these players."""
    return bool(official.player) and official.player in players


def judged(tournament: Tournament, event: Event) -> tuple[int, ...]:
    """The players of the matches that an act judges; none where it judges none.

    Who is judged away from a match is judged in their match of the latest round, though it may
    have ended. A ruling names its official and is checked by that; who enters it for another one
    does not play the match either.
    """
    match event:
        case (
            TableExtended(match=number)
            | PaceModerated(match=number)
            | ComponentsShared(match=number, player=0)
            | ComponentsShared(match=number, answer="declined")
            | RulingMade(match=number)
            | ResultReported(match=number, result=Result(manner="no-show" | "declared"))
            | ResultCorrected(match=number)
            | ResultWithdrawn(match=number)
        ):
            return _seated(tournament, number)
        case ConductNoted(player=player, match=number) | PenaltyGiven(player=player, match=number):
            return _seated(tournament, number) + (_beside(tournament, player) if player else ())
        case (
            DisqualificationRecommended(player=player)
            | PlayerDisqualified(player=player)
            | PlayerDropped(player=player, reason="conduct")
            | ComponentDecided(player=player)
            | ComponentsInspected(player=player)
            | ProxyMade(player=player)
        ):
            return _beside(tournament, player)
        case _:
            return ()


def _seated(tournament: Tournament, number: int) -> tuple[int, ...]:
    return tournament.matches[number].players if 0 < number < len(tournament.matches) else ()


def _beside(tournament: Tournament, player: int) -> tuple[int, ...]:
    match = latest_match_of(tournament, player)
    return match.players if match is not None else ()


def _is_advised(tournament: Tournament, player: int, players: tuple[int, ...]) -> bool:
    """Whether somebody who does not play the match recommended the disqualification."""
    advice = tournament.floor.acts.get(tournament.floor.recommended.get(player, 0))
    if advice is None:
        return False
    number = int(advice.by.partition("/")[0][1:])
    return not plays_among(tournament.officials[number], players)


def _is_ruled(tournament: Tournament, event: ResultCorrected) -> bool:
    """Whether the correction is what a ruling says, which is never by who plays the match."""
    ruling = tournament.floor.ruling(event.ruling)
    is_decided = ruling is not None and ruling.made.decides is not None
    return is_decided or (ruling and dispute_ruled_by(tournament, ruling.seq)) is not None
