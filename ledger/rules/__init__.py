"""Why an event is not admissible at its place: each rule stands here once.

Appending, importing, replaying and verifying all pass through `check`. A rule that an official
may waive is skipped where the event carries a waiver, and while the facts of a foreign file are
being imported.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ledger.facts.disputes import ResultDisputed
from ledger.facts.elimination import CutMade
from ledger.facts.keys import DeskTakenOver
from ledger.facts.opening import OfficialAppointed
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import HeadRecorded, SlipAuditBegun, TournamentOpened
from ledger.facts.vocabulary import FUNCTIONS, THEMES
from ledger.fold import with_meaning
from ledger.lines.recorded import Recorded
from ledger.problems import Act, Problem, Problems, marked, problem, remedy
from ledger.proof.formats import Tree
from ledger.rules import authority, signing
from ledger.rules.references import Check, Ranking
from ledger.rulesets.ruleset import cited
from ledger.tournament.progress import draws_wait_for
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event

_THEMES = ("pairing", *THEMES)

SAID_BY_SIDES = frozenset({ResultReported, ResultDisputed})
"""How the sides of a match bring a result about: while play is open. Later officials alone do."""


_ON_A_ROOT = (HeadRecorded, SlipAuditBegun, DeskTakenOver)
"""They name the root of the tree before them."""


@cache
def rules_of(kind: type[Event]) -> Check:
    """Return the rules of an event type; a test proves that no type is without.

    A theme of rules is imported with the first event that it checks, so a desk that takes a note
    does not wait for the pairing. The theme of the event's own file is tried first.

    Raises: LookupError for a type that no line has, or that no theme has rules for.
    """
    own, name = kind.__module__.rpartition(".")[2], FUNCTIONS[kind]
    for theme in sorted(_THEMES, key=lambda theme: theme != own):
        module = import_module(f"ledger.rules.{theme}")
        if hasattr(module, name):
            return getattr(module, name)  # type: ignore[no-any-return]
    raise LookupError(f"no rules for {kind.__name__}")


def check(
    tournament: Tournament,
    recorded: Recorded,
    ranking: Ranking | None = None,
    stored: Recorded | None = None,
    tree: Tree | None = None,
) -> list[Problem]:
    """List every reason against the event as the next one; empty: it may be written.

    With a `ranking` at hand, what goes by rank is checked as well. `stored` is the event as its
    line has it, with its texts sealed: that is what its signature covers, and the `tree` of every
    line before it. Without the tree nothing that is signed is admissible.
    """
    stored = stored or recorded
    recorded = with_meaning(tournament, recorded)
    event = recorded.event
    problems = _place(tournament, recorded)
    problems = problems or signing.signature_problems(tournament, stored, tree)
    problems = problems or _by_its_rules(tournament, recorded)
    if isinstance(event, _ON_A_ROOT):
        from ledger.rules.draws import root_problems  # noqa: PLC0415 - as in `rules_of`

        problems = problems or list(root_problems(event, tree))
    if ranking is not None and not problems and not tournament.importing:
        if isinstance(event, CutMade):
            from ledger.rules.elimination import seeded_by_rank  # noqa: PLC0415 - as in `rules_of`

            problems = list(seeded_by_rank(tournament, event, ranking))
        elif isinstance(event, RoundPaired):
            from ledger.rules.pairing import bye_by_rank  # noqa: PLC0415 - as in `rules_of`

            problems = list(bye_by_rank(tournament, event, ranking))
    return [cited(tournament.rules, each) for each in problems]


def before_signing(tournament: Tournament, recorded: Recorded) -> list[Problem]:
    """List every reason against an event that is still to be signed, before anybody is asked to."""
    recorded = with_meaning(tournament, recorded)
    problems = _place(tournament, recorded) or _by_its_rules(tournament, recorded)
    return [cited(tournament.rules, each) for each in problems]


def _by_its_rules(tournament: Tournament, recorded: Recorded) -> list[Problem]:
    """List what the rules of its type have against an event, and against its time."""
    event = recorded.event
    problems = list(rules_of(type(event))(tournament, event))
    if not problems and isinstance(event, ResultReported):
        from ledger.rules.results import before_time  # noqa: PLC0415 - as in `rules_of`

        problems = list(before_time(tournament, event, recorded.at))
    return problems


def _place(tournament: Tournament, recorded: Recorded) -> list[Problem]:
    """List why it is not the next event, or not this person's to enter."""
    misplaced = next(_misplaced(tournament, recorded), None)
    return authority.not_allowed(tournament, recorded) if misplaced is None else [misplaced]


def _misplaced(tournament: Tournament, recorded: Recorded) -> Problems:
    kind, recording = type(recorded.event), recorded.event.recording
    needs_key = (recording.drawn or recording.needs_draw_key) and not tournament.importing
    if recorded.seq != tournament.seq + 1:
        text = marked("seq {seq} is wrong: the next seq is {next}")
        yield problem("line.seq", text, seq=recorded.seq, next=tournament.seq + 1)
    elif (kind is TournamentOpened) != (tournament.opening is None):
        yield problem(
            "line.opening",
            "TournamentOpened must be the first event of a log, and only the first",
        )
    elif recorded.id in tournament.ids:
        text = marked("id {id} is already used at seq {seq}")
        yield problem("line.id", text, id=recorded.id, seq=tournament.ids[recorded.id])
    elif tournament.finished and kind in SAID_BY_SIDES:
        text = marked(
            "play is closed: {act} is no longer possible, and an official must rule on the result"
        )
        ways = (remedy("rule"), remedy("correct"))
        yield problem("play.closed_for_sides", text, remedy=ways, act=Act(recorded.type))
    elif tournament.finished and not recording.after_finish:
        yield problem(
            "play.closed", "play is closed: {act} is no longer possible", act=Act(recorded.type)
        )
    elif tournament.floor.handover and kind is not OfficialAppointed:
        text = marked(
            "the office of organizer is being handed over: the next event must appoint "
            "the new organizer"
        )
        yield problem("handover.under_way", text, clause="FFG-ROLE-ORGANIZER")
    elif needs_key and not tournament.draw_keys:
        yield problem(
            "draws.no_key",
            "the first event of this log commits to no key, so nothing can be drawn",
        )
    elif recording.drawn and (missing := draws_wait_for(tournament)):
        yield missing
    elif "." in recorded.id and not _continues_act(tournament, recorded):
        text = marked("id {id} does not continue the act of the previous event")
        yield problem("line.act", text, id=recorded.id)


def _continues_act(tournament: Tournament, recorded: Recorded) -> bool:
    """Whether `X.2` stands right after `X.1`, and `X.1` after `X`, by one hand."""
    command_id, _, number = recorded.id.partition(".")
    before = command_id if number == "1" else f"{command_id}.{int(number) - 1}"
    expected, last = (tournament.seq, before, recorded.by), tournament.last_of_act(recorded.by)
    return last is not None and (last.seq, last.id, last.by) == expected
