"""Who leaves, and when: what the opponent has for it, and what a concession asks."""

from __future__ import annotations

import pytest

from ledger.facts.results import ResultReported, absence
from ledger.facts.shared import Result, Stage
from ledger.rules.components import GiveUpComponent, MissComponent
from ledger.rules.opening import StartTournament
from ledger.rules.people import DisqualifyPlayer, DropPlayer
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import StartRound
from ledger.rulesets import load
from tests.support.simulate import Day


def paired(game: str = "runewars") -> tuple[Day, int, int, int]:
    day = Day(4, ruleset=game)
    day.start(2)
    match = day.pair()[0]
    return day, match.number, match.first, match.second


def result_of(day: Day, match: int) -> Result:
    result = day.tournament.matches[match].result
    assert result is not None
    return result


@pytest.mark.parametrize("removed", [False, True])
def test_runewars_who_leaves_before_the_start_did_not_come(removed: bool) -> None:  # noqa: FBT001 - a case
    """FFG-DROP, RW-BYE: 8 points and MoV 70, no 10 and 200; during the game it is conceded."""
    day, match, one, _ = paired()
    leave = DisqualifyPlayer(one, "two armies") if removed else DropPlayer(one)
    day.do(leave)
    result = result_of(day, match)
    assert (result.manner, result.points) == ("no-show", (0, 8))
    assert result.fields == {"mov": (0, 70)}
    assert day.tournament.players[one].status == ("disqualified" if removed else "dropped")


def test_a_player_who_leaves_before_the_start_says_so_themselves() -> None:
    """FFG-DROP: for themselves, and for nobody else."""
    day, match, one, two = paired()
    rules = load("runewars").ruleset
    for absent in ((False, True), (True, True)):
        event = ResultReported(match, absence(rules, absent))
        assert "only an official can enter" in day.refused_event(event, by=f"p{one}")
    day.do(DropPlayer(one), by=f"p{one}")
    assert result_of(day, match).manner == "no-show"
    assert two in day.tournament.active()


@pytest.mark.parametrize("game", ["l5r", "legion", "ashes"])
def test_elsewhere_leaving_a_paired_match_concedes_it(game: str) -> None:
    """FFG-DROP, FFG-CONCEDE: a bye and a concession are worth the same there."""
    day, match, one, _ = paired(game)
    day.do(DropPlayer(one))
    assert result_of(day, match).manner == "concession"


@pytest.mark.parametrize(
    ("own", "points", "margin"),
    [(0, 10, 200), (50, 10, 150), (51, 9, 149), (90, 9, 110), (91, 8, 109), (130, 8, 70),
     (131, 8, 70), (200, 8, 70)],
)  # fmt: skip
def test_rw_concede_asks_what_the_conceder_destroyed(own: int, points: int, margin: int) -> None:
    """RW-CONCEDE: at both edges of each band; below 70 it is 8 points and MoV 70."""
    day, match, one, _ = paired()
    day.do(StartRound())
    day.do(Concede(one, {"army": (own, 20)}))
    result = result_of(day, match)
    assert (result.points, result.fields["mov"]) == ((0, points), (0, margin))


def test_nothing_is_conceded_without_the_army_points() -> None:
    """RW-CONCEDE: by the verb, a report, a drop, a component that is gone; and by a correction."""
    day, match, one, two = paired()
    day.do(StartRound())
    conceded = StatedResult("win", facts={}, ending="concession")
    for order in (Concede(one), DropPlayer(one), DropPlayer(two, "unable")):
        told = day.refused(order)
        assert "RW-CONCEDE" in told
        assert "[act.fact]" in told
    assert "RW-CONCEDE" in day.refused(Report(match, conceded))
    day.do(MissComponent(one, "the general"))
    assert "[act.fact]" in day.refused(GiveUpComponent(one))
    day.do(Concede(one, {"army": (120, 60)}))
    day.do(DropPlayer(one, "component"))
    assert result_of(day, match).points == (0, 8)
    corrected = StatedResult("loss", facts={"army": (20, 60)}, ending="concession")
    assert "RW-CONCEDE" in day.refused(Correct(match, conceded, "misheard"))
    day.do(Correct(match, corrected, "misheard"))
    assert result_of(day, match).points == (0, 10)


def test_an_elimination_asks_for_no_points() -> None:
    """FFG-ELIM-DROP, FFG-WINNER: only who goes on matters there."""
    day = Day(4, ruleset="runewars")
    day.do(StartTournament("custom", (Stage("single"),)))
    one, other = day.pair()
    day.do(StartRound())
    day.do(Concede(one.first))
    day.do(DropPlayer(other.first))
    assert result_of(day, other.number).manner == "departure"
