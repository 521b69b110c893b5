"""Runewars, Ashes and Legion: structures at both edges of every row, clocks, byes, whole days."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger.facts.elimination import CutMade
from ledger.facts.shared import StructureAnnounced
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.rulesets import load
from ledger.tournament.progress import next_stage
from projections.standings.bracket import finishing_order
from projections.standings.table import standings
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.rulesets import StructureKind

ENDLESS = 8_000

BANDS: dict[tuple[str, StructureKind], list[tuple[int, int, int, int]]] = {
    ("runewars", "basic"): [(4, 8, 2, 0), (9, 32, 3, 0), (33, 48, 4, 0), (49, ENDLESS, 5, 0)],
    ("runewars", "advanced"): [
        (9, 28, 3, 0), (29, 44, 4, 2), (45, 90, 5, 2), (91, ENDLESS, 5, 4),
    ],
    ("ashes", "basic"): [(4, 8, 3, 0), (9, 16, 4, 0), (17, 32, 5, 0), (33, ENDLESS, 6, 0)],
    ("ashes", "advanced"): [
        (4, 8, 3, 0), (9, 16, 4, 0), (17, 32, 4, 4), (33, 76, 5, 8), (77, ENDLESS, 6, 8),
    ],
    ("legion", "basic"): [(4, 8, 2, 0), (9, 32, 3, 0), (33, 48, 4, 0), (49, ENDLESS, 5, 0)],
    ("legion", "advanced"): [
        (9, 24, 3, 2), (25, 44, 4, 2), (45, 90, 5, 2), (91, ENDLESS, 5, 4),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("key", "kind"), BANDS)
def test_both_edges_of_every_band(key: str, kind: StructureKind) -> None:
    """RW-BASIC, RW-ADVANCED, SWL-BASIC, SWL-ADVANCED, AOP-ROUNDS, AOP-BRACKET."""
    ruleset = load(key).ruleset
    rows = BANDS[key, kind]
    assert ruleset.structure(kind, rows[0][0] - 1) is None
    for low, high, rounds, cut in rows:
        for players in (low, high):
            band = ruleset.structure(kind, players)
            assert band is not None
            assert (band.rounds, band.cut) == (rounds, cut)


@pytest.mark.parametrize(
    ("kind", "players", "rounds", "cut", "allowed"),
    [
        ("basic", 33, 6, 0, True), ("basic", 33, 9, 0, True), ("basic", 33, 5, 0, False),
        ("basic", 32, 6, 0, False), ("advanced", 77, 6, 16, True), ("advanced", 77, 6, 8, True),
        ("advanced", 77, 7, 16, True), ("advanced", 77, 6, 4, False),
        ("advanced", 76, 5, 16, False), ("advanced", 76, 6, 8, True),
        ("advanced", 33, 4, 8, False),
    ],
)  # fmt: skip
def test_where_the_organizer_has_a_choice(
    kind: StructureKind, players: int, rounds: int, cut: int, *, allowed: bool
) -> None:
    """AOP-ROUNDS, AOP-BRACKET: at least six from 33 on; the bracket's rounds are minimums."""
    band = load("ashes").ruleset.structure(kind, players)
    assert band is not None
    assert band.allows(rounds, cut) == allowed


@pytest.mark.parametrize(
    ("key", "minutes"),
    [("runewars", (90, 90, 140)), ("ashes", (50, 50, 50)), ("legion", (120, 120, 210))],
)
def test_clocks(key: str, minutes: tuple[int, int, int]) -> None:
    """RW-CLOCK, AOP-CLOCK, SWL-CLOCK."""
    clock = load(key).ruleset.clock
    assert (clock.swiss, clock.elimination, clock.final) == minutes


FACTS: dict[str, Callable[[random.Random], dict[str, tuple[int, int]]]] = {
    "ashes": lambda chance: {"wounds": (chance.randrange(20), chance.randrange(20))},
    "runewars": lambda chance: {"score": (chance.randrange(150), 150 + chance.randrange(100))},
    "legion": lambda chance: {"tokens": (chance.randrange(3), 3)},
}


def play(key: str, players: int, kind: str, number: int = 1) -> Day:
    """A whole day by the ruleset's own table."""
    chance = random.Random(f"{key} {players} {number}")
    day = Day(players, ruleset=key, shuffle_key=number.to_bytes(32, "big"))
    day.do(StartTournament("advanced" if kind == "advanced" else "basic"))
    while (stage := next_stage(day.tournament)) is not None:
        if stage.number > 1 and not stage.cut_seq:
            day.do(MakeCut())
        day.do(PairRound())
        day.do(StartRound())
        for match in open_matches_of(day):
            facts = FACTS[key](chance)
            ending = "time" if key == "ashes" and stage.is_swiss and chance.random() < 0.3 else ""
            outcome = "win" if key == "ashes" and not ending else ""
            if ending:
                day.call_time(match.round)
            day.do(Report(match.number, StatedResult(outcome, facts=facts, ending=ending)))
        day.do(CloseRound())
    day.do(FinishTournament())
    return day


@pytest.mark.parametrize(
    ("key", "players", "kind"),
    [("ashes", 21, "advanced"), ("ashes", 7, "basic"), ("runewars", 29, "advanced"),
     ("runewars", 9, "basic"), ("legion", 25, "advanced"), ("legion", 12, "basic")],
)  # fmt: skip
def test_a_whole_day(key: str, players: int, kind: str) -> None:
    """AOP-PAIR, AOP-WINNER, AOP-SEED, RW-TIEBREAK, SWL-TIEBREAK, FFG-WINNER, FFG-REMATCH."""
    day = play(key, players, kind)
    tournament = day.tournament
    swiss = tournament.stages[0]
    met = [
        tuple(sorted(match.players))
        for number in swiss.rounds
        for match in tournament.rounds[number - 1].matches
        if not match.is_bye
    ]
    assert len(set(met)) == len(met)
    rows = standings(tournament).rows
    codes = {"ashes": ["TOEP", "BLOOD"], "runewars": ["MOV", "SOS"], "legion": ["SOS", "ESOS"]}
    assert [one.code for one in tournament.ruleset.tiebreakers] == codes[key]
    order = [(-row.points, *(-value for value in row.tiebreakers)) for row in rows]
    assert order == sorted(order)
    final = finishing_order(tournament)
    if len(tournament.stages) == 1:
        assert [each.player for each in final] == [row.player for row in rows]
        return
    (cut,) = [each.event for each in day.log if isinstance(each.event, CutMade)]
    assert list(cut.seeds) == [row.player for row in rows[: len(cut.seeds)]]
    first = tournament.rounds[tournament.stages[1].rounds[0] - 1]
    pairs = {frozenset(match.players) for match in first.matches}
    seeds = cut.seeds
    half = len(seeds) // 2
    assert pairs == {frozenset((seeds[n], seeds[-1 - n])) for n in range(half)}
    last = tournament.rounds[-1].matches[0]
    assert last.result is not None
    winner = last.players[last.result.outcomes.index("win")]
    assert final[0].player == winner


def test_points_decide_the_pairing_after_a_random_first_round() -> None:
    """AOP-SWISS-FIRST, AOP-SWISS-LATER: another key, another first round; then equal points."""
    days = [play("ashes", 8, "basic", number) for number in (1, 2, 3)]
    firsts = [
        tuple(sorted(tuple(sorted(match.players)) for match in day.tournament.rounds[0].matches))
        for day in days
    ]
    assert len(set(firsts)) > 1
    for day in days:
        points = dict(enumerate(day.tournament.rounds[0].points))
        second = day.tournament.rounds[1].matches
        groups = sorted(points[player] for match in second for player in match.players)
        gaps = sum(abs(points[match.first] - points[match.second]) for match in second)
        odd = sum(groups.count(each) % 2 for each in set(groups))
        assert gaps <= 3 * odd


def test_the_organizer_sets_a_table_with_a_reason() -> None:
    """AOP-PAIR, AOP-SWISS-FIRST: an explicit event with a reason."""
    day = Day(6, ruleset="ashes")
    day.do(StartTournament("basic"))
    assert "reason" in day.refused(PairRound(((1, 2),)))
    day.do(PairRound(((1, 2),), "they came by one car"))
    assert day.matches()[0].players == (1, 2)


def test_the_rounds_are_announced_before_the_first_one() -> None:
    """AOP-ANNOUNCE: fixed from then on; a later change has a reason."""
    day = Day(6, ruleset="ashes")
    assert "start" in day.refused(PairRound())
    day.do(StartTournament("basic"))
    announced = [each.event for each in day.log if isinstance(each.event, StructureAnnounced)]
    assert [stage.rounds for stage in announced[0].stages] == [3]
    day.pair()
    stages = day.tournament.announced.stages if day.tournament.announced else ()
    assert "AOP-ANNOUNCE" in day.refused(StartTournament("custom", stages))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "points", "codes"),
    [("runewars", 8, {"MOV": 70}), ("ashes", 3, {"BLOOD": 25}), ("legion", 1, {"SOS": 0})],
)
def test_a_bye_in_the_standings(key: str, points: int, codes: dict[str, int]) -> None:
    """RW-BYE, AOP-BYE, FFG-BYE-WIN, AOP-TIEBREAK: one's own bye adds nothing to TOEP."""
    day = Day(5, ruleset=key)
    day.do(StartTournament("basic"))
    (bye,) = (match for match in day.pair() if match.is_bye)
    (row,) = (each for each in standings(day.tournament).rows if each.player == max(bye.players))
    assert (row.points, row.byes) == (points, 1)
    names = [one.code for one in day.tournament.ruleset.tiebreakers]
    told = dict(zip(names, row.tiebreakers, strict=True))
    assert {code: told[code] for code in codes} == codes
    assert told.get("TOEP", 0) == 0


@pytest.mark.slow
def test_a_missed_round_is_a_loss_without_a_margin() -> None:
    """FFG-REJOIN: runewars 0 and MoV 0, ashes 0 and 0, legion 0."""
    for key in ("runewars", "ashes", "legion"):
        missed = load(key).ruleset.unpaired_loss
        assert (missed.points, missed.fields) == (0, {})
