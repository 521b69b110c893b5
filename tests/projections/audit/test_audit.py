"""What an audit finds: each kind once where it is, and not where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.facts.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.facts.rounds import TablesRepaired
from ledger.facts.shared import Stage
from ledger.lines.line import decode
from ledger.lines.recorded import record
from ledger.rules.clock import ExtendRound, PauseRound, ResumeRound
from ledger.rules.disputes import Appeal, ConfirmResult, DisputeResult, WithdrawDispute
from ledger.rules.elimination import FinishTournament, MakeCut, TakeBackCut
from ledger.rules.office import LinkOfficial, Rule
from ledger.rules.opening import ChangeStructure
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    AmendPlayer,
    DropPlayer,
    Entry,
    RegisterPlayers,
    RejoinPlayer,
)
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound, SwapSeats, UnpairRound
from ledger.rules.undo import Undo
from projections.audit.findings import KINDS, SLOW_MINUTES, findings_of
from projections.audit.report import audit_as_json, audit_of
from tests.support.days.confirmed_days import confirmed_day
from tests.support.simulate import Day, play
from tests.support.staff import appoint

if TYPE_CHECKING:
    from projections.audit.findings import AuditFinding
    from projections.audit.report import Audit


def audited(day: Day) -> Audit:
    return audit_of(map(decode, day.lines))


def found(day: Day, kind: str) -> list[AuditFinding]:
    return [each for each in audited(day).findings if each.kind == kind]


def started(players: int = 4, rounds: int = 3, *further: Stage) -> Day:
    day = Day(players)
    day.start(rounds, *further)
    day.do(PairRound())
    return day


def test_a_day_by_the_book_has_no_finding() -> None:
    day = started(5, 2)
    for _ in range(2):
        day.report_all()
        day.do(CloseRound() if len(day.tournament.rounds) == 2 else PairRound())
    day.do(FinishTournament())
    assert audited(day).findings == []
    assert audited(day).tournament == day.tournament


def test_a_rematch_and_tables_by_hand() -> None:
    day = started()
    pairs = tuple(match.players for match in day.matches())
    day.report_all()
    again = tuple((one, other) for one, other in pairs)
    day.do(PairRound(again, "a show match", allow_rematch=True))
    (by_hand,) = found(day, "by-hand")
    assert (by_hand.tables, by_hand.reason, by_hand.round) == (2, "a show match", 2)
    assert {each.players for each in found(day, "rematch")} == set(again)
    other = started()
    one, two = (match.players for match in other.matches())
    other.report_all()
    other.do(PairRound(((one[0], two[0]), (one[1], two[1])), "by the judge"))
    assert found(other, "by-hand")
    assert not found(other, "rematch")


def test_a_swap_that_makes_a_rematch() -> None:
    day = started()
    one, two = (match.players for match in day.matches())
    day.report_all()
    day.do(PairRound(((one[0], two[0]), (one[1], two[1])), "by the judge"))
    day.do(SwapSeats((two[0], one[1]), "one car", allow_rematch=True))
    assert {frozenset(each.players) for each in found(day, "rematch")} == {
        frozenset(one),
        frozenset(two),
    }
    (swap,) = found(day, "swap")
    assert swap.reason == "one car"
    plain = started()
    first, second = (match.players for match in plain.matches())
    plain.do(SwapSeats((first[0], second[0]), "one car"))
    assert found(plain, "swap")
    assert not found(plain, "rematch")


def test_a_second_bye() -> None:
    day = started(5)
    bye = next(match.first for match in day.matches() if match.is_bye)
    day.report_all()
    day.do(PairRound(((bye, 0),), "they asked", allow_rematch=True))
    (second,) = found(day, "second-bye")
    assert second.players == (bye,)
    fair = started(5)
    fair.report_all()
    fair.do(PairRound())
    assert not found(fair, "second-bye")


def test_a_pairing_taken_back_and_drawn_again() -> None:
    day = started()
    assert not found(day, "unpaired")
    day.do(UnpairRound("a name was missing"))
    day.do(PairRound())
    (taken,), (again,) = found(day, "unpaired"), found(day, "re-paired")
    assert (taken.reason, taken.seqs[0] + 1) == ("a name was missing", again.seqs[0])


def test_a_result_edited_after_the_next_round_was_paired_and_behind_the_cut() -> None:
    day = started(4, 1, Stage("single", entry="top", size=2))
    match = day.matches()[0]
    day.report_all()
    change = Correct(match.number, StatedResult("loss"), "misread")
    day.do(change)
    assert not found(day, "late-edit")
    day.do(MakeCut())
    day.do(Correct(match.number, StatedResult("win"), "read again"))
    assert not found(day, "cut-edit")
    day.do(PairRound())
    early = day.do(change)[0].seq
    assert not found(day, "cut-edit")
    day.do(Correct(match.number, StatedResult("win"), "once more"))
    day.do(StartRound())
    seq = day.do(change)[0].seq
    late = found(day, "late-edit")[-1]
    (cut,) = found(day, "cut-edit")
    assert late.seqs == cut.seqs == (seq,)
    assert [each.seqs[0] for each in found(day, "late-edit")] == [early, early + 1, seq]
    assert (late.match, late.reason) == (match.number, "misread")


def test_corrections_and_whom_they_moved() -> None:
    day = started(4, 2)
    match = day.matches()[0]
    day.report_all()
    seq = day.do(Correct(match.number, StatedResult("loss"), "misread"))[0].seq
    (correction,) = audited(day).corrections
    assert (correction.seq, correction.reason, correction.ruling) == (seq, "misread", 0)
    moved = {move.player: move for move in correction.moved}
    assert moved[match.first].points == (10, 1)
    assert moved[match.second].points == (1, 10)
    ranks = [row.ranks for row in correction.moved]
    assert all(before != after for before, after in ranks)


def test_results_entered_by_who_plays() -> None:
    day = Day(4)
    appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    day.start(2)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    own, other = day.matches()
    day.report(other, "win")
    (plays,) = found(day, "plays")
    assert (plays.official, not found(day, "own-match")) == (1, True)
    day.report(own, "win")
    (mine,) = found(day, "own-match")
    assert mine.match == own.number
    assert not found(started(), "plays")


@pytest.mark.parametrize(
    ("ruleset", "severity", "clause"),
    [
        ("ashes", "notable", "AOP-ORGANIZER"),
        ("mtg", "notable", "MTG-PLAYING"),
        ("swiss", "notable", "PS-SCORE"),
        ("l5r", "breach", "FFG-LEADER-RULING"),
    ],
)
def test_a_playing_organizer_is_found_by_the_games_own_clause(
    ruleset: str, severity: str, clause: str
) -> None:
    """AOP-ORGANIZER: no breach where the game lets the organizer play; FFG-LEADER-RULING."""
    day = Day(4, ruleset=ruleset)
    if ruleset == "l5r":
        appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    day.start(2)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    own = day.matches()[0]
    facts = {"ashes": {"wounds": (3, 9), "destroyed": (1, 0)}, "mtg": {"games": (0, 2)}}
    if ruleset in facts:
        day.do(Report(own.number, StatedResult(facts=facts[ruleset])))
    else:
        day.report(own, "loss")
    read: Any = audit_as_json(audited(day))
    (mine,) = [each for each in read["findings"] if each["kind"] == "own-match"]
    assert (mine["severity"], mine["clause"]) == (severity, clause)


def test_a_clock_that_ran_backwards() -> None:
    day = started()
    assert not found(day, "clock")
    late = [msgspec.structs.replace(each) for each in day.log]
    for place in (4, 5):
        late[place] = msgspec.structs.replace(late[place], at="2026-03-14T08:00:00.000Z")
    read = audit_of(late)
    assert [each.seqs for each in read.findings if each.kind == "clock"] == [(5,), (6,)]
    assert read.findings[0].minutes == 30


def test_a_ruling_without_a_clause() -> None:
    day = started()
    day.do(Rule(1, "the card stays", 1, "L5R-TIME"))
    assert not found(day, "no-clause")
    seq = day.do(Rule(1, "so be it", 1))[0].seq
    (ruling,) = found(day, "no-clause")
    assert (ruling.seqs, ruling.official, ruling.reason) == ((seq,), 1, "so be it")


def test_a_late_confirmation() -> None:
    for acts, late in ((0, 0), (90, 1)):  # twenty seconds an act
        day = started()
        match = day.matches()[0]
        day.report(match)
        day._acts += acts
        day.do(ConfirmResult(match.number), by=f"p{match.second}")
        assert len(found(day, "slow")) == late


def test_disputes_open_and_gone_over() -> None:
    day = started(4, 2)
    match = day.matches()[0]
    day.report_all()
    assert not found(day, "open-dispute")
    day.do(DisputeResult(match.number, reason="no"), by=f"p{match.second}")
    (still,) = found(day, "open-dispute")
    assert (still.match, still.reason) == (match.number, "no")
    assert not found(day, "over-dispute")
    day.do(PairRound(reason="the hall closes", despite_dispute=True))
    (over,) = found(day, "over-dispute")
    assert over.reason == "the hall closes"
    day.do(Rule(1, "so it was", match.number, "FFG-RULING", stands=True))
    assert not found(day, "open-dispute")


def test_what_was_amended_and_what_the_clock_was_given() -> None:
    """FFG-CLOCK: what a judge who counts minutes, or a league that counts clans, asks first."""
    day = Day(4)
    day.do(AmendPlayer(1, faction="Crab"))
    day.start(2)
    day.do(PairRound())
    day.do(StartRound())
    assert not found(day, "amended")
    assert not found(day, "clock-stopped")
    day.do(AmendPlayer(2, faction="Lion", reason="read wrongly"))
    day.do(PauseRound("an alarm"))
    day.do(ResumeRound())
    day.do(ExtendRound(5, "the doors"))
    (amended,) = found(day, "amended")
    assert (amended.players, amended.reason) == ((2,), "read wrongly")
    assert [(each.round, each.reason) for each in found(day, "clock-stopped")] == [(1, "an alarm")]
    assert [(each.round, each.reason) for each in found(day, "round-extended")] == [
        (1, "the doors")
    ]


def test_comings_and_goings_and_changes() -> None:
    day = started(4, 2, Stage("swiss", 1))
    assert not found(day, "late-entry")
    day.do(RegisterPlayers((Entry("Late"),)))
    assert found(day, "late-entry")[0].players == (5,)
    match = day.matches()[0]
    day.report(match)
    assert not found(day, "taken-back")
    day.do(Undo())
    assert len(found(day, "taken-back")) == 1
    assert not found(day, "structure")
    day.do(ChangeStructure((Stage("swiss", 1), Stage("swiss", 1)), "the hall closes"))
    assert found(day, "structure")[0].reason == "the hall closes"
    day.do(DropPlayer(1))
    day.report_all()
    day.do(PairRound())
    assert not found(day, "late-return")
    day.report_all()
    day.do(CloseRound())
    day.do(RejoinPlayer(1, "missed the bus"))
    assert found(day, "late-return")[0].players == (1,)


def test_what_was_taken_back_or_opened_again() -> None:
    day = started()
    day.do(StartRound())
    begun = day.log[-1].seq
    day.do(Undo("too early"))
    assert [(each.seqs, each.reason) for each in found(day, "unsaid")] == [
        ((begun, begun + 1), "too early")
    ]
    match = day.matches()[0]
    day.report(match)
    day.do(ConfirmResult(match.number))
    day.do(Undo("another table"))
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    day.do(WithdrawDispute(match.number, "misread"))
    assert [each.match for each in found(day, "unsaid")] == [0, match.number, match.number]
    day.do(DropPlayer(4))
    day.do(Undo("player 3 meant it"))
    assert found(day, "unsaid")[-1].players == (4,)
    day.report_all()
    day.do(CloseRound())
    assert not found(day, "reopened")
    day.do(Undo("one more slip"))
    (opened,) = found(day, "reopened")
    assert (opened.round, opened.reason) == (1, "one more slip")


def test_a_cut_taken_back() -> None:
    day = started(4, 1, Stage("single", entry="top", size=2))
    day.report_all()
    day.do(CloseRound())
    day.do(MakeCut())
    assert not found(day, "cut-back")
    day.do(TakeBackCut("a result was misread"))
    assert [each.reason for each in found(day, "cut-back")] == ["a result was misread"]


def test_repaired_tables_and_the_bye_that_moved() -> None:
    repaired = []
    for seed in range(8):
        day = confirmed_day(seed, 9)
        done = [each for each in day.log if isinstance(each.event, TablesRepaired)]
        told = sorted(found(day, "repaired"), key=lambda each: each.seqs)
        assert [each.seqs for each in told] == [(each.seq,) for each in done]
        for finding, each in zip(told, done, strict=True):
            assert isinstance(each.event, TablesRepaired)
            seated = {player for game in each.event.games for player in game if player}
            assert (set(finding.players), finding.round) == (seated, each.event.round)
        repaired += done
    assert repaired


def test_keys_revoked_and_ends_lost() -> None:
    tournament = started().tournament
    for event, kind in (
        (KeyRevoked("ab", "stolen"), "key"),
        (ShuffleKeyReplaced("0" * 64, "a bad block"), "draw-key"),
        (HiddenKeyReplaced("0" * 64, "a bad block"), "hidden-key"),
        (ForkAccepted(3, "00", "an old disk"), "lost-end"),
    ):
        recorded = record(tournament.seq + 1, "x", "2026-03-14T09:00:00.000Z", "o1", event)
        (finding,) = findings_of(tournament, recorded, lambda _: "")
        assert (finding.kind, finding.reason) == (kind, event.reason)


def test_a_review_that_upholds_rests_on_the_clause_of_the_ruling() -> None:
    day = started()
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    match = day.matches()[0]
    day.report(match)
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    order = Rule(judge, "it stands", match.number, "FFG-RULING", stands=True)
    seq = day.do(order, by=f"o{judge}")[0].seq
    day.do(Appeal(seq), by=f"p{match.second}")
    review = Rule(marshal, "it does", match.number, reviews=seq, upheld=True)
    day.do(review, by=f"o{marshal}")
    assert not found(day, "no-clause")


def test_who_did_what_adds_up_and_every_simulated_day_is_read() -> None:
    for seed in range(6):
        day = play(seed, 14, rounds=4, cut=4, disputes=True)
        read = audited(day)
        assert read.tournament == day.tournament
        assert sum(each.types.total() for each in read.acts) == len(day.log)
        assert sum(each.acts for each in read.acts) == len({each.command_id for each in day.log})
        assert {each.kind for each in read.findings} <= set(KINDS)
        assert len(read.corrections) == read.acts[0].types["ResultCorrected"]
        told = msgspec.json.decode(msgspec.json.encode(audit_as_json(read)))
        assert [each["seqs"] for each in told["findings"]] == [
            list(each.seqs) for each in read.findings
        ]


def test_what_counts_as_late_is_said() -> None:
    assert f" {SLOW_MINUTES} minutes" in KINDS["slow"].meaning
