"""How few wrong results change a cut: against every set of results of small fields, one by one."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.shared import Result, Stage
from ledger.fold import evolve, fold
from ledger.lines.recorded import record
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.rounds import CloseRound
from ledger.rulesets import load
from ledger.tournament.progress import slips_before
from projections.standings.table import ranking
from projections.whatif.cut_margin import (
    CutOfStage,
    Margin,
    cut_margin,
    cut_of,
    cut_stage,
    fewest,
    possible_results,
    record_of,
)
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

GAMES = ("swiss", "l5r", "legion", "ashes", "mtg", "netrunner", "mcmahon")


def played(game: str, seed: int, *, players: int, rounds: int, cut: Stage) -> Day:
    """A day of Swiss rounds before a cut, with results drawn at random."""
    rng = random.Random(seed)
    day = Day(players, ruleset=game)
    day.start(rounds, cut)
    results = [r for r in possible_results(load(game).ruleset)[0] if r.manner != "no-show"]
    few = rng.sample(results, k=min(3, len(results)))
    for _ in range(rounds):
        for match in day.pair():
            if match.is_open:
                report(day, match.number, rng.choice(few))
        day.do(CloseRound())
    return day


def camps(game: str, size: int, rounds: int, places: int) -> Day:
    """Two camps, of which the first wins every game against the second: far apart at the cut."""
    day = Day(2 * size, ruleset=game)
    day.start(rounds, Stage("single", 0, "top", places))
    known = [r for r in possible_results(load(game).ruleset)[0] if r.manner != "no-show"]
    best = max(known, key=lambda each: each.points[0] - each.points[1])
    for number in range(rounds):
        tables = tuple((1 + i, 1 + size + (i + number) % size) for i in range(size))
        day.do(PairRound(tables, "two camps"))
        for match in day.matches():
            report(day, match.number, best)
        day.do(CloseRound())
    return day


def report(day: Day, match: int, result: Result) -> None:
    """Enter a result: as it is, by an event of its own."""
    seq = day.tournament.seq + 1
    day.log.append(record(seq, f"report{seq}", "", "o1", ResultReported(match, result)))
    evolve(day.tournament, day.log[-1])


def ranked(tournament: Tournament, cut: CutOfStage) -> set[int]:
    """Who is in by the standings, written again: the first, or those with enough points."""
    candidates = {*cut.inside, *cut.outside}
    order = [player for player in ranking(tournament, 1) if player in candidates]
    if not cut.line:
        return set(order[: len(cut.inside)])
    points = [sum(column) for column in zip(*(r.points for r in tournament.rounds), strict=True)]
    return {player for player in order if points[player] >= cut.line}


def by_brute_force(day: Day, cut: CutOfStage, most: int) -> int:
    """Try every result of every set of so many matches; 0: no set of them changes the cut."""
    tournament = fold(day.log)
    results = possible_results(tournament.ruleset)[0]
    slips = slips_before(tournament, cut.stage)
    kept = {match.number: match.result for match in slips}
    for count in range(1, most + 1):
        for matches in combinations(slips, count):
            for tried in product(results, repeat=count):
                for match, result in zip(matches, tried, strict=True):
                    correct(tournament, match.number, result)
                found = ranked(tournament, cut) != set(cut.inside)
                for match in matches:
                    before = kept[match.number]
                    assert before is not None
                    correct(tournament, match.number, before)
                if found:
                    return count
    return 0


def correct(tournament: Tournament, match: int, result: Result) -> None:
    event = ResultCorrected(match, 1, result, "tried")
    evolve(tournament, record(tournament.seq + 1, "tried", "", "o1", event))


def margin_of(day: Day) -> tuple[CutOfStage, Margin]:
    stage = cut_stage(day.tournament)
    assert stage is not None
    cut = cut_of(day.tournament, stage)
    return cut, cut_margin(fold(day.log), cut)


def holds(day: Day, cut: CutOfStage, found: Margin, most: int) -> None:
    """The number is the least, its example does it, and the bound by points is no higher."""
    by_points = fewest(record_of(fold(day.log), cut))
    truth = by_brute_force(day, cut, most)
    if not truth:
        assert found.least > most or not found.is_exact
        return
    assert by_points <= found.least <= truth
    assert not found.is_exact or found.least == truth
    tournament = fold(day.log)
    for match, result in found.example.items():
        correct(tournament, match, result)
    if found.most:
        assert len(found.example) == found.most >= truth
        now = ranked(tournament, cut)
        assert now != set(cut.inside)
        assert set(found.leavers) == set(cut.inside) - now
        assert set(found.entrants) == now - set(cut.inside)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_least_number_of_results(game: str, seed: int) -> None:
    """Every result of every match, of 8 players in 3 rounds; pairs of them where few."""
    day = played(game, seed, players=8, rounds=3, cut=Stage("single", 0, "top", 2))
    cut, found = margin_of(day)
    few = len(possible_results(day.tournament.ruleset)[0]) <= 7
    holds(day, cut, found, 2 if few else 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_cut_by_points_changes_as_soon_as_somebody_crosses_the_line(seed: int) -> None:
    day = played("swiss", seed, players=8, rounds=3, cut=Stage("swiss", 1, "points", 4))
    cut, found = margin_of(day)
    assert cut.line == 4
    holds(day, cut, found, 2)
    assert found.is_exact


def test_a_disqualification_after_the_cut_is_no_wrong_result() -> None:
    """The player belonged in the cut by the results: they put no other player in it."""
    day = camps("swiss", 4, 3, 4)
    day.do(MakeCut())
    _, before = margin_of(day)
    stage = day.tournament.stages[1]
    day.do(DisqualifyPlayer(stage.seeds[0], "marked cards", "FFG-AUTH-DQ"))
    _, after = margin_of(day)
    assert not after.changed
    assert after.least == before.least


@pytest.mark.parametrize(
    ("game", "rounds", "least"), [("l5r", 2, 1), ("swiss", 2, 1), ("legion", 2, 1), ("swiss", 3, 2)]
)
def test_where_two_camps_are_far_apart_it_takes_several(game: str, rounds: int, least: int) -> None:
    """The game of two who change places counts twice; where they come level tiebreakers decide."""
    day = camps(game, 3, rounds, 3)
    cut, found = margin_of(day)
    holds(day, cut, found, 2 if rounds < 3 else 1)
    assert (found.least, found.is_exact) == (least, True)


def test_further_apart_it_takes_more() -> None:
    day = camps("legion", 5, 5, 5)
    cut, found = margin_of(day)
    assert found.least == fewest(record_of(fold(day.log), cut)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rounds"), [("swiss", 3), ("legion", 3), ("l5r", 3)])
def test_where_two_camps_are_further_apart(game: str, rounds: int) -> None:
    day = camps(game, 3, rounds, 3)
    cut, found = margin_of(day)
    assert found.least >= 2
    holds(day, cut, found, 3)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4, 24))
def test_it_is_the_least_number_in_more_fields(game: str, seed: int) -> None:
    places = 1 + seed % 4
    players = 6 + seed % 3
    day = played(game, seed, players=players, rounds=3, cut=Stage("single", 0, "top", places + 1))
    cut, found = margin_of(day)
    few = len(possible_results(day.tournament.ruleset)[0]) <= 7
    holds(day, cut, found, (3 if seed % 5 == 0 else 2) if few else 1)
