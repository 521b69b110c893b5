"""What missing, damaged and shared components and prizes do to the tournament."""

from __future__ import annotations

from ledger.events import components
from ledger.fold.listing import listed
from ledger.lines.recorded import Recorded
from ledger.tournament.progress import latest_round, round_in_play
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Missing


def _lose(
    tournament: Tournament,
    event: components.ComponentMissing | components.ComponentDamaged | components.ComponentDecided,
    clause: str,
    *,
    seq: int,
    conceded: bool = False,
) -> None:
    round_ = latest_round(tournament)
    number = round_.number if round_ else 0
    is_ruled_out = isinstance(event, components.ComponentDecided)
    if not is_ruled_out and not round_in_play(tournament):
        number += 1  # between two rounds: it is looked for at the beginning of the next
    tournament.floor.missing[event.player] = Missing(number, event.component, clause, seq, conceded)


def component_missing(
    tournament: Tournament, event: components.ComponentMissing, recorded: Recorded
) -> None:
    rules = tournament.ruleset.floor.components
    conceded = event.during and rules.during == "concede"
    _lose(tournament, event, rules.clause, seq=recorded.seq, conceded=conceded)
    tournament.floor.components.append(recorded)


def component_found(
    tournament: Tournament, event: components.ComponentFound, recorded: Recorded
) -> None:
    if event.player in tournament.floor.missing:
        del tournament.floor.missing[event.player]
    else:
        del tournament.floor.worn[event.player]
    tournament.floor.components.append(recorded)


def component_damaged(
    tournament: Tournament, event: components.ComponentDamaged, recorded: Recorded
) -> None:
    tournament.floor.components.append(recorded)
    if event.kind == "card":
        tournament.floor.damaged_cards.setdefault(event.player, []).append(event.component)
    elif event.kind == "tool" and not event.replaced:
        tournament.floor.worn.setdefault(event.player, []).append(recorded)
    elif _counts_as_lost(tournament, event):
        model = tournament.ruleset.floor.components.model
        clause = model.clause if event.kind == "model" else "FFG-DAMAGED"
        _lose(tournament, event, clause, seq=recorded.seq)


def _counts_as_lost(tournament: Tournament, event: components.ComponentDamaged) -> bool:
    """Whether nothing replaces it, and it is not of those that are played on without."""
    if event.replaced or event.modified:
        return False
    model = tournament.ruleset.floor.components.model
    return event.kind == "other" or (event.impedes and model.impedes != "kept")


def component_decided(
    tournament: Tournament, event: components.ComponentDecided, recorded: Recorded
) -> None:
    tournament.floor.components.append(recorded)
    if event.necessary:
        _lose(tournament, event, "FFG-INELIGIBLE", seq=recorded.seq)


def undo_component_missing(
    tournament: Tournament,
    event: components.ComponentMissing | components.ComponentDamaged | components.ComponentDecided,
    recorded: Recorded,
) -> None:
    floor = tournament.floor
    floor.components.remove(recorded)
    lost = floor.missing.get(event.player)
    if lost is not None and lost.seq == recorded.seq:
        del floor.missing[event.player]
    if isinstance(event, components.ComponentDamaged) and event.kind == "card":
        _undamaged(floor.damaged_cards, event)
    if recorded in (worn := floor.worn.get(event.player, [])):
        worn.remove(recorded)
        if not worn:
            del floor.worn[event.player]


def _undamaged(cards: dict[int, list[str]], event: components.ComponentDamaged) -> None:
    cards[event.player].remove(event.component)
    if not cards[event.player]:
        del cards[event.player]


undo_component_damaged = undo_component_decided = undo_component_missing
components_inspected, undo_components_inspected = listed("components")
proxy_made, undo_proxy_made = components_shared, undo_components_shared = listed("components")
prize_offered, undo_prize_offered = prize_awarded, undo_prize_awarded = listed("prizes")
