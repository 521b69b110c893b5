"""Confirmations, disputes, appeals and rulings that no command would make, refused by `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.base import Waiver
from ledger.facts.disputes import AppealMade, ResultConfirmed, ResultDisputed
from ledger.facts.elimination import CutMade
from ledger.facts.lists import ListCorrected
from ledger.facts.opening import TournamentFinished
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import RoundClosed, SeatsSwapped, TablesRepaired
from ledger.facts.shared import Result, RulingMade
from ledger.facts.undo import ActWithdrawn
from ledger.rules.disputes import Appeal
from ledger.rules.office import LinkOfficial, Rule
from ledger.rules.pairing import PairRound
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.tournament.disputes import OPEN_DISPUTE
from tests.support.forging import WIN, against, pairing
from tests.support.simulate import Day
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.facts.base import Event

LOSS = Result(("loss", "win"), (1, 10))
NONSENSE = Result(("win", "win"), (10, 10))


@pytest.fixture
def day() -> Day:
    """Table 1 is disputed, 3 against 4 at table 2 is reported; o2 is a judge, o3 a marshal."""
    made = Day(4)
    appoint(made, "Jun", "judge")
    appoint(made, "Mara", "marshal")
    made.start(2)
    made.do(PairRound(((1, 2), (3, 4)), "a test"))
    made.do(Report(1, StatedResult("win")), by="p1")
    made.do(Report(2, StatedResult("win")))
    made.do(Report(1, StatedResult("loss")), by="p2")
    return made


def seqs(day: Day) -> tuple[int, int, int]:
    """The events of the two reports and of the dispute."""
    reports = [each.seq for each in day.log if isinstance(each.event, ResultReported)]
    return reports[0], reports[1], day.log[-1].seq


def test_what_is_said_of_a_result_names_it_and_is_said_by_its_own_side(day: Day) -> None:
    one, two, _ = seqs(day)
    for event, by, problem in (
        (ResultConfirmed(9, two), "o1", "no match 9"),
        (ResultConfirmed(2, one), "o1", "is event"),
        (ResultConfirmed(2, two, 3), "p4", "by or for"),
        (ResultConfirmed(2, two, 3), "o1", "by or for"),
        (ResultConfirmed(2, two), "p3", "entered by or for the desk"),
        (ResultConfirmed(2, two, 1), "o1/p1", "only their own results"),
        (ResultConfirmed(1, one, 1), "p1", "only the opponent or the desk can confirm"),
        (ResultConfirmed(1, one), "o1", "is disputed"),
        (ResultConfirmed(2, two, ruling=1), "o1", "already counts"),
        (ResultDisputed(2, one), "o2", "is event"),
        (ResultDisputed(2, two, 1), "p1", "does not play this match"),
        (ResultDisputed(2, two, 3, WIN), "p3", "this is the reported result"),
        (ResultDisputed(2, two, 3, NONSENSE), "p3", "has a 'win', the opponent must have"),
        (ResultDisputed(1, one, 1), "p1", "only the opponent or the desk can dispute"),
        (ResultDisputed(1, one, 2), "p2", "only one open dispute"),
        (ResultReported(1, LOSS), "o1/p3", "only their own results"),
    ):
        assert problem in against(day, event, by=by), event


def test_a_dispute_bars_corrections_and_what_comes_next(day: Day) -> None:
    one, *_ = seqs(day)
    for event in (ResultCorrected(1, one, LOSS, "so"), ActWithdrawn(one, "so")):
        assert "disputed" in against(day, event)
    day.do(CloseRound())
    assert "FFG-RULING" in against(day, pairing(day, (1, 3), (2, 4)))
    waiver = Waiver((OPEN_DISPUTE,), "the hall closes")
    paired = pairing(day, (1, 3), (2, 4), waiver=waiver)
    assert against(day, paired) == ""
    scorekeeper = appoint(day, "Sam", "scorekeeper")
    assert "is reserved for the organizer" in against(day, paired, by=f"o{scorekeeper}")
    assert "FFG-RULING" in against(day, pairing(day, (1, 3), (2, 4), waiver=Waiver((), "x")))
    assert "FFG-RULING" in against(
        day, pairing(day, (1, 3), (2, 4), waiver=Waiver((OPEN_DISPUTE,), " "))
    )


@pytest.mark.parametrize(
    "event",
    [
        RoundClosed(1, (1,), Waiver((OPEN_DISPUTE,), "x")),
        CutMade(2, (1, 2), (), Waiver((OPEN_DISPUTE,), "x")),
        TournamentFinished("", "", Waiver((OPEN_DISPUTE,), "x")),
    ],
)
def test_leave_to_go_on_is_the_organizers(day: Day, event: Event) -> None:
    scorekeeper = appoint(day, "Sam", "scorekeeper")
    assert "is reserved for the organizer (" in against(day, event, by=f"o{scorekeeper}")


def test_a_ruling_fits_its_dispute(day: Day) -> None:
    one, _, dispute = seqs(day)
    for event, problem in (
        (RulingMade(2, "x", 1, settles=one), "is not an open dispute"),
        (RulingMade(2, "x", 2, settles=dispute), "is not an open dispute"),
        (RulingMade(2, "x", 1, decides=LOSS), "a judge must rule on it"),
        (
            RulingMade(2, "x", 1, settles=dispute, decides=NONSENSE),
            "has a 'win', the opponent must have",
        ),
        (RulingMade(2, "x", decides=LOSS), "two players"),
        (RulingMade(2, "x", 1, upheld=True), "only a review"),
        (RulingMade(1, "x", 1, settles=dispute), "FFG-ROLE-JUDGE"),
    ):
        assert problem in against(day, event, by="o2"), event
    assert against(day, RulingMade(2, "x", 1, settles=dispute, decides=LOSS), by="o2") == ""


def test_after_a_ruling_only_an_appeal_and_its_correction_fit(day: Day) -> None:
    one, two, dispute = seqs(day)
    order = Rule(2, "the slip", 1, decides=StatedResult("loss"))
    ruling = day.do(order, by="o2")[0].seq
    for event, by, problem in (
        (RulingMade(2, "x", 1, settles=dispute), "o2", "already has a ruling"),
        (RulingMade(2, "x", 1, decides=WIN), "o2", "appeal"),
        (RulingMade(3, "x", 1, reviews=ruling), "o3", "no player asked"),
        (ResultDisputed(1, one, 2), "p2", "has a ruling"),
        (ActWithdrawn(dispute, "x"), "o1", "can no longer be withdrawn"),
        (ResultCorrected(1, one, LOSS, "so"), "o1", "has a ruling"),
        (ResultCorrected(1, one, WIN, "so", ruling), "o1", "not the decision of ruling"),
        (ResultCorrected(1, one, LOSS, " ", ruling), "o1", "needs a reason"),
        (ResultCorrected(2, two, LOSS, "so", ruling), "o1", "not a ruling on"),
        (ResultConfirmed(1, one, 2), "p2", "has a ruling"),
        (AppealMade(ruling, 3), "p3", "does not play this match"),
        (AppealMade(ruling, 1), "o1", "by or for"),
        (AppealMade(ruling, 1), "o1/p2", "by or for"),
        (AppealMade(one, 1), "p1", "not a ruling"),
    ):
        assert problem in against(day, event, by=by), event
    assert against(day, AppealMade(ruling, 1), by="p1") == ""
    assert against(day, ResultCorrected(1, one, LOSS, "so", ruling)) == ""


def test_a_review_decides_once(day: Day) -> None:
    one, *_ = seqs(day)
    ruling = day.do(Rule(2, "x", 1, decides=StatedResult("loss")), by="o2")[0].seq
    day.do(Appeal(ruling), by="p1")
    for event, problem in (
        (AppealMade(ruling, 2), "has already been requested"),
        (
            RulingMade(3, "x", 1, reviews=ruling, upheld=True, decides=LOSS),
            "cannot decide another result",
        ),
        (RulingMade(3, "x", 1, reviews=ruling, decides=LOSS), "uphold the ruling instead"),
        (ResultCorrected(1, one, LOSS, "so", ruling), "a marshal must decide"),
    ):
        by = {AppealMade: "p2", RulingMade: "o3"}.get(type(event), "o1")
        assert problem in against(day, event, by=by), event
    last = day.do(Rule(3, "x", 1, reviews=ruling), by="o3")[0].seq
    assert "FFG-ROLE-JUDGE" in against(day, AppealMade(last, 1), by="p1")
    assert "FFG-ROLE-JUDGE" in against(day, AppealMade(ruling, 1), by="p1")
    assert "has a ruling" in against(day, ResultCorrected(1, one, LOSS, "so", ruling))


def test_what_was_never_said_is_not_taken_back(day: Day) -> None:
    one, two, dispute = seqs(day)
    assert against(day, ActWithdrawn(two, "x")) == ""  # what event two said, and nothing else
    assert "is disputed" in against(day, ActWithdrawn(one, "x"))
    assert "cannot be withdrawn" in against(day, ActWithdrawn(1, "x"))
    assert "only their own dispute" in against(day, ActWithdrawn(dispute, "x"), by="p1")
    day.do(Report(1, StatedResult("win")), by="p2")
    settled = day.log[-1].seq
    assert "settled a dispute" in against(day, ActWithdrawn(settled, "x"))


def test_the_result_of_a_round_is_awaited_unless_a_dispute_is_waived() -> None:
    day = Day(2, ruleset="swiss", changed=('confirmation = "none"', 'confirmation = "opponent"'))
    day.start(2)
    day.pair()
    day.do(Report(1, StatedResult("win")), by="p1")
    over = Waiver((OPEN_DISPUTE,), "x")
    assert "not confirmed" in against(day, RoundClosed(1, (0,)))
    assert "not confirmed" in against(day, RoundClosed(1, (0,), over))
    assert "has already reported another result" in against(
        day, ResultReported(1, Result(("loss", "win"), (0, 2)))
    )
    day.do(Report(1, StatedResult("loss")), by="p2")
    told = against(day, RoundClosed(1, (0,)))
    assert "FFG-RULING" in told
    assert "[rule] [pair.over_dispute]" in told
    assert against(day, RoundClosed(1, (0,), over)) == ""


def test_an_official_who_plays_speaks_for_their_own_side() -> None:
    """An organizer's own report is a player's: they can not confirm it as the desk."""
    day = Day(4, ruleset="swiss", changed=('confirmation = "none"', 'confirmation = "opponent"'))
    day.do(LinkOfficial(1, 1))
    appoint(day, "Co", "judge")
    day.start(2)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    day.do(Report(1, StatedResult("win")))
    assert day.tournament.matches[1].result is None
    seq = day.log[-1].seq
    assert "by or for" in against(day, ResultConfirmed(1, seq))
    assert "only the opponent or the desk can confirm" in against(day, ResultConfirmed(1, seq, 1))
    assert against(day, ResultConfirmed(1, seq), by="o2") == ""


@pytest.mark.parametrize(
    "event",
    [
        ResultCorrected(99, 1, LOSS, " "),
        SeatsSwapped(9, (1, 2), " "),
        TablesRepaired(9, (1,), ((1, 2),), ((1, 2),), "repair@2", " "),
        ActWithdrawn(99, " "),
        ListCorrected(1, 1, "", " "),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_reason_is_asked_for_whatever_else_is_wrong(event: Event) -> None:
    """Who mends what an event names is not refused a second time for the reason."""
    day = Day(4)
    day.start(2)
    said = day.refused_event(event).split("; ")
    assert ["needs a reason" in each for each in said].count(True) == 1
    assert len(said) > 1
