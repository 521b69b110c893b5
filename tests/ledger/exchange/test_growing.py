"""A sheet that grows: what is new, what is corrected, and what an event cannot take any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.exchange import Details
from ledger.exchange.growing import TakeGrownFile
from ledger.exchange.sheets import read_rounds
from ledger.rulesets import text_of
from tests.ledger.exchange.test_sheets import by_name, told
from tests.support.files.nrtm_files import as_bytes, document, table
from tests.support.files.program_files import gotha
from tests.truth.ties.test_tiebreak_truth import first_edition

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

HEAD = "round,table,player1,player2,result,faction1\n"
WEEK_1 = "1,1,Ann,Bob,win,\n1,2,Cid,Dee,win,\n"
WEEK_2 = "2,1,Ann,Cid,,\n2,2,Bob,Dee,draw,\n"
SPRING = ("--ruleset", "swiss", "--date", "2026-03-01", "--name", "Spring")


@pytest.fixture
def league(desk: Desk) -> Desk:
    """Two weeks of a league, one result to come."""
    write(desk, WEEK_1 + WEEK_2)
    desk.done("import", "league.csv", *SPRING)
    return desk


def write(desk: Desk, rows: str) -> Path:
    path: Path = desk.folder / "league.csv"
    path.write_text(HEAD + rows, "utf-8")
    return path


def points(desk: Desk) -> dict[str, int]:
    return {row["name"]: row["points"] for row in desk.done("standings", "--json").json}


def fresh(rows: str) -> dict[str, int]:
    """The points of the same rows, where they come in at once."""
    return {name: own for name, (own, _) in by_name(told(HEAD + rows, "swiss")).items()}


def types(desk: Desk) -> list[str]:
    lines = desk.done("log", "--json").out.splitlines()
    return [line.split('"type":"')[1].partition('"')[0] for line in lines]


def test_new_rows_are_new_events_and_a_corrected_cell_a_correction(league: Desk) -> None:
    before = len(types(league))
    rows = (WEEK_1 + WEEK_2).replace("1,1,Ann,Bob,win", "1,1,Ann,Bob,loss")
    rows = rows.replace("2,1,Ann,Cid,,", "2,1,Ann,Cid,draw,")
    rows += "2,3,Eve,Fay,win,\n3,1,Ann,Fay,win,\n3,2,Cid,Bob,1-0,\n3,3,Dee,Zoe,½-½,\n"
    write(league, rows)
    answer = league.done("import", "league.csv", "--into", "Spring", "--json")
    assert points(league) == fresh(rows)
    assert answer.json["account"]["rounds"] == 3
    added = types(league)[before:]
    assert (added[0], added[-1]) == ("ImportResumed", "ImportEnded")
    assert added.count("ResultCorrected") == 1
    corrected = next(line for line in league.log().splitlines() if '"ResultCorrected"' in line)
    assert '"reason":"league.csv, SHA-256 ' in corrected
    again = league.done("import", "league.csv", "--into", "Spring")
    assert "0 events added" in again.err
    league.done("export", "-o", "log.jsonl")
    league.done("replay", "log.jsonl")


def test_the_same_name_and_day_is_offered_the_event(league: Desk) -> None:
    write(league, WEEK_1 + WEEK_2 + "3,1,Ann,Dee,win,\n")
    refused = league.refused("import", "league.csv", *SPRING, "--allow", "missing-result")
    assert "--into" in refused.err
    assert "--as-new" in refused.err


def test_a_bracket_after_the_swiss_rounds(league: Desk) -> None:
    rows = (WEEK_1 + WEEK_2).replace("2,1,Ann,Cid,,", "2,1,Ann,Cid,loss,")
    write(league, rows + "Top 4,1,Ann,Bob,loss,\nTop 4,2,Cid,Dee,win,\n")
    league.done("import", "league.csv", "--into", "Spring")
    write(league, rows + "Top 4,1,Ann,Bob,loss,\nTop 4,2,Cid,Dee,win,\nFinal,1,Bob,Cid,win,\n")
    league.done("import", "league.csv", "--into", "Spring")
    shown = league.done("bracket", "--json").json
    assert [place["name"] for place in shown["ranking"]][:2] == ["Bob", "Cid"]


def test_a_faction_that_is_filled_in_amends_the_registration(league: Desk) -> None:
    write(league, WEEK_1.replace("1,1,Ann,Bob,win,", "1,1,Ann,Bob,win,Crane") + WEEK_2)
    league.done("import", "league.csv", "--into", "Spring")
    assert types(league)[-2] == "PlayerAmended"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (WEEK_1, "the file ends with round 1, the log with round 2: the file is too old"),
        (
            WEEK_1.replace("1,2,Cid,Dee,win,\n", "") + WEEK_2,
            "round 1: the table of Cid - Dee is no longer in the file",
        ),
        (
            WEEK_1.replace("1,1,Ann,Bob,win", "1,1,Ann,Bob,") + WEEK_2,
            "row 2, result: the result is no longer in the file",
        ),
        (
            WEEK_1 + "1,3,Eve,Fay,win,\n" + WEEK_2,
            "row 4, result: a new table in round 1, but later rounds were already played",
        ),
        (
            (WEEK_1 + WEEK_2).replace("Dee", "Zack"),
            "is no longer in the file: if their name changed, rename them",
        ),
    ],
)
def test_what_the_event_cannot_take_is_refused_by_its_place(
    league: Desk, rows: str, words: str
) -> None:
    write(league, rows)
    before = league.log()
    answer = league.refused(
        "import", "league.csv", "--into", "Spring", "--allow", "missing-result", "--new-names"
    )
    assert words in answer.err
    assert league.log() == before


def test_a_result_of_an_earlier_round_comes_in_late(league: Desk) -> None:
    rows = WEEK_1 + WEEK_2 + "3,1,Ann,Dee,win,\n"
    write(league, rows)
    league.done("import", "league.csv", "--into", "Spring", "--allow", "missing-result")
    rows = rows.replace("2,1,Ann,Cid,,", "2,1,Ann,Cid,win,")
    write(league, rows)
    league.done("import", "league.csv", "--into", "Spring")
    assert points(league) == fresh(rows)


def test_another_programs_running_event_goes_on_with_its_next_file(desk: Desk) -> None:
    first, second = [table(1, 2, 6, 0), table(3, 4, 4, 1)], [table(1, 3, 3, 3), table(2, 4, 6, 0)]
    path = desk.folder / "event.json"
    path.write_bytes(as_bytes(document((1, 2, 3, 4), [first], preliminaryRounds=2)))
    desk.done("import", "event.json")
    path.write_bytes(as_bytes(document((1, 2, 3, 4), [first, second], preliminaryRounds=2)))
    assert "--into" in desk.refused("import", "event.json").err
    desk.done("import", "event.json", "--into", "Event")
    assert {name[-1]: own for name, own in points(desk).items()} == {"1": 9, "2": 6, "3": 7, "4": 1}


def test_a_next_file_is_read_by_the_rules_of_its_event(desk: Desk) -> None:
    people = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4D"), ("Fox", "Dee", "1K")]
    games = [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS")]
    path = desk.folder / "event.xml"
    path.write_text(gotha(people, games), "utf-8")
    desk.done("import", "event.xml", "--ruleset", "swiss")
    path.write_text(gotha(people, [*games, (2, "LEEANN", "FOXDEE", "RESULT_BLACKWINS")]), "utf-8")
    desk.done("import", "event.xml", "--into", "Gotha")
    assert points(desk) == {"Lee Ann": 2, "Fox Dee": 4, "Ray Bob": 0}


def test_an_event_that_its_owner_closed_takes_nothing_more(league: Desk) -> None:
    rows = (WEEK_1 + WEEK_2).replace("2,1,Ann,Cid,,", "2,1,Ann,Cid,loss,")
    write(league, rows)
    league.done("import", "league.csv", "--into", "Spring")
    league.done("finish")
    write(league, rows.replace("draw", "win"))
    assert "play is closed" in league.refused("import", "league.csv", "--into", "Spring").err


def test_only_the_file_of_an_import_goes_on_with_it(desk: Desk) -> None:
    desk.done("new", "Club", "--ruleset", "swiss")
    write(desk, WEEK_1)
    refused = desk.refused("import", "league.csv", "--into", "Club", "--ruleset", "swiss")
    assert "omit --ruleset, --name, --date and --whole" in refused.err
    assert TakeGrownFile(
        read_rounds((HEAD + WEEK_1).encode(), Details(text_of("swiss"), "Spring", "2026-03-01")),
        "league.csv",
    ).foreign.stays_open


def test_whoever_vouches_for_an_import_signs_it(desk: Desk) -> None:
    write(desk, WEEK_1)
    answer = desk.done("import", "league.csv", *SPRING, "--sign", "--whole")
    assert "signed: the head of" in answer.err
    policy = desk.done("checkpoint", "--policy").out
    (desk.folder / "policy").write_text(policy, "utf-8")
    desk.done("export", "-o", "log.jsonl")
    replayed = desk.done("replay", "log.jsonl", "--policy", "policy")
    assert "as the policy requires" in replayed.out + replayed.err
    again = desk.done("import", "league.csv", *SPRING, "--sign", "--whole")
    assert "already" in again.err


def test_an_event_grows_by_the_ruleset_of_its_log(desk: Desk) -> None:
    """A forfeit of a later state is worth what it was in the edition that the log began with."""
    games = [(1, "RAYBOB", "DOECID", "RESULT_WHITEWINS_BYDEF"), (2, "LEEANN", "FOXDEE", "{later}")]
    people = [
        ("Lee", "Ann", "5D"),
        ("Ray", "Bob", "4D"),
        ("Doe", "Cid", "3D"),
        ("Fox", "Dee", "1K"),
    ]
    whole = gotha(people, games)
    (desk.folder / "first.toml").write_text(first_edition(), "utf-8")
    file = desk.folder / "go.xml"
    file.write_text(whole.replace("{later}", "RESULT_UNKNOWN"), "utf-8")
    desk.done("import", "go.xml", "--ruleset", "first.toml")
    before = points(desk)
    assert before["Doe Cid"] - before["Ray Bob"] == -3
    file.write_text(whole.replace("{later}", "RESULT_BLACKWINS_BYDEF"), "utf-8")
    desk.done("import", "go.xml", "--into", "Gotha")
    after = points(desk)
    assert after["Lee Ann"] - before["Lee Ann"] == 1, "half a point for who did not come"
    assert after["Fox Dee"] - before["Fox Dee"] == 2


def test_who_missed_a_round_by_a_later_state_of_the_file_has_missed_it(league: Desk) -> None:
    rows = WEEK_1 + WEEK_2.replace("2,2,Bob,Dee,draw,\n", "2,2,Bob,,bye,\n")
    rows = rows.replace("2,1,Ann,Cid,,", "2,1,Ann,Cid,win,")
    other = league.folder / "other.csv"
    other.write_text(HEAD + rows, "utf-8")
    league.done("import", "other.csv", "--ruleset", "swiss", "--date", "2026-03-02", "--name", "X")
    other.write_text(HEAD + rows + "1,3,Eve,,missed,\n2,3,Dee,,missed,\n", "utf-8")
    answer = league.done("import", "other.csv", "--into", "X")
    assert "2 rounds missed" in answer.err
    shown = league.done("list", "--json").json
    assert {one["name"]: one["status"] for one in shown}["Dee"] == "active"
    again = league.done("import", "other.csv", "--into", "X")
    assert "0 events added" in again.err


def test_who_left_after_the_last_round_by_a_later_state_of_the_file_has_left(desk: Desk) -> None:
    head, rows = (
        "round,table,player1,player2,result,drop\n",
        "1,1,Ann,Bob,win,{}\n1,2,Cid,Dee,win,\n",
    )
    path = desk.folder / "league.csv"
    path.write_text(head + rows.format(""), "utf-8")
    desk.done("import", "league.csv", *SPRING)
    path.write_text(head + rows.format("2"), "utf-8")
    desk.done("import", "league.csv", "--into", "Spring")
    status = {one["name"]: one["status"] for one in desk.done("list", "--json").json}
    assert (status["Bob"], status["Ann"]) == ("dropped", "active")


def test_a_bye_that_the_log_has_otherwise_is_named_and_never_taken_for_a_full_one(
    desk: Desk,
) -> None:
    first = [table(1, 2, 6, 0), table(3, None, 6, 0)]
    later = [table(1, 3, 6, 0), table(2, None, 3, 0)]
    path = desk.folder / "event.json"
    path.write_bytes(as_bytes(document((1, 2, 3), [first], preliminaryRounds=4)))
    desk.done("import", "event.json")
    path.write_bytes(as_bytes(document((1, 2, 3), [first, later], preliminaryRounds=4)))
    answer = desk.done("import", "event.json", "--into", "Event")
    assert "a bye of 3 points; entered as a bye of 6; not computed" in answer.err
    assert "1 table not computed" in answer.err
    changed = [table(1, 2, 6, 0), table(3, None, 3, 0)]
    path.write_bytes(as_bytes(document((1, 2, 3), [changed, later], preliminaryRounds=4)))
    desk.done("import", "event.json", "--into", "Event")


HALVES = """012 Open
042 2026/03/01
142 3
001    1      Ann                               1900 GER             1990/01/01  1.0    1     2 w 1
001    2      Bob                               1800 GER             1990/01/01  0.0    3     1 b 0
"""
THIRD = (
    "001    3      Cid                               1700 GER             1990/01/01"
    "  {}    2  0000 - {}\n"
)


@pytest.mark.parametrize("before", ["", "U"])
def test_half_a_point_is_never_taken_for_a_full_one(desk: Desk, before: str) -> None:
    path = desk.folder / "open.trf"
    path.write_text(HALVES + (THIRD.format("1.0", "U") if before else ""), "utf-8")
    desk.done("import", "open.trf")
    path.write_text(HALVES + THIRD.format("0.5", "H"), "utf-8")
    refused = desk.refused("import", "open.trf", "--into", "Open")
    assert "the file gives the bye of Cid other points than the log" in refused.err
