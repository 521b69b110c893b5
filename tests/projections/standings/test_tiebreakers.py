"""Tiebreakers against a second implementation with fractions, and against worked examples."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from ledger.rulesets import load, parse
from projections.standings.crosstable import Crosstable, crosstable
from projections.standings.tiebreakers import evaluate
from tests.support.chance.random_tournaments import tournaments
from tests.support.files.ruleset_texts import SYSTEMS, TIEBREAKERS, ruleset_text
from tests.support.tables import add_round, enter, meet, opened, register
from tests.truth.tiebreaker_truth import Entry, Truth

if TYPE_CHECKING:
    from ledger.rulesets import Tiebreaker
    from ledger.tournament.state import Tournament

ALL = parse(ruleset_text(*TIEBREAKERS))
L5R = load("l5r").ruleset
POINTS_MAX = 1_000_000


def lined_up(tournament: Tournament) -> Crosstable:
    """All rounds of a tournament."""
    return crosstable(tournament.rounds, len(tournament.players))


def value(tournament: Tournament, code: str, player: int) -> Fraction:
    """One tiebreaker of one player, by the tournament's ruleset."""
    declared = evaluate(lined_up(tournament), tournament.ruleset.tiebreakers)
    return next(each for each in declared if each.declared.code == code).result.value(player)


def reduced(declared: Tiebreaker, terms: list[tuple[Fraction, int]]) -> Fraction:
    """A player's operands, reduced as the declaration says."""
    total = sum((term for term, _ in terms), Fraction(0))
    if declared.over == "own":
        divisor = declared.scale * sum(per for _, per in terms) if declared.per else 1
        return max(total / divisor if divisor else Fraction(0), declared.least or Fraction(0))
    return total / len(terms) if terms and declared.reduction == "mean" else total


@pytest.mark.slow
@given(tournaments(ALL))
def test_every_tiebreaker_is_what_the_clauses_say(case: tuple[Tournament, list[Entry]]) -> None:
    """FFG-TIEBREAK-SOS, L5R-TIEBREAK and the other systems' tiebreakers, every player's."""
    tournament, entries = case
    truth = Truth(entries)
    players = range(1, len(tournament.players))
    for evaluated in evaluate(lined_up(tournament), ALL.tiebreakers):
        code = evaluated.declared.code
        found = [evaluated.result.value(player) for player in players]
        assert found == [truth.value(code, player) for player in players], code


@pytest.mark.slow
@given(tournaments(ALL))
def test_operands_reduce_to_the_value_that_ranks(case: tuple[Tournament, list[Entry]]) -> None:
    """What is shown to explain a tiebreaker gives that tiebreaker, and names the rounds."""
    tournament, entries = case
    table = lined_up(tournament)
    for evaluated in evaluate(table, ALL.tiebreakers):
        one = evaluated.declared
        for player in range(1, table.size):
            rows = zip(table.rounds, table.seqs, table.against, strict=True)
            met = [
                (round_.number, seqs[player], against[player])
                for round_, seqs, against in rows
                if against[player]
            ]
            assert met == [
                (entry.round, entry.round * 10_000 + player, entry.opponent)
                for entry in entries
                if entry.player == player and entry.opponent
            ]
            terms = [(evaluated.terms.value(opponent), 1) for _, _, opponent in met]
            if one.over == "own":
                per = table.columns(one.per) if one.per else [[1] * table.size] * len(table.rounds)
                columns = zip(table.columns(one.source), per, table.seqs, strict=True)
                terms = [
                    (Fraction(of[player]), by[player]) for of, by, seqs in columns if seqs[player]
                ]
            assert evaluated.result.value(player) == reduced(one, terms)


def test_strength_of_schedule_leaves_ones_own_bye_out() -> None:
    """FFG-TIEBREAK-SOS: a bye is no opponent, yet it is a round of whoever had it."""
    tournament = opened(3)
    first, second = add_round(tournament), add_round(tournament)
    meet(first, 1, 2, (10, 1))
    enter(first, 3, 10, "B")
    meet(second, 1, 3, (6, 0))
    enter(second, 2, 10, "B")
    assert value(tournament, "SOS", 1) == (Fraction(11, 2) + Fraction(10, 2)) / 2
    assert value(tournament, "SOS", 2) == Fraction(16, 2)
    assert value(tournament, "SOS", 3) == Fraction(16, 2)


def test_strength_of_schedule_counts_an_unpaired_loss_as_a_round() -> None:
    """FFG-TIEBREAK-SOS: the opponent who missed a round has it in the divisor."""
    tournament = opened(2)
    meet(add_round(tournament), 1, 2, (1, 10))
    enter(add_round(tournament), 2, 1, "L")
    assert value(tournament, "SOS", 1) == Fraction(11, 2)
    assert value(tournament, "SOS", 2) == 1


def test_strength_of_schedule_skips_rounds_without_a_result() -> None:
    """FFG-TIEBREAK-SOS: an open match, and rounds after a drop, are no rounds played."""
    tournament = opened(2)
    meet(add_round(tournament), 1, 2, (1, 10))
    add_round(tournament)
    assert value(tournament, "SOS", 1) == 10


def test_an_opponent_met_twice_counts_twice() -> None:
    """FFG-TIEBREAK-SOS: the mean is over meetings."""
    tournament = opened(3)
    meet(add_round(tournament), 1, 2, (1, 10))
    meet(add_round(tournament), 1, 2, (1, 10))
    meet(add_round(tournament), 1, 3, (10, 1))
    assert value(tournament, "SOS", 1) == Fraction(10 + 10 + 1, 3)


def test_without_opponents_it_is_nothing() -> None:
    """FFG-TIEBREAK-SOS: nobody met, and nothing played."""
    tournament = opened(2)
    assert value(tournament, "SOS", 1) == 0
    enter(add_round(tournament), 1, 10, "B")
    assert value(tournament, "SOS", 1) == value(tournament, "ESOS", 1) == 0


def test_a_late_entrant_has_no_place_in_an_early_round() -> None:
    """An early round's columns are shorter than the list of players."""
    tournament = opened(2)
    meet(add_round(tournament), 1, 2, (10, 1))
    register(tournament)
    meet(add_round(tournament), 1, 3, (10, 1))
    assert len(tournament.rounds[0].seqs) < len(tournament.players)
    assert value(tournament, "SOS", 3) == 10


def test_extended_strength_of_schedule_is_the_mean_of_opponents() -> None:
    """L5R-TIEBREAK: the mean of the opponents' strength of schedule."""
    tournament = opened(4)
    first, second = add_round(tournament), add_round(tournament)
    meet(first, 1, 2, (10, 1))
    meet(first, 3, 4, (10, 1))
    meet(second, 1, 3, (10, 1))
    meet(second, 2, 4, (10, 1))
    sos = {player: value(tournament, "SOS", player) for player in (2, 3)}
    assert sos == {2: Fraction(20 + 2, 4), 3: Fraction(20 + 2, 4)}
    assert value(tournament, "ESOS", 1) == (sos[2] + sos[3]) / 2


def test_opponents_points_and_blood_are_sums() -> None:
    """AOP-TIEBREAK: opponents on 6, 1 and 4 give 11; one's own 25, 13 and 15 blood give 53."""
    tournament = opened(4, parse(ruleset_text(*SYSTEMS["ashes"])))
    for opponent, points, blood in ((2, 6, 25), (3, 1, 13), (4, 4, 15)):
        played = add_round(tournament)
        enter(played, 1, 3, "W", against=opponent, fields={"blood": blood})
        enter(played, opponent, points, "L", against=1)
    assert value(tournament, "TOEP", 1) == 11
    assert value(tournament, "BLOOD", 1) == 53


def test_a_share_of_wins_is_one_third_at_least() -> None:
    """The floor raises each opponent's term before the mean."""
    tournament = opened(3, parse(ruleset_text(*SYSTEMS["mtg"])))
    meet(add_round(tournament), 1, 2, (3, 0))
    meet(add_round(tournament), 1, 3, (1, 1))
    assert value(tournament, "OMW", 1) == Fraction(1, 3)
    assert value(tournament, "OMW", 2) == Fraction(3 + 1, 6)


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [17, 30, 60])
def test_nothing_overflows_at_the_cap(rounds: int) -> None:
    """Means of means stay exact at a million points a match and every number of rounds played."""
    draw = random.Random(rounds)
    last = rounds + 6
    tournament = opened(last)
    entries = []
    for number in range(1, rounds + 1):
        played = add_round(tournament)
        seats = draw.sample(range(number, last + 1), last + 1 - number)
        for first, second in zip(seats[::2], seats[1::2], strict=False):
            points = (POINTS_MAX - draw.randrange(5), draw.randrange(POINTS_MAX))
            meet(played, first, second, points)
            entries.append(Entry(number, 1, first, points[0], "W", second, {}))
            entries.append(Entry(number, 1, second, points[1], "L", first, {}))
    truth = Truth(entries)
    sos, esos = evaluate(lined_up(tournament), L5R.tiebreakers)
    assert max(esos.result.numerators) > 2**63
    for player in range(1, last + 1):
        assert sos.result.value(player) == truth.value("SOS", player)
        assert esos.result.value(player) == truth.value("ESOS", player)
