"""Days that once went wrong, each by the trap it fell into."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.books.book import Book, open_book
from ledger.errors import InvalidLog, StoreUnavailable
from ledger.facts.base import Waiver
from ledger.facts.elimination import CutMade
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Result, Stage
from ledger.facts.undo import ActWithdrawn
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.rules.elimination import (
    AnswerReplacement,
    FinishTournament,
    ForfeitPlace,
    MakeCut,
    TakeBackCut,
)
from ledger.rules.opening import AppointOfficial, ChangeStructure
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    DisqualifyPlayer,
    DropPlayer,
    Entry,
    RegisterPlayers,
    RejoinPlayer,
)
from ledger.rules.results import Correct, StatedResult
from ledger.rules.rounds import StartRound
from ledger.rules.undo import Undo
from ledger.store import open_store
from ledger.store.backup import save
from ledger.tournament.progress import stage_points
from projections.standings.bracket import bracket
from projections.standings.table import ranking, standings
from tests.ledger.books.test_books import AT, STREAM, act, in_play
from tests.support.forging import against, paired, pairing, played
from tests.support.simulate import Day

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.base import Event


DAMAGE = (
    "DELETE FROM tourney_events WHERE originator_version = ?",
    "UPDATE tourney_events SET state = x'7878' WHERE originator_version = ?",
    (
        "UPDATE tourney_events SET state = CAST(replace(state, '\"seq\":', '\"seq\":9') AS BLOB)"
        " WHERE originator_version = ?"
    ),
)
"""A row gone, garbled, renumbered."""


def cut_day(size: int = 4) -> Day:
    day = played(3, 8, Stage("single", entry="top", size=size))
    day.do(MakeCut())
    return day


def ranked_against(day: Day, event: Event) -> str:
    """What `check` has against an event where a ranking is at hand."""
    return against(day, event, ranking=ranking)


def test_a_qualifier_who_drops_and_is_disqualified_leaves_one_place() -> None:
    day = cut_day()
    leaver = day.tournament.stages[1].seeds[0]
    day.do(DropPlayer(leaver))
    day.do(DisqualifyPlayer(leaver, "found out"))
    assert day.tournament.stages[1].vacancies == [leaver]
    day.do(AnswerReplacement(day.tournament.stages[1].waiting[0], accepts=True))
    assert len(day.pair()) == 2


def test_a_disqualified_player_stays_out_when_the_cut_is_taken_back() -> None:
    """FFG-AUTH-DQ."""
    day = cut_day()
    outsider = day.tournament.stages[1].waiting[0]
    day.do(DisqualifyPlayer(outsider, "found out"))
    day.do(TakeBackCut("a result was wrong"))
    assert day.tournament.players[outsider].status == "disqualified"
    day.do(MakeCut())
    assert outsider not in day.tournament.stages[1].seeds


def test_undo_takes_the_last_act_at_the_desk_whoever_asked_for_it() -> None:
    day = paired(8)
    match = day.matches()[0]
    day.report(match)
    leaver = day.matches()[1].first
    day.do(DropPlayer(leaver), by=f"o1/p{leaver}")
    day.do(Undo())
    assert day.tournament.players[leaver].status == "active"
    assert day.tournament.matches[match.number].result is not None


def test_a_departure_is_not_taken_back_over_a_cut() -> None:
    day = played(3, 8, Stage("single", entry="top", size=4))
    day.do(AppointOfficial("Sam", ("scorekeeper",)))
    day.do(DropPlayer(ranking(day.tournament)[0]), by="o2")
    day.do(MakeCut())
    assert "a cut has been made since" in day.refused(Undo(), by="o2")


def test_a_place_that_was_filled_is_gone() -> None:
    """FFG-CUT-REPLACE: neither `undo` nor `rejoin` brings a leaver back into a full bracket."""
    day = cut_day()
    day.do(AppointOfficial("Sam", ("scorekeeper",)))
    leaver = day.tournament.stages[1].seeds[1]
    day.do(DropPlayer(leaver), by="o2")
    day.do(AnswerReplacement(day.tournament.stages[1].waiting[0], accepts=True))
    assert "no longer vacant" in day.refused(Undo(), by="o2")
    assert "made without this player" in day.refused(RejoinPlayer(leaver, "please"))


def test_a_leaver_whose_place_is_still_empty_returns_to_it() -> None:
    day = cut_day()
    seeds = list(day.tournament.stages[1].seeds)
    day.do(DropPlayer(seeds[1]))
    day.do(Undo())
    assert day.tournament.stages[1].seeds == seeds
    assert len(day.pair()) == 2


def test_a_no_show_by_way_of_drop_met_nobody() -> None:
    day = paired(4)
    match = day.matches()[0]
    day.do(DropPlayer(match.second, "no-show"))
    assert match.result is not None
    assert match.result.manner == "no-show"
    assert day.tournament.rounds[0].against[match.first] == 0


def test_only_a_cut_by_the_standings_is_filled_up() -> None:
    """FFG-CUT-REPLACE: who has not the points does not replace who had them."""
    day = played(2, 8, Stage("swiss", 2, "points", 11))
    day.do(MakeCut())
    stage = day.tournament.stages[1]
    assert stage.waiting == []
    size = len(stage.seeds)
    day.do(DropPlayer(stage.seeds[0]))
    assert stage.vacancies == []
    day.pair()
    assert len({p for m in day.matches() for p in m.players}) == size - 1


@pytest.mark.parametrize(
    "stages",
    [
        (Stage("swiss", 4), Stage("single", entry="top", size=4)),
        (Stage("swiss", 3),),
        (Stage("swiss", 3), Stage("single", entry="top", size=2)),
    ],
)
def test_nothing_is_announced_anew_under_a_cut(stages: tuple[Stage, ...]) -> None:
    """FFG-ANNOUNCE: the cut is taken back first."""
    day = cut_day()
    change = ChangeStructure(stages, "the hall closes")
    assert "undo it first" in day.refused(change)
    day.do(TakeBackCut("the hall closes"))
    day.do(change)


def test_a_cut_is_made_anew_after_a_correction() -> None:
    day = cut_day()
    before = list(day.tournament.stages[1].seeds)
    for match in list(day.tournament.rounds[2].matches):
        day.do(Correct(match.number, StatedResult("loss"), "all slips were turned"))
    assert "needs a reason" in day.refused(TakeBackCut(" "))
    day.do(TakeBackCut("the last round was corrected"))
    day.do(MakeCut())
    assert day.tournament.stages[1].seeds == ranking(day.tournament, stage=1)[:4] != before
    assert "no cut" in Day(4).refused(TakeBackCut("x"))


def test_who_left_before_the_first_round_returns_within_the_first_stage() -> None:
    """FFG-REJOIN."""
    day = Day(8)
    day.start(3)
    day.do(DropPlayer(1))
    day.pair()
    day.report_all()
    day.do(RejoinPlayer(1))
    assert stage_points(day.tournament, day.tournament.stages[0])[1] == 1


def test_a_late_registration_by_mistake_leaves_no_trace_in_the_standings() -> None:
    day = paired()
    day.do(RegisterPlayers((Entry("Typo"),)))
    assert day.tournament.rounds[0].points[7] == 1
    day.do(Undo())
    assert 7 not in ranking(day.tournament)
    assert day.tournament.rounds[0].seqs[7] == 0


def test_a_qualifiers_drop_after_the_bracket_was_paired_can_be_undone() -> None:
    day = cut_day()
    day.pair()
    leaver = day.tournament.stages[1].seeds[2]
    day.do(DropPlayer(leaver))
    day.do(Undo())
    assert day.tournament.players[leaver].status == "active"
    assert len(day.pair()) == 2


def test_a_disqualification_by_mistake_is_taken_back_at_once() -> None:
    day = paired()
    match = day.matches()[0]
    day.do(DisqualifyPlayer(match.first, "meant somebody else"))
    day.do(Undo())
    assert day.tournament.players[match.first].status == "active"
    assert day.tournament.matches[match.number].is_open
    day.report_all()
    day.do(DisqualifyPlayer(match.first, "this time for good"))
    seq = day.log[-1].seq
    taken_back = ActWithdrawn(seq, "after all")
    assert against(day, taken_back) == ""
    assert "cannot be withdrawn" in against(day, ActWithdrawn(1, "after all"))
    day.pair()
    assert "has been paired since" in against(day, taken_back)


def test_a_waiver_lifts_what_it_names_and_needs_a_reason() -> None:
    day = played(1, 4, Stage("swiss", 1, rematch="tournament"))
    games = tuple((m.first, m.second) for m in day.tournament.rounds[0].matches)
    for waiver in (
        Waiver(("x",), "because"),
        Waiver(("FFG-BYE-LATER",), "because"),
    ):
        assert "FFG-REMATCH" in against(day, pairing(day, *games, stage=2, waiver=waiver))
    blank = Waiver(("FFG-REMATCH",), " ")
    assert "needs a reason" in against(day, pairing(day, *games, stage=2, waiver=blank))
    day = Day(4)
    day.start(2)
    assert "needs a reason" in day.refused(PairRound(((1, 2),)))


def test_the_bye_goes_by_rank_also_in_a_forged_log() -> None:
    """FFG-BYE-LATER."""
    day = paired(5)
    day.report_all()
    day.do(PairRound())
    honest = day.log.pop()
    assert isinstance(honest.event, RoundPaired)
    day.tournament = Day.folded(day.log)
    assert ranked_against(day, honest.event) == ""
    bye = next(max(game) for game in honest.event.games if 0 in game)
    for better in ranking(day.tournament):
        if better == bye or day.tournament.players[better].byes:
            continue
        trade = {better: bye, bye: better}
        games = tuple((trade.get(a, a), trade.get(b, b)) for a, b in honest.event.games)
        assert "FFG" in ranked_against(day, pairing(day, *games))
        passed = pairing(day, *games, passed_over=(better,))
        assert "FFG" in ranked_against(day, passed)


def test_the_cut_goes_by_the_standings_also_in_a_forged_log() -> None:
    """FFG-CUT, FFG-CUT-REPLACE, FFG-ELIM-CUT."""
    day = played(3, 8, Stage("single", entry="top", size=4))
    best = ranking(day.tournament)
    seeds, waiting = tuple(best[:4]), tuple(best[4:])
    assert ranked_against(day, CutMade(2, seeds, waiting)) == ""
    assert "FFG-CUT" in ranked_against(day, CutMade(2, seeds[::-1], waiting))
    assert "FFG-CUT-REPLACE" in ranked_against(day, CutMade(2, seeds, waiting[::-1]))
    other = (*seeds[:3], best[4])
    assert "FFG-CUT" in ranked_against(day, CutMade(2, other, (best[3], *best[5:])))


def test_manners_mean_what_they_say() -> None:
    """FFG-DROP, FFG-CONCEDE."""
    day = paired()
    left = Result(("win", "loss"), (10, 1), "departure")
    assert "FFG-DROP" in against(day, ResultReported(1, left))
    soft = Result(("modified win", "modified loss"), (6, 0), "concession")
    assert "FFG-CONCEDE" in against(day, ResultReported(1, soft))


def test_the_winner_who_is_disqualified_wins_nothing() -> None:
    """FFG-AUTH-DQ: below everybody, in the bracket as in the final order."""
    day = cut_day(2)
    day.pair()
    day.report_all()
    day.do(FinishTournament())
    winner = day.tournament.stages[1].seeds[0]
    day.do(DisqualifyPlayer(winner, "loaded dice"))
    assert [place.seat.player for place in bracket(day.tournament).ranking][-1] == winner
    assert standings(day.tournament).rows[-1].player == winner


def test_an_event_that_could_not_be_read_back_is_not_written() -> None:
    event = ResultReported(1, Result(("win", "loss"), (10, 1)))
    for event_id, at, by in (
        ("bad id!", AT, "o1"),
        ("fine", "yesterday", "o1"),
        ("fine", AT, "o1/zzz"),
    ):
        with pytest.raises(InvalidLog):
            encode(record(7, event_id, at, by, event))


@pytest.mark.parametrize("place", ["in the middle", "at the end"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_store_is_named_and_never_built_on(
    tmp_path: Path, place: str, damage: str
) -> None:
    path = tmp_path / "tourney.db"
    with open_store(str(path)) as store:
        size = len(in_play(store).lines)
    with closing(sqlite3.connect(path)) as connection, connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (trigger,) in names.fetchall():
            connection.execute(f'DROP TRIGGER "{trigger}"')
        connection.execute(damage, (size if place == "at the end" else size // 2,))
    with open_store(str(path)) as store, pytest.raises(StoreUnavailable, match="damaged"):
        open_book(store, STREAM, ranking)
    if damage.startswith("DELETE"):
        with open_store(str(path)) as store, pytest.raises(StoreUnavailable, match="damaged"):
            save(store, str(tmp_path / "day.backup"))
        assert not (tmp_path / "day.backup").exists()
    with open_store(str(path)) as store, pytest.raises(StoreUnavailable, match="damaged"):
        act(Book(store, STREAM, ranking), StartRound(), "x")


def test_a_bracket_of_one_is_won_without_a_game() -> None:
    """FFG-WINNER: all others left before the first game, and nobody was there to replace them."""
    day = played(2, 4, Stage("single", entry="top", size=2))
    day.do(MakeCut())
    stage = day.tournament.stages[1]
    winner, leaver = stage.seeds
    day.do(DropPlayer(leaver))
    while stage.waiting:
        day.do(AnswerReplacement(stage.waiting[0], accepts=False))
    day.do(ForfeitPlace())
    assert "[finish]" in day.refused(PairRound())
    day.do(FinishTournament())
    assert bracket(day.tournament).ranking[0].seat.player == winner
