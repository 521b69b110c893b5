"""Forks: the log of a day on which some facts were others. Nobody stores one.

facts.py    what may have been otherwise, and what cannot have been
edits.py    the events of the fork

A fact takes the place of the one that really happened, at its place in the log:

    a result     replaces the event that gives the match its result now: a correction where it was
                 corrected, so that what was believed before stays; without any, it comes before
                 the round is closed, or last
    no result    the report is left out, the correction becomes a withdrawal; what was said of
                 the result later, confirmed or disputed, goes with it
    a departure  comes right after the round was closed; who was paired with the player later
                 has a bye in that round, and their own later comings and goings are left out
    staying      the departure that stands is left out, with whatever filled the place in a cut

A result that would wait to be confirmed is confirmed: a fact is not in question. A correction that
carried a ruling out is another one; the ruling stays.

Everything else stays as it was played. The events keep their `seq`; one that was put in has that
of the event it comes before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.errors import Refused
from ledger.facts.disputes import ResultConfirmed
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.fold import collector_paused, evolve, fold
from ledger.forks.edits import FORKED, edited, edits_of
from ledger.forks.facts import Fact, Left, OtherResult, Stayed, problems_of
from ledger.lines.recorded import Recorded, record
from ledger.problems import Problems
from ledger.rules import rules_of
from ledger.rules.results import bracket_stands, rules_problems
from ledger.tournament.state import Tournament

__all__ = ["Fact", "Fork", "Left", "OtherResult", "Stayed", "fork"]


class Fork(Struct, frozen=True):
    """What the log would be, and what it adds up to."""

    log: list[Recorded]
    tournament: Tournament


def fork(log: Sequence[Recorded], facts: Sequence[Fact], folded: Tournament | None = None) -> Fork:
    """Make the log in which the facts are these; what is so already changes nothing.

    `folded` is what the log adds up to, where that is at hand.

    Raises:
        NotFound: there is no such match or player.
        Refused: every reason why it cannot have been: a fact against another, against the
            ruleset, or of somebody who was not there.
    """
    tournament = fold(log) if folded is None else folded
    if problems := problems_of(log, tournament, facts):
        raise Refused(*problems)
    edits = edits_of(log, tournament, facts)
    if not (edits.instead or edits.before):
        return Fork(list(log), tournament)
    return _refolded(edited(log, edits))


def _refolded(edited: Iterator[tuple[Recorded, bool]]) -> Fork:
    """Fold the fork; other results are held to the rules at their place."""
    tournament, log = Tournament(), []
    with collector_paused():
        for each, is_other in edited:
            other = each.event if is_other else None
            if isinstance(other, ResultReported | ResultCorrected):
                problems = list(_against(tournament, other))
                if problems:
                    raise Refused(*problems)
            evolve(tournament, each)
            log.append(each)
            if isinstance(other, ResultReported) and other.match in tournament.floor.unconfirmed:
                confirmed = ResultConfirmed(other.match, each.seq)
                log.append(record(each.seq, FORKED, each.at, each.by, confirmed))
                evolve(tournament, log[-1])
    return Fork(log, tournament)


def _against(tournament: Tournament, other: ResultReported | ResultCorrected) -> Problems:
    """Yield what speaks against a result at its place; of a correction, no ruling does.

    Nor does a round that has not started: it will, or a correction enters what ended on time.
    """
    if isinstance(other, ResultReported):
        found = rules_of(ResultReported)(tournament, other)
        yield from (each for each in found if each.code != "result.time_early")
        return
    match = tournament.matches[other.match]
    yield from bracket_stands(tournament, match, other.result)
    yield from rules_problems(tournament, match, other.result)
