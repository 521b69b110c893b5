"""Every tie-break of `fide` and `mcmahon` against a second computation, on events by chance."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ledger.facts.shared import Stage
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.rounds import CloseRound
from ledger.rulesets import text_of
from projections.explain import explain
from projections.explain.numbers import EventTable
from projections.standings.table import crosstable_of, standings
from projections.standings.tiebreakers import Evaluation, expected
from tests.projections.explain.test_explain import Again
from tests.support.chance.random_held_events import HeldEvent, held_event
from tests.support.examples import seeds
from tests.support.simulate import Day
from tests.truth.ties.tiebreak_truth import Chess, Go, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.rulesets import Ruleset

CHESS_BYES = {"half": ("asked", 1), "full": ("bye", 2)}
GO_BYES = {"half": ("asked", 1), "none": ("asked", 0)}
DAYS = {"2023": "2024-05-01", "2026": "2026-05-01"}
FEW = 4
CASES = [pytest.param(each, marks=() if each < FEW else pytest.mark.slow) for each in seeds(60)]
FORFEITS = ("met", "won", "lost")


def values(event: HeldEvent) -> dict[str, list[Fraction]]:
    """Every tie-break of everybody, as it is evaluated."""
    rules = event.tournament.ruleset
    work = Evaluation(crosstable_of(event.tournament), rules.tiebreakers, rules)
    found = {code: work.of(one).result for code, one in rules.in_force.items()}
    players = range(1, len(event.tournament.players))
    return {code: [of.value(player) for player in players] for code, of in found.items()}


def mean(terms: Iterable[Fraction]) -> Fraction:
    """Return the mean of the terms, 0 if there are none."""
    all_terms = list(terms)
    return sum(all_terms, Fraction(0)) / len(all_terms) if all_terms else Fraction(0)


def of_chess(event: HeldEvent, *, is_new: bool) -> dict[str, Callable[[int], Fraction]]:
    truth, fore = Chess(event, is_new=is_new), Chess(event, is_new=is_new, fore=True)
    rules = event.tournament.ruleset
    tables = {one.name: one for one in rules.steps}
    difference = dict(zip(tables["difference"].at, tables["difference"].values, strict=True))
    level, with_forfeits = truth.level(("met",), truth.points), truth.level(FORFEITS, truth.points)

    def likely(apart: int) -> int:
        return expected(tables["expected"], apart)

    def mean_of_rated(player: int, worth: Callable[[int], Fraction]) -> Fraction:
        """Return the mean over opponents who have a performance rating at all."""
        met = [game.other for game in truth.met(player)]
        return whole(mean(worth(other) for other in met if truth.rated(other)))

    def ratings(player: int, low: int = 0) -> Fraction:
        return whole(mean(sorted(truth.ratings(player))[low:]))

    def forfeits_cut(player: int) -> Fraction:
        terms = truth.with_forfeits(player)
        every = sum((worth * result for worth, result in terms), Fraction(0))
        return every - min(((worth, worth * result) for worth, result in terms), default=(0, 0))[1]

    return {
        "DE": lambda p: Fraction(level[p]),
        "DEP": lambda p: Fraction(with_forfeits[p]),
        "WIN": lambda p: truth.count(p, lambda r: r.points >= 2),
        "WON": lambda p: truth.count(p, lambda r: r.kind == "met" and r.letter == "W"),
        "BPG": lambda p: truth.count(p, lambda r: r.kind == "met" and r.seat == 2),
        "BWG": lambda p: truth.count(
            p, lambda r: r.kind == "met" and r.seat == 2 and r.letter == "W"
        ),
        "REP": lambda p: truth.count(p, lambda r: r.kind in {"met", "bye", "won"}),
        "PS": lambda p: sum(truth.running(p), Fraction(0)),
        "PSC1": lambda p: sum(sorted(truth.running(p))[1:], Fraction(0)),
        "KS": truth.koya,
        "ADJ": lambda p: 2 * truth.credited(p),
        "BH": truth.buchholz,
        "BHC1": lambda p: truth.buchholz(p, 1),
        "BHC2": lambda p: truth.buchholz(p, 2),
        "BHM1": lambda p: truth.buchholz(p, 1, 1),
        "BHM2": lambda p: truth.buchholz(p, 2, 2),
        "BHP": lambda p: sum((worth for worth, _ in truth.with_forfeits(p)), Fraction(0)),
        "FB": fore.buchholz,
        "FBC1": lambda p: fore.buchholz(p, 1),
        "AOB": lambda p: mean(truth.buchholz(game.other) for game in truth.met(p)),
        "SB": truth.sonneborn,
        "SBC1": lambda p: truth.sonneborn(p, cut=True),
        "SBP": lambda p: sum((w * result for w, result in truth.with_forfeits(p)), Fraction(0)),
        "SBPC1": forfeits_cut,
        "RTNG": lambda p: truth.number(p, "rating"),
        "ARO": ratings,
        "AROC1": lambda p: ratings(p, 1),
        "RO": lambda p: Fraction(len(truth.rated(p))),
        "RD": lambda p: truth.performance(p, difference) - ratings(p),
        "TPR": lambda p: truth.performance(p, difference),
        "APRO": lambda p: mean_of_rated(p, lambda one: truth.performance(one, difference)),
        "PTP": lambda p: truth.perfect(p, likely),
        "APPO": lambda p: mean_of_rated(p, lambda one: truth.perfect(one, likely)),
    }


def of_go(truth: Go) -> dict[str, Callable[[int], Fraction]]:
    event, level = truth.event, truth.level(truth.games, truth.score)

    def wins(player: int) -> Fraction:
        return truth.over(player, truth.wins)

    return {
        "NBW": truth.wins,
        "SOSM": truth.sos,
        "SOSM1": lambda p: truth.sos(p, 1),
        "SOSM2": lambda p: truth.sos(p, 2),
        "SODOSM": lambda p: truth.over(p, truth.score, defeated=True, stones=True),
        "BASE": lambda p: truth.start(p) * len(event.rounds),
        "SOSOSM": truth.sosos,
        "CUSSM": lambda p: sum(truth.running(p, truth.start(p)), Fraction(0)),
        "SOSW": wins,
        "SODOSW": lambda p: truth.over(p, truth.wins, defeated=True),
        "SOSOSW": lambda p: truth.over(p, wins),
        "CUSSW": truth.cumulated_wins,
        "DC": lambda p: Fraction(level[p]),
    }


def check(event: HeldEvent, truth: dict[str, Callable[[int], Fraction]]) -> None:
    found = values(event)
    assert found.keys() == truth.keys()
    players = range(1, len(event.tournament.players))
    for code, formula in truth.items():
        assert found[code] == [formula(player) for player in players], code


def first_of_all(text: str, code: str) -> str:
    """The ruleset with a direct encounter before every other tie-break."""
    lines = [line for line in text.split("\n") if not line.startswith("ranked_by")]
    return "\n".join(lines).replace('\nname = "', f'\nranked_by = ["{code}"]\nname = "', 1)


@pytest.mark.parametrize("edition", DAYS)
@pytest.mark.parametrize("seed", CASES)
def test_chess(seed: int, edition: str) -> None:
    """FIDE-C07-6 to FIDE-C07-10 and FIDE-C07-16, in both editions."""
    for code in ("DE", "DEP"):
        text = first_of_all(text_of("fide"), code)
        event = held_event(text, seed, DAYS[edition], CHESS_BYES)
        truth = of_chess(event, is_new=edition == "2026")
        check(event, {**truth, "DE": truth["DE"]})


def first_edition() -> str:
    """McMahon as logs of its first edition have it: no forfeits, opponents of none."""
    text = re.sub(r"(?m)^\[forfeit\]\n(?:\w+ = .*\n)+", "", text_of("mcmahon"))
    made_up = '"bye", "asked", "won", "lost", "absent"], source'
    text = text.replace('"bye", "asked", "absent"], source', made_up)
    return text.replace('edition = "2"', 'edition = "1"')


@pytest.mark.parametrize("edition", ["1", "2"])
@pytest.mark.parametrize("seed", CASES)
def test_go(seed: int, edition: str) -> None:
    """GO-NBW to GO-DC, and GO-FORFEIT from the second edition on."""
    text = first_of_all(first_edition() if edition == "1" else text_of("mcmahon"), "DC")
    event = held_event(text, seed, DAYS["2026"], GO_BYES)
    assert event.tournament.ruleset.edition == edition
    truth = Go(event, ("met",)) if edition == "1" else Go(event)
    check(event, of_go(truth))
    table = standings(event.tournament)
    assert all(row.points == 2 * truth.score(row.player) for row in table.rows)


@pytest.mark.parametrize("key", ["fide", "mcmahon"])
@pytest.mark.parametrize("seed", CASES[:12])
def test_each_can_be_taken_apart(seed: int, key: str) -> None:
    """Every node follows from its terms, of the tie-breaks that do not rank as well."""
    named = CHESS_BYES if key == "fide" else GO_BYES
    event = held_event(text_of(key), seed, DAYS["2026"], named)
    tournament = event.tournament
    rules: Ruleset = tournament.ruleset
    places, again, found = EventTable(tournament), Again(tournament), values(event)
    for player in range(1, len(tournament.players)):
        for code in ("points", "record", "rank", *rules.in_force):
            root = explain(tournament, player, code, places)
            again.of(root)
            if code in found:
                assert root.value == found[code][player - 1]


def met_no_rated_opponent() -> tuple[Day, dict[str, list[Fraction]]]:
    """Return a day on which 2, 3 and 4 have no rating, and its values; 4 met no rated player."""
    day = Day(0, ruleset="fide")
    ratings = {1: 2000, 2: 0, 3: 0, 4: 0, 5: 1800, 6: 1600}
    entries = [Entry(f"P {at}", attributes={"rating": str(of)}) for at, of in ratings.items()]
    day.do(RegisterPlayers(tuple(entries)))
    day.start(2, Stage("single", entry="top", size=2))
    for tables, outcomes in (
        (((1, 3), (2, 4), (5, 6)), ("win", "win", "win")),
        (((1, 5), (4, 3), (2, 6)), ("draw", "win", "loss")),
    ):
        day.do(PairRound(tables, "as it was played", allow_rematch=True))
        for match, outcome in zip(day.matches(), outcomes, strict=True):
            day.report(match, outcome)
        day.do(CloseRound())
    rules = day.tournament.ruleset
    work = Evaluation(crosstable_of(day.tournament), rules.tiebreakers, rules)
    found = {code: work.of(one).result for code, one in rules.in_force.items()}
    return day, {code: [of.value(player) for player in range(1, 7)] for code, of in found.items()}


def test_games_against_unrated_opponents_count_for_no_performance() -> None:
    """FIDE-C07-10: 1 beat an unrated player and drew with 1800."""
    _, found = met_no_rated_opponent()
    assert found["RO"] == [1, 1, 1, 0, 2, 1]
    assert found["ARO"][0] == found["TPR"][0] == 1800
    assert found["PTP"][0] == 1797  # a half is expected from three points below on
    assert found["RD"][0] == 0


def test_a_performance_that_does_not_exist_counts_in_no_average() -> None:
    """FIDE-C07-10: 4 met no rated player, so an average over 4 and others leaves 4 out."""
    _, found = met_no_rated_opponent()
    assert {found[code][3] for code in ("TPR", "PTP", "RO")} == {Fraction(0)}
    assert found["APRO"][1] == found["TPR"][5]  # 2 met 4 and 6
    assert found["APPO"][1] == found["PTP"][5]
    assert found["APRO"][2] == found["TPR"][0]  # 3 met 1 and 4
