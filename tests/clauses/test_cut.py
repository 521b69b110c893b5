"""The clauses on the cut and the elimination rounds, and the regulations' own examples of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Stage
from ledger.rules.elimination import AnswerReplacement, FinishTournament, MakeCut
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, DropPlayer
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.tournament.progress import winner_of
from projections.standings.bracket import finishing_order, winner
from projections.standings.table import ranking
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.tournament.state import Match


def day_with_cut(players: int = 12, size: int = 8) -> Day:
    day = Day(players)
    day.start(3, Stage("single", entry="top", size=size))
    for _ in range(3):
        day.pair()
        day.report_all()
    day.do(MakeCut())
    return day


def names_of(matches: list[Match]) -> list[tuple[int, int]]:
    return [(match.first, match.second) for match in matches]


def test_ffg_cut_takes_the_best_and_passes_over_who_left() -> None:
    """FFG-CUT: the top by standings, without who dropped."""
    day = Day(12)
    day.start(3, Stage("single", entry="top", size=4))
    for _ in range(3):
        day.pair()
        day.report_all()
    best, second, *_ = ranking(day.tournament)
    day.do(DropPlayer(second))
    day.do(MakeCut())
    stage = day.tournament.stages[1]
    expected = [player for player in ranking(day.tournament, stage=1) if player != second][:4]
    assert stage.seeds == expected
    assert stage.seeds[0] == best
    others = {player.status for player in day.tournament.registered()}
    assert others == {"active", "cut", "dropped"}


def test_ffg_cut_larger_than_the_field_is_refused() -> None:
    """FFG-CUT."""
    cut = Stage("single", entry="top", size=8)
    small = Day(6)
    announced = StartTournament("custom", (Stage("swiss", 1), cut))
    assert "larger than the field of 6" in small.refused(announced)
    day = Day(8)
    day.start(1, cut)
    day.pair()
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(1))
    day.do(DropPlayer(2))
    assert "larger than the field of 6" in day.refused(MakeCut())


def test_ffg_cut_replace_sixth_of_a_top_8_leaves() -> None:
    """FFG-CUT-REPLACE, FFG-CUT-ACCEPT: the ninth enters as eighth, seventh and eighth move up."""
    day = day_with_cut()
    seeds = list(day.tournament.stages[1].seeds)
    ninth = day.tournament.stages[1].waiting[0]
    day.do(DropPlayer(seeds[5]))
    assert "FFG-CUT-REPLACE" in day.refused(PairRound())
    day.do(AnswerReplacement(ninth, accepts=True))
    after = day.tournament.stages[1].seeds
    assert after == [*seeds[:5], seeds[6], seeds[7], ninth]
    assert names_of(day.pair())[0] == (seeds[0], ninth)


def test_ffg_cut_accept_asks_the_next_when_one_declines() -> None:
    """FFG-CUT-ACCEPT: in the order of the standings, nobody is skipped."""
    day = day_with_cut()
    ninth, tenth, *_ = day.tournament.stages[1].waiting
    day.do(DropPlayer(day.tournament.stages[1].seeds[0]))
    assert "must be asked next" in day.refused(AnswerReplacement(tenth, accepts=True))
    day.do(AnswerReplacement(ninth, accepts=False))
    day.do(AnswerReplacement(tenth, accepts=True))
    assert day.tournament.stages[1].seeds[-1] == tenth
    assert day.tournament.players[ninth].status == "cut"


def test_ffg_cut_replace_until_the_first_game_also_when_paired() -> None:
    """FFG-CUT-REPLACE: a pairing that nobody has played is taken back and made anew."""
    day = day_with_cut()
    day.pair()
    seeds = list(day.tournament.stages[1].seeds)
    day.do(DropPlayer(seeds[2]))
    assert len(day.tournament.rounds) == 3
    day.do(AnswerReplacement(day.tournament.stages[1].waiting[0], accepts=True))
    assert len(day.pair()) == 4
    assert seeds[2] not in {player for match in day.matches() for player in match.players}


def test_ffg_elim_cut_and_next_by_game_numbers() -> None:
    """FFG-ELIM-CUT: best meets worst first. FFG-ELIM-NEXT: the first winner meets the last."""
    day = day_with_cut()
    seeds = day.tournament.stages[1].seeds
    first = day.pair()
    expected = [(seeds[n], seeds[7 - n]) for n in range(4)]
    assert names_of(first) == expected
    day.report(first[0], "loss")
    day.report(first[1], "modified win")
    day.report(first[2], "win")
    day.report(first[3], "loss")
    second = day.pair()
    assert names_of(second) == [(seeds[7], seeds[4]), (seeds[1], seeds[2])]
    day.report_all()
    assert names_of(day.pair()) == [(seeds[7], seeds[1])]


def test_ffg_elim_drop_gives_the_current_opponent_a_bye() -> None:
    """FFG-ELIM-DROP: who leaves in a game; the opponent goes on without having met anybody."""
    day = day_with_cut(size=4)
    match, other = day.pair()
    day.do(StartRound())
    day.do(DropPlayer(match.second))
    assert match.result is not None
    assert match.result.manner == "departure"
    assert winner_of(day.tournament, match) == match.first
    day.report(other)
    assert names_of(day.pair()) == [(match.first, other.first)]


def test_ffg_elim_drop_gives_the_next_opponent_a_bye() -> None:
    """FFG-ELIM-DROP: who leaves between rounds; before the final, it ends the event."""
    day = day_with_cut(size=8)
    one, two, three, four = day.pair()
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(one.first))
    semifinals = day.pair()
    assert [set(game) for game in names_of(semifinals)] == [
        {0, four.first},
        {two.first, three.first},
    ]
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(four.first))
    day.do(FinishTournament())
    assert winner_of(day.tournament, semifinals[1]) == two.first


@pytest.mark.parametrize(("players", "byes"), [(5, 3), (6, 2), (8, 0), (11, 5), (16, 0), (33, 31)])
def test_ffg_elim_open_fills_up_with_byes(players: int, byes: int) -> None:
    """FFG-ELIM-OPEN: an event that begins with elimination, played to its last game."""
    day = Day(players)
    day.do(StartTournament("custom", (Stage("single"),), word="owl"))
    matches = day.pair()
    assert sum(match.is_bye for match in matches) == byes
    while len(day.matches()) > 1:
        day.report_all()
        day.pair()
        assert not any(match.is_bye for match in day.matches())
    day.report_all()
    day.do(FinishTournament())
    assert day.tournament.finished


def test_ffg_winner_needs_the_last_one_left() -> None:
    """FFG-WINNER: play does not end before the final, which the last one left has won."""
    day = day_with_cut(size=4)
    assert "not all announced rounds have been played" in day.refused(FinishTournament())
    assert winner(day.tournament) == 0  # the first of the Swiss rounds has won nothing
    day.pair()
    day.report_all()
    assert "not all announced rounds have been played" in day.refused(FinishTournament())
    (final,) = day.pair()
    day.report(final, "loss")
    day.do(FinishTournament())
    assert winner(day.tournament) == final.second


def test_a_draw_can_not_decide_a_bracket_and_its_winner_stays() -> None:
    """FFG-ELIM-NEXT: a winner who has played on is not corrected away."""
    day = day_with_cut(size=4)
    match, _ = day.pair()
    day.report_all()
    day.pair()
    correction = Correct(match.number, StatedResult("loss"), "the slip was wrong")
    assert "can no longer change" in day.refused(correction)
    day.do(Correct(match.number, StatedResult("modified win"), "they had gone to time"))


def test_a_draw_decides_no_elimination_game() -> None:
    """FFG-ELIM-NEXT: one of the two goes on, also where the Swiss rounds know draws."""
    day = Day(4, ruleset="netrunner")
    day.start(1, Stage("single", entry="top", size=2))
    for match in day.pair():
        day.do(Report(match.number, StatedResult(points=(3, 3))))
    day.do(MakeCut())
    final = day.pair()[0]
    assert "exactly one player who advances" in day.refused(
        Report(final.number, StatedResult(points=(3, 3)))
    )
    day.do(Report(final.number, StatedResult("win")))
    day.do(FinishTournament())


def test_a_result_that_is_missing_in_the_bracket_has_its_clause() -> None:
    """FFG-ELIM-NEXT between its rounds, FFG-WINNER after the final."""
    day = day_with_cut(size=4)
    first, _ = day.pair()
    assert "FFG-ELIM-NEXT" in day.refused(CloseRound())
    day.report(first, "win")
    assert "FFG-ELIM-NEXT" in day.refused(CloseRound())
    day.report_all()
    day.pair()
    assert "FFG-WINNER" in day.refused(CloseRound())


def test_who_was_disqualified_is_not_asked_to_replace() -> None:
    """FFG-CUT-REPLACE, FFG-AUTH-DQ: the next in line must still be in the event."""
    day = day_with_cut()
    ninth, tenth, *_ = day.tournament.stages[1].waiting
    day.do(DisqualifyPlayer(ninth, "found with marked sleeves"))
    day.do(DropPlayer(day.tournament.stages[1].seeds[0]))
    day.do(AnswerReplacement(tenth, accepts=True))
    assert day.tournament.stages[1].seeds[-1] == tenth


@pytest.mark.parametrize("absent_table", [0, 1])
def test_neither_of_two_who_did_not_come_is_a_finalist(absent_table: int) -> None:
    """FFG-WINNER: both absent in a semifinal, who played the other one is second."""
    day = day_with_cut(size=4)
    matches = day.pair()
    absent, played = matches[absent_table], matches[1 - absent_table]
    day.do(Report(absent.number, StatedResult(absent=absent.players)))
    day.report(played)
    day.do(CloseRound())
    day.do(FinishTournament())
    order = [each.player for each in finishing_order(day.tournament)][:4]
    assert order[:2] == [played.first, played.second]
    assert set(order[2:]) == set(absent.players)


def test_aop_seed_is_cited_where_a_bracket_is_another() -> None:
    """AOP-SEED: most event points against least; games of the bracket set otherwise are refused."""
    day = Day(4, ruleset="ashes")
    day.start(1, Stage("single", entry="top", size=4))
    for match in day.pair():
        day.do(Report(match.number, StatedResult("win", facts={"wounds": (9, 3)})))
    day.do(MakeCut())
    one, two, three, four = day.tournament.stages[1].seeds
    second_first = RoundPaired(2, 2, 1, "elimination@1", ((one, two), (three, four)))
    assert "AOP-SEED" in day.refused_event(second_first)
    assert names_of(day.pair()) == [(one, four), (two, three)]
