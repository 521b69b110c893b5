"""Who is here, who calls a judge, who asks to be registered: what is admissible, and undone."""

from __future__ import annotations

import pytest

from ledger.errors import Refused
from ledger.facts.office import CallAnswered
from ledger.facts.opening import RegistrationAnswered
from ledger.facts.rounds import CheckedIn
from ledger.facts.shared import JudgeCalled
from ledger.rules.keys import IssueLinks
from ledger.rules.lists import SubmitList
from ledger.rules.office import AnswerCall, CallJudge
from ledger.rules.opening import (
    AppointOfficial,
    ApproveRegistration,
    AskRegistration,
    RefuseRegistration,
)
from ledger.rules.pairing import PairRound
from ledger.rules.rounds import CheckIn, CloseCheckIn, OpenCheckIn, UnpairRound
from ledger.rules.undo import Undo
from ledger.tournament.progress import absent_players, check_in_now
from tests.support.simulate import Day


@pytest.fixture
def day() -> Day:
    return Day(4)


def test_who_has_not_said_so_is_absent(day: Day) -> None:
    assert absent_players(day.tournament) == []
    assert "no check-in is open" in day.refused(CheckIn((1,)))
    day.do(OpenCheckIn())
    assert day.do(OpenCheckIn()) == []
    day.do(CheckIn((1, 2, 1)))
    day.do(CheckIn((3,)), by="p3")
    assert absent_players(day.tournament) == [4]
    assert day.do(CheckIn((3,)), by="p3") == []
    assert "has already checked in" in day.refused_event(CheckedIn(3))
    day.do(Undo())  # the desk's own
    assert absent_players(day.tournament) == [1, 2, 4]


def test_after_the_end_of_it_the_desk_alone_says_who_came(day: Day) -> None:
    day.do(OpenCheckIn())
    day.do(CloseCheckIn())
    assert day.do(CloseCheckIn()) == []
    assert "report to the desk" in day.refused(CheckIn((1,)), by="p1")
    day.do(CheckIn((1,)))
    assert absent_players(day.tournament) == [2, 3, 4]
    day.do(Undo())
    assert absent_players(day.tournament) == [1, 2, 3, 4]


def test_an_end_that_came_too_early_is_taken_back(day: Day) -> None:
    day.do(OpenCheckIn())
    day.do(CloseCheckIn())
    day.do(Undo())
    day.do(CheckIn((1,)), by="p1")


def test_nobody_says_it_for_another(day: Day) -> None:
    assert "is reserved for officials" in day.refused(OpenCheckIn(), by="p1")
    day.do(OpenCheckIn())
    assert "can check in only themselves" in day.refused(CheckIn((2,)), by="p1")


def test_a_pairing_ends_it_and_its_end_brings_it_back(day: Day) -> None:
    day.start(2)
    day.do(OpenCheckIn())
    day.do(CheckIn((1,)))
    day.do(PairRound())
    assert check_in_now(day.tournament) is None
    assert "only before the next pairing" in day.refused(OpenCheckIn())
    day.do(UnpairRound("too early"))
    assert absent_players(day.tournament) == [2, 3, 4]


def test_a_judge_is_called_once_until_somebody_comes(day: Day) -> None:
    day.do(AppointOfficial("Pat", ("judge",)))
    day.start(1)
    day.do(PairRound())
    match = day.tournament.matches[1]
    call = CallJudge(1, match.first, "a rule")
    (called,) = day.do(call, by=f"p{match.first}")
    assert day.do(call, by=f"p{match.first}") == []
    assert day.do(CallJudge(1, match.second), by=f"p{match.second}")
    assert "only for themselves" in day.refused(CallJudge(0, match.first), by=f"p{match.second}")
    assert "does not sit at" in day.refused(CallJudge(2, match.first), by=f"p{match.first}")
    day.do(AnswerCall(called.seq, 2), by="o2")
    assert "this call was already answered" in day.refused(AnswerCall(called.seq, 2), by="o2")
    assert day.tournament.floor.judge_calls[0].answered
    day.do(Undo(), by="o2")
    assert not day.tournament.floor.judge_calls[0].answered
    assert day.do(CallJudge(1, match.first, "again")) == []


def test_forged_calls_and_answers_are_refused(day: Day) -> None:
    for event, words in (
        (JudgeCalled(), "must name a table or a player"),
        (JudgeCalled(match=9), "no match 9"),
        (JudgeCalled(player=9), "player 9"),
        (CallAnswered(3, 1), "is not a call for a judge"),
        (RegistrationAnswered(3, 1), "is not a request for registration"),
    ):
        assert words in day.refused_event(event), event


def test_who_asks_waits_and_is_registered_or_refused(day: Day) -> None:
    (first,) = day.do(AskRegistration(" Zoe Quinn ", "Crane", "z-1"))
    assert day.do(AskRegistration("Zoe Quinn", "Crane", "z-1")) == []
    (second,) = day.do(AskRegistration("Yan"))
    assert len(list(day.tournament.registered())) == 4
    day.do(ApproveRegistration(first.seq))
    player = day.tournament.players[5]
    assert day.tournament.names["p5"] == "Zoe Quinn"
    assert (player.faction, player.league_id) == ("Crane", "z-1")
    assert day.do(ApproveRegistration(first.seq)) == []
    assert "this request was already answered" in day.refused(RefuseRegistration(first.seq))
    day.do(RefuseRegistration(second.seq, "the room is full"))
    assert day.do(RefuseRegistration(second.seq)) == []
    assert "is reserved for officials" in day.refused(AskRegistration("Xi"), by="p1")
    assert "must not be empty" in day.refused(AskRegistration("  "))


def test_a_name_that_is_taken_is_said_at_the_approval(day: Day) -> None:
    (asked,) = day.do(AskRegistration("Player 0001"))
    with pytest.raises(Refused, match="is already registered"):
        day.do(ApproveRegistration(asked.seq))
    day.do(ApproveRegistration(asked.seq, namesake=True))
    assert day.tournament.floor.requests[0].player == 5


def test_a_player_hands_their_own_list_in(day: Day) -> None:
    text = "Player: Player 0001\nProvinces:\n1 A Province\n"
    day.do(SubmitList(1, text), by="p1")
    assert day.tournament.lists[1].text == text
    assert "only for themselves" in day.refused(
        SubmitList(2, text.replace("0001", "0002")), by="p1"
    )


def test_over_the_link_of_the_event_people_ask_and_nothing_else(day: Day) -> None:
    """Also where a log was forged: the checks hold every line to it."""
    day.do(IssueLinks((("e1", "0" * 64),)))
    day.do(AskRegistration("Zoe"), command_id="w1-first")
    with pytest.raises(Refused, match="only to ask for registration"):
        day.do(OpenCheckIn(), command_id="w1-second")
