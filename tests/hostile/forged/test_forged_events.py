"""People, announcements and results that no command would make, refused by `check`."""

from __future__ import annotations

import pytest

from ledger.facts.opening import (
    ImportEnded,
    OfficialAppointed,
    TournamentFinished,
    TournamentStarted,
)
from ledger.facts.people import (
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import Posted
from ledger.facts.shared import PersonRecorded, Result, Stage, StructureAnnounced
from ledger.facts.undo import ActWithdrawn
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.opening import AppointOfficial, ChangeStructure
from ledger.rules.people import DropPlayer
from ledger.rules.results import Correct, StatedResult
from ledger.rules.rounds import CloseRound
from tests.support.forging import WIN, against, paired, pairing, played
from tests.support.simulate import Day


def test_an_honest_event_passes() -> None:
    day = paired()
    assert against(day, ResultReported(1, WIN)) == ""


def test_the_shuffle_key_must_open_the_commitment() -> None:
    day = played(1)
    shuffle, hidden = day.context.keys_to_reveal(day.tournament)
    for wrong in ("00" * 32, "", hidden, shuffle[:-2], shuffle + "00"):
        assert "the revealed shuffle key does not match" in against(
            day, TournamentFinished(wrong, hidden)
        )
    for wrong in ("00" * 32, "", shuffle, hidden[:-2], hidden + "00"):
        assert "the revealed hidden key does not match" in against(
            day, TournamentFinished(shuffle, wrong)
        )
    assert against(day, TournamentFinished(shuffle, hidden)) == ""


def test_play_ends_only_when_all_is_played() -> None:
    day = paired()
    keys = day.context.keys_to_reveal(day.tournament)
    assert "not closed" in against(day, TournamentFinished(*keys))
    day.report_all()
    day.do(CloseRound())
    assert "not all announced rounds have been played" in against(day, TournamentFinished(*keys))


@pytest.mark.parametrize("missed", [(), (1,), (2, 3), (1, 2, 3)])
def test_missed_rounds_are_those_that_were_missed(missed: tuple[int, ...]) -> None:
    """FFG-REJOIN: dropped after round 1, back after round 2."""
    day = Day(8)
    day.start(4)
    day.pair()
    day.report_all()
    day.do(DropPlayer(3))
    day.pair()
    day.report_all()
    assert "FFG-REJOIN" in against(day, PlayerRejoined(3, missed))
    assert against(day, PlayerRejoined(3, (2,))) == ""


@pytest.mark.parametrize("missed", [(), (2,), (1, 2)])
def test_a_late_entrant_misses_what_was_paired(missed: tuple[int, ...]) -> None:
    day = paired()
    assert "FFG-REJOIN" in against(day, PlayerRegistered(7, 1, missed=missed))
    assert "next player is number 7" in against(day, PlayerRegistered(8, 1, missed=(1,)))


def test_a_drop_is_taken_back_only_before_the_next_pairing() -> None:
    day = paired(8)
    day.report_all()
    day.do(DropPlayer(3))
    seq = day.log[-1].seq
    assert against(day, ActWithdrawn(seq, "mistake")) == ""
    day.pair()
    assert "a round has been paired since" in against(day, ActWithdrawn(seq, "mistake"))


def test_registration_ends_with_the_first_stage() -> None:
    day = played(1, 8, Stage("single", entry="top", size=4))
    assert "registration is over" in against(day, PlayerRegistered(9, 1, missed=(1,)))


def test_registration_ends_with_the_last_pairing() -> None:
    """A newcomer needs a round: one that is added, or a later stage that everybody enters."""
    day = paired(6, 1)
    late = PlayerRegistered(7, 1, missed=(1,))
    assert "the last round is paired (FFG-ANNOUNCE) [start.change]" in against(day, late)
    day.do(ChangeStructure((Stage("swiss", 2),), "the hall is ours till night"))
    assert against(day, late) == ""
    assert against(paired(6, 1, Stage("swiss", 2)), late) == ""
    assert "is over" in against(paired(6, 1, Stage("single", entry="top", size=4)), late)


def test_a_player_who_played_is_not_unregistered() -> None:
    day = paired()
    assert "drop the player instead" in against(
        day, ActWithdrawn(day.tournament.players[1].seq, "mistake")
    )
    assert "cannot be withdrawn" in against(day, ActWithdrawn(1, "mistake"))


def test_nobody_leaves_twice_or_from_an_open_match() -> None:
    day = paired()
    assert "open match" in against(day, PlayerDropped(1))
    assert against(day, PlayerDropped(1, "conduct")) == ""  # a removal ends the match itself
    assert against(day, PlayerDisqualified(1, "cheating")) == ""
    day.report_all()
    assert against(day, PlayerDropped(1)) == ""
    assert "needs a reason" in against(day, PlayerDisqualified(1, " "))
    day.do(DropPlayer(1))
    assert "cannot drop" in against(day, PlayerDropped(1))
    assert "has not left" in against(day, PlayerRejoined(2))


def test_results_name_what_they_answer() -> None:
    day = paired()
    assert "no match" in against(day, ResultReported(9, WIN))
    assert "cannot be withdrawn" in against(day, ActWithdrawn(1, "x"))
    assert "has no result yet" in against(day, ResultCorrected(1, 5, WIN, "x"))
    day.report(day.matches()[0])
    seq = day.log[-1].seq
    turned = Result(("loss", "win"), (1, 10))
    assert "[correct]" in against(day, ResultReported(1, turned))
    assert f"is event {seq}" in against(day, ResultCorrected(1, seq - 1, turned, "x"))
    day.do(Correct(1, StatedResult("loss"), "the slip"))
    assert "is event" in against(day, ActWithdrawn(seq, "x"))
    day.do(Correct(1, StatedResult("win"), "no"))
    seq = day.log[-1].seq
    assert "needs a reason" in against(day, ResultCorrected(1, seq, turned, " "))
    assert against(day, ResultCorrected(1, seq, turned, "the slip")) == ""
    day.report_all()
    day.do(CloseRound())
    assert "is closed" in against(day, ActWithdrawn(seq, "x"))


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (Result(("win", "loss"), (12, 1)), "worth 10:1"),
        (Result(("win", "win"), (10, 10)), "must have a 'loss'"),
        (Result(("win", "modified loss"), (10, 0)), "must have a 'loss'"),
        (Result(("draw", "draw"), (5, 5)), "no outcome 'draw'"),
        (Result(("win", "loss"), (10, 1), fields={"mov": (5, 0)}), "no field"),
        (Result(("win", "loss"), (10, 2), "no-show"), "must count as a bye"),
        (Result(("win", "win"), (10, 10), "no-show"), "must count as a bye"),
    ],
)
def test_a_result_is_worth_what_the_ruleset_says(result: Result, reason: str) -> None:
    assert reason in against(paired(), ResultReported(1, result))


def test_a_bye_has_its_result() -> None:
    day = paired(5)
    bye = next(match for match in day.matches() if match.is_bye)
    assert "is a bye" in against(day, ResultReported(bye.number, WIN))


def test_the_announcement_is_a_structure_that_can_be_played() -> None:
    day = Day(8)
    for stages, reason in (
        ((), "at least one stage"),
        ((Stage("swiss"),), "is missing"),
        ((Stage("double"),), "only be imported"),
        ((Stage("recorded", 3),), "only be imported"),
        ((Stage("swiss", 3, "top", 4),), "enter the first stage"),
        ((Stage("swiss", 3), Stage("single", entry="top", size=1)), "at least 2 players"),
        ((Stage("swiss", 3), Stage("single")), "needs a cut"),
    ):
        assert reason in against(day, StructureAnnounced("custom", stages, 8))
    basic = StructureAnnounced("basic", (Stage("swiss", 4),), 8)
    assert "has 3 rounds and no cut" in against(day, basic)
    assert "no row for this number" in against(day, StructureAnnounced("advanced", basic.stages, 8))
    assert "announced before" in against(day, TournamentStarted())


def test_the_announcement_can_not_undo_what_was_played() -> None:
    day = played(2, 8, Stage("single", entry="top", size=4))
    change = StructureAnnounced("custom", (Stage("swiss", 1),), 8, reason="late")
    assert "than are already paired: 2" in against(day, change)
    other = StructureAnnounced("custom", (Stage("single"),), 8, reason="late")
    assert "must keep its kind" in against(day, other)
    assert "is already paired" in against(day, TournamentStarted("again"))
    day.do(MakeCut())
    larger = (Stage("swiss", 2), Stage("single", entry="top", size=8))
    assert "cut to stage 2 has been made" in against(
        day, StructureAnnounced("custom", larger, 8, reason="late")
    )


def test_people_exist_before_they_are_named() -> None:
    day = Day(2)
    assert "there is no player 3" in against(day, PersonRecorded("p3", "Nobody"))
    assert "no o2" in against(day, PersonRecorded("o2", "Nobody"))
    assert "must not be empty" in against(day, PersonRecorded("p1", "  "))
    assert "next official is number 2" in against(day, OfficialAppointed(3, ("judge",)))
    assert "listed twice" in against(day, OfficialAppointed(2, ("judge", "judge")))


def test_postings_look_back() -> None:
    day = paired()
    assert "does not exist yet" in against(day, Posted("standings", 0, 999, "a" * 64, "tourney"))
    assert "no round 4" in against(day, Posted("pairings", 4, 1, "a" * 64, "tourney"))


def test_nothing_ends_an_import_that_never_began() -> None:
    assert "no import is in progress" in against(Day(2), ImportEnded())


def test_after_the_end_only_the_book_goes_on() -> None:
    day = played(1)
    day.do(FinishTournament())
    match = day.tournament.matches[1]
    turned = Result(("loss", "win"), (1, 10))
    assert "no longer possible" in against(day, PlayerDropped(1))
    assert "no longer possible" in against(day, pairing(day, (1, 2)))
    assert against(day, ResultCorrected(1, match.result_seq, turned, "an appeal")) == ""
    assert against(day, PlayerDisqualified(1, "found out later")) == ""


def test_an_act_is_one_hand_and_unbroken() -> None:
    day = paired()
    day.do(AppointOfficial("Sam", ("scorekeeper",)))
    assert "does not continue the act" in against(day, ResultReported(1, WIN), event_id="act9.1")
    last = day.log[-1].command_id
    assert "does not continue the act" in against(day, ResultReported(1, WIN), event_id=f"{last}.3")
    following = f"{last}.2"
    assert against(day, ResultReported(1, WIN), event_id=following) == ""
    assert "does not continue the act" in against(
        day, ResultReported(1, WIN), by="o2", event_id=following
    )
