"""Forks of days with confirmations, disputes and rulings: what is told is what counts."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundClosed
from ledger.fold import fold
from ledger.forks import Left, OtherResult, fork
from ledger.lines.recorded import record
from projections.standings.table import standings
from projections.whatif import what_if
from projections.whatif.outcomes import considered
from tests.support.days.confirmed_days import confirmed_day
from tests.support.simulate import play

if TYPE_CHECKING:
    from ledger.facts.shared import Result
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament
    from tests.support.simulate import Day


def told_by_the_desk(log: list[Recorded], match: int, result: Result | None) -> Tournament:
    """The log with nothing about the match but a report at the end of its round, or none."""
    number = fold(log).matches[match].round
    kept = [each for each in log if getattr(each.event, "match", 0) != match]
    places = [
        place
        for place, each in enumerate(kept)
        if isinstance(each.event, RoundClosed) and each.event.round == number
    ]
    place = places[0] if places else len(kept)
    seq = kept[place - 1].seq
    report = (
        [record(seq, "told", kept[-1].at, "o1", ResultReported(match, result))] if result else []
    )
    return fold([*kept[:place], *report, *kept[place:]])


def every_result(day: Day) -> list[OtherResult]:
    matches = [each for each in day.tournament.matches[1:] if not (each.void or each.is_bye)]
    results = [None, *considered(day.tournament.ruleset)]
    swiss = [each for each in matches if day.tournament.rounds[each.round - 1].stage == 1]
    return [OtherResult(each.number, result) for each in swiss for result in results]


def check(day: Day, seed: int) -> None:
    facts = every_result(day)
    for fact in random.Random(seed).sample(facts, min(60, len(facts))):
        forked = fork(day.log, [fact]).tournament
        truth = told_by_the_desk(day.log, fact.match, fact.result)
        assert forked.matches[fact.match].result == fact.result
        assert standings(forked, 1).rows == standings(truth, 1).rows
        what_if(day.log, [fact], day.context)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_disputed_result_can_be_told_otherwise(seed: int) -> None:
    day = confirmed_day(seed)
    assert day.tournament.floor.disputes
    for dispute in day.tournament.floor.disputes:
        for result in (None, *considered(day.tournament.ruleset)):
            forked = fork(day.log, [OtherResult(dispute.match, result)]).tournament
            assert forked.matches[dispute.match].result == result
    check(play(seed, 14, rounds=3, disputes=True), seed)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_a_result_that_waits_can_be_told_and_then_counts(seed: int, whole: bool) -> None:  # noqa: FBT001 - a case
    check(confirmed_day(seed, whole=whole), seed)


@pytest.mark.parametrize("seed", range(6))
def test_who_was_in_a_dispute_may_have_left_before(seed: int) -> None:
    day = confirmed_day(seed)
    answered = 0
    for dispute in day.tournament.floor.disputes:
        match = day.tournament.matches[dispute.match]
        for player in match.players:
            try:
                forked = fork(day.log, [Left(player, match.round - 1)]).tournament
            except Refused:
                continue  # they were not there by then
            answered += 1
            assert dispute.match not in {each.match for each in forked.floor.disputes}
    assert answered
