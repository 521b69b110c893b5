"""When a tournament may be opened, announced, started and finished."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from typing import Any

from ledger.checks import office
from ledger.errors import InvalidRuleset
from ledger.events.opening import ImportEnded
from ledger.events.opening import OfficialAppointed
from ledger.events.opening import StructureAnnounced
from ledger.events.opening import TournamentFinished
from ledger.events.opening import TournamentOpened
from ledger.events.opening import TournamentStarted
from ledger.progress import is_complete
from ledger.progress import round_in_play
from ledger.rulesets import loaded

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.events import Event
    from ledger.events.opening import Stage
    from ledger.state import Tournament

PLAYERS_MIN = 2


def _opened(_: Tournament, event: TournamentOpened) -> Iterator[str]:
    document = event.ruleset
    try:
        if loaded(document.text).document != document:
            yield f"the text of ruleset {document.key} is not the one that its digest names"
    except InvalidRuleset as error:
        yield f"ruleset {document.key} can not be used: {error}"
    if not event.name.strip():
        yield "a tournament needs a name"


def _appointed(tournament: Tournament, event: OfficialAppointed) -> Iterator[str]:
    if event.official > len(tournament.officials):
        yield f"the next official is number {len(tournament.officials)}, not {event.official}"
        return
    others = [each for each in tournament.officials if each.number != event.official]
    organizers = sum("organizer" in official.roles for official in others)
    if organizers + ("organizer" in event.roles) != 1:
        yield "an event has exactly one organizer (FFG-ROLE-ORGANIZER)"
    if len(set(event.roles)) != len(event.roles):
        yield "a role is given once"
    yield from office.appointed(tournament, event)


def _announced(tournament: Tournament, event: StructureAnnounced) -> Iterator[str]:
    if not event.stages:
        yield "a tournament has at least one stage"
        return
    if tournament.rounds and not event.reason:
        yield "what was announced is fixed; a change needs a reason (FFG-ANNOUNCE)"
    yield from _stage_problems(event.stages, importing=tournament.importing)
    begun = [stage.plan for stage in tournament.begun_stages()]
    if len(event.stages) < len(begun) or any(
        old.kind != new.kind or old.entry != new.entry
        for old, new in zip(begun, event.stages, strict=False)
    ):
        yield "a stage that has begun keeps its kind and its entry"
    for stage, plan in zip(tournament.stages, event.stages, strict=False):
        if plan.rounds and plan.rounds < len(stage.rounds):
            yield f"stage {stage.number} has {len(stage.rounds)} rounds already"
        if stage.cut_seq and (plan.entry, plan.size) != (stage.plan.entry, stage.plan.size):
            yield f"the cut to stage {stage.number} is made (FFG-ANNOUNCE)"
    if event.structure == "custom" and not tournament.ruleset.structures.custom:
        yield f"{tournament.ruleset.key} has no custom structure (FFG-STRUCTURE)"
    if event.structure != "custom" and not tournament.importing:
        yield from _structure_problems(tournament, event)


def _stage_problems(stages: tuple[Stage, ...], *, importing: bool) -> Iterator[str]:
    for number, stage in enumerate(stages, start=1):
        if stage.kind == "swiss" and not stage.rounds:
            yield f"stage {number}: Swiss rounds have a number"
        if stage.kind in {"recorded", "double"} and not importing:
            yield f"stage {number}: {stage.kind} elimination can only be imported"
        if number == 1 and stage.entry != "all":
            yield "everyone enters the first stage"
        if stage.entry == "top" and stage.size < PLAYERS_MIN:
            yield f"stage {number}: a cut goes to {PLAYERS_MIN} players at least"
        if number > 1 and stage.kind == "single" and stage.entry == "all":
            yield f"stage {number}: an elimination after other rounds needs a cut"


def _structure_problems(tournament: Tournament, event: StructureAnnounced) -> Iterator[str]:
    band = tournament.ruleset.structure(event.structure, event.players)
    if band is None:
        yield (
            f"{tournament.ruleset.key} has no {event.structure} structure for {event.players} "
            "players: announce a custom one (FFG-STRUCTURE)"
        )
        return
    swiss, *rest = event.stages
    cut = rest[0].size if rest else 0
    if (swiss.kind, swiss.rounds, cut) != ("swiss", band.rounds, band.cut) or len(rest) > 1:
        yield (
            f"the {event.structure} structure for {event.players} players is {band.rounds} rounds "
            f"and {f'a cut to {band.cut}' if band.cut else 'no cut'} (FFG-STRUCTURE)"
        )


def _started(tournament: Tournament, _: TournamentStarted) -> Iterator[str]:
    if tournament.announced is None:
        yield "rounds and cut are announced before the start (FFG-ANNOUNCE)"
    if tournament.rounds:
        yield "the first round has been paired: it has started"
    if len(tournament.active()) < PLAYERS_MIN:
        yield f"{len(tournament.active())} players are too few to start"
    yield from office.everyone_may_play(tournament)


def _finished(tournament: Tournament, event: TournamentFinished) -> Iterator[str]:
    if played := round_in_play(tournament):
        yield f"round {played.number} is not closed"
    elif not tournament.importing and (
        not tournament.stages or not is_complete(tournament, tournament.stages[-1])
    ):
        yield "announced rounds are still to be played; `start --change` with a reason ends earlier"
    commitment = tournament.opening.commitment if tournament.opening else ""
    if commitment:
        key = bytes.fromhex(event.shuffle_key) if len(event.shuffle_key) % 2 == 0 else b""
        if hashlib.sha256(key).hexdigest() != commitment:
            yield "the shuffle key is not the one that the opening event committed to"


def _import_ended(tournament: Tournament, _: ImportEnded) -> Iterator[str]:
    if not tournament.importing:
        yield "nothing is being imported"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    TournamentOpened: _opened,
    OfficialAppointed: _appointed,
    StructureAnnounced: _announced,
    TournamentStarted: _started,
    TournamentFinished: _finished,
    ImportEnded: _import_ended,
}
