"""A whole day typed by hand: every verb that an organizer needs, and what each of them answers."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.serve.rehearsals import demo
from ledger.exchange.sheets.cells import OWN_TABLES
from tests.support.cli_desk import typed_once
from tests.support.keyboard import Terminal
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

NAMES = (  # noqa: SIM905 - read best as text
    "Aiko Bela Carla Dario Elif Femi Greta Hugo Ines Jonas Kaito Lena Marco Nadia Oskar Priya "
    "Quentin Rosa Sven Tomoko Umar Vera Wanda Xenia"
).split()


def winners(desk: Desk, word: str = "") -> None:
    """Let the earlier letter win, so that the day is the same whatever is drawn."""
    lines = [
        f"{game['table']} {min(game['names'])} {word}"
        for game in desk.done("pairings", "--json").json
        if not game["bye"] and game["result"] is None
    ]
    desk.done("report", stdin="\n".join(lines))


@typed_once
def swiss_played(desk: Desk) -> Desk:
    """24 players, advanced, all four rounds played by the alphabet."""
    desk.done("new", "Winter Court", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in NAMES:
        desk.done("register", name, "--faction", "Crane")
    desk.done("start", "advanced", "--word", "blue heron")
    for _ in range(4):
        desk.done("pair")
        winners(desk)
    return desk


@pytest.mark.slow
def test_a_day_from_the_first_name_to_the_last_game(swiss_played: Desk) -> None:
    desk = swiss_played
    rows = desk.done("standings", "--json").json
    assert [row["rank"] for row in rows] == list(range(1, 25))
    aiko = next(row for row in rows if row["name"] == "Aiko")
    assert aiko["points"] == rows[0]["points"] == 40
    assert aiko["record"] == {"wins": 4, "losses": 0, "draws": 0, "byes": 0}
    assert sum(row["points"] for row in rows) == 4 * 12 * 11
    seeds = desk.done("cut", "--json").json["seeds"]
    assert [each["player"] for each in seeds] == [row["player"] for row in rows[:8]]
    for games in (4, 2, 1):
        paired = desk.done("pair", "--json").json["pairings"]
        assert len(paired) == games
        winners(desk)
    finished = desk.done("finish")
    assert "shuffle key" in finished.err
    order = desk.done("standings", "--final", "--json").json
    assert [each["rank"] for each in order] == list(range(1, 25))
    assert order[0]["name"] == "Aiko"
    assert {row["player"]: row["points"] for row in order} == {
        row["player"]: row["points"] for row in rows
    }
    assert order[0].keys() == rows[0].keys() | {"stage", "final"}
    ranking = desk.done("bracket", "--json").json["ranking"]
    assert [each["player"] for each in ranking] == [each["player"] for each in order[:8]]
    # After a cut the standings stay those of the Swiss rounds.
    assert desk.done("standings", "--json").json == rows


def test_after_the_finish_nothing_is_paired(desk: Desk) -> None:
    """And it is not said to finish first."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    answer = desk.type("pair")
    assert (answer.code, answer.err) == (
        1,
        "tourney: the tournament is finished: no round can be paired (FFG-ANNOUNCE)\n",
    )


@pytest.mark.slow
def test_the_finished_log_replays_alone(swiss_played: Desk) -> None:
    desk = swiss_played
    desk.done("cut")
    for _ in range(3):
        desk.done("pair")
        winners(desk)
    desk.done("finish")
    desk.done("export", "-o", "day.jsonl")
    *lines, names = (desk.folder / "day.jsonl").read_text("utf-8").splitlines(keepends=True)
    assert "".join(lines) == desk.log()
    assert names.startswith('{"names":')
    replayed = desk.done("replay", "day.jsonl")
    events = desk.log().count("\n")
    told = (
        f"consistent with itself: {events} events; the head next to the log matches, "
        f"signed at line {events}"
    )
    assert replayed.out.splitlines()[-1].startswith(told)
    assert "final" in replayed.out
    value = desk.done("replay", "day.jsonl", "--json").json
    assert value["standings"] == desk.done("standings", "--json").json
    assert value["bracket"] == desk.done("bracket", "--json").json
    again = desk.done("import", "day.jsonl", "--json")
    assert again.json["events"] == events


@pytest.mark.slow
def test_people_come_and_go(desk: Desk) -> None:
    desk.open(12, "basic")
    desk.done("pair")
    desk.report_all()
    desk.done("drop", "12")
    assert "nothing to change" in desk.done("drop", "12").err
    desk.done("pair")
    desk.done("register", "Late Lou")
    desk.report_all()
    desk.done("rejoin", "12")
    rows = {row["player"]: row for row in desk.done("standings", "--json").json}
    assert rows[13]["record"]["losses"] == 2
    assert rows[13]["points"] == 2
    desk.done("disqualify", "1", "--reason", "marked cards", "--clause", "FFG-AUTH-CONDUCT")
    assert desk.done("list", "--json").json[0]["status"] == "disqualified"
    assert desk.refused("rejoin", "1").code == 1
    desk.done("pair")
    seated = {number for game in desk.done("pairings", "--json").json for number in game["players"]}
    assert seated == set(range(2, 14))


@pytest.mark.slow
def test_a_qualifier_is_replaced_by_the_next_ranked(swiss_played: Desk) -> None:
    desk = swiss_played
    seeds = [each["player"] for each in desk.done("cut", "--json").json["seeds"]]
    rows = desk.done("standings", "--json").json
    desk.done("pair")
    left = desk.done("drop", str(seeds[3]))
    assert "undid the pairing of round 5" in left.err
    ninth, tenth = rows[8], rows[9]
    assert ninth["name"] in left.err
    assert desk.refused("pair").code == 1
    assert ninth["name"] in desk.refused("cut", "accept", tenth["name"]).err
    desk.done("cut", "decline", ninth["name"])
    desk.done("cut", "accept", tenth["name"])
    desk.done("pair")
    last_seed = desk.done("bracket", "--json").json["ranking"][-1]
    assert (last_seed["player"], last_seed["seed"]) == (tenth["player"], 8)


def test_a_result_is_corrected_and_an_act_undone(desk: Desk) -> None:
    desk.open(4, "basic")
    desk.done("pair")
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}")
    desk.done("undo")
    assert desk.done("round", "--json").json["open"] == [1, 2]
    desk.done("report", "1", f"#{first}", "modified")
    desk.done("correct", "1/1", f"#{second}", "mw", "--reason", "slip read wrongly")
    points = {row["player"]: row["points"] for row in desk.done("standings", "--json").json}
    assert (points[second], points[first]) == (6, 0)
    assert "nothing to change" in desk.done("correct", "1", f"#{second}", "mw", "--reason", "x").err


def test_a_round_by_hand(desk: Desk) -> None:
    desk.open(5, "custom", "--rounds", "2")
    games = desk.done(
        *("pair", "--table", "4", "Player 02", "--bye", "5", "--reason", "asked for", "--json")
    ).json["pairings"]
    assert [game["players"] for game in games[:2]] == [[4, 2], [5, 0]]
    desk.done("unpair", "--reason", "too early")
    desk.done("pair")
    one, other = desk.seats(1)[0], desk.seats(2)[0]
    desk.done("swap", str(one), str(other), "--reason", "came together")
    assert (desk.seats(1)[0], desk.seats(2)[0]) == (other, one)


@pytest.mark.slow
def test_an_event_that_begins_with_elimination(desk: Desk) -> None:
    desk.open(5, "custom", "--stage", "single")
    games = desk.done("pair", "--json").json["pairings"]
    assert len(games) == 4
    assert sum(game["bye"] for game in games) == 3
    for _ in range(3):
        desk.report_all()
        desk.type("pair")
    desk.done("finish")
    order = desk.done("standings", "--final", "--json").json
    assert [row["rank"] for row in order] == [1, 2, 3, 4, 5]
    assert {row["points"] for row in order} == {0}


@pytest.mark.slow
def test_two_days_of_swiss_and_a_cut_by_points(desk: Desk) -> None:
    stages = ("swiss 2", "swiss 1 points >= 11 carries", "single top 2")
    words = [word for stage in stages for word in ("--stage", stage)]
    desk.open(8, "custom", *words)
    for _ in range(2):
        desk.done("pair")
        desk.report_all()
    through = [row["player"] for row in desk.done("standings", "--json").json if row["points"] > 10]
    seeds = desk.done("cut", "--json").json["seeds"]
    assert [each["player"] for each in seeds] == through
    desk.done("pair")
    desk.report_all()
    rows = desk.done("standings", "--json").json
    assert [row["rank"] for row in rows] == list(range(1, 9))
    assert {row["player"] for row in rows[: len(through)]} == set(through)
    rest = {row["player"]: row for row in desk.done("standings", "--stage", "1", "--json").json}
    for row in rows[len(through) :]:  # cut: the points and tiebreakers that they had
        assert row | {"rank": 0} == rest[row["player"]] | {"rank": 0}
    assert max(row["points"] for row in rows) == 30
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")


@pytest.mark.slow
def test_reported_points(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2", "--cut", "2", ruleset="netrunner")
    desk.done("pair")
    first, second = desk.seats(1)
    desk.done("report", "1", "4-2")
    third, fourth = desk.seats(2)
    desk.done("report", "2", f"#{fourth}", "6-0")
    points = {row["player"]: row["points"] for row in desk.done("standings", "--json").json}
    assert points == {first: 4, second: 2, third: 0, fourth: 6}
    desk.done("pair")
    assert desk.refused("report", "1", "7-0").code == 1
    for word in ("draw", "split"):
        assert "results of netrunner are points: 0 to 6" in desk.refused("report", "1", word).err
    desk.done("report", "1", "3-3")
    desk.done("report", "2", "3-3")
    assert sum(row["record"]["draws"] for row in desk.done("standings", "--json").json) == 4


def test_what_hung_on_the_wall_can_be_checked(desk: Desk) -> None:
    """The fixed serialisation, written down here a second time from its description."""
    desk.open(7, "basic")
    desk.done("pair")
    desk.done("post", "pairings")
    assert "nothing to change" in desk.done("post", "pairings").err
    games = desk.done("pairings", "--json").json
    pairings = "".join(f"{g['table']} {g['players'][0]} {g['players'][1]}\n" for g in games)
    desk.report_all()
    desk.done("post", "standings")
    rows = desk.done("standings", "--json").json
    standings = "".join(
        f"{row['rank']} {row['player']} {row['points']} "
        f"{row['tiebreakers']['SOS']['exact']} {row['tiebreakers']['ESOS']['exact']}\n"
        for row in rows
    )
    posted = {
        line["data"]["what"]: line["data"]["sha256"]
        for line in map(json.loads, desk.log().splitlines())
        if line["type"] == "Posted"
    }
    assert posted == {
        "pairings": hashlib.sha256(pairings.encode()).hexdigest(),
        "standings": hashlib.sha256(standings.encode()).hexdigest(),
    }


def test_no_shows(desk: Desk) -> None:
    desk.open(4, "basic")
    desk.done("pair")
    first, second = desk.seats(1)
    desk.done("report", "1", "no-show", f"#{second}")
    third, fourth = desk.seats(2)
    desk.done("report", "2", "no-show", f"#{third}", f"#{fourth}")
    rows = {row["player"]: row for row in desk.done("standings", "--json").json}
    assert rows[first]["points"] == 10
    assert [number for number, row in rows.items() if row["dropped"]] == sorted(
        [second, third, fourth], key=list(rows).index
    )


def test_the_past_can_be_read(desk: Desk) -> None:
    desk.open(4, "basic")
    desk.done("pair")
    desk.report_all()
    first = desk.done("standings", "--json").out
    seq = len(desk.log().splitlines())
    desk.done("pair")
    desk.report_all()
    assert desk.done("standings", "--round", "1", "--json").out == first
    assert desk.done("standings", "--at", str(seq), "--json").out == first
    assert desk.done("standings", "--json").out != first


def test_the_log_in_words_and_in_lines(swiss_played: Desk) -> None:
    desk = swiss_played
    lines = desk.done("log", "--json").out
    assert lines == desk.log()
    shown = desk.done("log").out
    assert len(shown.splitlines()) == len(lines.splitlines()) + 1  # in a pipe a line for each event
    with desk.patch.context() as patch:
        patch.setenv("COLUMNS", "80")
        assert all(len(line) <= 80 for line in desk.done("log").out.splitlines())
    assert "registered Aiko (#1), Crane" in shown
    assert shown.count("paired round") == 4
    assert len(desk.done("log", "--last", "3", "--json").out.splitlines()) == 3


def test_a_change_of_what_was_announced_needs_a_reason(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "3")
    desk.done("pair")
    desk.report_all()
    assert desk.refused("finish").code == 1
    assert "a change needs a reason" in desk.refused("start", "custom", "--rounds", "1").err
    changed = ("start", "custom", "--rounds", "1", "--reason", "power cut")
    desk.done(*changed)
    desk.done("finish")
    assert "power cut" in " ".join(desk.done("log").out.split())


@pytest.mark.slow
def test_the_demo_plays_a_day_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """A dispute, a number explained, a verified log and a forged copy."""
    (own := tmp_path / "own").mkdir()
    (temporary := tmp_path / "temporary").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "cli", "demo"],
        cwd=own,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(temporary),
            "TOURNEY_STORE": "elsewhere.db",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = done.stdout + done.stderr
    for expected in (
        "disputes result",
        "upheld ruling",
        "winner: ",
        "verified up to the end of the file",
        "it is not the line that was signed at this place",
    ):
        assert expected in shown
    assert "champion" in done.stdout
    assert [*own.iterdir(), *temporary.iterdir()] == []


@pytest.mark.slow
def test_the_demo_stops_where_a_person_looks(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        shown = terminal.type(f"PYTHONPATH={ROOT} {sys.executable} -m cli demo")
        screens = [shown]
        while "disputes result" not in shown:
            assert "Enter for more" in shown
            shown = terminal.type("")
            screens.append(shown)
            assert len(screens) < 20
        assert any("started round 1" in screen for screen in screens)
        assert max(screen.count("\n") for screen in screens) <= 24
        left = terminal.type("q")
        assert "the demo's folder is deleted" in left
        assert "left with 0" in terminal.type("echo left with $?")
    assert list(tmp_path.iterdir()) == []


def test_the_demo_offers_the_hall_only_where_it_can_be_served(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return ""

    script = tmp_path / "script.toml"
    script.write_text('players = ""\n[[stops]]\ntext = "The hall"\nlines = []\nserves = true\n')
    monkeypatch.setattr(demo, "SCRIPT", script)
    demo.play_demo(ask)
    assert [each.startswith("serve it now") for each in asked] == [True]
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    demo.play_demo(ask)
    assert len(asked) == 1
    assert "pip install 'tourney-ledger[serve]'" in capsys.readouterr().out


def test_a_screen_of_the_demo_stops_before_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "80")
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return ""

    screen = demo._Screen(ask)
    screen.show(*["x"] * 8)
    assert asked == []
    screen.show(*["x" * 81] * 4, "x")
    assert len(asked) == 2


def test_another_structure_before_round_1_needs_a_reason(desk: Desk) -> None:
    """FFG-ANNOUNCE: a second start is no way to change it without one."""
    desk.open(8, "basic")
    answer = desk.refused("start", "custom", "--rounds", "4")
    assert "the announced structure is basic: a change needs a reason" in answer.err
    assert "`start custom --reason WHY`" in answer.err
    assert "nothing to change" in desk.done("start", "basic").err
    desk.done("start", "custom", "--rounds", "4", "--reason", "the hall closes late")
    assert "`start basic --reason WHY`" in desk.refused("start", "basic").err
    desk.done("start", "basic", "--reason", "it closes at ten after all")
    desk.done("register", "Nina Ninth")
    desk.done("start", "basic")  # other players ask for another row of the table
    desk.done("pair")


@pytest.mark.parametrize("words", [("undo",), ("undo", "1")])
def test_undoing_the_start_says_how_the_structure_is_changed(
    desk: Desk, words: tuple[str, ...]
) -> None:
    desk.open(8, "basic")
    answer = desk.type(*words)
    assert answer.code == 1
    assert "your act, starting the tournament" in answer.err
    assert "use `start STRUCTURE --reason WHY`" in answer.err
    assert "use `start`" not in answer.err


def test_a_second_tournament_of_a_name_is_opened_after_a_question(desk: Desk) -> None:
    words = ("new", "Kotei  berlin", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    assert "already" not in desk.done("new", "Kotei Berlin", *words[2:]).err
    with desk.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
        answer = desk.type(*words, stdin="n\n")
        assert answer.code == 1
        assert "there is already Kotei Berlin (" in answer.err
        assert "open another tournament of this name? [y/N]" in answer.err
        assert len(desk.done("tournaments", "--json").json) == 1
        assert "[y/N]" not in desk.done("new", "Another", *words[2:], stdin="").err
    answer = desk.done(*words)
    assert "there is already Kotei Berlin (" in answer.err
    assert len(desk.done("tournaments", "--json").json) == 3


@pytest.mark.parametrize("verb", OWN_TABLES)
def test_an_own_table_is_no_sheet_of_a_tournament(desk: Desk, verb: str) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    table = desk.folder / "table.csv"
    table.write_text(desk.done(verb, "--csv").out, "utf-8")
    answer = desk.type("import", str(table))
    assert answer.code == 2
    assert f"is the table of {verb} --csv" in answer.err


def test_a_file_of_players_is_no_name(desk: Desk) -> None:
    desk.open(0)
    (desk.folder / "roster.csv").write_text("name\nAnn\n", "utf-8")
    for line in (("register", "roster.csv"), ("register", "--csv", "roster.csv")):
        answer = desk.type(*line)
        assert answer.code == 2
        assert "--file" in answer.err
    assert desk.done("list", "--json").json == []


def test_an_undone_registration_is_not_undone_again(desk: Desk) -> None:
    """The name that it recorded stays on record, and is no act that could be undone."""
    desk.open(0)
    desk.done("register", "Ann")
    desk.done("register", "--file", "-", stdin="name\nBen\nCleo\n")
    desk.done("undo")
    log = desk.log()
    answer = desk.refused("undo")
    assert "`undo 1` undoes the one before: registered Ann (#1)" in answer.err
    assert desk.log() == log
    desk.done("undo", "1")
    assert desk.done("list", "--json").json == []
    assert "registered" not in desk.type("undo").err


def test_only_a_file_of_the_same_kind_may_be_a_later_version(desk: Desk) -> None:
    sheet = desk.folder / "first.csv"
    sheet.write_text("round,table,player1,player2,result\n1,1,Ann,Bob,1-0\n", "utf-8")
    words = ("--ruleset", "fide", "--date", "2026-03-14", "--name", "Open")
    desk.done("import", "first.csv", *words)
    desk.done("export", "--form", "trf26", "-o", "open.trf")
    answer = desk.refused("import", "open.trf")
    assert "`import FILE --as-new`" in answer.err
    assert "--into" not in answer.err
    sheet.write_text("round,table,player1,player2,result\n1,1,Ann,Bob,0-1\n", "utf-8")
    (desk.folder / "second.csv").write_bytes(sheet.read_bytes())
    assert "--into" in desk.refused("import", "second.csv", *words).err
