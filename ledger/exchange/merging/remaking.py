"""An event of the other desk as it is here: what it names, and what follows from this log.

What somebody decided stays: a result, a reason, the games that were played. What follows from the
lines before is made again: the random rank of a late player, the rounds that they missed, the
results that close a round. A draw that does not come out here as it did there was made all the
same: a Swiss round becomes one by hand, with the event of the draw as its reason.
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
"""Whether a draw, as the next event of a tournament, is what its key gives there."""

PostedOf: TypeAlias = Callable[[Tournament, str, int], str]
"""The SHA-256 of what is posted of a round now."""


class Deciders(NamedTuple):
    """What decides about events behind a log: the context of acts, and what is computed above."""

    context: Context
    repeats: Repeats
    posted: PostedOf


class Situation(NamedTuple):
    """Both logs as they are when an event of theirs has its turn, and what decides about it."""

    there: Tournament
    here: Tournament
    numbers: Numbers
    behind: Deciders


_OWN_ALONE = MappingProxyType(
    {
        "root": marked("it covers the lines of the other log"),
        "commitment": marked("its key is in the store of the other desk"),
        "source": marked("import the file at this desk"),
    }
)
"""Why events with such a member are of their own log alone."""

_NEW_NUMBER: Mapping[type[Event], str] = MappingProxyType(
    {people.PlayerRegistered: "player", keys.LinkIssued: "link"}
)
"""The members that are given the next number here."""

_UNREADABLE = (marks.UNOPENED, marks.FORGOTTEN, marks.DAMAGED)


def remade(at: Situation, theirs: Recorded) -> Event:
    """Return an event of theirs as the next one of this log.

    Raises:
        Refused: it names what is not here, or is of its own log alone.
        NoDrawKey: a late player's rank is drawn, or a draw is made again, and the key is elsewhere.
    """
    event = theirs.event
    if own := _own_problem(at.here, event):
        raise Refused(own)
    renamed = _renamed(at, event)
    _refuse_other_seal(at, event, renamed)
    if remake := _REMADE.get(type(event)):
        return remake(at, theirs, renamed)
    if hasattr(renamed, "missed"):
        missed: Any = {"missed": tuple(missed_rounds(at.here, getattr(renamed, "player", 0)))}
        return structs.replace(renamed, **missed)
    if not _is_repeated(at, theirs, renamed):
        text = "its draw does not give the same result behind the lines of this log"
        raise Refused(problem("merge.draw", text))
    return renamed


def _own_problem(here: Tournament, event: Event) -> Problem | None:
    """Say why an event cannot be made again in any other log."""
    for member, why in _OWN_ALONE.items():
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
    """Return an event that names everything by the numbers of here."""
    kind = type(event)
    changes: dict[str, Any] = {}
    for name, what in NAMED[kind].items():
        if name == _NEW_NUMBER.get(kind) or _is_new_official(at, event, name):
            continue
        if what == "match":
            changes |= _at_match(at, event)
        elif what == "person":
            changes[name] = at.numbers.person(getattr(event, name))
        else:
            changes[name] = _mapped(getattr(event, name), partial(_number, at.numbers, what))
    return structs.replace(event, **changes) if changes else event


def _is_new_official(at: Situation, event: Event, name: str) -> bool:
    if not isinstance(event, opening.OfficialAppointed) or name != "official":
        return False
    return event.official == len(at.there.officials)


def _number(numbers: Numbers, what: Kind, there: int) -> int:
    return numbers.here(what, there) if there else 0


def _mapped(value: Any, one: Callable[[int], int]) -> Any:  # noqa: ANN401 - numbers in any order
    if isinstance(value, tuple):
        return tuple(_mapped(each, one) for each in value)
    if isinstance(value, dict):
        return {name: _mapped(each, one) for name, each in value.items()}
    return one(value)


def _at_match(at: Situation, event: Any) -> dict[str, Any]:  # noqa: ANN401 - each with a match
    """Return the match of here, and what is said of its sides as they sit here."""
    if not event.match:
        return {}
    found = at.numbers.match(at.there, at.here, event.match)
    changes: dict[str, Any] = {"match": found.number}
    for name in shared.RESULT_MEMBERS:
        if result := getattr(event, name, None):
            result = _confirmed_by(at, result)
            changes[name] = _other_way_round(result) if found.is_turned else result
    if found.is_turned and getattr(event, "totals", None):
        changes["totals"] = event.totals[::-1]
    if found.is_turned and getattr(event, "rolls", None):
        changes["rolls"] = tuple(roll[::-1] for roll in event.rolls)
    return changes


def _other_way_round(result: shared.Result) -> shared.Result:
    """Return a result from the other side; what is as usual is still not written."""
    other = turned(result)
    is_same = other.adjusted == result.adjusted
    return structs.replace(other, adjusted=result.adjusted) if is_same else other


def result_said(at: Situation, event: Any) -> tuple[int, shared.Result] | None:  # noqa: ANN401
    """Return the match of here to which an event gives a result, and that result; None: none.

    Raises:
        Refused: these two persons do not play each other in that round here.
    """
    if not getattr(event, "match", 0) or not getattr(event, "result", None):
        return None
    if hasattr(event, "audit"):
        return None  # what a slip says gives no match a result
    said = _at_match(at, event)
    return said["match"], said["result"]


def _confirmed_by(at: Situation, result: shared.Result) -> shared.Result:
    """Return a result whose facts name the officials of here."""
    declared = at.here.ruleset.derives
    named = {
        label: (_number(at.numbers, "official", pair[0]), pair[1])
        for label, pair in (result.facts.items() if declared else ())
        if declared and label in declared.labels and declared.labels[label].official
    }
    return structs.replace(result, facts=result.facts | named) if named else result


def _refuse_other_seal(at: Situation, event: Any, renamed: Any) -> None:  # noqa: ANN401
    """Refuse what is sealed for another place than it would have here."""
    is_same = True
    if getattr(event, "sealed", ""):
        is_same = event.match == renamed.match
    elif getattr(event, "hidden", ""):
        places = _count(at.there, event.player), _count(at.here, renamed.player)
        is_same = event.player == renamed.player and places[0] == places[1]
    if not is_same:
        text = "what is hidden was sealed for another place in the other log: hand it in again"
        raise Refused(problem("merge.hidden", text))


def _count(tournament: Tournament, player: int) -> tuple[int, int]:
    held = tournament.lists.get(player)
    return (len(held.handed), held.checks) if held else (0, 0)


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
    tables = {(each.first, each.second): each.table for each in round_.matches}
    table = tables.get(event.was, event.table) if any(event.was) else len(round_.matches) + 1
    return structs.replace(event, table=table)


def _repaired(at: Situation, _: Recorded, event: rounds.TablesRepaired) -> Event:
    round_ = _round_of(at.here, event.round)
    tables = {(each.first, each.second): each.table for each in round_.matches} if round_ else {}
    pairs = zip(event.tables, event.were, strict=False)
    return structs.replace(event, tables=tuple(tables.get(were, table) for table, were in pairs))


def _posted(at: Situation, _: Recorded, event: rounds.Posted) -> Event:
    if at.behind.posted(at.here, event.what, event.round) != event.sha256:
        text = "what was posted at the other desk does not follow from the lines of this log"
        raise Refused(problem("merge.posted", text))
    return structs.replace(event, up_to=at.here.seq)


def _link_issued(at: Situation, theirs: Recorded, event: keys.LinkIssued) -> Event:
    """Return a link with the next number; its secret follows from whose it is."""
    there = theirs.event
    if isinstance(there, keys.LinkIssued) and there.of != event.of:
        text = "the link was issued to another number than the person has here: issue a new one"
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
"""What makes the events whose members follow from the lines before them."""


def shifted(event: Event, first: int, by: int) -> Event:
    """Return an event whose references to events from the first one on are moved."""
    changes = {
        name: _mapped(getattr(event, name), lambda seq: seq + by if seq >= first else seq)
        for name, what in NAMED[type(event)].items()
        if what == "event"
    }
    return structs.replace(event, **changes) if changes else event
