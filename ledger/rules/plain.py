"""Events that are plainly admissible: the commonest events of a log, without anything unusual.

`is_plain` answers in a fraction of the time of `check`, and answers True only for events against
which `check` has no reason. Whatever is unusual (a word of a player, an official who plays, a
signature, a link, a waiver, play that is closed) is left to `check`, which also finds the words of
a refusal. `tests/ledger/checks/test_plain.py` compares both on changed logs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.facts import results
from ledger.facts.base import PLAYERS_MAX, label_problem
from ledger.facts.people import PlayerDropped, PlayerRegistered
from ledger.facts.results import UNADJUSTED, ResultReported
from ledger.facts.shared import PersonRecorded
from ledger.rulesets.entries import wrong_numbers
from ledger.tournament.progress import draws_wait_for, open_match_of

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

_LABELS_KEPT = 1_024
_DROPPED_BY_DESK = frozenset({"request", "unable"})


def is_plain(tournament: Tournament, recorded: Recorded) -> bool:
    """Return whether an event is admissible without a doubt; if not, the full check decides."""
    rule = PLAIN.get(type(recorded.event))
    return (
        rule is not None
        and not recorded.sig
        and tournament.opening is not None
        and recorded.seq == tournament.seq + 1
        and recorded.id not in tournament.ids
        and not tournament.finished_seq
        and not tournament.floor.handover
        and _is_of_desk(tournament, recorded)
        and ("." not in recorded.id or _continues(tournament, recorded))
        and rule(tournament, recorded.event)
    )


def _continues(tournament: Tournament, recorded: Recorded) -> bool:
    """Return whether an official's event is the next one of the act before it."""
    by, (command_id, _, number) = recorded.by, recorded.id.partition(".")
    last = tournament.last_acts.get(by)
    if last is None or last.id != command_id:
        return False
    if number != "1":
        last = tournament.further_events.get(by, [last])[-1]
        if last.id != f"{command_id}.{int(number) - 1}":
            return False
    return last.seq == tournament.seq and last.by == by


def _is_of_desk(tournament: Tournament, recorded: Recorded) -> bool:
    """Return whether an official who does not play, and is not over a link, may enter it."""
    by = recorded.by
    if by[0] != "o" or "/" in by or (tournament.floor.links and recorded.id[0] == "w"):
        return False
    number, officials = int(by[1:]), tournament.officials
    if number >= len(officials):
        return False
    official = officials[number]
    if official.player or official.stood_down:
        return False
    return not recorded.event.recording.by.isdisjoint(official.roles)


def _result_reported(tournament: Tournament, event: ResultReported) -> bool:
    """Return whether a report is the first one of a game of the round in play."""
    number, result = event.match, event.result
    if number >= len(tournament.matches):
        return False
    match, floor = tournament.matches[number], tournament.floor
    if match.void or not (match.first and match.second) or match.result is not None:
        return False
    round_ = tournament.rounds[match.round - 1]
    if round_.status == "closed" and not tournament.importing:
        return False
    if result.facts or result.adjusted != UNADJUSTED or result.manner in _BY_CLOCK_OR_LEADER:
        return False
    if floor.missing or number in floor.unconfirmed:
        return False
    is_swiss = tournament.stages[round_.stage - 1].is_swiss
    return not results.problems(tournament.ruleset, result, elimination=not is_swiss)


_BY_CLOCK_OR_LEADER = frozenset({"time", "declared"})
"""Manners of which the clock, or the office of the author, decides."""


def _person_recorded(tournament: Tournament, event: PersonRecorded) -> bool:
    of = event.of
    people = tournament.players if of[0] == "p" else tournament.officials
    return int(of[1:]) < len(people) and of not in tournament.forgotten and bool(event.name.strip())


def _player_registered(tournament: Tournament, event: PlayerRegistered) -> bool:
    """Return whether a player is the next one, before the first round or of an import."""
    return (
        event.player == len(tournament.players)
        and event.player <= PLAYERS_MAX
        and not (event.official or event.missed or tournament.rounds)
        and not (event.numbers and any(wrong_numbers(tournament.ruleset.numbers, event.numbers)))
        and (not event.random_rank or not draws_wait_for(tournament))
        and all(map(_is_label, event.attributes))
    )


@lru_cache(_LABELS_KEPT)
def _is_label(text: str) -> bool:
    return label_problem(text) is None


def _player_dropped(tournament: Tournament, event: PlayerDropped) -> bool:
    number = event.player
    return (
        number < len(tournament.players)
        and tournament.players[number].status == "active"
        and event.reason in _DROPPED_BY_DESK
        and open_match_of(tournament, number) is None
    )


PLAIN: Mapping[type[Event], Callable[[Tournament, Any], bool]] = MappingProxyType(
    {
        ResultReported: _result_reported,
        PersonRecorded: _person_recorded,
        PlayerRegistered: _player_registered,
        PlayerDropped: _player_dropped,
    }
)
"""By event type what answers for its rules. No such type needs a signature or a draw."""
