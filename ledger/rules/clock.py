"""The clock and the pace of play: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import field

from ledger.errors import Refused
from ledger.facts import office
from ledger.facts.base import Event
from ledger.facts.clock import (
    MINUTES_MAX,
    ExtraTimeAnnounced,
    PaceModerated,
    PaceRemedy,
    RoundExtended,
    RoundPaused,
    RoundResumed,
    TableExtended,
    TimeCalled,
)
from ledger.facts.setups import missing_parts
from ledger.problems import Problem, Problems, marked, problem, remedy
from ledger.rules.command import Command, Context, event_of, match_of, this_round
from ledger.rules.games_left import GameAsLeft, game_ended
from ledger.rules.references import is_here, needs_reason, not_at, table_of
from ledger.tournament.progress import (
    find_match,
    is_paused,
    minutes_of,
    no_match,
    not_played,
    round_in_play,
    time_over,
)
from ledger.tournament.state import Round, Tournament


def length_problems(tournament: Tournament, round_: Round, minutes: int) -> Problems:
    """Yield where a round is not as long as the ruleset and the announcement have it."""
    expected = minutes_of(tournament, round_)
    clause = tournament.ruleset.clock.clause
    if expected and minutes != expected and not tournament.importing:
        text = marked("round {round} must be {expected} minutes long, not {minutes}")
        number = round_.number
        yield problem(
            "round.length", text, clause=clause, round=number, expected=expected, minutes=minutes
        )


def extra_time_announced(tournament: Tournament, event: ExtraTimeAnnounced) -> Problems:
    most = tournament.ruleset.floor.clock.extra_max
    clause = tournament.ruleset.clock.clause
    if event.minutes > most:
        yield missing_parts(tournament).get("extra time") or problem(
            "clock.extra_max",
            "a round can have at most {count} minute of extra time",
            plural="a round can have at most {count} minutes of extra time",
            clause=clause,
            count=most,
        )
    elif tournament.started:
        text = marked("extra time must be announced before the tournament begins")
        yield problem("clock.announced_late", text, clause=clause)


def table_extended(tournament: Tournament, event: TableExtended) -> Problems:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    round_ = round_in_play(tournament)
    if match is None or match.void:
        yield no_match(event.match)
    elif round_ is None or match.round != round_.number:
        text = marked("{table} is not in the round in play")
        yield problem("clock.table_elsewhere", text, table=table_of(match))
    elif not match.is_open:
        yield problem(
            "clock.table_ended", "{table} has ended and cannot be extended", table=table_of(match)
        )
    elif round_.status != "started" and tournament.floor.missing.keys().isdisjoint(match.players):
        text = marked("round {round} has not started: there is no time to extend")
        yield problem("clock.not_started", text, round=round_.number)
    elif tournament.floor.extensions.get(event.match, 0) + event.minutes > MINUTES_MAX:
        yield problem(
            "clock.extension_max",
            "a table can be extended by at most {count} minute",
            plural="a table can be extended by at most {count} minutes",
            count=MINUTES_MAX,
        )
    yield from needs_reason(event, "FFG-CLOCK")


def time_called(tournament: Tournament, event: TimeCalled) -> Problems:
    """Yield why no time can be called; in a round without a clock only its end can be."""
    round_ = round_in_play(tournament)
    may_end = event.left == 0 and office.is_bound_by(tournament, "before-time")
    is_in_play = round_ is not None and round_.number == event.round
    if not (round_ and is_in_play and (round_.status == "started" or may_end)):
        yield problem("round.not_running", "round {round} is not running", round=event.round)
        return
    calls = tournament.floor.calls.get(event.round, [])
    if time_over(tournament, event.round):
        yield problem(
            "clock.called", "time has already been called in round {round}", round=event.round
        )
    elif calls and calls[-1].left <= event.left:
        text = marked('"{left} min left" was already called in round {round}')
        yield problem("clock.called_less", text, left=calls[-1].left, round=event.round)


def round_extended(tournament: Tournament, event: RoundExtended) -> Problems:
    yield from _running(tournament, event.round)
    longer = tournament.floor.longer.get(event.round, 0) + event.minutes
    if longer > MINUTES_MAX:
        yield problem(
            "clock.round_extension_max",
            "a round can be extended by at most {count} minute",
            plural="a round can be extended by at most {count} minutes",
            count=MINUTES_MAX,
        )
    yield from needs_reason(event, "FFG-CLOCK")


def round_paused(tournament: Tournament, event: RoundPaused) -> Problems:
    yield from _running(tournament, event.round)
    if is_paused(tournament, event.round):
        text = marked("the clock of round {round} is already paused")
        yield problem("clock.paused", text, remedy=remedy("round.resume"), round=event.round)


def round_resumed(tournament: Tournament, event: RoundResumed) -> Problems:
    yield from _running(tournament, event.round, called=True)
    if not is_paused(tournament, event.round):
        text = marked("the clock of round {round} is not paused")
        yield problem("clock.not_paused", text, round=event.round)


def _running(tournament: Tournament, number: int, *, called: bool = False) -> Problems:
    """Yield what keeps the clock of a round from being changed."""
    round_ = round_in_play(tournament)
    if round_ is None or round_.number != number or round_.status != "started":
        yield problem("round.not_running", "round {round} is not running", round=number)
    elif not round_.minutes:
        yield without_minutes(round_)
    elif not called and time_over(tournament, number):
        text = marked("time has already been called in round {round}")
        yield problem("clock.called", text, clause="FFG-CLOCK", round=number)


def without_minutes(round_: Round) -> Problem:
    """Say that a round was started without a clock, and until when it can be started with one."""
    has_begun = any(match.result for match in round_.matches)
    way = () if has_begun else remedy("undo")
    text = marked("round {round} was started without minutes and has no clock")
    return problem("clock.none", text, remedy=way, round=round_.number)


def pace_moderated(tournament: Tournament, event: PaceModerated) -> Problems:
    rules, match = tournament.ruleset.floor.pace, find_match(tournament, event.match)
    if not rules:
        yield missing_parts(tournament)["pace"]
        return
    if not match or not match.is_open:
        yield not_played(tournament, event.match)
        return
    if event.asked:
        yield from is_here(tournament, event.asked)
    if event.player and event.player not in match.players:
        yield not_at(event.player, match)
    if event.remedy != "none" and not event.player:
        yield problem("pace.player", "name the player who was slow", clause=rules.clause)
    if event.remedy != "none" or not event.asked:
        yield from needs_reason(event, rules.clause)


class AnnounceExtraTime(Command, frozen=True):
    """Make every round but the final longer, before the event."""

    minutes: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if tournament.floor.extra_minutes != self.minutes:
            yield ExtraTimeAnnounced(self.minutes)


class ExtendTable(Command, frozen=True):
    """Give a match more minutes."""

    says = TableExtended

    match: int
    minutes: int
    reason: str


class CallTime(Command, frozen=True):
    """Call out that how many minutes are left; 0: time is over."""

    left: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        if round_.status == "paired":
            text = marked("round {round} is not running: start it before time is called")
            start = remedy("round.start")
            raise Refused(problem("clock.not_begun", text, remedy=start, round=round_.number))
        called = [call.left for call in tournament.floor.calls.get(round_.number, ())]
        if called[-1:] != [self.left]:
            yield TimeCalled(round_.number, self.left)


class ExtendRound(Command, frozen=True):
    """Give every table of the round in play more minutes."""

    minutes: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundExtended(this_round(tournament).number, self.minutes, self.reason)


class PauseRound(Command, frozen=True):
    """Stop the clock of the round in play."""

    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundPaused(this_round(tournament).number, self.reason)


class ResumeRound(Command, frozen=True):
    """Let the clock of the round in play go on."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundResumed(this_round(tournament).number)


class ModeratePace(Command, frozen=True):
    """See to the pace of a match; a forfeit is its result, with the facts of the game in play."""

    match: int
    asked: int = 0
    remedy: PaceRemedy = "none"
    player: int = 0
    reason: str = ""
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        yield event_of(PaceModerated, self)
        if self.remedy == "forfeit":
            game = GameAsLeft(self.facts, self.unknown)
            yield game_ended(tournament, match, self.player, "forfeited", game)
