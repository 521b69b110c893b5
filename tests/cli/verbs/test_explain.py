"""`diff` and `explain` at the command line."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from ledger.rulesets import text_of
from tests.support.cli_desk import desk, typed_once
from tests.support.sample_days import EARLIER

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

__all__ = ["desk"]

SAMPLE = EARLIER / "l5r" / "winter-court-24.jsonl"
HOSTILE = "\x1b[31mAnn\u202e"


def corrected(desk: Desk) -> tuple[int, int]:
    """Who lost by the correction, and who won."""
    first, second = desk.done("pairings", "--round", "1", "--json").json[0]["players"]
    return first, second


@typed_once
def played(desk: Desk) -> Desk:
    """Two rounds of five, closed, the first result corrected."""
    desk.open(5, "custom", "--rounds", "3")
    for _ in range(2):
        desk.done("pair")
        desk.report_all()
    desk.done("correct", "1/1", str(corrected(desk)[1]), "--reason", "the slip said otherwise")
    desk.done("round", "close")
    return desk


def events(desk: Desk) -> list[dict[str, Any]]:
    return [json.loads(line) for line in desk.log().splitlines()]


def leaves(tree: dict[str, Any]) -> list[dict[str, Any]]:
    below = [leaf for term in tree.get("terms", ()) for leaf in leaves(term)]
    return below or [tree]


def test_points_go_down_to_who_entered_them_and_when(played: Desk) -> None:
    log = events(played)
    _, player = corrected(played)
    tree = played.done("explain", str(player), "points", "--json").json
    row = next(r for r in played.done("standings", "--json").json if r["player"] == player)
    assert Fraction(tree["exact"]) == row["points"]
    for leaf in leaves(tree):
        assert leaf["clause"] in {"L5R-SCORE", "FFG-BYE-WIN"}
        for event in leaf["events"]:
            line = log[event["seq"] - 1]
            assert all(line[key] == event[key] for key in ("seq", "at", "by", "type"))
    (first,) = (leaf for leaf in leaves(tree) if leaf["round"] == 1)
    assert [event["type"] for event in first["events"]] == ["ResultCorrected"]
    shown = played.done("explain", f"Player {player:02}", "points").out
    assert f"event {first['events'][0]['seq']}, " in shown
    assert "o1 Kim Larsen: 1/1 corrected" in shown


@pytest.mark.slow
def test_a_tree_fits_the_width_and_says_how_to_go_on(desk: Desk) -> None:
    desk.done("import", str(SAMPLE))
    best = desk.done("standings", "--json").json[0]  # who made the cut, and so has a seed
    number, name = str(best["player"]), best["name"]
    for column in ("rank", "points", "record", "SOS", "ESOS", "seed", "place"):
        for depth in ("1", "2", "3", "9"):
            answer = desk.done("explain", number, column, "--depth", depth)
            assert all(len(line) <= 80 for line in answer.out.splitlines())
            assert ("shows more levels" in answer.err) == (
                len(desk.done("explain", number, column, "--depth", "9").out) > len(answer.out)
            )
    shown = desk.done("explain", name, "esos").out
    assert desk.done("explain", *name.split(), "ESOS").out == shown
    whole = desk.done("explain", number, "ESOS", "--json").json
    assert {leaf["how"] for leaf in leaves(whole)} == {"event"}
    assert len(leaves(desk.done("explain", number, "ESOS", "--json", "--depth", "1").json)) == 4


def test_a_number_as_it_was(played: Desk) -> None:
    player = str(corrected(played)[0])
    before = played.done("explain", player, "points", "--at", "round:1", "--json").json
    after = played.done("explain", player, "points", "--json").json
    first = [tree["terms"][0] for tree in (before, after)]
    assert [leaf["exact"] for leaf in first] == ["10", "1"]


def test_a_rank_names_the_column_that_decides(played: Desk) -> None:
    rows = played.done("standings", "--json").json
    tree = played.done("explain", str(rows[1]["player"]), "--json").json
    assert (tree["column"], tree["exact"]) == ("rank", "2")
    above, below = tree["terms"]
    assert (above["player"], below["player"]) == (rows[0]["player"], rows[2]["player"])
    assert Fraction(above["terms"][-1]["exact"]) != 0


def test_why_two_met_and_why_one_had_the_bye(played: Desk) -> None:
    game = played.done("pairings", "--round", "2", "--json").json[0]
    found = played.done("explain", "pairing", "2/1", "--json").json
    assert found["players"] == game["players"]
    assert (found["gap"], found["by_hand"]) == (found["least_gap"], False)
    said = played.done("explain", "pairing", "2/1").out
    assert "drawn by swiss@1, attempt 1 for round 2" in said
    (bye,) = played.done("explain", "bye", "2", "--json").json
    (free,) = [
        max(each["players"])
        for each in played.done("pairings", "--round", "2", "--json").json
        if each["bye"]
    ]
    assert (bye["player"], bye["order"][-1]["player"]) == (free, free)
    assert "FFG-BYE-LATER" in played.done("explain", "bye", "2").out
    assert "drawn at random (FFG-BYE-FIRST)" in played.done("explain", "bye", "1").out


@pytest.mark.slow
def test_a_waived_clause_stands_beside_the_event(desk: Desk) -> None:
    desk.open(3, "custom", "--rounds", "4")
    for _ in range(3):
        desk.done("pair")
        desk.report_all()
    desk.done("pair", "--allow-rematch", "--reason", "they came for four rounds")
    table = next(each for each in desk.done("pairings", "--json").json if not each["bye"])
    free = next(
        max(each["players"]) for each in desk.done("pairings", "--json").json if each["bye"]
    )
    found = desk.done("explain", "pairing", f"4/{table['table']}", "--json").json
    assert found["rematch"]
    assert "FFG-REMATCH" in found["drawn"]["waives"]
    assert "met before (FFG-REMATCH)" in desk.done("explain", "pairing", f"4/{table['table']}").out
    last = desk.done("explain", str(free), "points", "--json").json["terms"][-1]
    assert last["events"][0]["waives"] == ["FFG-REMATCH"]  # of three, each has had a bye
    assert "(waives" in desk.done("explain", str(free), "points").out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("explain Plaier", 3, "did you mean"),
        ("explain 99", 3, "no player 99"),
        ("explain 1 pionts", 3, "did you mean points"),
        ("explain 1 seed", 3, "no seed"),
        ("explain pairing 9/1", 3, "no round 9"),
        ("explain pairing 2/9", 3, "no table 9"),
        ("explain pairing 2/3", 3, "explain bye 2"),
        ("explain bye 9", 3, "no round 9"),
        ("explain bye x", 2, "whole number"),
        ("explain", 2, "PLAYER"),
        ("explain 1 --depth 0", 2, "--depth must be a whole number"),
        ("diff", 2, "FROM"),
        ("diff 1 2 3", 2, ""),
        ("diff x", 2, "a moment must be"),
        ("diff 1 999", 3, "there is no event 999"),
        ("diff round:9 now", 3, "no round 9"),
        ("diff posted", 3, "nothing has been posted"),
    ],
)
def test_what_is_not_there(played: Desk, line: str, code: int, told: str) -> None:
    answer = played.refused(*line.split())
    assert (answer.code, told in answer.err) == (code, True), answer.err


@pytest.mark.slow
def test_nobody_had_the_bye(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    assert "no round is paired" in desk.refused("explain", "pairing", "1").err
    desk.done("pair")
    assert "no player had a bye in round 1" in desk.refused("explain", "bye", "1").err
    for column in ("rank", "points", "SOS", "record"):
        assert desk.done("explain", "1", column)


def test_names_are_shown_safely(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    for name in (HOSTILE, "Bob", "Cid"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    for words in (
        ["explain", "1", "SOS"],
        ["explain", "2"],
        ["diff", "1"],
        ["explain", "bye", "1"],
    ):
        for further in ([], ["--json"]):
            answer = desk.done(*words, *further)
            assert not {"\x1b", "\u202e"} & set(answer.out + answer.err)


@pytest.mark.slow
def test_a_tree_without_end_is_refused(desk: Desk) -> None:
    """A ruleset may declare means of means: each step multiplies the tree by the opponents."""
    steps = "".join(
        f'[[tiebreakers]]\nclause = "X-{step}"\ncode = "M{step}"\nname = "mean"\n'
        f'over = "opponents"\nsource = "{f"M{step - 1}" if step else "points"}"\n'
        'reduction = "mean"\n\n'
        for step in range(11)
    )
    text = text_of("swiss")
    head, _, rest = text.partition("[[tiebreakers]]")
    tail = rest[rest.index("\n[structures]") :] if "\n[structures]" in rest else ""
    (desk.folder / "deep.toml").write_text(f"{head}{steps}{tail}", "utf-8")
    desk.done("new", "Deep", "--ruleset", "deep.toml", "--organizer", "Kim")
    desk.done("register", "--file", "-", stdin="name\n" + "".join(f"P{n}\n" for n in range(8)))
    desk.done("start", "custom", "--rounds", "5")
    for _ in range(5):
        desk.done("pair")
        desk.report_all("")
    answer = desk.refused("explain", "1", "M10", "--json")
    assert (answer.code, "--depth" in answer.err) == (1, True)
    assert desk.done("explain", "1", "M10", "--json", "--depth", "3").json["terms"]
    assert desk.done("explain", "1", "M10")


def test_diff_shows_each_row_that_moved_and_the_events_behind(played: Desk) -> None:
    first, second = corrected(played)
    log = events(played)
    seq = next(each["seq"] for each in log if each["type"] == "ResultCorrected")
    found = played.done("diff", str(seq - 1), str(seq), "--json").json
    rows = {row["player"]: row for row in found["rows"]}
    assert rows[first]["before"]["points"] - rows[first]["after"]["points"] == 9
    assert rows[second]["after"]["points"] - rows[second]["before"]["points"] == 9
    assert rows[first]["events"] == rows[second]["events"] == [seq]
    for player in rows.keys() - {first, second}:
        before, after = (rows[player][side] | {"rank": 0} for side in ("before", "after"))
        # Who was only passed by the others has moved through nobody.
        assert (seq in rows[player]["through"]) == (before != after)
    assert [each["seq"] for each in found["events"]] == [seq]
    assert [(each["round"], each["table"]) for each in found["matches"]] == [(1, 1)]
    shown = played.done("diff", str(seq - 1))
    assert f"Player {first:02}" in shown.out
    assert "corrected (was " in shown.out
    assert shown.err.startswith(f"from event {seq - 1}, ")
    back = played.done("diff", str(seq), str(seq - 1), "--json").json
    for row in back["rows"]:
        assert (row["before"], row["after"]) == (
            rows[row["player"]]["after"],
            rows[row["player"]]["before"],
        )


def test_diff_of_a_moment_and_itself_is_nothing(played: Desk) -> None:
    answer = played.done("diff", "now")
    assert (answer.out, answer.err.splitlines()[-1]) == (
        "",
        "nothing changed between the two moments",
    )
    found = played.done("diff", "round:1", "round:1", "--json").json
    assert not any(found[key] for key in ("rows", "people", "matches", "games", "cuts", "places"))


def test_diff_tells_of_a_cut_and_its_bracket(desk: Desk) -> None:
    desk.done("import", str(SAMPLE))
    shown = desk.done("diff", "round:4", "now").out
    for section in ("people:", "bracket:", "cut:", "places:"):
        assert section in shown
    found = desk.done("diff", "round:4", "now", "--json").json
    first = found["cuts"][0]["after"][0]
    assert f"(#{first})" in shown
    assert len(found["cuts"][0]["after"]) == 8
    assert {each["round"] for each in found["games"]} == {5, 6, 7}


def cut_of_12(desk: Desk) -> list[int]:
    """Two rounds of twelve and a cut to 4; returns the seeds, the best first."""
    desk.open(12, "custom", "--rounds", "2", "--cut", "4")
    for _ in range(2):
        desk.done("pair")
        desk.report_all()
    return [each["player"] for each in desk.done("cut", "--json").json["seeds"]]


def test_a_seed_that_was_is_told_of(desk: Desk) -> None:
    """Of who was in a cut that was taken back, and of who left a cut."""
    first, second, *_ = cut_of_12(desk)
    desk.done("cut", "take-back", "--reason", "a slip was misread")
    for seed, player in enumerate((first, second), start=1):
        said = desk.type("explain", str(player), "seed").err
        assert f"was seed {seed} of stage 2 until event " in said
    desk.done("cut")
    desk.done("drop", str(first))
    desk.done("cut", "accept", "next")
    said = desk.type("explain", str(first), "seed").err
    assert "was seed 1 of stage 2 until event " in said
    assert "seed = 1" in desk.done("explain", str(second), "seed").out


def test_a_disqualified_qualifier_has_one_place(desk: Desk) -> None:
    """FFG-AUTH-DQ: last of the event, and no place in the bracket, where others move up."""
    seeds = cut_of_12(desk)
    desk.done("pair")
    desk.report_all()
    desk.done("disqualify", str(seeds[0]), "--reason", "a marked deck")
    bracket = desk.done("bracket", "--json").json["ranking"]
    assert [each["rank"] for each in bracket] == [1, 2, 3, None]
    assert bracket[3]["player"] == seeds[0]
    final = desk.done("standings", "--final", "--json").json
    places = {each["player"]: each["rank"] for each in final}
    assert places[seeds[0]] == 12
    assert all(places[each["player"]] == each["rank"] for each in bracket[:3])
    assert ["-", "1"] in [line.split()[:2] for line in desk.done("bracket").out.splitlines()]


LONG = ("Ann van der Lee", "Bob St. John", "Cas Dor", "Dee de la Cruz", "Eve Ng", "Fay O Neill")


@pytest.mark.parametrize("width", range(34, 90, 3))
def test_no_name_is_broken_over_two_lines(desk: Desk, width: int) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    desk.done("register", "--file", "-", stdin="\n".join(["name", *LONG]) + "\n")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    desk.done("pair")
    desk.patch.setenv("COLUMNS", str(width))
    for line in ("pairing 1/1", "pairing 2/2", "1 rank", "1 points", "2 SOS --depth 4"):
        out = desk.done("explain", *line.split()).out
        assert max(map(len, out.splitlines())) <= width
        labels = [f"{name} (#{number})" for number, name in enumerate(LONG, start=1)]
        flat = " ".join(out.split())
        for label in labels:
            assert out.count(label) == flat.count(label), (line, label, out)
        rests = [each.strip() for each in out.splitlines() if each.startswith("      ")]
        assert not [each for each in rests if each.startswith("(#")]


def test_a_table_is_another_verb_s(played: Desk) -> None:
    answer = played.refused("explain", "1/1")
    assert (answer.code, "`match 1/1`, or `explain pairing 1/1`" in answer.err) == (2, True)
