"""Who overrules the documents, and who imposes results and penalties, in each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.facts.results import ResultReported, ended_by
from ledger.facts.shared import Stage
from ledger.rules.disputes import Appeal, CarryOut
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.office import Penalize, Rule
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.results import Correct, Report, StatedResult
from projections.standings.bracket import finishing_order, winner
from tests.support.simulate import Day, game_in_play
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.facts.base import Role


def duel(day: Day, one: int, other: int) -> int:
    """Pair these two at table 1; the number of their match."""
    day.do(PairRound(((one, other),), "a test"))
    return day.matches()[0].number


def test_aop_rulebook_and_ffg_overrule() -> None:
    """AOP-RULEBOOK: nobody overrules the documents; FFG-OVERRULE: a marshal does, and at once."""
    day = Day(4, ruleset="ashes")
    day.start(2)
    match = duel(day, 1, 2)
    mistake = Rule(1, "the card is right", match, overrules="the FAQ contradicts itself")
    assert "AOP-RULEBOOK" in day.refused(mistake)
    other = Day(4)
    judge, marshal = appoint(other, "Jun", "judge"), appoint(other, "Mara", "marshal")
    other.start(2)
    match = duel(other, 1, 2)
    for official in (1, judge):
        wrong = Rule(official, "the card is right", match, overrules="a misprint")
        assert "FFG-OVERRULE" in other.refused(wrong, by=f"o{official}")
    assert "FFG-ROLE-JUDGE" in other.refused(Rule(marshal, "x", match), by=f"o{marshal}")
    at_once = Rule(marshal, "the card is right", match, overrules="a misprint")
    seq = other.do(at_once, by=f"o{marshal}")[0].seq
    assert other.tournament.floor.rulings[-1].final
    assert "is final" in other.refused(Appeal(seq), by="p1")


def test_who_imposes_a_result() -> None:
    """AOP-DECLARE, FFG-AUTH-CONDUCT: by report, correction, ruling and penalty alike."""
    for game, clause in (("ashes", "AOP-DECLARE"), ("l5r", "FFG-AUTH-CONDUCT")):
        helping: Role = "co-organizer" if game == "ashes" else "marshal"
        day = Day(4, ruleset=game)
        keeper, helper = appoint(day, "Sam", "scorekeeper"), appoint(day, "Mara", helping)
        may, may_not = (1, helper) if game == "ashes" else (helper, 1)
        day.start(2)
        match = duel(day, 1, 2)
        in_play = game_in_play(game)
        lost = ended_by(day.tournament.ruleset, "forfeited", first=True, facts=in_play)
        report = StatedResult("loss", facts=in_play, ending=lost.ending)
        for official in (keeper, may_not):
            by = f"o{official}"
            assert clause in day.refused(Report(match, report), by=by)
            order = Penalize(1, "match loss", "cheated", facts=in_play)
            assert clause in day.refused(order, by=by)
            assert clause in day.refused(Penalize(1, "warning", "slow"), by=by)
        assert clause in day.refused_event(ResultReported(match, lost), by="p2")
        seen = {"wounds": (25, 3)} if game == "ashes" else None
        day.do(Report(match, StatedResult("win", facts=seen)))
        correct = Correct(match, report, "cheated")
        assert clause in day.refused(correct, by=f"o{keeper}")
        decides = Rule(helper, "cheated", match, decides=report)
        if game == "ashes":
            assert clause in day.refused(decides, by=f"o{helper}")
            decides = Rule(1, "cheated", match, decides=report)
        day.do(decides, by=f"o{may}")
        if game == "l5r":
            ruling = day.tournament.floor.rulings[-1].seq
            day.do(CarryOut(ruling), by=f"o{keeper}")  # as it was ruled
        assert day.tournament.matches[match].result == lost


def test_who_lets_a_rematch_through() -> None:
    """FFG-REMATCH, FFG-BYE-LATER: the organizer overrides; AOP-PAIR: and alone sets tables."""
    for game, clause in (("ashes", "AOP-PAIR"), ("l5r", "FFG-REMATCH")):
        day = Day(4, ruleset=game)
        keeper = f"o{appoint(day, 'Sam', 'scorekeeper')}"
        day.start(3)
        duel(day, 1, 2)
        for match in day.matches():
            day.do(Penalize(match.second, "match loss", "a test", facts=game_in_play(game)))
        again = PairRound(((1, 2),), "they asked for it", allow_rematch=True)
        assert clause in day.refused(again, by=keeper)
        if game == "ashes":
            assert clause in day.refused(PairRound(((1, 3),), "fairer"), by=keeper)
        day.do(again)


def test_a_champion_who_is_disqualified_after_the_end() -> None:
    """FFG-AUTH-DQ, FFG-WINNER: a reading; the places move up, and no game is decided again."""
    day = Day(4)
    day.start(1, Stage("single", 0, "top", 4))
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    day.report_all()
    day.do(MakeCut())
    for _ in range(2):
        day.pair()
        day.report_all()
    day.do(FinishTournament())
    champion, finalist, *others = [each.player for each in finishing_order(day.tournament)]
    assert winner(day.tournament) == champion
    day.do(DisqualifyPlayer(champion, "two decks"))
    after = [(each.rank, each.player) for each in finishing_order(day.tournament)]
    assert after == [(1, finalist), (2, others[0]), (3, others[1]), (4, champion)]
    assert winner(day.tournament) == finalist
    assert "champion disqualified" in [each.name for each in day.tournament.ruleset.readings]
