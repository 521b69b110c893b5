"""A fork is the day as it would have been: nothing for what is so, else the log of that day."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.errors import NotFound, Refused
from ledger.facts.elimination import CutMade
from ledger.facts.results import by_outcome
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Stage
from ledger.fold import fold
from ledger.forks import Left, OtherResult, Stayed, fork
from ledger.rules.clock import CallTime
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.rulesets import load
from ledger.tournament import progress
from projections.standings.table import ranking, standings
from projections.whatif import alternatives, every_outcome, what_if
from projections.whatif.alternatives import repeat_decisions
from projections.whatif.outcomes import considered
from tests.support.examples import seeds
from tests.support.simulate import OUTCOMES, Day, play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.facts.shared import Result
    from ledger.forks import Fact
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command, Context
    from ledger.tournament.state import Stage as State
    from ledger.tournament.state import Tournament
    from projections.whatif.alternatives import Originals, Repeats

WORDS = {"l5r": OUTCOMES, "swiss": ("win", "loss", "draw")}
RULESETS = (*WORDS, "mtg", "xwing2", "ashes", "legion", "netrunner", "runewars")


def told(ruleset: str, match: int, chance: random.Random) -> Command:
    """A random report."""
    if ruleset in WORDS:
        return Report(match, StatedResult(chance.choice(WORDS[ruleset])))
    return _command(ruleset, match, chance.choice(considered(load(ruleset).ruleset)))


def plain_day(seed: int, players: int, ruleset: str = "l5r") -> Day:
    """Four rounds and a cut to four, with departures between the rounds and nothing else."""
    chance = random.Random(seed)
    day = Day(players, ruleset=ruleset, shuffle_key=seed.to_bytes(32, "big"))
    day.start(4, Stage("single", entry="top", size=4))
    for number in range(1, 5):
        paired = day.pair()
        day.do(StartRound())
        if ruleset == "ashes":
            day.do(CallTime())
        for match in paired:
            if match.is_open:
                day.do(told(ruleset, match.number, chance))
        day.do(CloseRound())
        if number == 2 and players % 2:  # the field is even from here on
            day.do(DropPlayer(chance.randrange(1, players + 1)))
    day.do(MakeCut())
    return day


class Otherwise:
    """The same day, played again by the same commands with some facts told otherwise.

    The tables are set by hand as they were; `drawn` are the rounds that the key would have given.
    """

    def __init__(
        self, day: Day, results: dict[int, Result], leaving: dict[int, int], ruleset: str
    ) -> None:
        self.drawn: dict[int, RoundPaired] = {}
        self.day = Day(
            len(day.tournament.players) - 1,
            ruleset=ruleset,
            shuffle_key=day.context.shuffle_key,
        )
        self.day.start(4, Stage("single", entry="top", size=4))
        for played in day.tournament.rounds:
            gone = {player for player, after in leaving.items() if after < played.number}
            games = [(match.first, match.second) for match in played.matches]
            self._pair([_seated(game, gone) for game in games])
            self.day.do(StartRound())
            if ruleset == "ashes":
                self.day.do(CallTime())
            for match in self.day.matches():
                if match.is_open:
                    result = results.get(match.number, day.tournament.matches[match.number].result)
                    assert result is not None
                    self.day.do(_command(ruleset, match.number, result))
            self.day.do(CloseRound())
            for player, after in leaving.items():
                if after == played.number:
                    self.day.do(DropPlayer(player))
            self._drops(day, played.number, set(leaving))
        done = self.day.do(MakeCut())
        (self.cut,) = (each.event for each in done if isinstance(each.event, CutMade))

    def _pair(self, games: list[tuple[int, int]]) -> None:
        before = list(self.day.log)
        for each in self.day.do(PairRound()):
            if isinstance(each.event, RoundPaired):
                self.drawn[each.event.round] = each.event
        self.day.log[:] = before
        self.day.tournament = fold(before)
        self.day.do(PairRound(tuple(games), "as it was", allow_rematch=True))

    def _drops(self, day: Day, number: int, known: set[int]) -> None:
        for player in day.tournament.registered():
            sat = [p.number for p in day.tournament.rounds if p.seqs[player.number]]
            left = player.status == "dropped" and player.number not in known
            if left and max(sat) == number:
                self.day.do(DropPlayer(player.number))


def _seated(game: tuple[int, int], gone: set[int]) -> tuple[int, int]:
    here = [player for player in game if player and player not in gone]
    return (here[0], here[1]) if len(here) == 2 else (here[0], 0)


def _command(ruleset: str, match: int, result: Result) -> Command:
    if result.facts or result.ending:
        return Report(
            match, StatedResult(facts=result.facts, ending=result.ending, unknown="not noted")
        )
    if load(ruleset).ruleset.scoring.kind == "reported":
        return Report(match, StatedResult(points=result.points))
    return Report(match, StatedResult(result.outcomes[0]))


def check_against(day: Day, facts: list[Fact], other: Otherwise) -> None:
    """The fork, its standings, rounds and cut are those of the day on which it was so."""
    found = what_if(day.log, facts, day.context)
    forked = fork(day.log, facts).tournament
    assert standings(forked).rows == standings(other.day.tournament).rows
    assert ranking(forked) == ranking(other.day.tournament)
    would_be = {later.round: later for later in found.rounds}
    for played in day.tournament.rounds:
        made = day.log[played.paired_seq - 1].event
        assert isinstance(made, RoundPaired)
        drawn = other.drawn[played.number].games
        if drawn == made.games:
            assert played.number not in would_be
        else:
            assert would_be[played.number].would_be == drawn
            assert would_be[played.number].byes[1] == max(
                (max(game) for game in drawn if 0 in game), default=0
            )
    (made_cut,) = (each.event for each in day.log if isinstance(each.event, CutMade))
    cut = next((each.would_be for each in found.cuts), made_cut.seeds)
    assert cut == other.cut.seeds


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", seeds(4))
def test_another_result_is_the_day_on_which_it_was_so_from_the_start(
    seed: int, ruleset: str
) -> None:
    chance = random.Random(f"other {seed}")
    day = plain_day(seed, chance.randrange(8, 20), ruleset)
    matches = [match for match in day.tournament.matches[1:] if match.result]
    results: dict[int, Result] = {}
    for match in chance.sample(matches, 1 + seed % 3):
        other = chance.choice([each.result for each in matches if each.result])
        assert other is not None
        results[match.number] = other
    facts: list[Fact] = [OtherResult(number, result) for number, result in results.items()]
    check_against(day, facts, Otherwise(day, results, {}, ruleset))


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(8))
def test_a_departure_is_the_day_on_which_they_left(seed: int) -> None:
    chance = random.Random(f"left {seed}")
    day = plain_day(seed, 2 * chance.randrange(5, 10))
    player, after = chance.randrange(1, len(day.tournament.players)), chance.randrange(1, 5)
    check_against(day, [Left(player, after)], Otherwise(day, {}, {player: after}, "l5r"))


def test_who_stayed_is_as_if_they_had_not_dropped() -> None:
    day = plain_day(3, 9)
    (gone,) = (each for each in day.tournament.registered() if each.status == "dropped")
    found = fork(day.log, [Stayed(gone.number)])
    assert found.tournament.players[gone.number].status in {"active", "cut"}
    assert len(found.log) == len(day.log) - 1
    drawn = what_if(day.log, [Stayed(gone.number)], day.context).rounds
    assert [later.round for later in drawn] == [3, 4]
    assert all(gone.number in {p for g in later.would_be for p in g} for later in drawn)
    assert all(later.byes[1] for later in drawn)  # nine players: one has a bye again


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(15))
def test_what_really_happened_gives_no_difference(seed: int) -> None:
    day = play(seed, 6 + seed, rounds=4, cut=4 if seed % 2 else 0)
    matches = [match for match in day.tournament.matches if match.result and not match.void]
    facts: list[Fact] = [OtherResult(match.number, match.result) for match in matches]
    found = what_if(day.log, facts, day.context)
    assert not found
    assert fork(day.log, facts).log == day.log


def test_who_dropped_after_a_round_may_be_told_again() -> None:
    day = plain_day(3, 9)
    (gone,) = (each for each in day.tournament.registered() if each.status == "dropped")
    assert not what_if(day.log, [Left(gone.number, 2)], day.context)
    assert what_if(day.log, [Left(gone.number, 1)], day.context)
    assert what_if(day.log, [Left(gone.number, 2, disqualified=True)], day.context)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(20))
def test_any_fact_of_any_day_is_answered_or_refused(seed: int) -> None:
    """Drops, returns, corrections, replacements and brackets: the fork always folds."""
    chance = random.Random(f"any {seed}")
    day = play(seed, chance.randrange(5, 26), rounds=3, cut=chance.choice([0, 4]))
    before = list(day.log)
    answered = 0
    for _ in range(30):
        facts = [_any_fact(day, chance) for _ in range(chance.randrange(1, 4))]
        try:
            what_if(day.log, facts, day.context)
            answered += 1
        except (Refused, NotFound):
            pass
    assert day.log == before
    assert answered > 5


def _any_fact(day: Day, chance: random.Random) -> Fact:
    player = chance.randrange(1, len(day.tournament.players))
    match chance.randrange(4):
        case 0:
            number = chance.randrange(1, len(day.tournament.matches))
            return OtherResult(number, by_outcome(day.tournament.ruleset, chance.choice(OUTCOMES)))
        case 1:
            return OtherResult(chance.randrange(1, len(day.tournament.matches)), None)
        case 2:
            after = chance.randrange(len(day.tournament.rounds) + 1)
            return Left(player, after, chance.random() < 0.3)
        case _:
            return Stayed(player)


def test_a_corrected_result_is_replaced_where_it_was_corrected() -> None:
    day = plain_day(5, 8)
    match = next(each for each in day.tournament.matches if each.result and each.round == 2)
    assert match.result is not None
    rules = day.tournament.ruleset
    outcomes = [each for each in OUTCOMES if each != match.result.outcomes[0]]
    day.do(Correct(match.number, StatedResult(outcomes[0]), "the slip said so"))
    last = day.log[-1]
    found = fork(day.log, [OtherResult(match.number, by_outcome(rules, outcomes[-1]))])
    assert [each.seq for each in found.log] == [each.seq for each in day.log]
    assert found.tournament.matches[match.number].result_seq == last.seq
    assert found.tournament.matches[match.number].result == by_outcome(rules, outcomes[-1])
    # What was believed before stays: nothing later was drawn on the correction.
    facts: list[Fact] = [OtherResult(match.number, by_outcome(rules, outcomes[-1]))]
    assert not what_if(day.log, facts, day.context).rounds
    gone = fork(day.log, [OtherResult(match.number, None)])
    assert gone.tournament.matches[match.number].result is None


WIN = by_outcome(load("l5r").ruleset, "win")
LOSS = by_outcome(load("l5r").ruleset, "loss")
UNKNOWN = replace(WIN, outcomes=("win by a mile", "loss by a mile"))


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ([OtherResult(1, None), OtherResult(1, LOSS)], "two results"),
        ([Left(1, 1), Left(1, 2)], "two departures"),
        ([Stayed(1)], "player 1 has not left"),
        ([Left(1, 9)], "round 9 has not been played"),
        ([OtherResult(1, UNKNOWN)], "has no outcome"),
        ([OtherResult(1, replace(WIN, points=(9, 1)))], "is worth 10:1"),
    ],
)
def test_what_can_not_have_been_is_refused(facts: list[Fact], why: str) -> None:
    with pytest.raises(Refused, match=why):
        fork(plain_day(5, 8).log, facts)


def test_nobody_plays_after_leaving() -> None:
    day = plain_day(5, 8)
    match = next(each for each in day.tournament.matches if each.result and each.round == 3)
    facts: list[Fact] = [Left(match.first, 1), OtherResult(match.number, None)]
    with pytest.raises(Refused, match="cannot have left after round 1"):
        fork(day.log, facts)


def test_a_match_that_never_was_is_not_found() -> None:
    day = plain_day(5, 8)
    facts: list[Fact] = [OtherResult(999, None), Left(99, 1), Stayed(99)]
    for fact in facts:
        with pytest.raises(NotFound):
            fork(day.log, [fact])


def test_without_the_key_only_the_bye_and_the_gap_are_told() -> None:
    """A foreign draw can not be repeated; what it had to reach can be found."""
    day = plain_day(7, 9)
    keyless = type(day.context)(ranking, b"", "test")
    match = next(each for each in day.tournament.matches if each.result and each.round == 1)
    assert match.result is not None
    other = "loss" if match.result.outcomes[0] == "win" else "win"
    facts: list[Fact] = [OtherResult(match.number, by_outcome(day.tournament.ruleset, other))]
    with_key = {each.round: each for each in what_if(day.log, facts, day.context).rounds}
    without = what_if(day.log, facts, keyless).rounds
    assert without
    for later in without:
        assert not later.would_be
        if later.round in with_key:
            assert later.byes == with_key[later.round].byes
            assert later.gaps == with_key[later.round].gaps


def test_a_round_looks_up_what_was_played_before_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everyone's points cost a pass over the rounds: one for each, in log and fork."""
    day = plain_day(3, 12)
    first = day.tournament.rounds[0].matches[0]
    looked_up = []
    counted_rounds = progress.counted_rounds

    def counted(tournament: Tournament, stage: State) -> list[int]:
        looked_up.append(len(tournament.rounds) + 1)
        return counted_rounds(tournament, stage)

    monkeypatch.setattr(progress, "counted_rounds", counted)
    what_if(day.log, [OtherResult(first.number, None)], day.context)
    assert looked_up == [2, 3, 4, 2, 3, 4]


def test_the_log_is_decided_anew_once_for_all_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    day = plain_day(3, 12)
    first = day.tournament.rounds[0].matches[0]
    results = considered(day.tournament.ruleset)
    decided = []

    def counted(log: Sequence[Recorded], made: Originals, context: Context) -> Repeats:
        decided.append(log)
        return repeat_decisions(log, made, context)

    monkeypatch.setattr(alternatives, "repeat_decisions", counted)
    found = every_outcome(day.log, first.number, day.context)
    assert [result for result, _ in found] == results
    assert [otherwise for _, otherwise in found] == [
        what_if(day.log, [OtherResult(first.number, result)], day.context) for result in results
    ]
    one_by_one = 2 * len(results)
    assert sum(log is day.log for log in decided[:-one_by_one]) == 1
