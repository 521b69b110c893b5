"""The clauses on a tournament's day, each shown by an act that it allows or refuses."""

from __future__ import annotations

import pytest

from ledger.facts.base import Waiver
from ledger.facts.people import PlayerDropped, PlayerRejoined
from ledger.facts.rounds import RoundClosed, RoundPaired
from ledger.facts.shared import Stage
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.opening import AppointOfficial, ChangeStructure, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    DisqualifyPlayer,
    DropPlayer,
    Entry,
    RegisterPlayers,
    RejoinPlayer,
)
from ledger.rules.results import Concede, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound, SwapSeats
from ledger.tournament.progress import stage_points
from projections.standings.table import standings
from tests.support.simulate import Day


def points_of(day: Day, player: int) -> int:
    return stage_points(day.tournament, day.tournament.stages[0])[player]


def row_of(day: Day, player: int) -> object:
    return next(row for row in standings(day.tournament).rows if row.player == player)


def test_ffg_role_organizer_is_exactly_one() -> None:
    """FFG-ROLE-ORGANIZER: refused both with a second organizer and without any."""
    day = Day(4)
    day.do(AppointOfficial("Jun Judge", ("judge", "marshal")))
    assert day.tournament.officials[2].roles == ("judge", "marshal")
    assert "FFG-ROLE-ORGANIZER" in day.refused(AppointOfficial("Two", ("organizer",)))
    assert "FFG-ROLE-ORGANIZER" in day.refused(AppointOfficial("", ("judge",), official=1))


def test_only_whose_role_allows_it_may_act() -> None:
    """FFG-ROUND-START is a leader's act, FFG-AUTH-DQ and FFG-REJOIN are the organizer's."""
    day = Day(4)
    day.do(AppointOfficial("Sam Scorekeeper", ("scorekeeper",)))
    day.do(AppointOfficial("Jun Judge", ("judge",)))
    day.start(2)
    day.do(PairRound(), by="o2")
    assert "RoundStarted is reserved for" in day.refused(StartRound(), by="o2")
    day.do(StartRound(), by="o3")
    expelled = DisqualifyPlayer(1, "cheating")
    assert "there is no player 99" in day.refused(DisqualifyPlayer(99, "x"))
    for desk in ("o2", "o3", "p1", "o9"):
        assert day.refused(expelled, by=desk)
    day.do(DropPlayer(2), by="o2")
    assert "PlayerRejoined is reserved for" in day.refused(RejoinPlayer(2), by="o2")


def test_ffg_structure_goes_by_attendance() -> None:
    """FFG-STRUCTURE, L5R-BASIC, L5R-ADVANCED: the table's row is announced, no other."""
    day = Day(24)
    day.do(StartTournament("advanced"))
    assert day.tournament.announced is not None
    assert day.tournament.announced.stages == (
        Stage("swiss", 4),
        Stage("single", entry="top", size=8),
    )
    small = Day(3)
    assert "FFG-STRUCTURE" in small.refused(StartTournament("basic"))


def test_ffg_structure_counts_who_is_there_when_round_1_is_paired() -> None:
    day = Day(16)
    day.do(StartTournament("basic"))
    day.do(RegisterPlayers((Entry("Seventeenth"),)))
    assert "FFG-STRUCTURE" in day.refused(PairRound())
    day.do(StartTournament("basic"))
    day.pair()
    assert day.tournament.stages[1].plan.size == 4


def test_ffg_announce_fixes_rounds_and_cut() -> None:
    """FFG-ANNOUNCE: refused without a reason, recorded with one."""
    day = Day(8)
    assert "not started" in day.refused(PairRound())
    day.start(3)
    day.pair()
    longer = (Stage("swiss", 4),)
    assert "FFG-ANNOUNCE" in day.refused(ChangeStructure(longer, ""))
    day.do(ChangeStructure(longer, "the hall is free until nine"))
    assert day.tournament.stages[0].plan.rounds == 4


def test_ffg_outline_is_recorded() -> None:
    """FFG-OUTLINE: the document that asked for a custom structure stands in the announcement."""
    day = Day(8)
    day.do(StartTournament("custom", (Stage("swiss", 2),), outline="Worlds outline 3"))
    assert day.tournament.announced is not None
    assert day.tournament.announced.outline == "Worlds outline 3"


def test_ffg_table_every_pairing_has_a_number() -> None:
    """FFG-TABLE."""
    day = Day(9)
    day.start(2)
    tables = [match.table for match in day.pair() if not match.is_bye]
    assert tables == [1, 2, 3, 4]


def test_ffg_bye_win_and_bye_later() -> None:
    """FFG-BYE-WIN is worth a win; FFG-BYE-LATER goes to the lowest ranked who had none."""
    day = Day(9)
    day.start(4)
    had: list[int] = []
    for _ in range(4):
        lowest_first = [row.player for row in reversed(standings(day.tournament).rows)]
        matches = day.pair()
        bye = next(match.first for match in matches if match.is_bye)
        assert day.tournament.rounds[-1].points[bye] == 10
        assert bye not in had
        if had:
            event = day.log[-1].event
            assert isinstance(event, RoundPaired)
            expected = [player for player in lowest_first if player not in had]
            assert bye == next(p for p in expected if p not in event.passed_over)
        had.append(bye)
        day.report_all()


def test_a_second_bye_by_hand_needs_a_waiver() -> None:
    """FFG-BYE-LATER: the organizer may override, and the override stands in the event."""
    day = Day(5)
    day.start(3)
    first = next(match.first for match in day.pair() if match.is_bye)
    day.report_all()
    by_hand = ((first, 0),)
    assert "FFG-BYE-LATER" in day.refused(PairRound(by_hand, "asked for a rest"))
    day.do(PairRound(by_hand, "asked for a rest", allow_rematch=True))
    event = day.log[-1].event
    assert isinstance(event, RoundPaired)
    assert event.waiver == Waiver(("FFG-BYE-LATER",), "asked for a rest")


def test_ffg_rematch_is_refused_unless_the_organizer_allows_it() -> None:
    """FFG-REMATCH: in the draw, by hand and by a swap; the waiver names the clause."""
    day = Day(2)
    day.start(2)
    day.pair()
    day.report_all()
    assert "FFG-REMATCH" in day.refused(PairRound())
    by_hand = PairRound(((1, 2),), "only these two are left")
    assert "FFG-REMATCH" in day.refused(by_hand)
    day.do(PairRound((), "only these two are left", allow_rematch=True))
    event = day.log[-1].event
    assert isinstance(event, RoundPaired)
    assert event.waiver == Waiver(("FFG-REMATCH",), "only these two are left")


def test_ffg_rematch_holds_for_swapped_seats() -> None:
    """FFG-REMATCH: also when two players change places by hand."""
    day = Day(4)
    day.start(3)
    one, other = day.pair()
    pairs = [(one.first, one.second), (other.first, other.second)]
    day.report_all()
    left, right = day.pair()
    partner = dict(pairs) | {second: first for first, second in pairs}
    assert partner[left.first] in right.players
    leaving = partner[left.first]
    swap = SwapSeats((left.second, leaving), "wanted to")
    assert "FFG-REMATCH" in day.refused(swap)


def test_ffg_drop_is_never_paired_again_and_concedes_the_game_in_hand() -> None:
    """FFG-DROP, and its reading: leaving during a game is a concession."""
    day = Day(6)
    day.start(3)
    match = day.pair()[0]
    day.do(DropPlayer(match.first))
    assert match.result is not None
    assert match.result.manner == "concession"
    assert match.result.points == (1, 10)
    day.report_all()
    seated = {player for each in day.pair() for player in each.players}
    assert match.first not in seated
    assert "is not an active player" in day.refused(
        PairRound(((match.first, match.second),), "friends")
    ) or day.refused(PairRound())


def test_a_no_show_gives_a_bye_and_is_dropped() -> None:
    """FFG-DROP: who came has a win worth a bye and met nobody; who did not is dropped."""
    day = Day(4)
    day.start(2)
    match, _ = day.pair()
    day.do(Report(match.number, StatedResult(absent=(match.second,))))
    played = day.tournament.rounds[0]
    assert played.points[match.first] == 10
    assert played.against[match.first] == 0
    assert day.tournament.players[match.second].status == "dropped"


def test_two_no_shows_win_nothing() -> None:
    """FFG-DROP: both absent, no win, both dropped."""
    day = Day(6)
    day.start(2)
    match = day.pair()[0]
    day.do(Report(match.number, StatedResult(absent=match.players)))
    assert match.result is not None
    assert match.result.points == (1, 1)
    assert {day.tournament.players[player].status for player in match.players} == {"dropped"}
    dropped = [r.event.player for r in day.log if isinstance(r.event, PlayerDropped)]
    assert sorted(dropped) == sorted(match.players)


def test_ffg_rejoin_costs_an_unpaired_loss_for_every_round_missed() -> None:
    """FFG-REJOIN, L5R-SCORE: an unpaired loss is worth a loss."""
    day = Day(8)
    day.start(4)
    day.pair()
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(3))
    before = points_of(day, 3)
    for _ in range(2):
        day.pair()
        day.report_all()
        day.do(CloseRound())
    day.do(RejoinPlayer(3))
    event = day.log[-1].event
    assert isinstance(event, PlayerRejoined)
    assert event.missed == (2, 3)
    assert points_of(day, 3) == before + 2
    assert 3 in {player for match in day.pair() for player in match.players}


def test_ffg_rejoin_only_within_the_stage_they_left() -> None:
    """FFG-REJOIN for l5r: another stage is refused, a waiver by the organizer admits it."""
    day = Day(8)
    day.start(1, Stage("swiss", 2))
    day.pair()
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(3))
    day.pair()
    assert "(FFG-REJOIN) [rejoin.anyway]" in day.refused(RejoinPlayer(3))
    day.do(RejoinPlayer(3, "the doctor said it was nothing"))


def test_ffg_auth_dq_is_for_good() -> None:
    """FFG-AUTH-DQ: removed, the match in hand lost, and never back."""
    day = Day(6)
    day.start(3)
    match = day.pair()[0]
    assert day.refused(DisqualifyPlayer(match.first, " "))
    day.do(DisqualifyPlayer(match.first, "cheating", "FFG-AUTH-DQ"))
    assert day.tournament.rounds[0].points[match.second] == 10
    assert "FFG-AUTH-DQ" in day.refused(RejoinPlayer(match.first))
    last = standings(day.tournament).rows[-1]
    assert (last.player, last.dropped) == (match.first, True)


def test_ffg_concede_gives_a_full_win() -> None:
    """FFG-CONCEDE, L5R-OUTCOME, L5R-SCORE."""
    day = Day(4)
    day.start(2)
    match = day.pair()[0]
    day.do(Concede(match.second))
    assert match.result is not None
    assert (match.result.points, match.result.manner) == ((10, 1), "concession")


@pytest.mark.parametrize(
    ("outcome", "points"),
    [("win", (10, 1)), ("modified win", (6, 0)), ("loss", (1, 10)), ("modified loss", (0, 6))],
)
def test_l5r_score(outcome: str, points: tuple[int, int]) -> None:
    """L5R-SCORE, as printed: a loss is worth more than a modified loss."""
    day = Day(4)
    day.start(1)
    match = day.pair()[0]
    day.report(match, outcome)
    assert match.result is not None
    assert match.result.points == points


def test_a_late_entrant_has_unpaired_losses() -> None:
    """FFG-REJOIN, for who was not there from the beginning."""
    day = Day(4)
    day.start(3)
    day.pair()
    day.do(RegisterPlayers((Entry("Late Lena"),)))
    assert points_of(day, 5) == 1
    day.report_all()
    day.do(CloseRound())
    day.do(RegisterPlayers((Entry("Later Luca"),)))
    assert points_of(day, 6) == 1
    seated = {player for match in day.pair() for player in match.players}
    assert seated == {1, 2, 3, 4, 5, 6}


def test_a_round_closes_with_every_result_named() -> None:
    day = Day(5)
    day.start(2)
    day.pair()
    assert "no result yet at tables 1, 2" in day.refused(CloseRound())
    day.report_all()
    matches = day.matches()
    day.do(CloseRound())
    event = day.log[-1].event
    assert isinstance(event, RoundClosed)
    paired = day.tournament.rounds[0].paired_seq
    assert event.results == (matches[0].result_seq, matches[1].result_seq, paired)


def test_two_days_of_swiss_and_a_cut_by_points() -> None:
    """FFG-CUT with a custom structure: day two is for the players with enough points."""
    day = Day(16)
    day.start(
        2, Stage("swiss", 2, "points", 11, carries=True), Stage("single", entry="top", size=2)
    )
    for _ in range(2):
        day.pair()
        day.report_all()
    day.do(MakeCut())
    seeds = day.tournament.stages[1].seeds
    assert seeds == [
        row.player for row in standings(day.tournament, stage=1).rows if row.points >= 11
    ]
    for _ in range(2):
        day.pair()
        day.report_all()
    assert max(stage_points(day.tournament, day.tournament.stages[1])) == 40
    day.do(MakeCut())
    day.pair()
    day.report_all()
    day.do(FinishTournament())
    assert day.tournament.finished
