"""What a check remembers or counts, so that it looks at less, says what looking again would."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger import rulesets
from ledger.facts import results
from ledger.facts.shared import Result
from ledger.fold import evolve
from ledger.lines.line import decoded
from ledger.tournament.progress import missed_rounds, open_matches
from ledger.tournament.state import Tournament
from tests.support.simulate import play

WIN, LOSS = ("win", "loss"), ("loss", "win")
RESULTS = [
    Result(outcomes, points, manner)
    for outcomes in (WIN, LOSS, ("win", "win"), ("won", "loss"))
    for points in ((5, 0), (0, 5), (3, 1), (0, 0))
    for manner in ("played", "concession", "no-show", "departure")
]


@pytest.mark.parametrize("ruleset", ["l5r", "mtg", "legion", "netrunner"])
def test_a_result_like_an_earlier_one_is_refused_as_that_was(ruleset: str) -> None:
    rules = rulesets.parse(rulesets.text_of(ruleset))
    for elimination in (True, False):
        for result in (*RESULTS, *RESULTS):
            fresh = replace(rules)
            assert not fresh.judged
            said = results.problems(rules, result, elimination=elimination)
            assert said == results.problems(fresh, result, elimination=elimination)


def test_what_is_remembered_of_results_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "JUDGED_MAX", 3)
    rules = replace(rulesets.parse(rulesets.text_of("l5r")))
    for result in RESULTS:
        results.problems(rules, result, elimination=False)
        assert 0 < len(rules.judged) <= 3


@pytest.mark.parametrize("seed", range(4))
def test_a_round_counts_its_open_matches_and_knows_who_sat_in_it(seed: int) -> None:
    tournament = Tournament()
    for recorded in decoded(play(seed, 9 + seed, rounds=4, cut=4, disputes=True).lines):
        evolve(tournament, recorded)
        for round_ in tournament.rounds:
            assert round_.unreported == len(open_matches(round_))
        for player in range(1, len(tournament.players)):
            missed = missed_rounds(tournament, player)
            sat = [r for r in tournament.rounds if any(player in m.players for m in r.matches)]
            assert not set(missed) & {each.number for each in sat}
