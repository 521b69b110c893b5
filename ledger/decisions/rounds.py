"""Pairing and unpairing, swapping, posting, starting and closing a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.rounds import results_missing
from ledger.commands import (
    CloseRound,
    Command,
    FinishTournament,
    MakeCut,
    PairRound,
    PostTable,
    StartRound,
    SwapSeats,
    UnpairRound,
)
from ledger.decisions.pairing import elimination_round, swiss_round
from ledger.errors import Refused
from ledger.events.base import Waiver
from ledger.events.rounds import Posted, RoundClosed, RoundStarted, RoundUnpaired, SeatsSwapped
from ledger.pairing.meetings import grounds
from ledger.tournament.disputes import OPEN_DISPUTE, unsettled
from ledger.tournament.progress import draws_wait_for, minutes_of, next_stage, round_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Round, Tournament


def close_if_complete(tournament: Tournament, waiver: Waiver | None = None) -> Iterator[Event]:
    """Close the round in play, if there is one.

    Raises:
        Refused: it still needs results, or a dispute leaves it without one and is not waived.
    """
    played = round_in_play(tournament)
    if played is None:
        return
    missing = list(results_missing(tournament, played, waiver)) if played.unreported else []
    if missing:
        raise Refused(*missing)
    results = tuple(match.result_seq for match in played.matches)
    yield RoundClosed(played.number, results, waiver if played.unreported else None)


def over_disputes(
    tournament: Tournament,
    command: PairRound | MakeCut | FinishTournament,
) -> Waiver | None:
    """The organizer's leave to go on over what is disputed, where it is asked for and needed."""
    if not command.despite_dispute or not unsettled(tournament):
        return None
    return Waiver((OPEN_DISPUTE,), command.reason)


def _pair(
    command: PairRound, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    if missing := draws_wait_for(tournament):
        raise Refused(missing)
    over = over_disputes(tournament, command)
    yield from close_if_complete(tournament, over)
    stage = next_stage(tournament)
    if stage is None:
        raise Refused("all announced rounds have been played: use `finish`")
    if not tournament.active():
        raise Refused("nobody plays on: use `finish`")
    if stage.number > 1 and stage.plan.entry != "all" and not stage.cut_seq:
        raise Refused(f"stage {stage.number} begins with a cut: use `cut`")
    if stage.is_swiss:
        yield swiss_round(command, tournament, context, stage, grounds(tournament, stage))
    elif command.by_hand:
        raise Refused("the bracket says who meets whom (FFG-ELIM-NEXT)")
    else:
        yield elimination_round(command, tournament, context, stage)


def _needs_round(tournament: Tournament) -> Round:
    played = round_in_play(tournament)
    if played is None:
        raise Refused("no round is in play: use `pair`")
    return played


def _unpair(command: UnpairRound, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    yield RoundUnpaired(_needs_round(tournament).number, command.reason)


def _swap(command: SwapSeats, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    waiver = None
    if command.allow_rematch:
        ban = tournament.ruleset.rematch.clause
        waiver = Waiver((ban, "FFG-BYE-LATER"), command.reason)
    yield SeatsSwapped(_needs_round(tournament).number, command.players, command.reason, waiver)


def _post(
    command: PostTable, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    posted = Posted(command.what, command.round, command.up_to, command.sha256, context.engine)
    if not any(earlier.event == posted for earlier in tournament.postings):
        yield posted


def _start(_command: StartRound, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    played = _needs_round(tournament)
    if played.status != "started":
        yield RoundStarted(played.number, minutes_of(tournament, played))


def _close_command(
    _command: CloseRound, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if not tournament.rounds or round_in_play(tournament) is None:
        raise Refused("no round is in play")
    yield from close_if_complete(tournament)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    PairRound: _pair,
    UnpairRound: _unpair,
    SwapSeats: _swap,
    PostTable: _post,
    StartRound: _start,
    CloseRound: _close_command,
}
