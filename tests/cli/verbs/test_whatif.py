"""`whatif` and `repair` at the desk: what they say, and what they refuse."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

import pytest

from tests.support.sample_days import EARLIER

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


WINTER_COURT = EARLIER / "l5r" / "winter-court-24.jsonl"


@pytest.fixture(autouse=True)
def _the_same_draws_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another result changes of a day depends on how the day was drawn."""
    k = b"k" * 32
    keys = itertools.chain([k, k, b"h" * 32], itertools.repeat(k))  # of the log, draws, cards
    monkeypatch.setattr("cli.verbs.day.new.draw_key", lambda: next(keys))
    monkeypatch.setattr("cli.desk.in_hand.draw_key", lambda: next(keys))


def played(desk: Desk, players: int, rounds: int, paired: int, cut: int = 4) -> None:
    """A day with so many rounds paired, the last one running."""
    desk.open(players, "custom", "--rounds", str(rounds), "--cut", str(cut))
    for number in range(1, paired + 1):
        desk.done("pair")
        if number < paired:
            desk.report_all()


def game(desk: Desk, number: int, table: int) -> tuple[int, int]:
    told = desk.done("pairings", "--round", str(number), "--json").json[table - 1]
    first, second = told["players"]
    return first, second


@pytest.mark.slow
def test_the_other_outcome_is_shown_and_nothing_is_written(desk: Desk) -> None:
    played(desk, 10, 4, 3)
    first, second = game(desk, 1, 2)
    before = desk.log()
    answer = desk.done("whatif", "1/2", f"#{second}")
    assert "later rounds as they were played; nothing was written" in answer.err
    assert "1/2: Player" in answer.out
    assert "round 2 would have been drawn differently" in answer.out
    assert desk.log() == before
    told = desk.done("whatif", "1/2", f"#{second}", "--json").json
    # Whether the cut is another hangs on the draws, which rest on the time of the start.
    others = [set(cut["seeds"]) != set(cut["would_be"]) for cut in told["cuts"]]
    assert ("the cut to stage 2 would now be different" in answer.out) == any(others)
    rows = {row["player"]: row for row in told["differences"]["rows"]}
    assert rows[first]["before"]["points"] > rows[first]["after"]["points"]
    assert rows[second]["before"]["rank"] > rows[second]["after"]["rank"]
    assert [later["round"] for later in told["rounds"]] == [2, 3]
    assert told["names"][str(first)] == f"Player {first:02}"
    # What was shown is what the correction makes of it, in the shape that `diff` has.
    size = len(desk.log().splitlines())
    desk.done("correct", "1/2", f"#{second}", "--reason", "the slip said so")
    moved = desk.done("diff", str(size), "now", "--json").json
    assert moved["rows"]
    for name in ("rows", "matches", "games", "places", "people"):
        for each in moved[name]:
            for added in ("events", "through"):
                each.pop(added, None)
        assert told["differences"][name] == moved[name]
    assert told["differences"].keys() == moved.keys() - {"events"}
    now = {row["player"]: row["rank"] for row in desk.done("standings", "--json").json}
    assert all(now[player] == row["after"]["rank"] for player, row in rows.items())


def test_what_happened_changes_nothing(desk: Desk) -> None:
    played(desk, 8, 3, 2)
    first, _ = game(desk, 1, 1)
    answer = desk.done("whatif", "1/1", f"#{first}")
    assert answer.out == ""
    assert answer.err == "nothing would change\n"


def test_a_round_is_shown_as_it_would_have_been_drawn(desk: Desk) -> None:
    played(desk, 10, 4, 3)
    _, second = game(desk, 1, 2)
    words = ("whatif", "1/2", f"#{second}")
    drawn = desk.done(*words, "--round", "2").out.splitlines()
    assert drawn[0].split() == ["table", "player", "against"]
    assert len(drawn) == 6
    assert "the draw of round 1 would have been the same" in desk.done(*words, "--round", "1").err


def test_people_may_have_left_or_stayed(desk: Desk) -> None:
    played(desk, 9, 4, 3)
    answer = desk.done("whatif", "Player 03", "dropped", "1")
    assert "Player 03 (#3): dropped, not active" in answer.out
    assert "a bye for" in answer.out
    assert "Player 03 (#3): disqualified" in desk.done("whatif", "3", "disqualified").out
    desk.done("drop", "Player 05")
    assert "Player 05 (#5): active, not dropped" in desk.done("whatif", "5", "stayed").out
    both = desk.done("whatif", "1/1", "none", "and", "Player 05", "stayed").out
    assert "no result" in both
    assert "active, not dropped" in both


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "type what should be different"),
        (["and"], 2, "type what should be different"),
        (["1/1"], 2, "give the table and the winner"),
        (["9/1", "none"], 3, "there is no round 9"),
        (["1/99", "none"], 3, "round 1 has no table 99"),
        (["1/1", "Nobody"], 3, "does not sit at this table"),
        (["1/1", "#1", "by a mile"], 3, ""),
        (["1/4", "draw"], 1, "has no draw"),
        (["Nobody", "stayed"], 3, "no player"),
        (["Player 01", "stayed"], 1, "has not left"),
        (["Player 01", "dropped", "7"], 1, "round 7 has not been played"),
        (["Player 01", "dropped", "x"], 2, "a whole number"),
        (["1/1", "none", "and", "1/1", "no-show", "{first}"], 1, "two results"),
        (["Player 01", "dropped", "1", "and", "Player 01", "dropped", "0"], 1, "two departures"),
        (["Player 01", "dropped", "1", "and", "Player 01", "stayed"], 1, "two departures"),
        (["1/1", "none", "--fact", "honor=3:2"], 2, "without a result has no facts"),
        (["1/1", "none", "--round", "8"], 3, "there is no round 8"),
        (["--sweep", "1/1", "none"], 2, "--sweep takes one match"),
        (["--sweep", "9/9"], 3, "there is no round 9"),
        (["Player 01", "droped"], 2, "did you mean `whatif Player 01 dropped`?"),
        (["Player 01", "droped", "1"], 2, "did you mean `whatif Player 01 dropped 1`?"),
        (["#1", "stayd"], 2, '"stayd" is not a fact; of a player, a fact is stayed, dropped or'),
        (["#1", "Nobody"], 3, "of a player, a fact is stayed, dropped or disqualified"),
    ],
)
def test_nonsense_is_one_line(desk: Desk, words: list[str], code: int, said: str) -> None:
    played(desk, 7, 3, 2)
    first, _ = game(desk, 1, 1)
    answer = desk.refused("whatif", *(word.format(first=f"#{first}") for word in words))
    assert answer.code == code
    assert said in answer.err


def test_a_bye_has_no_other_result(desk: Desk) -> None:
    played(desk, 7, 3, 2)
    assert desk.refused("whatif", "1/4", "none").code == 1
    assert "is a bye" in desk.refused("whatif", "--sweep", "1/4").err


@pytest.mark.slow
def test_the_running_round_is_swept(desk: Desk) -> None:
    played(desk, 8, 2, 2)
    answer = desk.done("whatif", "--sweep")
    (line,) = [line for line in answer.err.splitlines() if "proven" in line]
    assert line.startswith(
        "4 players advance; 4 open; proven for every result that l5r accepts (win, modified "
    )
    assert "if all players come to their tables, no player drops" in line
    told = desk.done("whatif", "--sweep", "--json").json
    assert [hope["verdict"] for hope in told["hopes"]].count("possible") > 1
    assert told["samples"] == 0
    assert told["whole"]
    assert told["distinct"] == len(told["results"]) == 4
    assert "no player drops" in told["assumed"]
    winner = told["hopes"][0]
    assert winner["verdict"] in {"certain", "possible"}
    verdicts = {each["result"]["outcomes"][0]: each["verdict"] for each in winner["chances"]}
    assert verdicts["win"] == "certain"
    for hope in told["hopes"]:
        if hope["verdict"] == "out":
            assert told["names"][str(hope["player"])] not in answer.out
    desk.report_all()
    settled = desk.done("whatif", "--sweep", "--json").json
    assert {hope["verdict"] for hope in settled["hopes"]} == {"certain", "out"}
    cut = [hope["player"] for hope in settled["hopes"] if hope["verdict"] == "certain"]
    desk.done("cut")
    assert sorted(cut) == sorted(row["player"] for row in desk.done("standings", "--json").json[:4])


def test_one_match_is_swept_side_by_side(desk: Desk) -> None:
    played(desk, 8, 3, 2)
    desk.patch.setenv("COLUMNS", "200")
    answer = desk.done("whatif", "--sweep", "1/1")
    lines = answer.out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "win (current)",
        "modified win",
        "modified loss",
        "loss",
    ]
    told = desk.done("whatif", "--sweep", "1/1", "--json").json
    assert len(told["outcomes"]) == 4
    assert not told["outcomes"][0]["differences"]["rows"]


def final_places(desk: Desk) -> dict[int, int]:
    """Who is where in the finishing order, the open places left out."""
    places = desk.done("bracket", "--json").json["ranking"]
    return {each["player"]: each["rank"] for each in places if each["rank"]}


def finalists(desk: Desk) -> tuple[int, str, int, str]:
    """Number and name of who lost the final, then of the champion."""
    told = desk.done("pairings", "--round", "7", "--json").json[0]
    won = told["result"]["outcomes"].index("win")
    (one, other) = ((told["players"][at], told["names"][at]) for at in (1 - won, won))
    return *one, *other


def test_another_winner_of_the_final_is_another_champion(desk: Desk) -> None:
    """What is told is what the correction then makes of it."""
    desk.patch.setenv("COLUMNS", "200")
    desk.done("import", str(WINTER_COURT))
    before = final_places(desk)
    number, name, champion, champions = finalists(desk)
    told = desk.done("whatif", "7/1", f"#{number}")
    shown = desk.done("whatif", "7/1", f"#{number}", "--json").json
    assert f"advances: {champions} → {name}" in told.out
    assert f"{name} (#{number}): 2 → 1" in told.out
    assert {str(number), str(champion)} <= set(shown["names"])
    swept = desk.done("whatif", "--sweep", "7/1").out.splitlines()[1:]
    turned = [f"{name} 2 → 1" in line for line in swept]
    assert sorted(turned) == [False, False, True, True]
    assert sum("(current)" in line for line in swept) == 1
    assert not any(
        "(current)" in line for line, is_other in zip(swept, turned, strict=True) if is_other
    )
    desk.done("correct", "7/1", f"#{number}", "--reason", "the slip said so")
    after = final_places(desk)
    moved = {player: [before[player], after[player]] for player in after}
    assert {player: both for player, both in moved.items() if both[0] != both[1]} == {
        each["player"]: [each["before"], each["after"]] for each in shown["differences"]["places"]
    }


def test_another_winner_of_a_semifinal_leaves_places_open(desk: Desk) -> None:
    desk.patch.setenv("COLUMNS", "200")
    desk.done("import", str(WINTER_COURT))
    swept = desk.done("whatif", "--sweep", "6/1").out.splitlines()[1:]
    open_ones = [line for line in swept if "1 → open" in line]
    assert len(open_ones) == 2
    assert not any("(current)" in line for line in open_ones)
    assert all(line.rstrip().endswith("7") for line in open_ones)


def test_a_sweep_needs_a_running_round_and_a_cut(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "2")
    assert desk.refused("whatif", "--sweep").code == 1
    desk.done("pair")
    assert "no cut" in desk.refused("whatif", "--sweep").err


def corrected(desk: Desk) -> int:
    """A day of 16 on which a late correction makes a repair worth while; its choice."""
    played(desk, 16, 4, 3)
    for table in range(1, 9):
        _, second = game(desk, 1, table)
        desk.done("correct", f"1/{table}", f"#{second}", "--reason", "the slip said so")
        if len(found := desk.done("repair-round", "--json").json) > 1:
            return int(found[-1]["stopped"])
    raise AssertionError("no correction asks for a repair")


@pytest.mark.slow
def test_a_repair_is_shown_and_done_on_the_word_alone(desk: Desk) -> None:
    stopped = corrected(desk)
    before, log = desk.done("pairings", "--json").json, desk.log()
    shown = desk.done("repair-round")
    assert shown.out.startswith("0: leave the round unchanged: score gap ")
    assert f"{stopped}: stop {stopped} tables: score gap " in shown.out
    assert desk.log() == log
    assert desk.done("repair-round", "--do", "0", "--reason", "as it is").err.startswith(
        "nothing to change"
    )
    assert desk.log() == log
    done = desk.done("repair-round", "--do", str(stopped), "--reason", "1/1 was corrected")
    assert "of round 3 again: " in done.err
    after = desk.done("pairings", "--json").json
    touched = [new["table"] for old, new in zip(before, after, strict=True) if old != new]
    assert len(touched) == stopped
    assert [each["match"] for each in after] == [each["match"] for each in before]
    assert desk.log().splitlines()[:-1] == log.splitlines()
    (left,) = desk.done("repair-round", "--json").json
    assert left["stopped"] == 0
    desk.done("undo")
    assert desk.done("pairings", "--json").json == before


@pytest.mark.slow
def test_a_repair_is_part_of_what_is_told_of_its_tables(desk: Desk) -> None:
    stopped = corrected(desk)
    desk.done("repair-round", "--do", str(stopped), "--reason", "1/1 was corrected")
    last = json.loads(desk.log().splitlines()[-1])
    for table in range(1, 9):
        kinds = [each["type"] for each in desk.done("match", f"3/{table}", "--json").json["story"]]
        assert ("TablesRepaired" in kinds) == (table in last["data"]["tables"])
        found = desk.done("explain", "pairing", f"3/{table}", "--json").json
        assert found["swapped"] == (table in last["data"]["tables"])
        assert found["drawn"]["swaps"] == [last["seq"]]
        told = desk.done("explain", "pairing", f"3/{table}").out
        assert (f"event {last['seq']}," in told) == found["swapped"]
        assert found["repaired"] == (last["seq"] if found["swapped"] else None)
        assert ("as known at that time" in told) == found["swapped"]


@pytest.mark.slow
def test_a_repair_is_refused_in_one_line(desk: Desk) -> None:
    desk.open(8, "custom", "--rounds", "3")
    assert "no round is in play" in desk.refused("repair-round").err
    desk.done("pair")
    assert desk.refused("repair-round", "--do", "2").code == 2
    assert desk.refused("repair-round", "--do", "x", "--reason", "why").code == 2
    assert desk.refused("repair-round", "--reason", "why").code == 2
    missing = desk.refused("repair-round", "--do", "3", "--reason", "why")
    assert missing.code == 1
    assert "no repair stops this number of tables: 3" in missing.err
    desk.report_all()
    late = desk.refused("repair-round", "--do", "2", "--reason", "why")
    assert "has a result" in late.err
    assert late.code == 1


@pytest.mark.slow
def test_tables_with_a_result_are_not_stopped(desk: Desk) -> None:
    stopped = corrected(desk)
    found = desk.done("repair-round", "--json").json[-1]
    for each in found["tables"]:
        desk.done("report", str(each["table"]), f"#{desk.seats(each['table'])[0]}")
    tables = {each["table"] for each in found["tables"]}
    assert len(tables) == stopped
    left = desk.done("repair-round", "--json").json
    assert left
    assert not [each for each in left if tables & {one["table"] for one in each["tables"]}]
