"""What is asked of a race, and what follows unasked, against every combination of results."""

from __future__ import annotations

import random
from itertools import product
from typing import ClassVar

import pytest

from ledger.fold import fold
from projections.whatif.outcomes import ResultKind, accepted, kinds
from projections.whatif.rivals import Rivals
from projections.whatif.score_model import MatchEffect, ScoreModel, score_model
from projections.whatif.sweep import by_rank
from tests.projections.whatif.test_sweep import RULESETS, running, verdict
from tests.support.simulate import open_matches_of


class Counted(Rivals):
    """Rivals that count how often they were asked."""

    asked: ClassVar[list[int]] = []

    def can_be_among(self, player: int, places: int, own: tuple[int, ...]) -> bool | None:
        """Count, then ask."""
        self.asked.append(player)
        return super().can_be_among(player, places, own)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_was_not_asked_is_what_the_search_would_have_said(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every kind of own result of everybody asked for, against those that nothing else tells."""
    day = running(5, 24, ruleset, cut=6, open_tables=7)
    results = accepted(day.tournament.ruleset).results
    alike = kinds(results)
    measured = score_model(fold(day.log), open_matches_of(day), results)
    monkeypatch.setattr("projections.whatif.sweep.Rivals", Counted)
    monkeypatch.setattr(Counted, "asked", [])
    found = by_rank(measured, alike, 6)
    rivals = Rivals(measured)
    playing = {player for match in open_matches_of(day) for player in match.players}
    questions = 0
    for player, verdicts in found.items():
        own = [tuple(kind.places) for kind in alike] if player in playing else [()]
        questions += len(own)
        for each, told in zip(own, verdicts, strict=True):
            sides = {True} if rivals.can_be_among(player, 6, each) else set()
            sides |= {False} if rivals.can_be_outside(player, 6, each) else set()
            assert told == verdict(sides)
    assert len(Counted.asked) <= questions
    if len(alike) > 20:  # one chain: two ends, and halving to where the answer changes
        assert len(Counted.asked) < 3 * questions / 4


def any_race(chance: random.Random) -> ScoreModel:
    """Seven players, three matches, five results that add anything to anybody; never a tie."""
    players = list(range(1, 8))

    def anything(count: int) -> list[int]:
        return [8 * chance.randrange(-3, 4) for _ in range(count)]

    stakes = [
        MatchEffect(
            (2 * at - 1, 2 * at),
            (anything(5), anything(5)),
            {
                player: anything(3)
                for player in players
                if player not in {2 * at - 1, 2 * at} and chance.random() < 0.8
            },
        )
        for at in (1, 2, 3)
    ]
    base = {player: 8 * chance.randrange(-4, 5) + player for player in players}
    return ScoreModel(players, base, stakes, keys=[0, 0, 1, 2, 2], kinds=[0, 0, 0, 1, 1])


def played_out(measured: ScoreModel, first: int) -> dict[int, dict[int, set[bool]]]:
    """For everybody by the kind of their own result, -1 without one: among the first, or not."""
    seen: dict[int, dict[int, set[bool]]] = {player: {} for player in measured.players}
    for drawn in product(range(5), repeat=3):
        totals = dict(measured.base)
        for stake, result in zip(measured.effects, drawn, strict=True):
            for side, player in enumerate(stake.players):
                totals[player] += stake.own[side][result]
            for player, values in stake.others.items():
                totals[player] += values[measured.keys[result]]
        best = sorted(totals, key=lambda player: -totals[player])[:first]
        for player in measured.players:
            own = measured.kinds[drawn[(player - 1) // 2]] if player < 7 else -1
            seen[player].setdefault(own, set()).add(player in best)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(8))
def test_any_race_is_what_every_combination_comes_to(batch: int) -> None:
    """Also where no result of a match is better than another for everybody."""
    chance = random.Random(f"race {batch}")
    alike = [
        ResultKind(("win", "loss"), (2, 0), [0, 1, 2]),
        ResultKind(("loss", "win"), (0, 2), [3, 4]),
    ]
    for _ in range(40):
        measured, first = any_race(chance), chance.randrange(1, 7)
        seen = played_out(measured, first)
        for player, verdicts in by_rank(measured, alike, first).items():
            assert verdicts == [verdict(seen[player][own]) for own in sorted(seen[player])]
