"""Who is not paired again: how far back the ban reaches, and what a no-show counts for it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger.facts.base import Waiver
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Stage
from ledger.lines.line import decode
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import RejoinPlayer
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound, SwapSeats, UnpairRound
from ledger.rulesets import load, parse
from ledger.rulesets.structures import Rematch
from projections.audit.report import audit_of
from projections.explain.pairings import meeting
from projections.verification import rederive
from tests.projections.explain.test_explain_pairings import log_of
from tests.support.forging import against, pairing
from tests.support.sample_days import edition_of
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from tests.support.cli_desk import Desk

FIRST_L5R = edition_of("l5r/library-night-12")
FIRST_ASHES = edition_of("ashes/cinder-bracket-20")

Games = tuple[tuple[int, int], ...]


def pairs(day: Day, number: int) -> set[frozenset[int]]:
    """Who met in a round."""
    return {frozenset(m.players) for m in day.tournament.rounds[number - 1].matches if not m.is_bye}


def last_pairing(log: list[Recorded]) -> RoundPaired:
    events = [each.event for each in log if isinstance(each.event, RoundPaired)]
    return events[-1]


def found(day: Day) -> dict[str, str]:
    """The kinds of findings, each with its clause."""
    from projections.audit.findings import kind_in  # noqa: PLC0415 - beside its use

    rules = day.tournament.ruleset
    audit = audit_of(map(decode, day.lines))
    return {each.kind: kind_in(each.kind, rules).clause for each in audit.findings}


def play_round(day: Day, chance: random.Random) -> None:
    """Somebody falls at every table."""
    facts = {"wounds": (9, 9)}
    for match in list(open_matches_of(day)):
        fell = chance.choice([(0, 1), (1, 0)])
        day.do(
            Report(
                match.number, StatedResult(facts=facts | {"destroyed": fell}, ending="destroyed")
            )
        )
    day.do(CloseRound())


def test_what_the_shipped_files_say() -> None:
    """FFG-REMATCH, AOP-PAIR; a text without the table is read as before it was there."""
    ban = {
        key: load(key).ruleset.rematch for key in ("ashes", "l5r", "legion", "runewars", "swiss")
    }
    paired = Rematch("FFG-REMATCH", "stage", "counts")
    assert ban["l5r"] == ban["legion"] == ban["runewars"] == paired
    assert ban["ashes"] == Rematch("AOP-PAIR", "tournament", "free")
    before = Rematch("FFG-REMATCH", "stage", "free")
    assert ban["swiss"] == parse(FIRST_L5R).rematch == parse(FIRST_ASHES).rematch == before


@pytest.mark.parametrize("seed", range(12))
def test_nobody_meets_twice_on_two_days_of_ashes(seed: int) -> None:
    """AOP-PAIR: in no Swiss stage, whoever goes on to the second; the bracket is exempt."""
    chance = random.Random(seed)
    day = Day(10, ruleset="ashes", number=f"{seed:032x}")
    bracket = Stage("single", entry="top", size=4)
    day.start(3, Stage("swiss", 2, "top", 8, carries=True), bracket)
    for number in range(1, 6):
        if number == 4:
            day.do(MakeCut())
        day.do(PairRound())
        play_round(day, chance)
    met = [pair for number in range(1, 6) for pair in pairs(day, number)]
    assert len(met) == len(set(met)) == 3 * 5 + 2 * 4
    day.do(MakeCut())
    day.do(PairRound())
    assert last_pairing(day.log).waiver is None


def test_the_bracket_of_ashes_repeats_what_the_swiss_had() -> None:
    """AOP-PAIR, AOP-SEED: four who have all met; the bracket pairs them without a waiver."""
    day = Day(4, ruleset="ashes")
    day.start(3, Stage("single", entry="top", size=4))
    chance = random.Random(4)
    for _ in range(3):
        day.do(PairRound())
        play_round(day, chance)
    day.do(MakeCut())
    day.do(PairRound())
    assert pairs(day, 4) < pairs(day, 1) | pairs(day, 2) | pairs(day, 3)
    assert last_pairing(day.log).waiver is None
    assert "rematch" not in found(day)


def second_day(ruleset: str) -> tuple[Day, Games]:
    """Four players, a stage of one round, a stage to come; and how they met."""
    day = Day(4, ruleset=ruleset)
    day.start(1, Stage("swiss", 1))
    day.pair()
    games = tuple((match.first, match.second) for match in day.matches())
    play_round(day, random.Random(1))
    return day, games


def test_a_second_meeting_on_the_second_day_takes_a_waiver() -> None:
    """AOP-PAIR: by its own clause; a log of the first edition pairs as it did."""
    day, games = second_day("ashes")
    assert "(AOP-PAIR)" in against(day, pairing(day, *games, stage=2))
    foreign = Waiver(("FFG-REMATCH",), "all there is")
    assert "AOP-PAIR" in against(day, pairing(day, *games, stage=2, waiver=foreign))
    day.do(PairRound(games, "they asked", allow_rematch=True))
    assert last_pairing(day.log).waiver == Waiver(("AOP-PAIR",), "they asked")
    assert found(day)["rematch"] == "AOP-PAIR"
    day, games = second_day(FIRST_ASHES)
    assert against(day, pairing(day, *games, stage=2)) == ""


def no_shows(ruleset: str = "l5r", players: int = 4) -> tuple[Day, Games]:
    """A round in which the second player of every table did not come, and all are back."""
    day = Day(players, ruleset=ruleset)
    day.start(5)
    day.pair()
    games = tuple((match.first, match.second) for match in day.matches() if not match.is_bye)
    for match in list(open_matches_of(day)):
        day.do(Report(match.number, StatedResult(absent=(match.second,))))
    day.do(CloseRound())
    for _, absent in games:
        day.do(RejoinPlayer(absent))
    return day, games


def test_a_pairing_with_a_no_show_counts_where_it_can() -> None:
    """FFG-REMATCH: two rounds of four are without it; the next repeats it, and waives nothing."""
    day, games = no_shows()
    vain = {frozenset(game) for game in games}
    for number in (2, 3):
        day.do(PairRound())
        assert not pairs(day, number) & vain
        day.report_all()
        day.do(CloseRound())
    day.do(PairRound())
    assert pairs(day, 4) == vain
    assert last_pairing(day.log).waiver is None
    assert found(day).get("paired-again") == "FFG-REMATCH"
    assert "rematch" not in found(day)
    told = meeting(day.tournament, day.matches()[0], log_of(day))
    assert (told.rematch, told.paired_again, told.least_gap) == (False, True, told.gap)
    day.report_all()
    day.do(CloseRound())
    assert "without a rematch" in day.refused(PairRound())  # now all have played all
    key = day.context.shuffle_key.hex()
    assert rederive(lambda: day.lines, key).checked["draws"] == 4 + 1


def test_by_hand_it_takes_a_waiver_as_long_as_it_counts() -> None:
    """FFG-REMATCH: refused with its way out; on record with it; admitted where no round is left."""
    day, games = no_shows()
    told = day.refused(PairRound(games, "they asked"))
    assert "have already been paired (FFG-REMATCH) [" in told
    day.do(PairRound(games, "they asked", allow_rematch=True))
    assert last_pairing(day.log).waiver == Waiver(("FFG-REMATCH",), "they asked")
    assert found(day)["rematch"] == "FFG-REMATCH"
    day.do(UnpairRound("not so"))
    for _ in (2, 3):
        day.do(PairRound())
        day.report_all()
        day.do(CloseRound())
    day.do(PairRound(games, "they asked"))
    assert last_pairing(day.log).waiver is None


def test_a_swap_into_it_takes_a_waiver() -> None:
    """FFG-REMATCH: as a swap into a rematch does."""
    day, games = no_shows()
    (one, other), (third, fourth) = games
    day.do(PairRound(((one, third), (other, fourth)), "kept apart"))
    told = day.refused(SwapSeats((third, other), "they asked"))
    assert "have already been paired (FFG-REMATCH) [" in told
    day.do(SwapSeats((third, other), "they asked", allow_rematch=True))
    assert pairs(day, 2) == {frozenset(game) for game in games}
    assert found(day)["rematch"] == "FFG-REMATCH"


def test_the_first_edition_pairs_as_it_did() -> None:
    """A pairing with a no-show is no meeting there, and needs no waiver."""
    day, games = no_shows(FIRST_L5R)
    day.do(PairRound(games, "they asked"))
    assert last_pairing(day.log).waiver is None
    assert not {"rematch", "paired-again"} & found(day).keys()


def test_a_bye_is_passed_over_for_it() -> None:
    """FFG-REMATCH before FFG-BYE-LATER, as for a meeting: two of three are kept apart."""
    day, games = no_shows(players=3)
    ((one, other),) = games
    day.do(PairRound())
    assert frozenset((one, other)) not in pairs(day, 2)


@pytest.mark.parametrize("verb", ["pair", "swap"])
def test_a_second_bye_by_hand_says_how_it_is_waived(verb: str) -> None:
    """FFG-BYE-LATER: the refusal names the option, and the option does it."""
    day = Day(5)
    day.start(4)
    bye = next(match.first for match in day.pair() if match.is_bye)
    day.report_all()
    day.do(CloseRound())
    by_hand: Command = PairRound(((bye, 0),), "asked for a rest")
    allowed: Command = PairRound(((bye, 0),), "asked for a rest", allow_rematch=True)
    if verb == "swap":
        day.do(PairRound())
        holder = next(match.first for match in day.matches() if match.is_bye)
        by_hand = SwapSeats((bye, holder), "asked for a rest")
        allowed = SwapSeats((bye, holder), "asked for a rest", allow_rematch=True)
    assert "(FFG-BYE-LATER) [" in day.refused(by_hand)
    day.do(allowed)


@pytest.mark.slow
def test_a_ban_within_the_stage_is_not_typed_where_it_reaches_further(desk: Desk) -> None:
    """AOP-PAIR: what the ruleset bans is waived by a reason, not by an announcement."""
    desk.done("new", "Two days", "--ruleset", "ashes", "--organizer", "Olga")
    for name in ("Ann", "Bob", "Cid", "Dee"):
        desk.done("register", name)
    stages = ("--stage", "swiss 2", "--stage", "swiss 1 rematch stage")
    answer = desk.refused("start", "custom", *stages)
    assert answer.code == 2
    assert "(AOP-PAIR): omit `rematch stage`" in answer.err
    desk.done("start", "custom", "--stage", "swiss 2", "--stage", "swiss 1 rematch tournament")
