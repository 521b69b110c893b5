"""When somebody may be registered, leave and return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks import office
from ledger.events.base import PLAYERS_MAX, label_problem
from ledger.events.people import (
    DisqualificationWithdrawn,
    DropWithdrawn,
    PersonForgotten,
    PersonRecorded,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    RegistrationWithdrawn,
)
from ledger.tournament.early_finish import to_add_a_round
from ledger.tournament.progress import (
    draws_wait_for,
    find_player,
    is_complete,
    missed_rounds,
    open_match_of,
    stage_in_play,
)
from ledger.tournament.waivers import is_waived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.tournament.state import Player, Stage, Tournament


OPEN_NAMES = (
    "this log was opened with open names: they stand in its lines for good, so nobody can be "
    "forgotten"
)


def _recorded(tournament: Tournament, event: PersonRecorded) -> Iterator[str]:
    number = int(event.of[1:])
    known = tournament.players if event.of[0] == "p" else tournament.officials
    if number >= len(known):
        yield f"there is no {event.of} to record a person for"
    if event.of in tournament.forgotten:
        yield f"{event.of} was forgotten: no name is recorded for them again"
    if not event.name.strip() and not tournament.importing:
        yield "a name needs at least one letter"


def _forgotten(tournament: Tournament, event: PersonForgotten) -> Iterator[str]:
    known = tournament.players if event.of[0] == "p" else tournament.officials
    if int(event.of[1:]) >= len(known):
        yield f"there is no {event.of} to forget"
    completes = tournament.finished and event.of not in tournament.forgotten_wholly
    if event.of in tournament.forgotten and (event.kept or not completes):
        yield f"{event.of} was forgotten already"
    appeals = tournament.opening.appeals if tournament.opening is not None else 0
    if event.kept and tournament.finished and not appeals:
        yield "play is closed and no appeals were announced: no text is kept any more"
    if not tournament.is_sealed:
        yield OPEN_NAMES


def _registered(tournament: Tournament, event: PlayerRegistered) -> Iterator[str]:
    if event.player != len(tournament.players):
        yield f"the next player is number {len(tournament.players)}, not {event.player}"
    if event.player > PLAYERS_MAX:
        yield f"a tournament holds {PLAYERS_MAX:,} players"
    yield from filter(None, map(label_problem, event.attributes))
    if event.random_rank and draws_wait_for(tournament):
        yield f"player {event.player} has a random rank before the ranks are drawn"
    yield from office.registered(tournament, event)
    if tournament.importing:
        yield from _missed_as_recorded(tournament, None, event.missed)
        return
    stage = stage_in_play(tournament)
    if stage is not None and tournament.rounds:
        if stage.number > 1 or not stage.is_swiss or is_complete(tournament, stage):
            yield "registration is over: the first stage has been played"
        elif any(later.cut_seq for later in tournament.stages):
            yield "registration is over: the cut is made"
        elif not _has_room(tournament, stage):
            more = to_add_a_round(tournament, stage)
            adds = f"; `{more}` adds one" if more else ""
            yield f"registration is over: the last round is paired{adds}"
    if list(event.missed) != missed_rounds(tournament, None):
        yield "a late entrant has an unpaired loss for every round missed (FFG-REJOIN)"


def _has_room(tournament: Tournament, stage: Stage) -> bool:
    """Whether a round is still to be paired in which a newcomer could play."""
    later = tournament.stages[stage.number :]
    is_last_paired = 0 < stage.plan.rounds <= len(stage.rounds)
    return not is_last_paired or any(each.plan.entry == "all" for each in later)


def _withdrawn(tournament: Tournament, event: RegistrationWithdrawn) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status != "active":
        yield f"player {event.player} is not registered and active"
    elif any(
        event.player in match.players for played in tournament.rounds for match in played.matches
    ):
        yield f"player {event.player} has been paired: let them drop"


def _dropped(tournament: Tournament, event: PlayerDropped) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status != "active":
        yield f"player {event.player} does not play on: no drop"
    elif not tournament.importing and (match := open_match_of(tournament, event.player)):
        yield f"player {event.player} has an open match at table {match.table}"


def _drop_withdrawn(tournament: Tournament, event: DropWithdrawn) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status != "dropped" or player.left_seq != event.withdraws:
        yield f"event {event.withdraws} is not the drop of player {event.player}"
    else:
        yield from _passed_over(tournament, event.player, event.withdraws)


def _disqualification_withdrawn(
    tournament: Tournament, event: DisqualificationWithdrawn
) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status != "disqualified" or player.left_seq != event.withdraws:
        yield f"event {event.withdraws} is not the disqualification of player {event.player}"
    elif player.status_before != "active":
        yield f"player {event.player} had left before"
    else:
        yield from _passed_over(tournament, event.player, event.withdraws)


def _passed_over(tournament: Tournament, player: int, left: int) -> Iterator[str]:
    """A departure can be taken back until something was decided without the player."""
    if any(played.paired_seq > left for played in tournament.rounds):
        yield "a round has been paired since: use `rejoin` (FFG-REJOIN)"
    elif any(stage.cut_seq > left for stage in tournament.stages):
        yield "a cut has been made since: take it back first (FFG-CUT)"
    elif _has_lost_place(tournament, player):
        yield f"the place of player {player} in the cut is filled (FFG-CUT-REPLACE)"


def _has_lost_place(tournament: Tournament, player: int) -> bool:
    """Whether the player was in a cut and is no more: their place is taken or given up."""
    return any(
        stage.cut_seq and player in stage.entrants and player not in stage.seeds
        for stage in tournament.stages
    )


def _rejoined(tournament: Tournament, event: PlayerRejoined) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status in {"active", "withdrawn"}:
        yield f"player {event.player} has not left"
        return
    yield from office.rejoined(tournament, event.player)
    if player.status == "disqualified":
        yield "a disqualified player can not rejoin (FFG-AUTH-DQ, FFG-REJOIN)"
    if player.status == "cut":
        yield "a player who was cut comes back only as a replacement (FFG-CUT-REPLACE)"
    if player.status != "dropped":
        return
    if tournament.importing:
        yield from _missed_as_recorded(tournament, event.player, event.missed)
        return
    yield from _stage_left(tournament, event, player)
    stage = stage_in_play(tournament)
    if stage is not None and not stage.is_swiss and tournament.rounds:
        yield "nobody rejoins an elimination (FFG-ELIM-DROP)"
    if list(event.missed) != missed_rounds(tournament, event.player):
        yield "a returning player has an unpaired loss for every round missed (FFG-REJOIN)"


def _missed_as_recorded(
    tournament: Tournament, player: int | None, missed: tuple[int, ...]
) -> Iterator[str]:
    """Another program may have given unpaired losses for fewer rounds, never for one played."""
    for number in sorted(set(missed) - set(missed_rounds(tournament, player))):
        yield f"round {number} is none that the player missed"


def _stage_left(tournament: Tournament, event: PlayerRejoined, player: Player) -> Iterator[str]:
    """A player returns within the stage they left, and never into a cut made without them."""
    begun = max(1, len(tournament.begun_stages()))
    elsewhere = player.left_stage != begun or any(
        stage.cut_seq and stage.number > player.left_stage for stage in tournament.stages
    )
    cut = tournament.pending_cut()
    without_them = any(
        stage.cut_seq and event.player not in stage.entrants for stage in tournament.stages
    )
    only_within = elsewhere and tournament.ruleset.rejoin == "stage"
    if only_within and not is_waived("FFG-REJOIN", event.waiver, tournament):
        yield (
            "a player rejoins only within the stage they left (FFG-REJOIN); "
            "`rejoin --reason` lets them"
        )
    elif without_them or (cut is not None and event.player not in cut.vacancies):
        yield "the cut was made without them: they come back only as a replacement (FFG-CUT)"


def _disqualified(tournament: Tournament, event: PlayerDisqualified) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status in {"disqualified", "withdrawn"}:
        yield f"player {event.player} is not in the event"
    elif match := open_match_of(tournament, event.player):
        yield f"player {event.player} has an open match at table {match.table}"
    if not event.reason.strip():
        yield "a disqualification needs a reason (FFG-AUTH-DQ)"
    if event.recommendation != tournament.floor.recommended.get(event.player, 0):
        yield f"event {event.recommendation} does not recommend it (FFG-AUTH-DQ)"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    PersonRecorded: _recorded,
    PersonForgotten: _forgotten,
    PlayerRegistered: _registered,
    RegistrationWithdrawn: _withdrawn,
    PlayerDropped: _dropped,
    DropWithdrawn: _drop_withdrawn,
    DisqualificationWithdrawn: _disqualification_withdrawn,
    PlayerRejoined: _rejoined,
    PlayerDisqualified: _disqualified,
}
