"""Rounds, pairings and cuts that no command would make, refused by `check`."""

from __future__ import annotations

import pytest

from ledger.facts.base import Waiver
from ledger.facts.elimination import (
    CutMade,
    PlaceForfeited,
    QualifierReplaced,
    ReplacementDeclined,
)
from ledger.facts.rounds import (
    RoundClosed,
    RoundReopened,
    RoundStarted,
    RoundUnpaired,
    SeatsSwapped,
)
from ledger.facts.shared import Stage
from ledger.facts.undo import ActWithdrawn
from ledger.rules.elimination import MakeCut
from ledger.rules.opening import StartTournament
from ledger.rules.people import DropPlayer
from ledger.rules.rounds import CloseRound, StartRound, UnpairRound
from tests.support.forging import against, paired, pairing, played
from tests.support.simulate import Day


@pytest.mark.parametrize(
    ("games", "reason"),
    [
        (((1, 2), (3, 4), (5, 1)), "is seated twice"),
        (((1, 2), (3, 4)), "has no table"),
        (((1, 2), (3, 4), (5, 7)), "is not an active player"),
        (((1, 2), (3, 0), (4, 0), (5, 6)), "at most one bye"),
        (((1, 2), (3, 4), (5, 6), (0, 0)), "at most one bye"),
    ],
)
def test_everybody_sits_once(games: tuple[tuple[int, int], ...], reason: str) -> None:
    day = Day(6)
    day.start(3)
    assert reason in against(day, pairing(day, *games))


def test_a_pairing_stands_at_its_place() -> None:
    day = Day(6)
    games = ((1, 2), (3, 4), (5, 6))
    assert "not started" in against(day, pairing(day, *games))
    day.start(3)
    assert against(day, pairing(day, *games)) == ""
    assert "the next round is" in against(day, pairing(day, *games, round=2))
    assert "the next round is" in against(day, pairing(day, *games, stage=2))
    assert "attempt 1" in against(day, pairing(day, *games, attempt=2))
    day.pair()
    assert "not closed" in against(day, pairing(day, *games))
    day.do(UnpairRound("a name was missing"))
    assert "attempt 2" in against(day, pairing(day, *games))
    assert against(day, pairing(day, *games, attempt=2)) == ""


def test_no_rematch_without_a_waiver() -> None:
    """FFG-REMATCH."""
    day = played(1, 4, Stage("swiss", 1, rematch="tournament"))
    games = tuple((m.first, m.second) for m in day.tournament.rounds[0].matches)
    forged = pairing(day, *games, stage=2)
    assert "FFG-REMATCH" in against(day, forged)
    waived = pairing(day, *games, stage=2, waiver=Waiver(("FFG-REMATCH",), "all there is"))
    assert against(day, waived) == ""


def test_a_new_stage_may_repeat_a_pair() -> None:
    """FFG-REMATCH holds within one stage, unless the plan says the whole tournament."""
    day = played(1, 4, Stage("swiss", 1))
    games = tuple((m.first, m.second) for m in day.tournament.rounds[0].matches)
    assert against(day, pairing(day, *games, stage=2)) == ""


def test_no_second_bye_while_others_had_none() -> None:
    """FFG-BYE-LATER."""
    day = Day(5)
    day.start(3)
    bye = next(match.first for match in day.pair() if match.is_bye)
    day.report_all()
    day.do(CloseRound())
    others = [player for player in range(1, 6) if player != bye]
    met = {frozenset(m.players) for m in day.tournament.rounds[0].matches}
    tables = [
        ((others[0], others[a]), tuple(others[b] for b in {1, 2, 3} - {a}))
        for a in (1, 2, 3)
        if frozenset((others[0], others[a])) not in met
    ]
    one, other = tables[0]
    forged = pairing(day, one, (other[0], other[1]), (bye, 0))
    assert "FFG-BYE-LATER" in against(day, forged)


def test_the_bracket_is_the_only_pairing() -> None:
    """FFG-ELIM-CUT, FFG-ELIM-NEXT."""
    day = played(3, 8, Stage("single", entry="top", size=4))
    day.do(MakeCut())
    a, b, c, d = day.tournament.stages[1].seeds
    assert against(day, pairing(day, (a, d), (b, c), stage=2)) == ""
    for games in (((a, b), (c, d)), ((b, c), (a, d)), ((a, d),), ((d, a), (b, c))):
        assert "FFG-ELIM" in against(day, pairing(day, *games, stage=2))
    day.pair()
    day.report_all()
    day.do(CloseRound())
    assert "FFG-ELIM" in against(day, pairing(day, (a, c), stage=2))
    assert against(day, pairing(day, (a, b), stage=2)) == ""


def test_an_opening_elimination_has_its_byes() -> None:
    """FFG-ELIM-OPEN."""
    day = Day(5)
    day.do(StartTournament("custom", (Stage("single"),)))
    assert "FFG-ELIM-OPEN" in against(day, pairing(day, (1, 2), (3, 4), (5, 0)))
    assert against(day, pairing(day, (1, 2), (3, 0), (4, 0), (5, 0))) == ""
    assert "FFG-ELIM-OPEN" in against(day, pairing(day, (1, 2), (3, 0), (4, 0), (0, 0)))


def test_a_place_of_the_cut_is_filled_first() -> None:
    """FFG-CUT-REPLACE."""
    day = played(3, 8, Stage("single", entry="top", size=4))
    day.do(MakeCut())
    stage = day.tournament.stages[1]
    a, b, c, _ = stage.seeds
    first, second, *_ = stage.waiting
    replaced = QualifierReplaced(2, stage.seeds[3], first)
    assert "no vacant place" in against(day, replaced)
    day.do(DropPlayer(stage.seeds[3]))
    assert "FFG-CUT-REPLACE" in against(day, pairing(day, (a, first), (b, c), stage=2))
    assert "must be asked next" in against(day, QualifierReplaced(2, stage.seeds[3], second))
    assert "has not left" in against(day, QualifierReplaced(2, a, first))
    assert "must be asked next" in against(day, ReplacementDeclined(2, second))
    assert "must be asked next" in against(day, PlaceForfeited(2, stage.seeds[3]))
    assert against(day, replaced) == ""


def test_a_cut_is_as_announced() -> None:
    """FFG-CUT, FFG-ANNOUNCE."""
    day = played(3, 8, Stage("single", entry="top", size=4))
    assert against(day, CutMade(2, (1, 2, 3, 4), (5, 6, 7, 8))) == ""
    assert "FFG-ANNOUNCE" in against(day, CutMade(2, (1, 2), ()))
    assert "names a player twice" in against(day, CutMade(2, (1, 2, 3, 3), ()))
    assert "names a player twice" in against(day, CutMade(2, (1, 2, 3, 4), (4,)))
    assert "the next step is not a cut" in against(day, CutMade(1, (1, 2, 3, 4), ()))
    day.do(DropPlayer(2))
    assert "cannot be in the cut" in against(day, CutMade(2, (1, 2, 3, 4), ()))
    day.do(MakeCut())
    seq = day.log[-1].seq
    assert "has already been made" in against(
        day, CutMade(2, tuple(day.tournament.stages[1].seeds), ())
    )
    assert against(day, ActWithdrawn(seq, "a result was wrong")) == ""
    assert "undo the cut first" in against(day, ActWithdrawn(seq - 1, "it was no drop"))
    day.pair()
    assert "has begun" in against(day, ActWithdrawn(seq, "a result was wrong"))


def test_a_cut_by_points_takes_whoever_has_them() -> None:
    day = played(2, 8, Stage("swiss", 1, "points", 11))
    enough = [p for p in range(1, 9) if sum(r.points[p] for r in day.tournament.rounds) >= 11]
    assert "FFG-CUT" in against(day, CutMade(2, tuple(enough[1:]), ()))
    assert against(day, CutMade(2, tuple(enough), ())) == ""


def test_a_round_is_reopened_only_last_and_before_the_cut() -> None:
    day = played(2, 8, Stage("single", entry="top", size=4))
    assert against(day, RoundReopened(2, "a slip turned up")) == ""
    assert "not the round that was closed last" in against(
        day, RoundReopened(1, "a slip turned up")
    )
    day.do(MakeCut())
    assert "cut was made" in against(day, RoundReopened(2, "a slip turned up"))


def test_a_round_in_play_is_what_rounds_are_about() -> None:
    day = paired()
    for event in (RoundUnpaired(2, "x"), RoundStarted(2), RoundClosed(2, ())):
        assert "not in play" in against(day, event)
    assert "has results" not in against(day, RoundUnpaired(1, "x"))
    day.do(StartRound())
    assert "has already started" in against(day, RoundStarted(1))
    day.report(day.matches()[0])
    assert "has results" in against(day, RoundUnpaired(1, "x"))
    assert "must name the results" in against(day, RoundClosed(1, (1, 2, 3)))
    results = tuple(match.result_seq for match in day.matches())
    assert "no result yet" in against(day, RoundClosed(1, results))


def test_seats_are_swapped_between_open_tables() -> None:
    day = paired()
    one, two, _ = day.matches()
    swap = SeatsSwapped(1, (one.first, two.first), "noise")
    assert against(day, swap) == ""
    assert "needs a reason" in against(day, SeatsSwapped(1, (one.first, two.first), ""))
    assert "the same table" in against(day, SeatsSwapped(1, (one.first, one.second), "noise"))
    assert "the same table" in against(day, SeatsSwapped(1, (one.first, one.first), "noise"))
    assert "has no seat" in against(day, SeatsSwapped(1, (one.first, 60), "noise"))
    day.report(one)
    assert "has a result" in against(day, swap)
