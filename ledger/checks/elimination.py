"""When a cut may be made and a qualifier be replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.disputes import held_up
from ledger.events.elimination import (
    CutMade,
    CutWithdrawn,
    PlaceForfeited,
    QualifierReplaced,
    ReplacementDeclined,
)
from ledger.tournament.early_finish import cut_problem, instead_of_cut
from ledger.tournament.progress import next_stage, stage_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.tournament.state import Stage, Tournament


def _made(tournament: Tournament, event: CutMade) -> Iterator[str]:
    stage = next_stage(tournament)
    if stage is None or stage.number != event.stage or stage.rounds:
        yield f"a cut to stage {event.stage} does not come next"
        return
    if stage.cut_seq:
        yield f"the cut to stage {stage.number} is made (event {stage.cut_seq})"
    if stage.plan.entry == "all":
        yield f"everyone enters stage {stage.number}: no cut was announced (FFG-ANNOUNCE)"
    active = set(tournament.active())
    if len(set(event.seeds)) != len(event.seeds) or set(event.seeds) & set(event.waiting):
        yield "a player is named twice in the cut"
    if outsiders := sorted((set(event.seeds) | set(event.waiting)) - active):
        yield f"player {outsiders[0]} does not play on and is passed over (FFG-CUT)"
    if event.waiting and stage.plan.entry != "top":
        yield "only a cut by the standings is filled up from them (FFG-CUT-REPLACE)"
    yield from held_up(tournament, event.waiver)
    if not tournament.importing:
        yield from _size(tournament, stage, event)


def _size(tournament: Tournament, stage: Stage, event: CutMade) -> Iterator[str]:
    size = stage.plan.size
    if problem := cut_problem(tournament, stage):
        line = instead_of_cut(tournament, stage)
        yield f"{problem}: `{line}`" if line else problem
        return
    if stage.plan.entry == "top" and len(event.seeds) != size:
        yield f"the announced cut is to {size}, not {len(event.seeds)} (FFG-ANNOUNCE)"
    if stage.plan.entry == "points":
        points = stage_points(tournament, tournament.stages[stage.number - 2])
        enough = {number for number in tournament.active() if points[number] >= size}
        if set(event.seeds) != enough:
            yield f"the players with {size} points or more go on (FFG-CUT)"
    if not event.seeds:
        yield "nobody would go on"


def _withdrawn(tournament: Tournament, event: CutWithdrawn) -> Iterator[str]:
    stages = [stage for stage in tournament.stages if stage.cut_seq == event.withdraws]
    if not stages or stages[0].number != event.stage or not event.withdraws:
        yield f"event {event.withdraws} is no cut to stage {event.stage}"
    elif stages[0].rounds:
        yield f"stage {event.stage} has begun: its cut stands"
    elif stages[0].vacancies or stages[0].seeds != stages[0].entrants:
        yield "a qualifier has left since: the cut stands"
    if not event.reason.strip():
        yield "taking a cut back needs a reason"


def _of_vacancy(
    rules: Callable[[Stage, Any], Iterator[str]],
) -> Callable[[Tournament, Any], Iterator[str]]:
    """Rules about a place of the cut that is to be filled, once it is sure that there is one."""

    def check(
        tournament: Tournament, event: QualifierReplaced | ReplacementDeclined | PlaceForfeited
    ) -> Iterator[str]:
        stage = tournament.pending_cut()
        if stage is None or stage.number != event.stage or not stage.vacancies:
            yield "no place of a cut is to be filled (FFG-CUT-REPLACE)"
        elif stage.rounds:
            yield "the round is paired: `unpair` it before a place is filled (FFG-CUT-REPLACE)"
        else:
            yield from rules(stage, event)

    return check


def _replaced(stage: Stage, event: QualifierReplaced) -> Iterator[str]:
    yield from _has_left(stage, event.leaver)
    if stage.waiting[:1] != [event.entrant]:
        yield from _next_in_line(stage)


def _declined(stage: Stage, event: ReplacementDeclined) -> Iterator[str]:
    if stage.waiting[:1] != [event.player]:
        yield from _next_in_line(stage)


def _forfeited(stage: Stage, event: PlaceForfeited) -> Iterator[str]:
    yield from _has_left(stage, event.leaver)
    if stage.waiting:
        yield from _next_in_line(stage)


def _has_left(stage: Stage, leaver: int) -> Iterator[str]:
    if leaver not in stage.vacancies:
        yield f"player {leaver} has not left a place of the cut"


def _next_in_line(stage: Stage) -> Iterator[str]:
    if stage.waiting:
        yield f"player {stage.waiting[0]} is the next to be asked (FFG-CUT-REPLACE)"
    else:
        yield "nobody is left to be asked"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    CutMade: _made,
    CutWithdrawn: _withdrawn,
    QualifierReplaced: _of_vacancy(_replaced),
    ReplacementDeclined: _of_vacancy(_declined),
    PlaceForfeited: _of_vacancy(_forfeited),
}
