"""Sweeps where the tiebreakers are no sum of the matches: what is proven of a player is so."""

from __future__ import annotations

import random

import pytest

from ledger.rulesets import load, text_of
from projections.standings.table import standings
from projections.whatif.outcomes import considered
from projections.whatif.sweep import sweep
from tests.projections.whatif.test_sweep import by_brute_force, kind_of, running
from tests.support.examples import seeds

CHESS = text_of("fide").replace('meaning = "rating; 0', 'default = 1500\nmeaning = "rating; 0')
TEXTS = {
    "chess": CHESS.replace('["BHC1", "BH", "SB", "DE"]', '["DE", "BHC1", "SB"]'),
    "go": text_of("mcmahon").replace('["SOSM", "SOSOSM"]', '["DC", "SOSM1"]'),
}
FEW = 2


@pytest.mark.parametrize("game", TEXTS)
@pytest.mark.parametrize(
    "seed",
    [pytest.param(each, marks=() if each < FEW else pytest.mark.slow) for each in seeds(12)],
)
def test_what_is_proven_holds_in_every_combination(seed: int, game: str) -> None:
    """Direct encounter and cut terms: only the points prove, and they prove nothing that is not."""
    chance = random.Random(seed)
    players, cut = chance.randrange(6, 11), chance.choice([2, 3, 4])
    day = running(seed, players, TEXTS[game], cut=cut, open_tables=2)
    found = sweep(day.log)
    brute = by_brute_force(day, considered(day.tournament.ruleset), cut)
    assert {hope.player for hope in found.players} == set(brute)
    for hope in found.players:
        for one in hope.chances:
            sides = brute[hope.player][kind_of(one.result)]
            if one.verdict in {"certain", "out"}:
                assert sides == {one.verdict == "certain"}
            if one.made:
                assert True in sides
    assert len(standings(day.tournament).rows) == players


def test_what_is_known_before_play_is_nothing_that_a_game_ends_in() -> None:
    """A handicap is no result: the sweep of a game of go tries its outcomes alone."""
    rules = load("mcmahon").ruleset
    assert [each.name for each in rules.fields if each.before] == ["given", "received"]
    results = considered(rules)
    assert {each.outcomes[0] for each in results} == {"win", "loss", "jigo"}
    assert len(results) == 3
