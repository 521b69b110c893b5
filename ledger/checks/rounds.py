"""When a round may be paired, unpaired, changed, posted, started and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks import pairing, repair
from ledger.checks.clock import length_problems
from ledger.checks.office import every_match_has_a_ruling
from ledger.checks.setups import scenario_missing
from ledger.events.rounds import (
    Posted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    RoundUnpaired,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.pairing.meetings import ALLOWED, grounds_of, rematch_problem
from ledger.tournament.byes import has_more_byes, second_bye
from ledger.tournament.disputes import OPEN_DISPUTE, dispute_of, is_reported
from ledger.tournament.progress import latest_round, open_matches, round_in_play
from ledger.tournament.waivers import is_waived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.events.base import Waiver
    from ledger.tournament.state import Match, Round, Tournament


def tables_named(played: Round) -> str:
    """The tables without a result, as a short phrase."""
    tables = [match.table for match in open_matches(played)]
    shown = ", ".join(map(str, tables[:10]))
    more = f" and {len(tables) - 10} more" if len(tables) > 10 else ""  # noqa: PLR2004
    return f"table{'s' if len(tables) > 1 else ''} {shown}{more}"


def results_missing(
    tournament: Tournament, played: Round, waiver: Waiver | None = None
) -> Iterator[str]:
    """Yield which tables keep a round open; a disputed one may wait for its ruling by a waiver."""
    waiting = [m for m in open_matches(played) if m.number in tournament.floor.unconfirmed]
    if played.unreported > len(waiting):
        yield f"round {played.number}: no result yet at {tables_named(played)}"
        return
    lifted = is_waived(OPEN_DISPUTE, waiver, tournament)
    swiss = tournament.stages[played.stage - 1].is_swiss
    over = ", or the organizer goes on with `pair --despite-dispute` and a reason" if swiss else ""
    if lifted and not swiss:
        yield f"round {played.number}: an elimination goes on with a winner at every table"
    for match in waiting:
        where = f"{match.round}/{match.table}"
        if not (dispute := dispute_of(tournament, match.number)):
            yield f"{where} is reported and not confirmed: `confirm {where}`"
        elif not lifted:
            yield (
                f"{where} is disputed (event {dispute.seq}) and has no result: a judge rules on it "
                f"with `rule {where}`{over} ({OPEN_DISPUTE})"
            )


def _of_round_in_play(
    rules: Callable[[Tournament, Any, Round], Iterator[str]],
) -> Callable[[Tournament, Any], Iterator[str]]:
    """Rules about the round in play, once it is sure that the event names it."""

    def check(
        tournament: Tournament, event: RoundUnpaired | SeatsSwapped | RoundStarted | RoundClosed
    ) -> Iterator[str]:
        played = round_in_play(tournament)
        if played is None or played.number != event.round:
            yield f"round {event.round} is not in play"
        else:
            yield from rules(tournament, event, played)

    return check


def _unpaired(tournament: Tournament, event: RoundUnpaired, played: Round) -> Iterator[str]:
    if any(is_reported(tournament, match) for match in played.matches):
        yield f"round {event.round} has results: its pairing stands"


def _swapped(tournament: Tournament, event: SeatsSwapped, played: Round) -> Iterator[str]:
    stage = tournament.stages[played.stage - 1]
    if not stage.is_swiss:
        yield "the bracket says who meets whom (FFG-ELIM-NEXT)"
    seats = {player: match for match in played.matches for player in match.players}
    for player in event.players:
        if player not in seats:
            yield f"player {player} does not sit in round {event.round}"
        elif is_reported(tournament, seats[player]):
            yield f"table {seats[player].table} has a result"
    one, other = event.players
    trade = {one: other, other: one}
    touched = [m.players for m in played.matches if trade.keys() & set(m.players)]
    games = [tuple(trade.get(player, player) for player in seated) for seated in touched]
    yield from every_match_has_a_ruling(tournament, games)
    if one == other or (one in seats and seats.get(one) is seats.get(other)):
        yield "these two sit at one table already"
    elif one in seats and other in seats:
        yield from _new_neighbours(tournament, event, one, seats[other])
        yield from _new_neighbours(tournament, event, other, seats[one])
    if not event.reason.strip():
        yield "a swap needs a reason"


def _new_neighbours(
    tournament: Tournament, event: SeatsSwapped, player: int, match: Match
) -> Iterator[str]:
    """What forbids the player the seat that the other one leaves."""
    played = tournament.rounds[match.round - 1]
    if not is_waived(tournament.ruleset.rematch.clause, event.waiver, tournament):
        known = grounds_of(tournament, played)
        bars, _ = known.bars([seated for each in played.matches for seated in each.players])
        for facing in set(match.players) - set(event.players):
            if facing in bars[player]:
                yield rematch_problem(tournament, known, (player, facing), ALLOWED)
    if not match.is_bye or is_waived("FFG-BYE-LATER", event.waiver, tournament):
        return
    if has_more_byes(tournament, player):
        yield second_bye(player) + ALLOWED


def _posted(tournament: Tournament, event: Posted) -> Iterator[str]:
    if event.up_to > tournament.seq:
        yield f"event {event.up_to} is not written yet"
    if event.round > len(tournament.rounds):
        yield f"there is no round {event.round}"


def _started(tournament: Tournament, event: RoundStarted, played: Round) -> Iterator[str]:
    if played.status == "started":
        yield f"round {event.round} has started"
    else:
        yield from length_problems(tournament, played, event.minutes)
        yield from scenario_missing(tournament, played)


def _closed(tournament: Tournament, event: RoundClosed, played: Round) -> Iterator[str]:
    if event.results != tuple(match.result_seq for match in played.matches):
        yield f"the close of round {event.round} does not name its results"
    if played.unreported and not tournament.importing:
        yield from results_missing(tournament, played, event.waiver)


def _reopened(tournament: Tournament, event: RoundReopened) -> Iterator[str]:
    latest = latest_round(tournament)
    if latest is None or latest.number != event.round or latest.status != "closed":
        yield f"round {event.round} is not the last one closed"
    elif any(stage.cut_seq and not stage.rounds for stage in tournament.stages):
        yield "the cut was made on this round's results"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    RoundPaired: pairing.paired,
    RoundUnpaired: _of_round_in_play(_unpaired),
    SeatsSwapped: _of_round_in_play(_swapped),
    TablesRepaired: repair.repaired,
    Posted: _posted,
    RoundStarted: _of_round_in_play(_started),
    RoundClosed: _of_round_in_play(_closed),
    RoundReopened: _reopened,
}
