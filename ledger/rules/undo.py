"""Withdrawing an act: which acts may be withdrawn, and the command that withdraws the last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import structs

from ledger.errors import Refused
from ledger.facts import office
from ledger.facts.base import Event
from ledger.facts.clock import (
    RoundExtended,
    RoundPaused,
    RoundResumed,
    TableExtended,
    TimeCalled,
)
from ledger.facts.keys import LinkIssued
from ledger.facts.office import DisqualificationRecommended
from ledger.facts.opening import TournamentStarted
from ledger.facts.rounds import RoundStarted, RoundUnpaired, SeatsSwapped
from ledger.facts.shared import PersonRecorded, SlipAuditBegun, TournamentOpened
from ledger.facts.undo import ActWithdrawn
from ledger.fold import meaning
from ledger.lines.recorded import AnyRecorded, Recorded
from ledger.problems import Act, Player, Problem, Problems, Remedy, marked, phrase, problem, remedy
from ledger.rules.command import Command, Context, match_of
from ledger.rules.references import not_in_play, reasoned, table_of
from ledger.rules.rounds import seats_swapped
from ledger.tournament.disputes import current_claim, word_of
from ledger.tournament.progress import round_in_play, time_over
from ledger.tournament.state import Tournament


@reasoned()
def act_withdrawn(tournament: Tournament, event: ActWithdrawn) -> Problems:
    recorded = tournament.floor.acts.get(event.withdraws)
    if recorded is None:
        yield problem("undo.unknown", "event {event} cannot be withdrawn", event=event.withdraws)
        return
    match recorded.event:
        case RoundStarted(round=number):
            yield from _start(tournament, number, recorded.seq)
        case TableExtended(match=number):
            match = tournament.matches[number]
            if not match.is_open:
                text = marked("{table} has ended: its extension can no longer be undone")
                yield problem("undo.table_ended", text, table=table_of(match))
        case RoundExtended() | RoundPaused() | RoundResumed() | TimeCalled():
            yield from _of_the_clock(tournament, recorded.event, recorded.seq)
        case SlipAuditBegun():
            audit = tournament.floor.slip_audit(recorded.seq)
            if audit is not None and audit.drawn:
                text = marked(
                    "the word was called out (event {event}): the audit must be completed"
                )
                yield problem("slips.drawn_since", text, event=audit.drawn)
        case DisqualificationRecommended(player=player):
            if tournament.players[player].status == "disqualified":
                text = marked(
                    "{player} is disqualified: the recommendation can no longer be withdrawn"
                )
                yield problem("undo.disqualified", text, player=Player(player))


def _start(tournament: Tournament, number: int, seq: int) -> Problems:
    round_ = round_in_play(tournament)
    if round_ is None or round_.number != number or round_.paired_seq > seq:
        yield not_in_play(number)
    elif any(match.result for match in round_.matches) or _clock_acts(tournament, number):
        text = marked("play has begun in round {round}: its start can no longer be undone")
        yield problem("undo.round_played", text, round=number)


def _call(tournament: Tournament, number: int, seq: int) -> Problems:
    round_ = round_in_play(tournament)
    calls = tournament.floor.calls.get(number, [])
    if round_ is None or round_.number != number or not calls or calls[-1].seq != seq:
        text = marked("this is not the latest time call of the round in play (event {event})")
        yield problem("undo.not_last_call", text, event=seq)
    elif time_over(tournament, number) and office.is_bound_by(tournament, "before-time"):
        for match in round_.matches:
            claim = current_claim(tournament, match)
            if claim and claim.result and claim.result.manner == "time":
                table, text = (
                    table_of(match),
                    marked("{table} ended by time, so its time call stays"),
                )
                correct = remedy("correct", table=table)
                yield problem("undo.ended_by_time", text, remedy=correct, table=table)
                break


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
    is_of_pairing = number in tournament.floor.longer  # which a new pairing of the round empties
    if not round_ or round_.number != number or not is_of_pairing:
        yield not_in_play(number)
    elif time_over(tournament, number):
        text = marked(
            "time has been called in round {round}: its extension can no longer be undone"
        )
        yield problem("undo.time_called", text, round=number)


def _pause(tournament: Tournament, number: int, seq: int) -> Problems:
    round_, pauses = round_in_play(tournament), tournament.floor.pauses.get(number)
    if not round_ or round_.number != number:
        yield not_in_play(number)
    elif not pauses or seq != (pauses[-1].resumed_seq or pauses[-1].seq):
        text = marked("event {event} is not the latest change to the clock of round {round}")
        yield problem("undo.not_last_pause", text, event=seq, round=number)


SIDE_EFFECTS = frozenset({PersonRecorded, RoundUnpaired})
"""What needs no answer where it came with a registration, or with a qualifier's departure."""


class Undo(Command, frozen=True):
    """Take the last own act back, or several, if nothing depends on them: all or none."""

    reason: str = "undone"
    events: tuple[AnyRecorded, ...] = ()
    """Events of the acts in the order of the log, unless it is the last act alone."""

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        act = list(self.events) or tournament.last_act(by)
        if not act or any(each.by.partition("/")[0] != by.partition("/")[0] for each in act):
            raise Refused(problem("undo.nothing", "you have no act to undo"))
        if not self.events and (link := _own_link(tournament, act, by)):
            text = marked("your last act made your own link {link}: undoing it would sign you out")
            raise Refused(problem("undo.own_link", text, remedy=remedy("undo.one"), link=link))
        alone = Counter(each.command_id for each in act)
        for recorded in reversed(act):
            event = recorded.event
            if event.recording.withdrawable:
                yield ActWithdrawn(recorded.seq, self.reason)
            elif answer := event.reversal(self.reason):
                yield _without_leave(tournament, answer)
            elif type(event) not in SIDE_EFFECTS or alone[recorded.command_id] == 1:
                together = [each for each in act if each.command_id == recorded.command_id]
                named = _as_typed(recorded, together)
                stays = meaning(tournament, named.event).recording.stays
                raise Refused(_stays(named, stays, instead_of(tournament, together)))


def _own_link(tournament: Tournament, act: Iterable[AnyRecorded], by: str) -> int:
    """Return the link in force that an act gave its own author; 0 without one."""
    issued = (recorded.event for recorded in act if isinstance(recorded.event, LinkIssued))
    links = (event.link for event in issued if event.of == by.partition("/")[0])
    return next((link for link in links if not tournament.floor.links[link].until), 0)


def _without_leave(tournament: Tournament, answer: Event) -> Event:
    """Return the event that undoes a swap, without a waiver of rules that it does not break."""
    if not isinstance(answer, SeatsSwapped) or answer.waiver is None:
        return answer
    plain = structs.replace(answer, waiver=None)
    return answer if any(seats_swapped(tournament, plain)) else plain


def _as_typed(recorded: AnyRecorded, together: Iterable[AnyRecorded]) -> AnyRecorded:
    """Return the event that names an act as a person typed it.

    Draws came with the start of the tournament, and its first official with its opening.
    """
    typed = (TournamentOpened, TournamentStarted)
    return next((event for event in together if isinstance(event.event, typed)), recorded)


def _stays(recorded: Recorded, why: str, instead: tuple[Remedy, ...]) -> Problem:
    act = Act(recorded.type)
    if not why:
        text = marked("your act, {act} (event {seq}), cannot be undone")
        return problem("undo.stays", text, remedy=instead, act=act, seq=recorded.seq)
    text = marked("your act, {act} (event {seq}), cannot be undone: {why}")
    return problem(
        "undo.stays_because", text, remedy=instead, act=act, seq=recorded.seq, why=phrase(why)
    )


def instead_of(tournament: Tournament, act: Iterable[Recorded]) -> tuple[Remedy, ...]:
    """Return what a person does where an act is not taken back."""
    ways = [meaning(tournament, each.event).recording.instead for each in act]
    return tuple(way for way in ways if way is not None)[:1]


class TakeBackReport(Command, frozen=True):
    """Undo a player's report on that player's word, before the opponent answers."""

    match: int
    reason: str = "undone by the player who reported it"

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        claim, player = current_claim(tournament, match), word_of(tournament, by)
        if claim is None:
            return
        if not player or claim.player != player:
            text = marked("the result of {table} is not your report, so you cannot undo it")
            raise Refused(problem("result.not_reporter", text, table=table_of(match)))
        yield ActWithdrawn(claim.seq, self.reason)
