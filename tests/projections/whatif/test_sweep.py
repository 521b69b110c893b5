"""A sweep agrees with every combination of results, played out one by one."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from cli.render.whatif import sweep_as_json
from ledger import rulesets
from ledger.errors import Refused
from ledger.facts.results import ResultCorrected, ResultReported, conceded, problems, turned
from ledger.facts.shared import Result, Stage
from ledger.fold import fold
from ledger.rules.opening import StartTournament
from ledger.rules.people import DropPlayer
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking
from projections.whatif import rivals
from projections.whatif import sweep as sweeping
from projections.whatif.outcomes import Accepted, accepted, considered, kinds
from projections.whatif.score_model import enter, is_a_sum
from projections.whatif.sweep import margin, sweep
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from projections.whatif.outcomes import PlayerChances, Sweep

RULESETS = ("l5r", "swiss", "mtg", "xwing2", "ashes", "legion", "netrunner", "runewars")
COMBINATIONS_MAX = 600


def report(day: Day, match: int, result: Result) -> None:
    """Report a result by the way that the ruleset has."""
    if result.manner == "time":
        day.call_time(day.tournament.matches[match].round)
    if result.facts or result.ending:
        day.do(
            Report(
                match, StatedResult(facts=result.facts, ending=result.ending, unknown="not noted")
            )
        )
    elif day.tournament.ruleset.scoring.kind == "reported":
        day.do(Report(match, StatedResult(points=result.points)))
    else:
        day.do(Report(match, StatedResult(result.outcomes[0])))


def running(seed: int, players: int, ruleset: str, *, cut: int, open_tables: int) -> Day:
    """Three rounds, the last one with some tables open; somebody drops now and then."""
    chance = random.Random(f"{ruleset} {seed}")
    day = Day(players, ruleset=ruleset, shuffle_key=seed.to_bytes(32, "big"))
    day.start(3, Stage("single", entry="top", size=cut))
    results = considered(day.tournament.ruleset)
    for number in (1, 2, 3):
        matches = [match for match in day.pair() if match.is_open]
        day.do(StartRound())
        chance.shuffle(matches)
        for match in matches[: len(matches) - open_tables] if number == 3 else matches:
            report(day, match.number, chance.choice(results))
        if number < 3:
            day.do(CloseRound())
            if number == 2 and chance.random() < 0.4:
                day.do(DropPlayer(chance.randrange(1, players + 1)))
    return day


Own = tuple[tuple[str, str], tuple[int, int]] | None
"""The kind of a player's own result; None: they have no open match."""


def kind_of(result: Result | None) -> Own:
    return None if result is None else (result.outcomes, result.points)


def by_brute_force(day: Day, results: list[Result], cut: int) -> dict[int, dict[Own, set[bool]]]:
    """For every player and kind of own result: in the cut, and not."""
    tournament = fold(day.log)
    played = round_in_play(tournament)
    assert played is not None
    matches = open_matches(played)
    active = set(tournament.active())
    for match in matches:
        enter(tournament, ResultReported(match.number, results[0]))
    seen: dict[int, dict[Own, set[bool]]] = {player: {} for player in active}
    for drawn in product(results, repeat=len(matches)):
        own: dict[int, Result] = {}
        for match, result in zip(matches, drawn, strict=True):
            enter(tournament, ResultCorrected(match.number, 1, result, "as well"))
            own |= {match.first: result, match.second: turned(result)}
        going_on = [player for player in ranking(tournament) if player in active][:cut]
        for player in active:
            kind = kind_of(own.get(player))
            seen[player].setdefault(kind, set()).add(player in going_on)
    return seen


def verdict(sides: set[bool]) -> str:
    return "possible" if len(sides) > 1 else "certain" if sides == {True} else "out"


def only(monkeypatch: pytest.MonkeyPatch, results: list[Result]) -> None:
    """Let a sweep think of these results alone."""
    monkeypatch.setattr(
        "projections.whatif.sweep.accepted", lambda _: Accepted(results, whole=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", range(12))
def test_the_sweep_is_what_every_combination_comes_to(
    seed: int, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few results of each kind, so that up to five tables can be played out."""
    chance = random.Random(f"size {ruleset} {seed}")
    players = chance.randrange(6, 12)
    results = considered(rulesets.load(ruleset).ruleset)
    if len(results) > 10:
        results = chance.sample(results, 6)
    only(monkeypatch, results)
    tables = max(n for n in (1, 2, 3, 4, 5) if len(results) ** n <= COMBINATIONS_MAX)
    cut = chance.choice([2, 3, 4])
    day = running(seed, players, ruleset, cut=cut, open_tables=min(tables, players // 2))
    found = sweep(day.log)
    assert not found.samples
    brute = by_brute_force(day, results, cut)
    assert {hope.player for hope in found.players} == set(brute)
    for hope in found.players:
        expected = brute[hope.player]
        told = {kind_of(chance.result): chance.verdict for chance in hope.chances}
        assert told == {kind: verdict(sides) for kind, sides in expected.items()}
        assert hope.verdict == verdict(set().union(*expected.values()))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_with_all_results_in_the_cut_is_that_of_the_standings(ruleset: str) -> None:
    day = running(3, 9, ruleset, cut=4, open_tables=0)
    active = set(day.tournament.active())
    first = [player for player in ranking(day.tournament) if player in active][:4]
    found = sweep(day.log)
    assert [hope.player for hope in found.players if hope.verdict == "certain"] == first
    assert {hope.verdict for hope in found.players} == {"certain", "out"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_shown_side_by_side_is_admissible(ruleset: str) -> None:
    """And has of every kind of result the least and the most of each field."""
    rules = rulesets.load(ruleset).ruleset
    results, every = considered(rules), accepted(rules).results
    assert len(set(map(repr, results))) == len(results) >= 2
    for result in results:
        assert not list(problems(rules, result, elimination=False))
    for kind in kinds(every):
        members = [every[place] for place in kind.places]
        shown = [one for one in results if kind_of(one) == (kind.outcomes, kind.points)]
        assert shown
        for label, side in product([field.name for field in rules.fields], (0, 1)):
            values = [one.fields.get(label, (0, 0))[side] for one in members]
            ends = {one.fields.get(label, (0, 0))[side] for one in shown}
            assert {min(values), max(values)} <= ends


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_concession_is_worth_one_of_the_results(ruleset: str) -> None:
    rules = rulesets.load(ruleset).ruleset
    results = accepted(rules).results
    worth = [(result.outcomes, result.points, result.fields) for result in results]
    for first in (True, False):
        given = conceded(rules, first=first)
        assert (given.outcomes, given.points, given.fields) in worth
    assert len(worth) == len(set(map(repr, worth)))


@pytest.mark.parametrize("seed", range(6))
def test_who_is_certain_stays_so_whoever_leaves(seed: int) -> None:
    day = running(seed, 16, "l5r", cut=5, open_tables=3)
    certain = {hope.player for hope in sweep(day.log).players if hope.verdict == "certain"}
    assert certain
    sitting = {player for match in open_matches_of(day) for player in match.players}
    chance = random.Random(seed)
    for player in chance.sample(sorted(set(day.tournament.active()) - sitting), 4):
        day.do(DropPlayer(player))
        certain.discard(player)
        found = sweep(day.log).players
        assert certain <= {hope.player for hope in found if hope.verdict == "certain"}


def _by_player(found: Sweep) -> dict[int, PlayerChances]:
    return {hope.player: hope for hope in found.players}


@pytest.mark.slow
@pytest.mark.parametrize("bounds", [True, False])
def test_a_sample_never_contradicts_a_proof(bounds: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - a parameter
    """Above twenty open matches: what a sample has shown is so, and its shares add up."""
    day = running(4, 40, "swiss", cut=8, open_tables=8)
    proven = _by_player(sweep(day.log))
    monkeypatch.setattr(sweeping, "EXACT_MAX", 7)
    if not bounds:
        monkeypatch.setattr(sweeping, "is_a_sum", lambda _: False)
    found = sweep(day.log)
    assert found == sweep(day.log)  # the log alone decides the sample
    assert 0 < found.margin < 0.05
    shares = 0
    for hope in found.players:
        exact = proven[hope.player]
        assert hope.verdict in {"not proven", exact.verdict}
        for chance, proof in zip(hope.chances, exact.chances, strict=True):
            assert chance.verdict in {"not proven", proof.verdict}
            assert chance.made == {"certain": chance.tried, "out": 0}.get(
                proof.verdict, chance.made
            )
        assert sum(chance.tried for chance in hope.chances) in {found.samples, 0}
        if not hope.chances[0].tried:  # nobody counts what is proven
            assert hope.verdict in {"certain", "out"}
            shares += found.samples * (hope.verdict == "certain")
        shares += sum(chance.made for chance in hope.chances)
    assert shares == 8 * found.samples


@pytest.mark.slow
def test_more_than_twenty_open_matches_are_sampled() -> None:
    assert sweep(running(1, 44, "legion", cut=8, open_tables=20).log).samples == 0
    assert sweep(running(1, 44, "legion", cut=8, open_tables=21).log).samples > 0


@pytest.mark.slow
def test_twenty_open_matches_of_64_players_are_settled() -> None:
    """No question is given up at the size that is promised."""
    for ruleset in ("l5r", "swiss", "mtg", "runewars"):
        found = sweep(running(2, 64, ruleset, cut=8, open_tables=20).log)
        verdicts = {chance.verdict for hope in found.players for chance in hope.chances}
        assert "not proven" not in verdicts


def test_a_search_that_is_given_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    day = running(2, 24, "swiss", cut=8, open_tables=12)
    proven = _by_player(sweep(day.log))
    monkeypatch.setattr(rivals, "WORK_MAX", 0)
    found = sweep(day.log)
    assert "not proven" in {chance.verdict for hope in found.players for chance in hope.chances}
    for hope in found.players:
        for chance, proof in zip(hope.chances, proven[hope.player].chances, strict=True):
            assert chance.verdict in {"not proven", proof.verdict}


WIDE = """
[[fields]]
clause = "PS-SCORE"
name = "squares"
min = 0
max = 5000
meaning = "squares ahead"
"""


def test_where_not_all_can_be_tried_points_alone_prove() -> None:
    """A field of any number up to 5,000, which nothing derives: only some results are tried."""
    day = Day(8, ruleset="swiss", floor=WIDE)
    day.start(3, Stage("single", entry="top", size=2))
    for number in (1, 2, 3):
        day.pair()
        if number < 3:
            day.report_all()
            day.do(CloseRound())
    found = sweep(day.log)
    assert not found.whole
    assert found.samples
    points = dict.fromkeys(range(1, 9), 0)
    for played in fold(day.log).rounds:
        points = {player: total + played.points[player] for player, total in points.items()}
    ahead = [player for player, total in points.items() if total == 4]
    assert len(ahead) == 2
    for hope in found.players:
        verdicts = {
            chance.result.outcomes[0]: chance.verdict for chance in hope.chances if chance.result
        }
        if hope.player in ahead:  # they meet: who wins has 6, who loses 4, as has one more at least
            assert verdicts["win"] == "certain"
            assert verdicts["loss"] in {"possible", "not proven"}
        elif points[hope.player] == 0:
            assert hope.verdict == "out"
        else:
            assert verdicts["loss"] == "out"
            assert verdicts["win"] in {"possible", "not proven"}


def test_a_cut_by_points_hangs_on_the_own_match_alone() -> None:
    day = Day(6, ruleset="swiss")
    day.start(2, Stage("single", entry="points", size=3))
    day.pair()
    day.report_all("win")
    day.do(CloseRound())
    day.pair()
    found = _by_player(sweep(day.log))
    points = fold(day.log).rounds[0].points
    for player, hope in found.items():
        verdicts = [chance.verdict for chance in hope.chances]
        if points[player] == 2:  # 4, 3 or 2 points with a win, a draw or a loss
            assert verdicts == [
                "certain" if chance.result is None or chance.result.points[0] else "out"
                for chance in hope.chances
            ]
        else:
            assert set(verdicts) == {"out"}


def test_a_tiebreaker_that_bounds_a_sum_of_several_matches_is_no_sum() -> None:
    declared = list(rulesets.load("l5r").ruleset.tiebreakers)
    assert is_a_sum(declared)
    assert not is_a_sum([declared[0], replace(declared[1], floor="1/3")])
    assert is_a_sum([replace(declared[0], floor="1/3"), declared[1]])


@pytest.mark.slow
def test_nothing_is_swept_without_a_round_or_a_cut() -> None:
    day = Day(6)
    day.start(2)
    with pytest.raises(Refused, match="no round is running"):
        sweep(day.log)
    day.pair()
    with pytest.raises(Refused, match="no cut by the standings"):
        sweep(day.log)
    bracket = Day(4)
    bracket.do(StartTournament("custom", (Stage("single"),)))
    bracket.pair()
    assert open_matches_of(bracket)
    with pytest.raises(Refused, match="elimination"):
        sweep(bracket.log)


@pytest.mark.slow
def test_a_share_by_the_own_result_has_the_margin_of_its_own_combinations() -> None:
    """Of 300 combinations a third or so has a player's win: their share is less sure than all."""
    day = running(1, 44, "legion", cut=8, open_tables=21)
    found = sweep(day.log)
    tried = [chance.tried for hope in found.players for chance in hope.chances if chance.tried]
    fewest = min(tried)
    assert 0 < fewest < found.samples
    caveats = sweep_as_json(fold(day.log), found)["caveats"]
    assert isinstance(caveats, list)
    (line,) = (text for text in caveats if "in 99 of 100" in text)
    assert f"off by at most {100 * margin(found.samples):.1f} %" in line
    assert f"or {100 * margin(fewest):.1f} % for a player's own result" in line
    assert f"({fewest:,} combinations or more)" in line
