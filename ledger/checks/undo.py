"""Whether an act of the floor can still be taken back: nothing may depend on it."""

from __future__ import annotations

from ledger.checks.references import not_in_play, reasoned, table_of
from ledger.events.clock import RoundExtended, RoundPaused, RoundResumed, TableExtended, TimeCalled
from ledger.events.draws import SlipAuditBegun
from ledger.events.office import DisqualificationRecommended
from ledger.events.rounds import RoundStarted
from ledger.events.undo import ActWithdrawn
from ledger.problems import Player, Problems, problem
from ledger.tournament.progress import round_in_play
from ledger.tournament.state import Tournament


@reasoned
def act_withdrawn(tournament: Tournament, event: ActWithdrawn) -> Problems:
    recorded = tournament.floor.acts.get(event.withdraws)
    if recorded is None:
        yield problem("undo.unknown", "event {event} cannot be taken back", event=event.withdraws)
        return
    match recorded.event:
        case RoundStarted(round=number):
            yield from _start(tournament, number, recorded.seq)
        case TableExtended(match=number):
            match = tournament.matches[number]
            if not match.is_open:
                text = "{table} has ended: its extension stands"
                yield problem("undo.table_ended", text, table=table_of(match))
        case RoundExtended() | RoundPaused() | RoundResumed() | TimeCalled():
            yield from _of_the_clock(tournament, recorded.event, recorded.seq)
        case SlipAuditBegun():
            audit = tournament.floor.slip_audit(recorded.seq)
            if audit is not None and audit.drawn:
                text = "a word was called out (event {event}): the audit goes on to its end"
                yield problem("slips.drawn_since", text, event=audit.drawn)
        case DisqualificationRecommended(player=player):
            if tournament.players[player].status == "disqualified":
                text = "{player} is disqualified: the recommendation stands"
                yield problem("undo.disqualified", text, player=Player(player))


def _start(tournament: Tournament, number: int, seq: int) -> Problems:
    round_ = round_in_play(tournament)
    if round_ is None or round_.number != number or round_.paired_seq > seq:
        yield not_in_play(number)
    elif any(match.result for match in round_.matches) or _clock_acts(tournament, number):
        text = "round {round} has been played in: its start stands"
        yield problem("undo.round_played", text, round=number)


def _call(tournament: Tournament, number: int, seq: int) -> Problems:
    round_ = round_in_play(tournament)
    calls = tournament.floor.calls.get(number, [])
    if round_ is None or round_.number != number or not calls or calls[-1].seq != seq:
        text = "that call is not the last one of the round in play (event {event})"
        yield problem("undo.not_last_call", text, event=seq)


def _of_the_clock(
    tournament: Tournament,
    event: RoundExtended | RoundPaused | RoundResumed | TimeCalled,
    seq: int,
) -> Problems:
    """Yield why an act on the clock of a whole round stays."""
    if isinstance(event, TimeCalled):
        yield from _call(tournament, event.round, seq)
    elif isinstance(event, RoundExtended):
        yield from _longer(tournament, event.round)
    else:
        yield from _pause(tournament, event.round, seq)


def _clock_acts(tournament: Tournament, number: int) -> bool:
    """Whether anything was done to a round's clock since it started."""
    floor = tournament.floor
    return any((floor.calls.get(number), floor.pauses.get(number), floor.longer.get(number)))


def _longer(tournament: Tournament, number: int) -> Problems:
    round_ = round_in_play(tournament)
    calls = tournament.floor.calls.get(number, [])
    if not round_ or round_.number != number:
        yield not_in_play(number)
    elif calls and calls[-1].left == 0:
        text = "time has been called in round {round}: its extension stands"
        yield problem("undo.time_called", text, round=number)


def _pause(tournament: Tournament, number: int, seq: int) -> Problems:
    round_, pauses = round_in_play(tournament), tournament.floor.pauses.get(number)
    if not round_ or round_.number != number:
        yield not_in_play(number)
    elif not pauses or seq != (pauses[-1].resumed_seq or pauses[-1].seq):
        text = "event {event} is not the last word on the clock of round {round}"
        yield problem("undo.not_last_pause", text, event=seq, round=number)
