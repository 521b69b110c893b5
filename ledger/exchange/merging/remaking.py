"""Make an event of the other desk again as the next event of this log.

Decisions of people stay: a result, a reason, the games that were played. Values that follow from
earlier lines are computed again: the random rank of a late player, the rounds that they missed, the
results that close a round. If a draw has a different result in this log, its games were played
all the same: a Swiss round becomes a round by hand, with the event of the draw as its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import structs

from ledger.errors import Refused
from ledger.exchange.merging.numbers import NAMED, Kind, Numbers
from ledger.facts import keys, opening, people, rounds, shared
from ledger.facts.results import turned
from ledger.lines import texts as marks
from ledger.lines.recorded import Recorded, record
from ledger.lines.sealing import texts
from ledger.problems import Act, Problem, marked, phrase, problem
from ledger.proof.signatures import LOG
from ledger.rules.command import Context
from ledger.rules.draws import rank_of
from ledger.rules.pairing import BY_HAND, SWISS
from ledger.tournament.progress import (
    draws_wait_for,
    missed_rounds,
    next_attempt,
    next_round_number,
    next_stage,
    round_in_play,
)
from ledger.tournament.state import Round, Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event

Repeats: TypeAlias = Callable[[Tournament, Recorded, Context], bool]
"""Callback that returns whether a draw, as the next event, is the draw that its key gives."""

PostedOf: TypeAlias = Callable[[Tournament, str, int], str]
"""Callback that returns the SHA-256 of the posting of a round in a state."""


class Deciders(NamedTuple):
    """The context of acts and the callbacks of higher layers, which decide about events."""

    context: Context
    repeats: Repeats
    posted: PostedOf


class Situation(NamedTuple):
    """The states of both logs before an event of the other log, and the means to decide."""

    there: Tournament
    here: Tournament
    numbers: Numbers
    behind: Deciders


_NOT_REMADE = MappingProxyType(
    {
        "root": marked("it covers the lines of the other log"),
        "commitment": marked("its key is in the store of the other desk"),
        "source": marked("import the file at this desk"),
    }
)
"""Reasons that events with such a member cannot be made again in another log."""

_NEW_NUMBER: Mapping[type[Event], str] = MappingProxyType(
    {people.PlayerRegistered: "player", keys.LinkIssued: "link"}
)
"""The members that have the next number of this log."""

_UNREADABLE = (marks.UNOPENED, marks.FORGOTTEN, marks.DAMAGED)


def remade(at: Situation, theirs: Recorded) -> Event:
    """Return an event of theirs as the next one of this log.

    Raises:
        Refused: this log does not have a thing that the event names, or the event cannot be made
            again in another log.
        NoDrawKey: a late player's rank is drawn, or a draw is repeated, and the key is on another
            machine.
    """
    event = theirs.event
    if reason := _own_problem(at.here, event):
        raise Refused(reason)
    renamed = _renamed(at, event)
    _refuse_other_seal(at, event, renamed)
    if remake := _REMADE.get(type(event)):
        return remake(at, theirs, renamed)
    if hasattr(renamed, "missed"):
        missed: Any = {"missed": tuple(missed_rounds(at.here, getattr(renamed, "player", 0)))}
        return structs.replace(renamed, **missed)
    if not _is_repeated(at, theirs, renamed):
        text = marked("its draw does not give the same result behind the lines of this log")
        raise Refused(problem("merge.draw", text))
    return renamed


def _own_problem(here: Tournament, event: Event) -> Problem | None:
    """Return why an event cannot be made again in any other log, or None."""
    for member, why in _NOT_REMADE.items():
        if hasattr(event, member):
            act = Act(type(event).__name__)
            return problem("merge.own", "{act}: {why}", act=act, why=phrase(why))
    public = getattr(event, "public", "")
    if public and getattr(event, "holder", keys.holder_of(here, public)) == LOG:
        return problem("merge.log_key", "the other desk's key for the log counts only there")
    if any(text in _UNREADABLE for _, text in texts(event)):
        return problem("merge.sealed", "its texts cannot be opened with the keys of the backup")
    return None


def _renamed(at: Situation, event: Event) -> Event:
    """Return an event with the numbers of this log."""
    kind = type(event)
    changes: dict[str, Any] = {}
    for name, thing in NAMED[kind].items():
        if name == _NEW_NUMBER.get(kind) or _is_new_official(at, event, name):
            continue
        if thing == "match":
            changes |= _at_match(at, event)
        elif thing == "person":
            changes[name] = at.numbers.person(getattr(event, name))
        else:
            changes[name] = _mapped(getattr(event, name), partial(_number, at.numbers, thing))
    return structs.replace(event, **changes) if changes else event


def _is_new_official(at: Situation, event: Event, name: str) -> bool:
    if not isinstance(event, opening.OfficialAppointed) or name != "official":
        return False
    return event.official == len(at.there.officials)


def _number(numbers: Numbers, kind: Kind, there: int) -> int:
    return numbers.here(kind, there) if there else 0


def _mapped(value: Any, number: Callable[[int], int]) -> Any:  # noqa: ANN401 - in any order
    if isinstance(value, tuple):
        return tuple(_mapped(item, number) for item in value)
    if isinstance(value, dict):
        return {name: _mapped(item, number) for name, item in value.items()}
    return number(value)


def _at_match(at: Situation, event: Any) -> dict[str, Any]:  # noqa: ANN401 - each with a match
    """Return the match in this log, and the values of its sides in the order of this log."""
    if not event.match:
        return {}
    match = at.numbers.match(at.there, at.here, event.match)
    changes: dict[str, Any] = {"match": match.number}
    for name in shared.RESULT_MEMBERS:
        if result := getattr(event, name, None):
            result = _confirmed_by(at, result)
            changes[name] = _other_way_round(result) if match.is_turned else result
    if match.is_turned and getattr(event, "totals", None):
        changes["totals"] = event.totals[::-1]
    if match.is_turned and getattr(event, "rolls", None):
        changes["rolls"] = tuple(roll[::-1] for roll in event.rolls)
    return changes


def _other_way_round(result: shared.Result) -> shared.Result:
    """Return a result from the other side; default values are still not written."""
    other = turned(result)
    is_same = other.adjusted == result.adjusted
    return structs.replace(other, adjusted=result.adjusted) if is_same else other


def result_said(at: Situation, event: Any) -> tuple[int, shared.Result] | None:  # noqa: ANN401
    """Return the match of this log to which an event gives a result, and the result, or None.

    Raises:
        Refused: the two players do not play each other in that round of this log.
    """
    if not getattr(event, "match", 0) or not getattr(event, "result", None):
        return None
    if hasattr(event, "audit"):
        return None  # the result on a slip is not the result of a match
    changes = _at_match(at, event)
    return changes["match"], changes["result"]


def _confirmed_by(at: Situation, result: shared.Result) -> shared.Result:
    """Return a result whose facts name the officials by the numbers of this log."""
    declared = at.here.ruleset.derives
    named = {
        label: (_number(at.numbers, "official", pair[0]), pair[1])
        for label, pair in (result.facts.items() if declared else ())
        if declared and label in declared.labels and declared.labels[label].official
    }
    return structs.replace(result, facts=result.facts | named) if named else result


def _refuse_other_seal(at: Situation, event: Any, renamed: Any) -> None:  # noqa: ANN401
    """Refuse an event with a sealed text that would have a different place in this log."""
    is_same = True
    if getattr(event, "sealed", ""):
        is_same = event.match == renamed.match
    elif getattr(event, "hidden", ""):
        places = _count(at.there, event.player), _count(at.here, renamed.player)
        is_same = event.player == renamed.player and places[0] == places[1]
    if not is_same:
        text = marked(
            "what is hidden was sealed for another place in the other log: hand it in again"
        )
        raise Refused(problem("merge.hidden", text))


def _count(tournament: Tournament, player: int) -> tuple[int, int]:
    lists = tournament.lists.get(player)
    return (len(lists.handed), lists.checks) if lists else (0, 0)


def _registered(at: Situation, _: Recorded, event: people.PlayerRegistered) -> Event:
    here, number = at.here, len(at.here.players)
    rank = event.random_rank
    if here.draw_keys:
        rank = 0 if draws_wait_for(here) else rank_of(here, at.behind.context, number)
    missed = tuple(missed_rounds(here, None))
    return structs.replace(event, player=number, random_rank=rank, missed=missed)


def _appointed(at: Situation, theirs: Recorded, event: opening.OfficialAppointed) -> Event:
    is_new = _is_new_official(at, theirs.event, "official")
    return structs.replace(event, official=len(at.here.officials)) if is_new else event


def _closed(at: Situation, _: Recorded, event: rounds.RoundClosed) -> Event:
    round_ = round_in_play(at.here)
    if round_ is None or round_.number != event.round:
        return event
    return structs.replace(event, results=tuple(match.result_seq for match in round_.matches))


def _paired(at: Situation, theirs: Recorded, event: rounds.RoundPaired) -> Event:
    here, stage = at.here, next_stage(at.here)
    is_next = (
        stage is not None
        and round_in_play(here) is None
        and (stage.number, next_round_number(here)) == (event.stage, event.round)
    )
    if stage is None or not is_next:
        return event
    event = structs.replace(event, attempt=next_attempt(here))
    if _is_repeated(at, theirs, event) or not stage.is_swiss or event.procedure != SWISS:
        return event
    reason = event.reason or f"drawn at another desk that had other lines (event {theirs.seq})"
    by_hand = {"procedure": BY_HAND, "by_hand": len(event.games), "passed_over": ()}
    return structs.replace(event, reason=reason, **by_hand)


def _is_repeated(at: Situation, theirs: Recorded, event: Event) -> bool:
    following = record(at.here.seq + 1, theirs.id, theirs.at, theirs.by, event)
    return at.behind.repeats(at.here, following, at.behind.context)


def _round_of(tournament: Tournament, number: int) -> Round | None:
    return tournament.rounds[number - 1] if number <= len(tournament.rounds) else None


def _seated(at: Situation, _: Recorded, event: rounds.PlayersSeated) -> Event:
    round_ = _round_of(at.here, event.round)
    if round_ is None:
        return event
    tables = {(match.first, match.second): match.table for match in round_.matches}
    table = tables.get(event.was, event.table) if any(event.was) else len(round_.matches) + 1
    return structs.replace(event, table=table)


def _repaired(at: Situation, _: Recorded, event: rounds.TablesRepaired) -> Event:
    round_ = _round_of(at.here, event.round)
    matches = round_.matches if round_ else ()
    tables = {(match.first, match.second): match.table for match in matches}
    pairs = zip(event.tables, event.were, strict=False)
    return structs.replace(event, tables=tuple(tables.get(were, table) for table, were in pairs))


def _posted(at: Situation, _: Recorded, event: rounds.Posted) -> Event:
    if at.behind.posted(at.here, event.what, event.round) != event.sha256:
        text = marked(
            "what was posted at the other desk does not follow from the lines of this log"
        )
        raise Refused(problem("merge.posted", text))
    return structs.replace(event, up_to=at.here.seq)


def _link_issued(at: Situation, theirs: Recorded, event: keys.LinkIssued) -> Event:
    """Return a link with the next number; its secret follows from the number of its holder."""
    there = theirs.event
    if isinstance(there, keys.LinkIssued) and there.of != event.of:
        text = marked(
            "the link was issued to another number than the person has here: issue a new one"
        )
        raise Refused(problem("merge.link", text))
    return structs.replace(event, link=max(at.here.floor.links, default=0) + 1)


_REMADE: Mapping[type[Event], Callable[[Situation, Recorded, Any], Event]] = MappingProxyType(
    {
        people.PlayerRegistered: _registered,
        opening.OfficialAppointed: _appointed,
        rounds.RoundClosed: _closed,
        rounds.RoundPaired: _paired,
        rounds.PlayersSeated: _seated,
        rounds.TablesRepaired: _repaired,
        rounds.Posted: _posted,
        keys.LinkIssued: _link_issued,
    }
)
"""Functions that make the events whose members follow from earlier lines."""


def shifted(event: Event, first: int, by: int) -> Event:
    """Return an event whose references to the first event and to later ones are moved."""
    changes = {
        name: _mapped(getattr(event, name), lambda seq: seq + by if seq >= first else seq)
        for name, thing in NAMED[type(event)].items()
        if thing == "event"
    }
    return structs.replace(event, **changes) if changes else event
