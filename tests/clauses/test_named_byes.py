"""Byes of other worth, numbers and points to start from: at the desk, and in forged lines."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.facts.people import PlayerRegistered
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Stage
from ledger.fold import fold_lines
from ledger.rules.pairing import PairRound
from ledger.rules.people import AmendPlayer
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound, SwapSeats, UnpairRound
from ledger.rules.undo import Undo
from projections.standings.table import standings
from tests.support.simulate import Day

HALF = PairRound(((3, 0),), "asked for", byes={"half": (3,)})


def day(players: int = 6) -> Day:
    held = Day(players, ruleset="mcmahon")
    for player in range(1, players + 1):
        held.do(AmendPlayer(player, attributes={"mms": str(20 + player)}))
    held.start(3)
    return held


def points(held: Day) -> dict[int, int]:
    return {row.player: row.points for row in standings(held.tournament).rows}


def play_on(held: Day) -> None:
    for match in held.matches():
        if match.is_open:
            held.do(Report(match.number, StatedResult("win")))
    held.do(CloseRound())


def test_a_bye_that_was_asked_for_is_not_the_rounds() -> None:
    """GO-ABSENT, FFG-BYE-LATER: it has a worth of its own, and is no bye that others are behind."""
    held = day()
    held.do(HALF)
    games = [match.players for match in held.matches()]
    assert (3,) in games
    assert len([each for each in games if len(each) == 1]) == 2  # five are left: one has the bye
    assert points(held)[3] == 2 * 23 + 1
    assert held.tournament.players[3].byes == 0
    the_bye = next(each[0] for each in games if len(each) == 1 and each != (3,))
    assert points(held)[the_bye] == 2 * (20 + the_bye) + 2
    play_on(held)
    assert fold_lines(held.lines).rounds == held.tournament.rounds


def test_who_had_one_may_have_the_bye_of_the_next_round() -> None:
    """FFG-BYE-LATER: the fewest byes; one that was asked for is none."""
    held = day(4)
    held.do(PairRound(((3, 0), (1, 2)), "asked for", byes={"half": (3,)}))
    play_on(held)
    held.do(PairRound(((3, 0),), "by hand", byes={"none": (3,)}))
    assert held.tournament.players[3].byes == 0
    assert points(held)[3] == 2 * 23 + 1


def test_taken_back_it_is_gone() -> None:
    held = day()
    before = points(held)
    held.do(HALF)
    held.do(UnpairRound("a mistake"))
    assert points(held) == before
    held.do(PairRound())
    held.do(Undo())
    assert points(held) == before


def test_swapped_it_is_the_others() -> None:
    held = day()
    held.do(HALF)
    other = next(match.first for match in held.matches() if match.is_open)
    held.do(SwapSeats((3, other), "who asked was another"))
    assert points(held)[other] == 2 * (20 + other) + 1
    assert points(held)[3] == 2 * 23
    assert held.tournament.players[other].byes == 0


@pytest.mark.parametrize(
    ("byes", "why"),
    [
        ({"hlaf": (3,)}, "there is no bye named hlaf; did you mean half?"),
        ({"half": (4,)}, "player 4 has no bye set by hand"),
        ({"half": (3,), "none": (3,)}, "a player has two named byes"),
    ],
)
def test_what_is_no_such_bye_is_refused(byes: dict[str, tuple[int, ...]], why: str) -> None:
    """GO-BYE: at the desk and in a forged line."""
    held = day()
    assert why in held.refused(PairRound(((3, 0),), "asked for", byes=byes))
    held.do(HALF)
    event = held.log[-1].event
    assert isinstance(event, RoundPaired)
    held.log.pop()
    held.tournament = held.folded(held.log)
    assert why in held.refused_event(replace(event, byes=byes))


def test_an_elimination_has_none() -> None:
    """FFG-ELIM-OPEN."""
    held = Day(3, ruleset="mcmahon")
    held.start(1, Stage("single", entry="top", size=2))
    held.do(PairRound(((3, 0),), "asked for", byes={"none": (3,)}))
    assert points(held)[3] == 0


def test_a_forged_number_is_refused() -> None:
    """GO-START: a number is the ruleset's, and in its range."""
    held = Day(2, ruleset="mcmahon")
    entry = PlayerRegistered(3, numbers={"mms": 61})
    assert "mms must be from 0 to 60, not 61" in held.refused_event(entry)
    assert "no player number 'elo'" in held.refused_event(PlayerRegistered(3, numbers={"elo": 1}))
    assert not held.refused_event(PlayerRegistered(3, numbers={"mms": 60}))


def test_an_amendment_is_taken_back() -> None:
    """GO-START: the number is what it was."""
    held = Day(2, ruleset="mcmahon")
    held.do(AmendPlayer(1, attributes={"mms": "30"}))
    held.do(AmendPlayer(1, attributes={"mms": "31"}))
    assert held.tournament.players[1].numbers == {"mms": 31}
    held.do(Undo())
    assert held.tournament.players[1].numbers == {"mms": 30}
