"""Results that follow from facts, whichever the game: data, concessions, contradictions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.errors import Refused
from ledger.facts.results import by_facts, conceded, ended_by, problems, turned
from ledger.rulesets import load, names
from tests.support.derived import refused, seen


def test_margins_of_200_and_the_difference() -> None:
    """XW2-MOV, XW2-OUTCOME, XW2-CONCEDE."""
    result = seen("xwing2", score=(120, 200))
    assert (result.points, result.fields) == ((0, 1), {"mov": (120, 280)})
    salvo = seen("xwing2", score=(90, 90), salvo=(3, 2))
    assert (salvo.points, salvo.fields) == ((1, 0), {"mov": (200, 200)})
    assert "salvo decides" in refused("xwing2", score=(90, 90))
    assert "must be left out" in refused("xwing2", score=(91, 90), salvo=(3, 2))
    gave_up = seen("xwing2", "concession", "win", score=(40, 60))
    assert gave_up.fields == {"mov": (340, 60)}


def test_games_of_a_match() -> None:
    """MTG-OUTCOME, MTG-GAMES, MTG-CONCEDE."""
    two_one = seen("mtg", games=(2, 1))
    assert (two_one.points, two_one.fields) == ((3, 0), {"games": (3, 3), "game-points": (6, 3)})
    drawn = seen("mtg", games=(1, 1), drawn=(1, 1))
    assert (drawn.points, drawn.fields) == ((1, 1), {"games": (3, 3), "game-points": (4, 4)})
    assert seen("mtg", games=(2, 2)).outcomes == ("draw", "draw")  # a best of five out of time
    assert "at most one side" in refused("mtg", games=(3, 3))
    assert "the same number for both" in refused("mtg", games=(1, 0), drawn=(1, 0))
    assert seen("mtg", "concession", "win").fields == {"games": (2, 2), "game-points": (6, 0)}
    assert "has already won" in refused("mtg", "concession", "win", games=(1, 3))


@pytest.mark.parametrize("key", names())
@pytest.mark.parametrize("first", [True, False])
def test_a_concession_needs_no_facts(key: str, first: bool) -> None:  # noqa: FBT001 - which side
    """FFG-CONCEDE, FFG-DROP."""
    rules = load(key).ruleset
    result = conceded(rules, first=first)
    assert result.outcomes[0] == ("loss" if first else "win")
    assert not list(problems(rules, result, elimination=False))


@pytest.mark.parametrize(("key", "ending"), [("ashes", "forfeit"), ("legion", "imposed loss")])
def test_a_forfeit_ends_as_the_game_has_it(key: str, ending: str) -> None:
    """AOP-PENALTY, AOP-BLOOD, FFG-AUTH-CONDUCT: a forfeit is imposed, and no concession."""
    rules = load(key).ruleset
    lost = ended_by(rules, "forfeited", first=True)
    assert (lost.ending, lost.manner, lost.outcomes) == (ending, "declared", ("loss", "win"))
    assert ended_by(rules, "forfeited", first=False) == turned(lost)
    assert not list(problems(rules, lost, elimination=True))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"points": (10, 1)}, "the facts give a win of 7:4, by time"),
        ({"outcomes": ("loss", "win")}, "the facts give a win of 7:4, by time"),
        ({"fields": {"mov": (59, 0)}}, "the facts give a win of 7:4, by time"),
        ({"fields": {}}, "the facts give a win of 7:4, by time"),
        ({"manner": "played"}, "the facts give a win of 7:4, by time"),
        ({"facts": {"score": (108, 9)}}, "the facts give a win of 8:3, by time"),
        ({"facts": {}}, "report the score, or army and objectives (RW-GAMESCORE)"),
        ({"facts": {"scor": (1, 2)}}, "there is no fact 'scor'; did you mean score?"),
        ({"ending": "midnight"}, "runewars has no ending 'midnight'; known: rounds, time, "),
        ({"facts": {}, "ending": ""}, "runewars derives mov from facts"),
    ],
)
def test_a_result_that_contradicts_its_own_facts(change: dict[str, object], problem: str) -> None:
    """RW-SCORE, RW-MOV: what a log says of a result is derived again from what the table saw."""
    rules = load("runewars").ruleset
    result = seen("runewars", "time", score=(107, 49))
    found = list(problems(rules, replace(result, **change), elimination=False))
    assert found
    assert str(found[0]).startswith(problem)


KEYS = ("runewars", "ashes", "legion", "l5r", "xwing2", "mtg")


@pytest.mark.slow
@given(st.data(), st.sampled_from(KEYS), st.booleans())
def test_any_facts_make_a_result_that_stands_from_both_sides_or_a_refusal(
    data: st.DataObject,
    key: str,
    elimination: bool,  # noqa: FBT001 - a given
) -> None:
    """Never a fault, and never a side that is favoured by its place."""
    rules = load(key).ruleset
    declared = rules.derives
    assert declared is not None
    small = {
        name: (st.integers(max(fact.min, 0), min(fact.max, fact.min + 4)), fact)
        for name, fact in declared.labels.items()
    }
    names = data.draw(st.lists(st.sampled_from(sorted(small)), unique=True, max_size=12))
    facts = {}
    for name in names:
        number, fact = small[name]
        one = data.draw(number)
        facts[name] = {"shared": (one, one), "one": (one % 2, 1 - one % 2)}.get(
            fact.sides, (one, data.draw(number))
        )
    ending = data.draw(st.sampled_from(["", *(each.name for each in declared.endings)]))
    outcome = data.draw(st.sampled_from(["", rules.full_win.name, rules.full_win.against]))
    try:
        result = by_facts(rules, ending, facts, outcome, elimination=elimination)
    except Refused:
        return
    mirrored = {name: (pair[1], pair[0]) for name, pair in facts.items()}
    against = rules.outcome(outcome).against if outcome else ""
    assert by_facts(rules, ending, mirrored, against, elimination=elimination) == turned(result)
    if not (elimination and result.outcomes[0] == result.outcomes[1]):
        assert not list(problems(rules, result, elimination=elimination))
