"""Why an event is not admissible at its place: each rule stands here once.

Appending, importing, replaying and verifying all pass through `check`. A rule that an official
may waive is skipped where the event carries a waiver, and while the facts of a foreign file are
being imported.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.checks import (
    authority,
    clock,
    components,
    disputes,
    draws,
    elimination,
    keys,
    lists,
    office,
    opening,
    people,
    results,
    rounds,
    setups,
    undo,
)
from ledger.checks import signing as signing
from ledger.checks.ranks import rank_problems
from ledger.events.disputes import ResultDisputed
from ledger.events.draws import HeadRecorded
from ledger.events.opening import TournamentOpened
from ledger.events.results import ResultReported
from ledger.tournament.progress import draws_wait_for
from ledger.tournament.withdrawals import meant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.checks.ranks import Ranking
    from ledger.events import Event
    from ledger.lines.recorded import Recorded
    from ledger.proof.formats import Tree
    from ledger.tournament.state import Tournament

CHECKS: Mapping[type[Event], Callable[[Tournament, Any], Iterator[str]]] = MappingProxyType(
    opening.CHECKS
    | draws.CHECKS
    | people.CHECKS
    | rounds.CHECKS
    | results.CHECKS
    | disputes.CHECKS
    | elimination.CHECKS
    | lists.CHECKS
    | office.CHECKS
    | clock.CHECKS
    | setups.CHECKS
    | components.CHECKS
    | undo.CHECKS
    | keys.CHECKS
)
"""The rules of each event type; a test proves that none is missing."""

SAID_BY_SIDES = frozenset({ResultReported, ResultDisputed})
"""How the sides of a match bring a result about: while play is open. Later officials alone do."""

INSTEAD_OF_SIDES = "an official rules on the result with `rule`, or puts it right with `correct`"


def check(
    tournament: Tournament,
    recorded: Recorded,
    ranking: Ranking | None = None,
    stored: Recorded | None = None,
    tree: Tree | None = None,
) -> list[str]:
    """List every reason against the event as the next one; empty: it may be written.

    With a `ranking` at hand, what goes by rank is checked as well. `stored` is the event as its
    line has it, with its texts sealed: that is what its signature covers, and the `tree` of every
    line before it. Without the tree nothing that is signed is admissible.
    """
    stored = stored or recorded
    recorded = meant(tournament, recorded)
    event = recorded.event
    problems = list(_place(tournament, recorded))
    problems = problems or _signature(tournament, stored, tree)
    problems = problems or list(CHECKS[type(event)](tournament, event))
    if isinstance(event, HeadRecorded):
        problems = problems or list(draws.root_problems(event, tree))
    if ranking is not None and not problems:
        problems = list(rank_problems(tournament, event, ranking))
    return problems


def _place(tournament: Tournament, recorded: Recorded) -> Iterator[str]:
    kind = type(recorded.event)
    if recorded.seq != tournament.seq + 1:
        yield f"seq {recorded.seq} where {tournament.seq + 1} comes next"
    elif (kind is TournamentOpened) != (tournament.opening is None):
        yield "a log begins with TournamentOpened, once"
    elif recorded.id in tournament.ids:
        yield f"id {recorded.id} stands at seq {tournament.ids[recorded.id]} already"
    elif tournament.finished and not kind.recording.after_finish:
        instead = f"; {INSTEAD_OF_SIDES}" if kind in SAID_BY_SIDES else ""
        yield f"play is closed: {recorded.type} comes too late{instead}"
    elif _needs_draw_key(kind) and not tournament.draw_keys and not tournament.importing:
        yield "the first event commits to no key: nothing is drawn here"
    elif kind.recording.drawn and (missing := draws_wait_for(tournament)):
        yield missing
    elif "." in recorded.id and not _continues_act(tournament, recorded):
        yield f"id {recorded.id} does not follow the event before it in one act"
    elif not_allowed := authority.problem(tournament, recorded):
        yield not_allowed


def _needs_draw_key(kind: type[Event]) -> bool:
    return kind.recording.drawn or kind.recording.needs_draw_key


def _signature(tournament: Tournament, stored: Recorded, tree: Tree | None) -> list[str]:
    problem = signing.problem(tournament, stored, tree)
    return [problem] if problem else []


def _continues_act(tournament: Tournament, recorded: Recorded) -> bool:
    """Whether `X.2` stands right after `X.1`, and `X.1` after `X`, by one hand."""
    command_id, _, number = recorded.id.partition(".")
    expected = command_id if number == "1" else f"{command_id}.{int(number) - 1}"
    last = tournament.last_of_act(recorded.by)
    return last is not None and (last.seq, last.id, last.by) == (
        tournament.seq,
        expected,
        recorded.by,
    )
