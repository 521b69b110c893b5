"""Office: who plays, stands down and rules; conduct and penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.authority import DESK
from ledger.checks.results import bracket_stands
from ledger.commands import (
    DisqualifyPlayer,
    LinkOfficial,
    NoteConduct,
    Penalize,
    RecommendDisqualification,
    Resume,
    Rule,
    StandDown,
    TakeNote,
)
from ledger.decisions.disputes import entered, result_ruled
from ledger.decisions.people import disqualified, known
from ledger.decisions.told import found_match, told_result
from ledger.errors import NotFound, Refused
from ledger.events.office import (
    LOSES_THE_MATCH,
    ConductNoted,
    DisqualificationRecommended,
    NoteTaken,
    OfficialResumed,
    OfficialStoodDown,
    PenaltyGiven,
    RulingMade,
)
from ledger.events.opening import OfficialAppointed
from ledger.events.results import ResultReported
from ledger.tournament import disputes, scoring
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.commands import Command
    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Match, Official, Tournament


def official_of(tournament: Tournament, number: int) -> Official:
    """The official of that number.

    Raises:
        NotFound: there is none.
    """
    if not 0 < number < len(tournament.officials):
        raise NotFound(f"there is no official {number}")
    return tournament.officials[number]


def _link(command: LinkOfficial, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    official = official_of(tournament, command.official)
    if official.player != command.player:
        yield OfficialAppointed(official.number, official.roles, command.player)


def _stand_down(
    command: StandDown, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if not official_of(tournament, command.official).stood_down:
        yield OfficialStoodDown(command.official)


def _resume(command: Resume, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    if official_of(tournament, command.official).stood_down:
        yield OfficialResumed(command.official)


def _rule(command: Rule, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
    official_of(tournament, command.official)
    match = found_match(tournament, command.match) if command.match else None
    dispute = disputes.dispute_of(tournament, command.match)
    settles = 0
    if dispute is not None and not command.reviews:
        is_first = command.decides is not None and not dispute.ruling
        settles = dispute.seq if command.stands or is_first else 0
    elif command.stands:
        raise Refused("only a disputed report is let stand: nothing is disputed here")
    yield RulingMade(
        official=command.official,
        ruling=command.ruling,
        match=command.match,
        clause=command.clause,
        raised=command.raised,
        player=command.player,
        review=command.review,
        reviews=command.reviews,
        overrules=command.overrules,
        upheld=command.upheld,
        settles=settles,
        decides=told_result(tournament, match, command.decides)
        if match and command.decides
        else None,
    )
    if match is not None and command.corrects:
        yield from _at_once(tournament, match, by)


def _at_once(tournament: Tournament, match: Match, by: str) -> Iterator[Event]:
    """The correction that a ruling asks for, where its author may enter it and nothing bars it."""
    ruling = tournament.floor.rulings[-1]
    result = result_ruled(tournament, ruling)
    desk = tournament.officials[int(by.partition("/")[0][1:])]
    if result is None or disputes.is_appealed(ruling) or DESK.isdisjoint(desk.roles):
        return
    if not list(bracket_stands(tournament, match, result)):
        yield from entered(tournament, match, ruling, result)


def _note(command: NoteConduct, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    known(tournament, command.player)
    match = open_match_of(tournament, command.player)
    number = match.number if match else 0
    yield ConductNoted(command.player, command.kind, command.remedy, number, command.note)


def _take_note(command: TakeNote, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    if command.player:
        known(tournament, command.player)
    if command.match:
        found_match(tournament, command.match)
    yield NoteTaken(command.text, command.match, command.player)


def _recommend(
    command: RecommendDisqualification, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    known(tournament, command.player)
    yield DisqualificationRecommended(command.player, command.reason, command.clause)


def _penalize(
    command: Penalize, tournament: Tournament, context: Context, by: str
) -> Iterator[Event]:
    known(tournament, command.player)
    match = open_match_of(tournament, command.player)
    number = match.number if match else 0
    yield PenaltyGiven(command.player, command.kind, command.infraction, command.clause, number)
    if match is not None and command.kind in LOSES_THE_MATCH:
        lost = scoring.forfeited(tournament.ruleset, first=match.first == command.player)
        yield ResultReported(match.number, lost)
    if command.kind == "removal":
        removal = DisqualifyPlayer(command.player, command.infraction, command.clause)
        yield from disqualified(removal, tournament, context, by)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    LinkOfficial: _link,
    StandDown: _stand_down,
    Resume: _resume,
    Rule: _rule,
    NoteConduct: _note,
    TakeNote: _take_note,
    RecommendDisqualification: _recommend,
    Penalize: _penalize,
}
