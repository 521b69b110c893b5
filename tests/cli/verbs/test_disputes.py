"""A result in question at the desk: confirm, dispute, rule, appeal, review, correct, match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import rulesets
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Players 1 and 2 at table 1, 3 and 4 at table 2; Pat is a judge, Mara a marshal."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Mara Low", "--role", "marshal")
    by_hand = ("--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    desk.done("pair", *by_hand)
    return desk


@pytest.fixture
def disputed(day: Desk) -> Desk:
    """Both players of table 1 reported themselves the winner; table 2 is done."""
    day.done("report", "1", "#1", "--for", "1")
    day.done("report", "2", "#3")
    day.done("report", "1", "#2", "--for", "2")
    return day


def seq(day: Desk) -> str:
    """The last event."""
    return day.done("log", "-n", "1").out.splitlines()[1].split()[0]


@pytest.mark.slow
def test_the_whole_chain(disputed: Desk) -> None:
    (shown,) = disputed.done("disputes", "--json").json
    assert (shown["state"], shown["minutes"], shown["next"]["role"]) == ("open", 0, "judge")
    assert [claim["player"] for claim in shown["claims"]] == [1, 2]
    said = disputed.done("disputes")
    assert "Pat Jones can rule: `rule 1/1" in said.err
    assert "FFG-RULING" in disputed.refused("pair").err
    ruled = disputed.done("rule", "1", "the slip", "--result", "#2", "--as", "pat")
    assert "not yet entered: `correct --ruling 1/1`" in ruled.err
    assert "ruled, and not entered: 1/1" in disputed.done().out
    first = seq(disputed)
    disputed.done("appeal", "1/1", "--for", "1", "--reason", "one slip of two")
    assert "Mara Low can review" in disputed.done("disputes").err
    disputed.done("review", first, "both slips", "--upheld", "--as", "mara")
    assert "final" in disputed.refused("appeal", "1/1", "--for", "1").err
    corrected = disputed.done("correct", "--ruling", "1/1")
    assert "by ruling" in corrected.err
    assert "nothing is disputed" in disputed.done("disputes").err
    assert disputed.done("disputes", "--json").json == []
    assert "ruled by" in disputed.done("disputes", "--all").out
    disputed.done("pair")


def test_a_matchs_story_is_in_order_and_whole(disputed: Desk) -> None:
    disputed.done("post", "pairings")
    disputed.done(
        "rule", "1", "the slip", "--result", "#2", "--as", "pat", "--clause", "other: X-1"
    )
    disputed.done("appeal", "1/1", "--for", "1")
    disputed.done("review", "1/1", "no", "--overturned", "--as", "mara")
    disputed.done("penalty", "1", "warning", "--for-what", "slow", "--as", "mara")
    told = disputed.done("match", "1/1", "--json").json
    assert [each["type"] for each in told["story"]] == [
        "RoundPaired", "ResultReported", "ResultDisputed", "Posted", "RulingMade", "AppealMade",
        "RulingMade",
    ]  # fmt: skip
    assert [each["seq"] for each in told["story"]] == sorted(each["seq"] for each in told["story"])
    assert told["story"][2]["by"] == "o1/p2"
    assert (told["players"], told["round"], told["table"]) == ([1, 2], 1, 1)
    assert told["result"]["outcomes"] == ["win", "loss"]
    shown = disputed.done("match", "1/1").out
    for part in (
        "set by hand: a test",
        "disputes result",
        "(other: X-1)",
        "appeals ruling",
        "(final)",
    ):
        assert part in " ".join(shown.split())
    assert "Player 03" not in shown


def test_a_story_holds_who_did_not_come_and_no_other_table(day: Desk) -> None:
    day.done("round", "start")
    day.done("round", "extend", "1", "5", "--reason", "a judge was called", "--as", "pat")
    day.done("report", "2", "#3")
    day.done("report", "1", "no-show", "#2")
    told = day.done("match", "1", "--json").json["story"]
    assert [each["type"] for each in told] == [
        "RoundPaired", "RoundStarted", "TableExtended", "ResultReported", "PlayerDropped",
    ]  # fmt: skip
    other = day.done("match", "2", "--json").json["story"]
    assert [each["type"] for each in other] == ["RoundPaired", "RoundStarted", "ResultReported"]


def test_the_same_report_again_is_a_confirmation(day: Desk) -> None:
    day.done("report", "1", "#1", "--for", "1")
    assert "nothing to change" in day.done("report", "1", "#1").err
    assert "confirmed result" in day.done("report", "1", "#1", "--for", "2").err
    assert "nothing to change" in day.done("report", "1", "#1", "--for", "2").err
    assert "nothing to change" in day.done("confirm", "1", "--for", "2").err
    assert "use `correct 1/1`" in day.refused("report", "1", "#2").err
    assert "use `correct 1/1`" in day.refused("report", "1", "#2", "--for", "1").err


def test_a_report_to_be_confirmed(desk: Desk) -> None:
    text = rulesets.text_of("swiss").replace('confirmation = "none"', 'confirmation = "opponent"')
    (desk.folder / "both.toml").write_text(text, "utf-8")
    desk.open(2, "custom", "--rounds", "1", ruleset="both.toml")
    desk.done("pair")
    said = desk.done("report", "1", "#1", "--for", "1").err
    assert "1 waiting for confirmation" in said
    assert desk.done("standings", "--json").json[0]["points"] == 0
    (waiting,) = desk.done("confirm", "--json").json
    assert (waiting["table"], waiting["player"]) == (1, 1)
    assert "1 report to be confirmed" in desk.done("confirm").err
    assert "not confirmed yet" in desk.done("match", "1").out
    assert "is reported but not confirmed" in desk.refused("finish").err
    desk.done("confirm", "1", "--for", "2")
    assert desk.done("standings", "--json").json[0]["points"] == 2
    desk.done("finish")


def test_dispute_with_and_without_a_claim_and_back(day: Desk) -> None:
    day.done("report", "1", "#1")
    day.done("dispute", "1", "--for", "2", "--reason", "I won")
    assert "nothing to change" in day.done("dispute", "1", "--for", "2").err
    day.done("dispute", "withdraw", "1", "--reason", "I did not")
    day.done("dispute", "1", "#2", "modified", "--for", "2")
    claim = day.done("disputes", "--json").json[0]["claims"][1]
    assert (claim["player"], claim["result"]["outcomes"][1]) == (2, "modified win")
    assert "undoing: " in day.done("undo").err


def test_the_organizer_goes_on_over_a_dispute(disputed: Desk) -> None:
    over = ("pair", "--despite-dispute")
    assert "reason" in disputed.refused(*over).err
    said = disputed.done(*over, "--reason", "the hall closes").err
    assert "warning: continued despite a dispute" in said
    assert "`rule 1/1" in disputed.done("disputes").err
    disputed.report_all()
    assert disputed.refused("finish").code == 1
    disputed.done("finish", "--despite-dispute", "--reason", "the judge left")
    assert "waives OPEN-DISPUTE: the judge left" in " ".join(
        disputed.done("log", "-n", "1").out.split()
    )
    disputed.done("rule", "1/1", "so it was", "--stands", "--as", "pat")


def test_a_ruling_by_who_may_correct_corrects_at_once(desk: Desk) -> None:
    desk.open(2, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("report", "1", "#1")
    desk.done("dispute", "1", "--for", "2")
    said = desk.done("rule", "1", "the slip", "--result", "#2 modified").err
    assert "corrected" in said
    assert desk.done("match", "1", "--json").json["result"]["outcomes"].count("modified win") == 1
    assert "cannot be undone" in desk.refused("undo").err


def test_facts_of_a_game_are_claimed_and_ruled_on(desk: Desk) -> None:
    desk.open(2, "custom", "--rounds", "1", ruleset="mtg")
    desk.done("pair")
    desk.done("report", "1", "2-1", "--for", str(desk.seats(1)[0]))
    desk.done("dispute", "1", "1-1-1", "--for", str(desk.seats(1)[1]), "--ended", "time")
    desk.done("rule", "1", "time was called", "--result", "1-1-1 --ended time")
    assert desk.done("match", "1", "--json").json["result"]["ending"] == "time"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("dispute 1 --for 2", 1, "no result yet"),
        ("dispute 9 --for 2", 3, "no table 9"),
        ("dispute withdraw 2", 2, "--reason"),
        ("dispute withdraw 2 --reason x", 1, "not disputed"),
        ("dispute 2 #3 --for 4", 1, "confirm"),
        ("dispute 2 --for 3", 1, "only the opponent or the desk can dispute"),
        ("dispute 2 --for 1", 1, "only their own results"),
        ("confirm 1 --for 2", 1, "no result yet"),
        ("confirm 2 --for 3", 1, "only the opponent or the desk can confirm"),
        ("confirm 9", 3, "no table 9"),
        ("match 9", 3, "no table 9"),
        ("match 3/1", 3, "no round 3"),
        ("appeal 7 --for 3", 3, "there is no ruling 7"),
        ("appeal 1/2 --for 3", 3, "no official has ruled"),
        ("review 7 x", 2, "--upheld"),
        ("review 7 x --upheld --overturned", 2, "--upheld"),
        ("review 7 x --upheld", 3, "there is no ruling 7"),
        ("rule 2 x --stands --result 3 --as pat", 2, "choose one of --stands and --result"),
        ("rule 0 x --result 3 --as pat", 2, "choose one of --stands and --result"),
        ("rule 2 x --stands --as pat", 1, "there is no open dispute"),
        ("correct --ruling 7", 3, "there is no ruling 7"),
        ("correct --ruling x", 3, "no player"),
        ("correct 2 #4", 2, "needs --reason"),
        ("correct --reason x", 2, "give the table"),
    ],
)
def test_what_is_refused(day: Desk, line: str, code: int, told: str) -> None:
    day.done("report", "2", "#3", "--for", "3")
    answer = day.refused(*line.split())
    assert answer.code == code, answer.err
    assert told in answer.err


@pytest.mark.slow
def test_the_bad_input_of_a_dispute(disputed: Desk) -> None:
    """Two at once, a ruling by who is involved, an appeal of a review, one after the end."""
    assert "only one open dispute" in disputed.refused("dispute", "1", "--as", "pat").err
    assert "FFG-ROLE-JUDGE" in disputed.refused("rule", "1", "x", "--stands").err
    disputed.done("rule", "1", "the slip", "--stands", "--as", "pat")
    assert "has a ruling" in disputed.refused("dispute", "1", "--for", "2").err
    assert "has a ruling" in disputed.refused("correct", "1", "#2", "--reason", "x").err
    disputed.done("appeal", "1/1", "--for", "2")
    disputed.done("review", "1/1", "so it is", "--upheld", "--as", "mara")
    assert "cannot be appealed" in disputed.refused("appeal", seq(disputed), "--for", "2").err
    disputed.done("confirm", "2", "--for", "4")
    disputed.done("pair")
    disputed.report_all()
    disputed.done("finish")
    late = disputed.refused("dispute", "1/2", "--for", "4")
    assert (late.code, "is no longer possible, and an official must rule" in late.err) == (1, True)


@pytest.mark.parametrize(
    ("line", "breach"),
    [
        ("pair --table 1 2 --table 3 4 --allow-rematch --reason show", "rematch"),
        ("correct 1/1 #2 --reason misread", None),
    ],
)
def test_a_warning_before_a_breach(day: Desk, line: str, breach: str | None) -> None:
    day.report_all()
    said = day.done(*line.split()).err
    assert ("warning: " in said) is (breach is not None)
    if breach:
        assert f"warning: {breach} in round 2" in said
        assert "FFG-REMATCH" in said


def test_a_late_correction_is_warned_of_and_goes_on_through_a_pipe(day: Desk) -> None:
    day.report_all()
    day.done("pair")
    said = day.done("correct", "1/1", "#2", "--reason", "misread").err
    assert "warning: result edited after the next round was paired at 1/1" in said
    assert said.index("warning") < said.index("corrected")
    again = day.done("correct", "1/1", "#2", "--reason", "misread").err
    assert "warning" not in again


INTEGRITY = [
    (4, "--rounds 3", "pair", "correct 1/1 #2 --reason x", "result edited after the next round"),
    (5, "--rounds 3", "", "pair --bye 5 --allow-rematch --reason x", "second bye"),
    (
        4,
        "--rounds 1 --cut 2",
        "cut;pair;round start",
        "correct 1/1 #2 --reason x",
        "result before the cut edited after the first game",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", INTEGRITY, ids=lambda case: case[4])
@pytest.mark.parametrize("yes", ["", "--yes"])
def test_a_warning_comes_before_each_breach_of_the_integrity_list(
    desk: Desk, case: tuple[int, str, str, str, str], yes: str
) -> None:
    """Through a pipe, with and without --yes: told, not asked, and done."""
    players, structure, before, line, breach = case
    desk.open(players, "custom", *structure.split())
    pairs = ("--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    desk.done("pair", *pairs, *(("--bye", "5") if players > 4 else ()))
    desk.report_all()
    for each in filter(None, before.split(";")):
        desk.done(*each.split())
    said = desk.done(*line.split(), *yes.split()).err
    assert f"warning: {breach}" in said
    assert "`audit` will show it" in said
    found = desk.done("audit", "--json").json["findings"]
    assert [each for each in found if each["title"].startswith(breach)]


def test_a_confirmation_that_comes_late_is_warned_of(desk: Desk) -> None:
    """The next round was paired over the dispute; only now does the report count."""
    text = rulesets.text_of("swiss").replace('confirmation = "none"', 'confirmation = "opponent"')
    (desk.folder / "both.toml").write_text(text, "utf-8")
    desk.open(4, "custom", "--rounds", "2", ruleset="both.toml")
    desk.done("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    desk.done("report", "1", "#1", "--for", "1")
    desk.done("dispute", "1", "--for", "2")
    desk.done("report", "2", "#3")
    desk.done("pair", "--despite-dispute", "--reason", "the hall closes")
    said = desk.done("confirm", "1/1", "--for", "2").err
    assert "warning: result edited after the next round was paired at 1/1" in said


@pytest.mark.slow
def test_rulings_and_appeals_are_taken_back_at_the_desk(disputed: Desk) -> None:
    disputed.done("rule", "1", "the wrong one", "--stands", "--as", "pat")
    withdraw = ("rule", "withdraw", "1/1", "typed the wrong one")
    assert disputed.refused(*withdraw, "--as", "mara").code == 1
    assert disputed.refused(*withdraw, "--stands", "--as", "pat").code == 2
    assert disputed.refused("rule", "withdraw", "1/1", "--as", "pat").code == 2
    assert disputed.refused("rule", "withdraw", "1/2", "x", "--as", "pat").code == 3
    assert "withdrew ruling" in disputed.done(*withdraw, "--as", "pat").err
    assert disputed.done("rule", "--json").json == []
    disputed.done("rule", "1", "the slip", "--result", "#2", "--as", "pat")
    disputed.done("appeal", "1/1", "--for", "1")
    assert disputed.refused("appeal", "withdraw", "1/1").code == 2
    assert "appeal withdraw" in disputed.refused("undo", "--as", "pat").err
    assert (
        "only their own appeal"
        in disputed.refused("appeal", "withdraw", "1/1", "--reason", "x", "--for", "2").err
    )
    said = disputed.done("appeal", "withdraw", "1/1", "--reason", "I see", "--for", "1").err
    assert "withdrawn: I see" in said
    assert "undoing: " in disputed.done("undo", "--as", "pat").err
    (shown,) = disputed.done("disputes", "--json").json
    assert shown["state"] == "open"
    told = [each["type"] for each in disputed.done("match", "1/1", "--json").json["story"]]
    assert told.count("ActWithdrawn") == 3
    kinds = [each["kind"] for each in disputed.done("audit", "--json").json["findings"]]
    assert kinds.count("unsaid") == 3


def test_a_terminal_is_asked_before_a_breach(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from cli.desk import confirm_breaches  # noqa: PLC0415

    day.report_all()
    day.done("pair")
    monkeypatch.setattr(confirm_breaches, "is_asked", lambda: True)
    late = ("correct", "1/1", "#2", "--reason", "misread")
    before = day.log()
    answer = day.type(*late, stdin="n\n")
    assert (answer.code, "nothing was written" in answer.err) == (1, True)
    assert day.type(*late, stdin="").code == 1
    assert day.log() == before
    assert day.type(*late, "--yes", stdin="").code == 0
    day.done("correct", "1/1", "#1", "--reason", "read again", stdin="y\n")


@pytest.mark.slow
def test_disputes_story_and_audit_as_they_were(disputed: Desk) -> None:
    before = seq(disputed)
    disputed.done("rule", "1", "the slip", "--result", "#2", "--as", "pat", "--clause", "other: X")
    disputed.done("correct", "--ruling", "1/1")
    at = ("--at", before)
    assert disputed.done("disputes", "--json").json == []
    (then,) = disputed.done("disputes", *at, "--json").json
    assert (then["state"], then["minutes"]) == ("open", 0)
    now, story = (disputed.done("match", "1/1", *when, "--json").json for when in ((), at))
    assert now["story"][: len(story["story"])] == story["story"]
    assert [each["type"] for each in now["story"][len(story["story"]) :]] == [
        "RulingMade",
        "ResultCorrected",
    ]
    assert story["result_seq"] < int(before) < now["result_seq"]
    assert disputed.done("audit", "--json").json["corrections"]
    told = disputed.done("audit", *at, "--json").json
    assert (told["events"], told["corrections"]) == (int(before), [])
    assert [each["kind"] for each in told["findings"]] == ["open-dispute", "by-hand"]
    for verb in (("disputes",), ("match", "1/1"), ("audit",)):
        assert disputed.refused(*verb, "--at", "999").code == 3
        assert disputed.refused(*verb, "--at", "5", "--round", "1").code == 2


def test_the_leaf_of_a_number_names_the_correction_and_its_ruling(disputed: Desk) -> None:
    reported = disputed.done("match", "1/1", "--json").json["result_seq"]
    disputed.done("rule", "1", "the slip", "--result", "#2", "--as", "pat")
    ruling = int(seq(disputed))
    disputed.done("correct", "--ruling", "1/1")
    (leaf,) = disputed.done("explain", "#2", "points", "--json").json["terms"]
    (event,) = leaf["events"]
    assert (event["type"], event["corrects"], event["ruling"]) == (
        "ResultCorrected",
        reported,
        ruling,
    )
    shown = " ".join(disputed.done("explain", "#2", "points").out.split())
    assert f"was event {reported}, by ruling {ruling}" in shown
    (plain,) = disputed.done("explain", "#3", "points", "--json").json["terms"]
    assert set(plain["events"][0]) == {"seq", "at", "by", "type"}


def test_the_age_of_a_dispute_in_a_file_ends_with_the_file(
    disputed: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks at it a month later reads what the desk read."""
    disputed.done("export", "-o", "cup.jsonl", "--yes")
    monkeypatch.setattr("cli.outside.now", lambda: "2100-01-01T00:00:00.000Z")
    for words in (("disputes",), ("disputes", "--all"), ("confirm",)):
        for row in disputed.done("--log", "cup.jsonl", *words, "--json").json:
            assert row["minutes"] < 60
    (row,) = disputed.done("disputes", "--json").json
    assert row["minutes"] > 60
