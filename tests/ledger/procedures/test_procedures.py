"""Results that follow from facts: each game's clauses, at both edges and by the worked examples."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.errors import Refused
from ledger.facts.results import by_facts, problems
from ledger.rulesets import load
from ledger.rulesets.deriving import PROCEDURES
from ledger.rulesets.procedures import REQUIRED, ProcedureName
from tests.support.derived import Pair, refused, seen


def test_every_name_that_a_ruleset_can_hold_is_there() -> None:
    assert set(PROCEDURES) == set(REQUIRED) == set(get_args(ProcedureName))


# Runewars


@pytest.mark.parametrize(
    ("margin", "won", "lost"),
    [
        (1, 6, 5), (29, 6, 5), (30, 7, 4), (69, 7, 4), (70, 8, 3), (109, 8, 3),
        (110, 9, 2), (149, 9, 2), (150, 10, 1), (200, 10, 1),
    ],
)  # fmt: skip
def test_the_points_of_a_margin_at_both_edges(margin: int, won: int, lost: int) -> None:
    """RW-SCORE, RW-MOV."""
    result = seen("runewars", "time", score=(margin, 0))
    assert (result.points, result.fields) == ((won, lost), {"mov": (margin, 0)})
    assert seen("runewars", score=(0, margin)).points == (lost, won)


def test_the_worked_examples_of_runewars() -> None:
    """RW-MOV, RW-GAMESCORE: 107 to 49 at time; 200 to 120 and an objective of 20."""
    at_time = seen("runewars", "time", score=(49, 107))
    assert (at_time.outcomes, at_time.points) == (("loss", "win"), (4, 7))
    assert (at_time.fields, at_time.manner) == ({"mov": (0, 58)}, "time")
    whole = seen("runewars", "destroyed", "win", army=(200, 120), objectives=(0, 20))
    assert (whole.points, whole.fields) == ((7, 4), {"mov": (60, 0)})


def test_a_score_is_what_the_enemy_lost_and_the_objectives() -> None:
    """RW-GAMESCORE, RW-DISCARD: the army total less what remains, units with their upgrades."""
    counted = seen("runewars", "time", total=(190, 200), remaining=(100, 150), objectives=(30, 0))
    assert counted.fields == {"mov": (0, 10)}  # 200-150+30 against 190-100
    assert "give 80:90" in refused(
        "runewars", score=(80, 91), total=(190, 200), remaining=(100, 150), objectives=(30, 0)
    )
    assert "reported together" in refused("runewars", total=(200, 200))
    assert "cannot be more than total" in refused("runewars", total=(9, 9), remaining=(10, 1))
    assert "report the score" in refused("runewars", objectives=(10, 0))
    assert "score must be from 0 to 400" in refused("runewars", score=(401, 0))


def test_who_survives_wins_whatever_the_scores() -> None:
    """RW-OUTCOME, RW-MOV: a margin below 0 is 0; all units destroyed count 200."""
    result = seen("runewars", "destroyed", "win", army=(200, 190), objectives=(0, 60))
    assert (result.outcomes[0], result.points, result.fields) == ("win", (6, 5), {})
    assert "count 200, not 180" in refused("runewars", "destroyed", "win", army=(180, 0))
    assert "count at least 200" in refused("runewars", "destroyed", "win", score=(199, 0))
    assert "who" not in refused("runewars", "destroyed", score=(200, 0))  # names the fact
    assert seen("runewars", "destroyed", "loss", score=(0, 330)).fields == {"mov": (0, 200)}


def test_an_army_that_is_gone_ends_the_game_so() -> None:
    """RW-OUTCOME: mutual destruction goes before destruction, and that before rounds or time."""
    for ending in ("rounds", "time"):
        assert "ending must be destroyed" in refused("runewars", ending, army=(200, 60))
        gone = {"total": (190, 150), "remaining": (0, 40)}
        assert "ending must be destroyed" in refused("runewars", ending, **gone)
    both = {"total": (190, 150), "remaining": (0, 0)}
    assert "ending must be mutual" in refused("runewars", "destroyed", "win", **both)
    assert "ending must be mutual" in refused("runewars", "destroyed", "win", army=(200, 200))
    assert seen("runewars", "time", army=(199, 60)).points == (9, 2)


def test_mutual_destruction_goes_by_score_and_gives_no_margin() -> None:
    """RW-OUTCOME, RW-MOV."""
    result = seen("runewars", "mutual destruction", objectives=(10, 50))
    assert (result.outcomes, result.points, result.fields) == (("loss", "win"), (5, 6), {})
    assert "count 200, not 100" in refused("runewars", "mutual destruction", army=(200, 100))
    assert "flurry" in refused("runewars", "mutual destruction", score=(200, 200))


def test_equal_scores_go_to_the_final_flurry() -> None:
    """RW-FLURRY: every roll is told, up to the first that is not equal."""
    facts = {"flurry_1": (3, 3), "flurry_2": (2, 4)}
    result = seen("runewars", "time", score=(50, 50), **facts)
    assert (result.outcomes, result.points, result.fields) == (("loss", "win"), (5, 6), {})
    assert result.facts == {"score": (50, 50), "flurry-1": (3, 3), "flurry-2": (2, 4)}
    assert "RW-FLURRY" in refused("runewars", "rounds", score=(50, 50))
    assert "roll again" in refused("runewars", score=(50, 50), flurry_1=(3, 3))
    assert "without a gap" in refused("runewars", score=(50, 50), flurry_2=(3, 4))
    first = {"flurry_1": (3, 4), "flurry_2": (5, 4)}
    assert "first roll" in refused("runewars", score=(50, 50), **first)
    assert "not equal" in refused("runewars", score=(51, 50), flurry_1=(3, 4))


@pytest.mark.parametrize(
    ("army", "objectives", "points", "margin"),
    [(131, 0, 8, 70), (130, 0, 8, 70), (91, 0, 8, 109), (90, 0, 9, 110), (0, 0, 10, 200),
     (200, 50, 8, 70)],
)  # fmt: skip
def test_a_concession_by_the_units_of_who_concedes(
    army: int, objectives: int, points: int, margin: int
) -> None:
    """RW-CONCEDE: 70 or more by the table, else 8 and 70; who concedes has nothing."""
    result = seen("runewars", "concession", "win", army=(0, army), objectives=(0, objectives))
    assert (result.points, result.fields) == ((points, 0), {"mov": (margin, 0)})
    assert result.manner == "concession"
    assert "army and objectives" in refused("runewars", "concession", "win", score=(1, 0))


def test_the_other_reading_of_a_concession_takes_the_board_as_it_stood() -> None:
    """RW-CONCEDE: a constant of the ruleset says which."""
    rules = load("runewars").ruleset
    assert rules.procedure is not None
    numbers = rules.procedure.numbers | {"concession-destroys": 0}
    other = replace(rules, procedure=replace(rules.procedure, numbers=numbers))
    facts = {"army": (150, 39), "conceded": (0, 1)}
    assert by_facts(other, "concession", facts).points == (9, 0)
    facts["army"] = (100, 39)
    assert by_facts(other, "concession", facts).fields == {"mov": (70, 0)}


def test_a_bye_of_runewars() -> None:
    """RW-BYE."""
    bye = load("runewars").ruleset.bye
    assert (bye.points, bye.fields) == (8, {"mov": 70})


@given(st.integers(0, 400), st.integers(0, 400))
def test_a_runewars_game_shares_eleven_points(first: int, second: int) -> None:
    """RW-SCORE, RW-MOV: by an own reading of the table."""
    if first == second:
        return
    result = seen("runewars", "time", score=(first, second))
    margin = min(abs(first - second), 200)
    steps = sum(margin >= edge for edge in (30, 70, 110, 150))
    expected = (6 + steps, 5 - steps) if first > second else (5 - steps, 6 + steps)
    assert result.points == expected
    assert max(result.fields["mov"]) == margin


# Ashes


def test_the_worked_example_of_blood() -> None:
    """AOP-BLOOD, AOP-SCORE: a destroyed Phoenixborn is 25, the loser has the wounds dealt."""
    result = seen("ashes", "", "win", wounds=(17, 12))
    assert (result.points, result.fields) == ((3, 0), {"blood": (25, 12)})
    assert seen("ashes", "", "loss", wounds=(17, 12)).fields == {"blood": (17, 25)}
    assert "wounds must be from 0 to 25" in refused("ashes", "", "win", wounds=(26, 1))
    assert "the fact wounds is missing" in refused("ashes", "", "win")


def test_both_fall_and_the_active_player_wins() -> None:
    """AOP-SIMULTANEOUS, AOP-BLOOD."""
    both = {"wounds": (15, 16), "destroyed": (1, 1)}
    result = seen("ashes", **both, active=(0, 1))
    assert (result.outcomes, result.fields) == (("loss", "win"), {"blood": (15, 25)})
    assert "AOP-SIMULTANEOUS" in refused("ashes", **both)
    assert "only if both fell" in refused("ashes", wounds=(15, 16), destroyed=(0, 1), active=(1, 0))


def test_time_is_a_draw_unless_someone_fell_and_never_in_the_bracket() -> None:
    """AOP-OUTCOME, AOP-BRACKET-TIME."""
    drawn = seen("ashes", "time", wounds=(13, 15))
    assert (drawn.points, drawn.fields) == ((1, 1), {"blood": (13, 15)})
    fell = seen("ashes", "time", wounds=(13, 15), destroyed=(1, 0))
    assert (fell.outcomes, fell.manner) == (("loss", "win"), "time")
    rules = load("ashes").ruleset
    with pytest.raises(Refused, match="AOP-BRACKET-TIME"):
        by_facts(rules, "time", {"wounds": (13, 15)}, elimination=True)
    assert any("bracket" in str(each) for each in problems(rules, drawn, elimination=True))
    none: dict[str, tuple[int, int]] = {"wounds": (3, 4), "destroyed": (0, 0)}
    assert "ended by time, or the organizer declared a draw" in refused("ashes", **none)
    with pytest.raises(Refused, match="destroyed is missing") as in_bracket:
        by_facts(rules, "destroyed", none, elimination=True)
    assert "draw" not in str(in_bracket.value)


@pytest.mark.parametrize("ending", ["concession", "forfeit", "declared"])
def test_the_winner_has_25_blood_without_destruction(ending: str) -> None:
    """AOP-BLOOD, AOP-PENALTY, AOP-OUTCOME."""
    assert seen("ashes", ending, "win", wounds=(3, 4)).fields == {"blood": (25, 4)}
    assert "lost is missing" in refused("ashes", ending, wounds=(3, 4))
    assert "must be left out" in refused("ashes", ending, "win", destroyed=(0, 1))


def test_a_bye_of_ashes() -> None:
    """AOP-BYE."""
    bye = load("ashes").ruleset.bye
    assert (bye.points, bye.fields) == (3, {"blood": 25})


# Legion


def test_tokens_then_score_then_blue() -> None:
    """SWL-OUTCOME, SWL-SCORE, SWL-SIDES: 3 to 1 at time wins, 1 and 0 points."""
    assert seen("legion", "time", tokens=(1, 3)).points == (0, 1)
    for ending in ("rounds", "time", "command phase"):
        assert seen("legion", ending, tokens=(2, 2), score=(300, 299)).points == (1, 0)
        equal = {"tokens": (2, 2), "score": (300, 300)}
        assert seen("legion", ending, **equal, blue=(0, 1)).points == (0, 1)
        assert "blue decides, but is missing" in refused("legion", ending, **equal)
        assert "score decides" in refused("legion", ending, tokens=(2, 2))


def test_mutual_destruction_leaves_the_score_out() -> None:
    """SWL-OUTCOME, SWL-GAMESCORE."""
    mutual = "mutual destruction"
    assert seen("legion", mutual, tokens=(1, 2)).outcomes == ("loss", "win")
    assert seen("legion", mutual, tokens=(1, 1), blue=(1, 0)).outcomes == ("win", "loss")
    assert "blue decides" in refused("legion", mutual, tokens=(1, 1))
    assert "count 800, not 700" in refused("legion", mutual, tokens=(1, 2), score=(800, 700))


def test_all_units_defeated_wins_whatever_the_tokens() -> None:
    """SWL-OUTCOME, SWL-GAMESCORE."""
    assert seen("legion", "defeated", "win", tokens=(0, 3)).outcomes[0] == "win"
    assert "count 800" in refused("legion", "defeated", "win", score=(799, 0))
    assert seen("legion", "concession", "loss").manner == "concession"


def test_points_of_a_whole_army_end_the_game_so() -> None:
    """SWL-OUTCOME, SWL-GAMESCORE: all units of one side are defeated, whatever the tokens say."""
    for ending in ("rounds", "time", "command phase"):
        assert "ending must be defeated" in refused(
            "legion", ending, tokens=(3, 1), score=(300, 800)
        )
        assert seen("legion", ending, tokens=(3, 1), score=(300, 799)).outcomes[0] == "win"
    assert "ending must be mutual" in refused("legion", "defeated", "win", score=(800, 800))


# L5R

FIRST_COUNT = {"broken": (2, 4), "honor": (4, 13), "favor": (1, 0)}
SECOND_COUNT = {"broken_after": (3, 4), "honor_after": (5, 10), "favor_after": (0, 1)}
PASSED = {"first": (1, 0), "passed": (1, 1), "leader": (1, 1)}


def test_the_worked_example_of_going_to_time() -> None:
    """L5R-TIME: 7 to 6, both pass, then 6 to 9: a modified win for the second."""
    assert "7 to 6" in refused("l5r", "time", **FIRST_COUNT)
    result = seen("l5r", "time", **FIRST_COUNT, **PASSED, **SECOND_COUNT)
    assert (result.outcomes, result.points) == (("modified loss", "modified win"), (0, 6))
    assert result.manner == "time"


@pytest.mark.parametrize(
    ("broken", "honor", "favor", "outcome"),
    [
        ((0, 3), (1, 1), (0, 0), "win"),  # 6 to 0
        ((0, 4), (1, 1), (0, 1), "win"),  # 6 (never 8) to 1
        ((0, 2), (1, 1), (1, 0), "win"),  # 5 to 0
        ((1, 3), (5, 5), (0, 0), ""),  # 6 to 2
        ((1, 3), (5, 5), (1, 0), "win"),  # 7 to 2
    ],
)
def test_five_points_ahead_is_a_full_win(
    broken: Pair, honor: Pair, favor: Pair, outcome: str
) -> None:
    """L5R-TIME: the first count, at its edges."""
    if outcome:
        result = seen("l5r", "time", broken=broken, honor=honor, favor=favor)
        assert result.outcomes[0] == outcome
        assert "ends the game" in refused(
            "l5r", "time", broken=broken, honor=honor, favor=favor, **PASSED
        )
    else:
        assert "first" in refused("l5r", "time", broken=broken, honor=honor, favor=favor)


def test_each_in_turn_from_the_first_player_may_concede() -> None:
    """L5R-TIME, L5R-LOST: a full win; who has passed may not, unless a card is lost."""
    told = {**FIRST_COUNT, "first": (0, 1)}
    assert seen("l5r", "time", **told, conceded=(0, 1)).outcomes == ("win", "loss")
    passed = seen("l5r", "time", **told, passed=(0, 1), conceded=(1, 0))
    assert passed.outcomes == ("loss", "win")
    assert "before the other" in refused("l5r", "time", **told, conceded=(1, 0))
    both = {**told, "passed": (1, 1)}
    assert "can no longer concede" in refused("l5r", "time", **both, conceded=(1, 0))
    assert "leader" in refused("l5r", "time", **both, **SECOND_COUNT)
    assert seen("l5r", "lost card", **both, conceded=(1, 0)).outcomes == ("loss", "win")


def test_the_second_count_and_whoever_determined_the_first_player() -> None:
    """L5R-TIME, L5R-FIRST: equal goes against them; a victory condition is still a full win."""
    told = {**FIRST_COUNT, **PASSED}
    equal = {"broken_after": (4, 4), "honor_after": (5, 5)}
    assert "chooser" in refused("l5r", "time", **told, **equal)
    assert seen("l5r", "time", **told, **equal, chooser=(1, 0)).outcomes[0] == "modified loss"
    assert seen("l5r", "time", **told, **equal, chooser=(0, 1)).outcomes[0] == "modified win"
    assert seen("l5r", "time", **told, defeated=(0, 1)).points == (10, 1)
    assert "second count is missing" in refused("l5r", "time", **told)
    fewer = {"broken_after": (1, 4), "honor_after": (5, 5)}
    assert "stays broken" in refused("l5r", "time", **told, **fewer)


def test_without_time_nothing_is_counted() -> None:
    """L5R-OUTCOME: a victory condition and a concession are full wins."""
    assert seen("l5r", "victory", "win").points == (10, 1)
    assert seen("l5r", "concession", "loss").points == (1, 10)
    assert "time was not called" in refused("l5r", "victory", "win", broken=(1, 2))
    assert "a loss for the player named first" in refused(
        "l5r", "time", "win", broken=(3, 0), honor=(1, 2)
    )
