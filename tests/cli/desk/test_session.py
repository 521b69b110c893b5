"""What is in hand, who is at the desk, and the same command sent twice."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from cli.desk.in_hand import without_password
from ledger.books.book import open_book
from ledger.rules.rounds import PostTable
from ledger.store import open_store
from projections.standings.table import fingerprint, posted_standings, ranking, standings

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def last(desk: Desk) -> dict[str, object]:
    line = json.loads(desk.log().splitlines()[-1])
    assert isinstance(line, dict)
    return line


def test_the_store_and_the_tournament_stay_in_hand(desk: Desk) -> None:
    desk.done("new", "First", "--ruleset", "l5r", "--store", "elsewhere.db")
    second = desk.done("new", "Second", "--ruleset", "l5r", "--json").json["tournament"]
    assert (desk.folder / "elsewhere.db").exists()
    assert not (desk.folder / "tourney.db").exists()
    assert desk.done("list", "-t", "second").code == 0
    shown = desk.done("tournaments", "--json").json
    assert [(row["name"], row["in_hand"]) for row in shown] == [("First", False), ("Second", True)]
    desk.done("use", "first")
    assert "First" in desk.done("use").err
    desk.done("use", second[:6])
    assert "Second" in desk.done("use").err


def test_the_environment_names_the_store(desk: Desk) -> None:
    desk.patch.setenv("TOURNEY_STORE", "named.db")
    desk.open(2)
    assert "named.db" not in (desk.folder / ".tourney").read_text("utf-8")
    assert len(desk.done("list", "--json").json) == 2
    desk.patch.delenv("TOURNEY_STORE")
    answer = desk.refused("list")
    assert answer.code == 3
    assert "tourney.db" in answer.err


def test_the_only_tournament_needs_no_name(desk: Desk) -> None:
    desk.open(2)
    (desk.folder / ".tourney").unlink()
    assert len(desk.done("list", "--json").json) == 2
    desk.done("new", "Another", "--ruleset", "l5r")
    (desk.folder / ".tourney").write_text("{broken", "utf-8")
    answer = desk.type("list")
    assert answer.code == 3
    assert "Library Night" in answer.err
    assert "Another" in answer.err


def test_a_directory_that_can_not_remember_is_no_obstacle(desk: Desk) -> None:
    (desk.folder / ".tourney").mkdir()
    answer = desk.done("new", "Night", "--ruleset", "l5r", "--json")
    assert f"add -t {answer.json['tournament'][:8]}" in answer.err


def test_who_entered_it(desk: Desk) -> None:
    desk.open(4)
    desk.done("official", "add", "Pat Jones", "--role", "scorekeeper", "--role", "judge")
    assert (
        "nothing to change"
        in desk.done(
            *("official", "add", "pat jones", "--role", "scorekeeper", "--role", "judge")
        ).err
    )
    desk.done("drop", "1", "--as", "pat", "--for", "player 01")
    assert last(desk)["by"] == "o2/p1"
    desk.done("use", "library", "--as", "Pat Jones")
    desk.done("drop", "2")
    assert last(desk)["by"] == "o2"
    refused = desk.refused("disqualify", "3", "--reason", "x")
    assert "Pat Jones is" in refused.err
    assert "disqualifying a player is reserved for the organizer" in refused.err
    assert desk.refused("drop", "3", "--as", "nobody").code == 3
    officials = desk.done("official", "--json").json
    assert [each["roles"] for each in officials] == [["organizer"], ["scorekeeper", "judge"]]


@pytest.mark.slow
def test_a_player_at_a_desk_of_their_own(desk: Desk) -> None:
    """FFG-CLOCK, FFG-ROUND-START: their own result and drop, and nothing that takes an official."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "p9", "--role", "judge")
    desk.done("pair")
    (one, other), (third, _) = desk.seats(1), desk.seats(2)
    own = ("--as", f"p{one}")
    for line in (
        ("round", "extend", "1", "5", "--reason", "slow", *own),
        ("round", "start", *own),
        ("report", "2", f"#{third}", *own),
        ("drop", str(other), *own),
        ("rule", "1", "it stays", *own),
        ("component", "missing", str(one), "a card", *own),
        ("penalty", str(other), "warning", "--for-what", "slow", *own),
    ):
        assert desk.refused(*line).code == 1, line
    assert "is reserved for officials" in desk.refused("round", "start", *own).err
    assert desk.refused("drop", str(one), "--for", str(one), *own).code == 2
    assert desk.refused("report", "1", f"#{one}", "--as", "p9").code == 3
    desk.done("report", "1", f"#{one}", *own)
    assert last(desk)["by"] == f"p{one}"
    assert "use `correct" in desk.refused("undo", *own).err
    desk.done("drop", str(one), *own)
    assert desk.refused("report", "2", f"#{third}", *own).code == 1


COMMANDS: list[tuple[str, ...]] = [
    ("register", "New One"),
    ("official", "add", "Pat", "--role", "judge"),
    ("start", "custom", "--rounds", "2", "--cut", "2"),
    ("pair",),
    ("round", "start"),
    ("post", "pairings"),
    ("swap", "1", "2", "--allow-rematch", "--reason", "x"),
    ("report", "1", "draw-or-win"),
    ("drop", "player 04"),
    ("report-all",),
    ("post", "standings"),
    ("pair",),
    ("undo",),
    ("correct", "1/1", "loser", "--reason", "x"),
    ("rejoin", "4"),
]


@pytest.mark.slow
def test_a_command_sent_twice_with_one_id_is_one_act(desk: Desk) -> None:
    """Each act of a day, sent again at once and once more at the end of it."""
    desk.open(6)
    sent: list[list[str]] = []
    for number, words in enumerate(COMMANDS):
        line = [*words, "--id", f"c{number}"]
        if words[0] == "report-all":
            desk.report_all()
            continue
        if words[0] == "report":
            line[2] = f"#{desk.seats(1)[0]}"
        if words[0] == "correct":
            line[2] = f"#{desk.done('pairings', '--round', '1', '--json').json[0]['players'][1]}"
        if words[0] == "swap":
            line[1:3] = [str(desk.seats(1)[0]), str(desk.seats(2)[0])]
        desk.done(*line)
        log = desk.log()
        assert log.splitlines()[-1].count(f'"id":"c{number}') == 1
        desk.done(*line)
        assert desk.log() == log
        sent.append(line)
    log = desk.log()
    for line in sent:
        desk.done(*line)
        assert desk.log() == log


def test_a_posting_that_landed_behind_another_desk_is_repeated_as_it_was(desk: Desk) -> None:
    """Another desk wrote between this desk's reading and its posting."""
    desk.open(4, "basic")
    desk.done("pair")
    desk.report_all()
    seen = len(desk.log().splitlines())
    desk.done("correct", "1", f"#{desk.seats(1)[1]}", "--reason", "other desk")
    with open_store("tourney.db") as store:
        book = open_book(store, store.streams()[0], ranking)
        sha256 = fingerprint(posted_standings(standings(book.at(seen))))
        posting = PostTable("standings", 1, seen, sha256)
        book.act(posting, by="o1", command_id="late", at="2026-05-17T10:00:00.000Z")
    log = desk.log()
    desk.done("post", "standings", "--id", "late")
    assert desk.log() == log


def test_new_with_one_id_is_one_tournament(desk: Desk) -> None:
    first = desk.done("new", "Night", "--ruleset", "l5r", "--id", "x", "--json").json
    again = desk.done("new", "Night", "--ruleset", "l5r", "--id", "x", "--json").json
    assert first == again
    lines = map(json.loads, desk.log().splitlines())
    opened = [{key: line[key] for key in ("seq", "id", "type")} for line in lines]
    assert first["events"] == opened
    assert opened[0]["type"] == "TournamentOpened"
    assert len(desk.done("tournaments", "--json").json) == 1
    assert desk.refused("new", "Day", "--ruleset", "l5r", "--id", "x").code == 1


def test_an_id_of_another_command_is_refused(desk: Desk) -> None:
    desk.open(4)
    desk.done("drop", "1", "--id", "x")
    answer = desk.refused("drop", "2", "--id", "x")
    assert "another command" in answer.err
    assert desk.refused("drop", "2", "--id", "a.b").code == 2
    assert desk.refused("drop", "2", "--id", "x" * 65).code == 2


def test_a_store_that_is_away_says_how_to_repeat(desk: Desk) -> None:
    desk.open(4)
    (desk.folder / "broken.db").write_bytes(b"no database at all" * 100)
    answer = desk.refused(
        *("register", "Ann O'Lee", "--store", "broken.db", "--json", "--as", "kim")
    )
    assert answer.code == 4
    repeated = shlex.split(answer.err.partition("to repeat the command: ")[2])
    assert repeated[0] == "tourney"
    assert repeated[-2:] == ["register", "Ann O'Lee"]
    assert "--json" in repeated
    assert len(repeated[repeated.index("--id") + 1]) == 32
    # Reading needs no repetition.
    assert "to repeat the command" not in desk.refused("list", "--store", "broken.db").err


def test_the_repeated_line_lands_once(desk: Desk) -> None:
    desk.open(4)
    answer = desk.refused("drop", "player 03", "--store", "nowhere/x.db")
    assert answer.code in {3, 4}
    line = ["tourney", "drop", "player 03", "--id", "0" * 32]
    desk.done(*line[1:])
    log = desk.log()
    desk.done(*line[1:])
    assert desk.log() == log


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("postgresql://kim:s3cret@host:5432/db", "postgresql://kim:***@host:5432/db"),
        ("postgresql://kim:p@ss:w@host/db", "postgresql://kim:***@host/db"),
        ("postgresql://host/db?user=kim&password=s3cret&x=1", None),
        ("postgresql://kim@host/db", "postgresql://kim@host/db"),
        ("./tourney.db", "./tourney.db"),
    ],
)
def test_a_password_is_never_shown(location: str, shown: str | None) -> None:
    hidden = without_password(location)
    assert "s3cret" not in hidden
    assert shown is None or hidden == shown


def test_a_password_stays_out_of_every_message(desk: Desk) -> None:
    location = "postgresql://kim:s3cret@127.0.0.1:1/db?connect_timeout=1"
    answer = desk.refused("new", "Night", "--ruleset", "l5r", "--store", location)
    assert answer.code == 4
    assert "s3cret" not in answer.err
    assert "--date" in answer.err
    assert "kim:***@127.0.0.1" in answer.err


def test_times_are_utc_in_milliseconds(desk: Desk) -> None:
    desk.open(0)
    at = str(last(desk)["at"])
    assert at[10] == "T"
    assert at.endswith("Z")
    assert len(at) == len("2026-05-17T09:00:00.000Z")
