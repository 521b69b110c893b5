"""Results that follow from facts, as they are typed at the desk and read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def paired(desk: Desk, ruleset: str, players: int = 4, *, runs: bool = True) -> tuple[int, int]:
    """Open, start and pair a day, and start its round; the two at table 1."""
    desk.open(players, "custom", "--rounds", "2", ruleset=ruleset)
    desk.done("pair")
    if runs:
        desk.done("round", "start")
    return desk.seats(1)


def result(desk: Desk, table: int = 1) -> Any:  # noqa: ANN401 - a value for scripts
    return desk.done("pairings", "--json").json[table - 1]["result"]


def test_a_score_is_the_rulesets_main_fact(desk: Desk) -> None:
    """RW-MOV, RW-SCORE: in the order of the pairing, or the winner's first."""
    first, second = paired(desk, "runewars")
    desk.done("round", "time")
    answer = desk.done("report", "1", "49-107", "--ended", "time")
    assert "7-4 after time [score 107:49]" in answer.err
    assert result(desk) == {
        "outcomes": ["loss", "win"],
        "points": [4, 7],
        "manner": "time",
        "fields": {"mov": [0, 58]},
        "ending": "time",
        "facts": {"score": [49, 107]},
        "adjusted": [0, 0],
    }
    assert "[score 107:49]" in desk.done("log").out
    assert (
        "nothing to change"
        in desk.done("report", "1", f"#{second}", "107-49", "--ended", "time").err
    )
    desk.done("correct", "1", f"#{first}", "120-49", "--reason", "slip read wrongly")
    assert result(desk)["facts"] == {"score": [120, 49]}
    rows = desk.done("standings", "--json").json
    assert rows[0]["tiebreakers"]["MOV"] == {"exact": "71", "value": 71.0}


def test_facts_by_name_and_the_winner_named(desk: Desk) -> None:
    """RW-GAMESCORE, RW-OUTCOME: naming the winner says who was destroyed."""
    _, second = paired(desk, "runewars")
    facts = ("--fact", "army=200:120", "--fact", "objectives=0:20")
    desk.done("report", "1", f"#{second}", "--ended", "destroyed", *facts)
    assert result(desk)["facts"] == {
        "army": [120, 200],
        "objectives": [20, 0],
        "destroyed": [1, 0],
    }
    assert result(desk)["points"] == [4, 7]


@pytest.mark.slow
def test_what_is_missing_or_contradictory_is_refused(desk: Desk) -> None:
    """RW-GAMESCORE, RW-FLURRY, RW-MOV: one line each, and nothing is written."""
    first, second = paired(desk, "runewars")
    for words, told in (
        ((f"#{first}",), "needs score for both sides"),
        (("50-50",), "RW-FLURRY"),
        (("500-0",), "score must be from 0 to 400"),
        ((f"#{first}", "40-50"), f"(#{first}) a loss against Player 0{second} (#{second})"),
        (("50-40", "--ended", "tine"), "no ending 'tine'; did you mean time"),
        (("50-40", "--fact", "honor=1:2"), "no fact 'honor'"),
        (("50-40", "--fact", "score=50:41"), "given twice"),
        (("50-40", "--fact", "score"), "name=A:B"),
        (("50-40", "--fact", "army=3"), "both sides' numbers"),
        (("50-40-1",), "two numbers"),
        (("no-show", f"#{second}", "--ended", "time"), "was not played"),
        (("--fact", "objectives=3:4"), "report the score, or army and objectives"),
    ):
        assert told in desk.refused("report", "1", *words).err


def test_games_of_a_match_and_a_draw(desk: Desk) -> None:
    """MTG-OUTCOME, MTG-GAMES."""
    _, second = paired(desk, "mtg")
    desk.done("report", "1", f"#{second}", "2-1")
    assert result(desk)["facts"] == {"games": [1, 2]}
    desk.done("report", "2", "draw", "1-1-1")
    assert result(desk, 2)["fields"] == {"games": [3, 3], "game-points": [4, 4]}
    assert "not a draw" in desk.refused("correct", "1", "draw", "2-0", "--reason", "x").err
    assert "2-1" in desk.refused("correct", "1", "draw", "--reason", "x").err


def test_a_fact_of_one_side_names_the_player(desk: Desk) -> None:
    """SWL-SIDES, SWL-OUTCOME: equal tokens and scores go to the blue player."""
    _, second = paired(desk, "legion")
    told = ("2-2", "--fact", "score=300:300")
    assert "blue decides" in desk.refused("report", "1", *told).err
    desk.done("report", "1", *told, "--fact", f"blue=#{second}")
    assert result(desk)["outcomes"] == ["loss", "win"]


def test_after_time_the_leader_is_one_of_this_event(desk: Desk) -> None:
    """L5R-TIME: both counts, the passes and who confirmed."""
    first, second = paired(desk, "l5r")
    desk.done("official", "add", "Sam Scorer", "--role", "scorekeeper")
    told = ("--ended", "time", "--fact", "broken=2:4", "--fact", "honor=4:13",
            "--fact", "favor=1:0", "--fact", f"first=#{first}", "--fact", "passed=1:1",
            "--fact", "broken-after=3:4",
            "--fact", "honor-after=5:10", "--fact", f"favor-after=#{second}")  # fmt: skip
    desk.done("round", "time")
    assert "leader" in desk.refused("report", "1", *told).err
    for stranger in ("2", "9"):
        refused = desk.refused("report", "1", *told, "--fact", f"leader={stranger}")
        assert f"official {stranger} is not a leader" in refused.err
    desk.done("report", "1", *told, "--fact", "leader=1")
    assert result(desk)["outcomes"] == ["modified loss", "modified win"]


def test_the_same_in_the_loop(desk: Desk) -> None:
    first, second = paired(desk, "runewars")
    desk.done("round", "time")
    lines = f"1 #{second} 107-49 --ended time\n2 --fact score\n2 30-31 --fact=melee=3:4\n2 30-31\n"
    answer = desk.type("report", stdin=lines)
    assert answer.code == 1
    assert [line.partition(":")[0] for line in answer.err.splitlines()[:2]] == ["tourney"] * 2
    assert result(desk)["points"] == [4, 7]
    assert result(desk, 2)["points"] == [5, 6]
    assert first != second


def test_a_concession_and_a_drop_say_who_gave_up(desk: Desk) -> None:
    """FFG-CONCEDE, RW-CONCEDE."""
    first, _ = paired(desk, "runewars")
    asked = desk.refused("concede", f"#{first}").err
    assert asked.endswith("(RW-CONCEDE, RW-GAMESCORE); use `--fact army=A:B`\n")
    desk.done("concede", f"#{first}", "--fact", "army=60:20")
    facts = {"army": [60, 20], "conceded": [1, 0]}
    assert (result(desk)["points"], result(desk)["facts"]) == ([0, 9], facts)
    other = desk.seats(2)[1]
    assert "--fact army=A:B" in desk.refused("drop", f"#{other}").err
    desk.done("concede", f"#{other}", "--fact", "army=0:0")
    desk.done("drop", f"#{other}")
    assert result(desk, 2)["manner"] == "concession"


def test_a_drop_before_the_round_says_that_nobody_played(desk: Desk) -> None:
    """FFG-DROP: and what to do where the start of the round was forgotten."""
    first, _ = paired(desk, "runewars", runs=False)
    told = desk.done("drop", f"#{first}").err
    assert "round 1 has not started" in told
    assert "`round start`" in told
    assert (result(desk)["manner"], result(desk)["points"]) == ("no-show", [0, 8])


def test_an_elimination_needs_no_facts(desk: Desk) -> None:
    """FFG-WINNER: only who goes on matters there."""
    desk.open(4, "custom", "--stage", "single", ruleset="runewars")
    desk.done("pair")
    first, _ = desk.seats(1)
    desk.done("report", "1", f"#{first}")
    assert result(desk)["points"] == [0, 0]
    desk.done("report", "2", "60-20")
    assert result(desk, 2)["fields"] == {"mov": [40, 0]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [("points", [9, 2]), ("fields", {"mov": [57, 0]}), ("facts", {"score": [9, 8]})]
)
def test_a_log_whose_result_contradicts_its_facts_is_refused(
    desk: Desk, change: tuple[str, object]
) -> None:
    """RW-SCORE, RW-MOV: replay derives it again."""
    paired(desk, "runewars")
    desk.done("round", "time")
    desk.done("report", "1", "107-49", "--ended", "time")
    lines = desk.log().splitlines()
    forged = json.loads(lines[-1])
    forged["data"]["result"][change[0]] = change[1]
    lines[-1] = json.dumps(forged, separators=(",", ":"))
    path = desk.folder / "forged.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    answer = desk.type("replay", str(path))
    assert answer.code == 1
    assert "the facts give a win of" in answer.err


@pytest.mark.slow
def test_more_rounds_and_another_cut_where_the_table_leaves_a_choice(desk: Desk) -> None:
    """AOP-BRACKET, AOP-ROUNDS: at least 6 rounds, a cut to 8 or 16; other tables are fixed."""
    desk.open(77, ruleset="ashes")
    assert "advanced is at least 6 rounds and a cut to 8 or 16" in desk.refused("start").err
    assert "AOP-ROUNDS" in desk.refused("start", "advanced", "--rounds", "5").err
    assert "AOP-ROUNDS" in desk.refused("start", "advanced", "--cut", "12").err
    answer = desk.done("start", "advanced", "--rounds", "7", "--cut", "16")
    assert "7 rounds of Swiss; then single elimination, a cut to 16" in answer.err


def test_a_slip_has_a_place_for_the_main_fact(desk: Desk) -> None:
    paired(desk, "mtg")
    assert "games ______  drawn ______" in desk.done("pairings", "--slips").out


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["netrunner", "swiss"])
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("1 3-1 --ended nonsense", 3, "has no endings to report: only outcomes or points"),
        ("1 3-1 --fact score=3:1", 1, "has no facts to report: only outcomes or points"),
        ("1 --fact score=3:1", 1, "has no facts to report: only outcomes or points"),
    ],
)
def test_where_results_follow_from_no_facts_none_are_taken(
    desk: Desk, ruleset: str, words: str, code: int, told: str
) -> None:
    desk.open(2, "custom", "--rounds", "1", ruleset=ruleset)
    desk.done("pair")
    refused = desk.refused("report", *words.split())
    assert (refused.code, f"{ruleset} {told}" in refused.err) == (code, True)


def test_both_who_leave_a_game_say_the_wounds_dealt(desk: Desk) -> None:
    """AOP-BLOOD: `drop` of both players of a table asks for them, once its round has begun."""
    desk.open(4, "basic", ruleset="ashes")
    desk.done("pair", "--unchecked", "--reason", "no decks today")
    desk.done("round", "start")
    first, second = desk.seats(1)
    both = ("drop", str(first), str(second))
    assert "wounds" in desk.refused(*both).err
    assert "AOP-BLOOD" in desk.refused(*both).err
    assert "omit its numbers" in desk.refused(*both, "--no-show", "--fact", "wounds=14:3").err
    told = desk.done(*both, "--fact", "wounds=14:3").err
    assert "(both left) [wounds 14:3]" in told
    assert result(desk)["fields"] == {"blood": [14, 3]}
