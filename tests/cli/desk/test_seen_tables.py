"""An act on a table is meant for those whom the desk was last shown there."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.machine.keyring import draw_key
from cli.verbs.day.report import report_lines
from ledger.books.book import open_book
from ledger.errors import Refused
from ledger.rules.command import Seen
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import SwapSeats, UnpairRound
from ledger.store import open_store
from projections.standings.table import ranking
from tests.cli.input.test_loop import Keyboard
from tests.support.days.json_day import GAME
from tests.support.files.backups import restored

if TYPE_CHECKING:
    from tests.support.cli_desk import Answer, Desk

AT = "2026-05-17T10:00:00.000Z"


class Two:
    """Two desks on one store, each in a folder of its own."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.there = desk.folder / "there"
        self.there.mkdir()

    def here(self, *words: str, stdin: str = "") -> Answer:
        """Type at the desk that opened the event."""
        self.desk.patch.chdir(self.desk.folder)
        return self.desk.done(*words, stdin=stdin)

    def other(self, *words: str, stdin: str = "") -> Answer:
        """Type at the other one."""
        self.desk.patch.chdir(self.there)
        answer = self.desk.type("--store", "../tourney.db", *words, stdin=stdin)
        self.desk.patch.chdir(self.desk.folder)
        return answer

    def refused(self, *words: str, stdin: str = "") -> str:
        """Type at the other desk what must be refused, and leave the log as it is."""
        before = self.desk.log()
        answer = self.other(*words, stdin=stdin)
        assert answer.code == 1, (words, answer.err)
        assert self.desk.log() == before
        return answer.err

    def play(self) -> None:
        """Report the round and pair the next one, at the first desk."""
        self.desk.report_all()
        self.here("pair")


@pytest.fixture
def two(desk: Desk) -> Two:
    """Six players, round 1 paired here and shown there."""
    desk.open(6, "custom", "--rounds", "4")
    desk.done("pair")
    desks = Two(desk)
    assert desks.other("pairings").code == 0
    return desks


@pytest.mark.slow
def test_the_next_round_is_not_the_one_that_was_shown(two: Two) -> None:
    first, second = two.desk.seats(1)
    two.play()
    one, other = two.desk.seats(1)
    said = two.refused("report", "1", f"#{one}")
    assert said == (
        "tourney: this desk last showed round 1, but now it is round 2; at 2/1 sit "
        f"Player {one:02} (#{one}) and Player {other:02} (#{other}): look with `pairings`, or type "
        "2/1, or 1/1 of the previous round\n"
    )
    two.refused("report", "1", f"#{first}")  # who does not even sit there any more
    assert two.other("correct", "1/1", f"#{second}", "--reason", "misread").code == 0
    two.refused("report", "1", f"#{one}")
    assert two.other("report", "2/1", f"#{one}").code == 0
    two.refused("report", "2", f"#{two.desk.seats(2)[0]}")
    two.other("pairings")
    assert two.other("report", "2", f"#{two.desk.seats(2)[0]}").code == 0


SHARING = "[floor.components]\ndamaged = true\n"

ACTS: list[tuple[str, ...]] = [
    ("report", "1", "WINNER"),
    ("report", "WINNER", "WINNER"),
    ("report", "1", "no-show", "WINNER"),
    ("correct", "1", "WINNER", "--reason", "misread"),
    ("concede", "WINNER"),
    ("confirm", "1"),
    ("dispute", "1"),
    ("dispute", "1", "WINNER", "--reason", "the slip"),
    ("dispute", "withdraw", "1", "--reason", "the slip"),
    ("rule", "1", "it stays"),
    ("rule", "1", "it stays", "--result", "WINNER"),
    ("rule", "withdraw", "WINNER", "a mistake"),
    ("appeal", "WINNER", "--reason", "one slip of two"),
    ("review", "WINNER", "it stands", "--upheld"),
    ("correct", "--ruling", "WINNER"),
    ("round", "extend", "1", "5", "--reason", "a judge was called"),
    ("swap", "WINNER", "OTHER", "--reason", "one car"),
    ("first", "1", "WINNER", "--totals", "190-200"),
    ("first", "draw", "1"),
    ("side", "1", "WINNER", "--totals", "190-200"),
    ("side", "draw", "1"),
    (
        "battle",
        "1",
        *(
            f"--{kind}={kind[0]}{n}"
            for kind in ("objective", "deployment", "condition")
            for n in (1, 2, 3)
        ),
        *(f"--strike={kind}" for kind in ("objective", "pass", "obj", "condition")),
    ),
    ("firstfive", "WINNER"),
    ("component", "share", "WINNER", "dice"),
    ("component", "share", "0", "dice", "1"),
]
"""Every act that takes a table, or a player in its place."""


@pytest.mark.slow
def test_every_act_on_a_table(desk: Desk) -> None:
    (desk.folder / "game.toml").write_text(GAME + SHARING, "utf-8")
    desk.done("new", "Night", "--ruleset", "game.toml", "--organizer", "Kim")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBob\nCas\nDee\n")
    desk.done("start", "custom", "--rounds", "3")
    desk.done("pair")
    two = Two(desk)
    two.other("pairings")
    for table in (1, 2):
        desk.done("report", str(table), f"#{desk.seats(table)[0]}")
        desk.done("confirm", str(table))
    two.here("pair")
    seats = {"WINNER": f"#{desk.seats(1)[0]}", "OTHER": f"#{desk.seats(2)[0]}"}
    for act in ACTS:
        words = [seats.get(word, word) for word in act]
        said = two.refused(*words)
        assert "this desk last showed round 1, but now it is round 2; at 2/" in said, words


def test_the_same_round_paired_again(two: Two) -> None:
    two.here("unpair")
    winner = f"#{two.desk.done('list', '--json').json[0]['player']}"
    assert "no round is paired yet" in two.other("report", "1", winner).err
    two.here("pair")
    one = two.desk.seats(1)[0]
    said = two.refused("report", "1", f"#{one}")
    assert "the tables of round 1 were changed after they were shown here; at 1/1 sit" in said
    assert two.other("report", "1/1", f"#{one}").code == 0


def test_a_round_that_was_taken_back(two: Two) -> None:
    two.play()
    two.other("pairings")
    two.here("unpair")
    said = two.refused("correct", "1", f"#{two.desk.seats(1)[1]}", "--reason", "misread")
    assert "this desk last showed round 2, but now it is round 1; at 1/1 sit" in said


def test_a_swap_elsewhere_leaves_the_other_tables(two: Two) -> None:
    one, other = two.desk.seats(1)[0], two.desk.seats(2)[0]
    two.here("swap", f"#{one}", f"#{other}", "--reason", "one car")
    said = two.refused("report", "1", f"#{other}")
    assert "were changed after they were shown here; at 1/1 sit" in said
    two.refused("report", f"#{one}", f"#{one}")
    assert two.other("report", "3", f"#{two.desk.seats(3)[0]}").code == 0
    two.here("report", "1", f"#{other}")  # this desk swapped them itself
    two.other("round")
    assert two.other("report", "2", f"#{one}").code == 0


def test_a_swap_of_its_own_hides_none_of_others(two: Two) -> None:
    """What this desk changes itself it knows; what another changed before it does not."""
    seats = [two.desk.seats(table)[0] for table in (1, 2, 3)]
    two.here("swap", f"#{seats[0]}", f"#{seats[1]}", "--reason", "one car")
    moved = two.desk.seats(3)
    swap = ("swap", f"#{moved[0]}", f"#{two.desk.seats(2)[1]}", "--reason", "another car")
    two.refused(*swap)
    two.other("pairings")
    assert two.other(*swap).code == 0
    assert two.other("report", "3", f"#{two.desk.seats(3)[0]}").code == 0


def test_undone_by_the_desk_itself(two: Two) -> None:
    one, other = two.desk.seats(1)[0], two.desk.seats(2)[0]
    two.here("swap", f"#{one}", f"#{other}", "--reason", "one car")
    two.here("undo")
    two.here("report", "1", f"#{one}")
    two.refused("report", "2", f"#{other}")


def test_a_desk_that_was_shown_nothing_means_the_latest_round(two: Two) -> None:
    (two.there / ".tourney").unlink()
    first = f"#{two.desk.seats(1)[0]}"
    assert two.other("report", "1", first).code == 0
    two.here("pairings")
    for table in (2, 3):
        two.here("report", str(table), f"#{two.desk.seats(table)[0]}")
    two.here("pair")
    assert "last showed round 1" in two.refused("report", "1", first)


@pytest.mark.slow
@pytest.mark.parametrize("look", ["pairings", "round", "scenario"])
def test_what_shows_the_tables(two: Two, look: str) -> None:
    two.play()
    one = f"#{two.desk.seats(1)[0]}"
    for past in (("pairings", "--round", "1"), ("round", "--round", "1"), ("list",), ("log",)):
        two.other(*past)
        two.refused("report", "1", one)
    assert two.other(look).code == 0
    assert two.other("report", "1", one).code == 0


def test_through_a_pipe(two: Two) -> None:
    two.play()
    lines = "".join(f"{table} #{two.desk.seats(table)[0]}\n" for table in (1, 2))
    said = two.refused("report", stdin=lines)
    assert [line.partition(": this desk")[0] for line in said.splitlines()[:2]] == [
        "tourney: line 1",
        "tourney: line 2",
    ]
    assert two.other("report", stdin=f"2/{lines}").code == 1
    two.other("pairings")
    assert two.other("report", stdin=lines.partition("\n")[2]).code == 0


def test_at_a_prompt(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    """The loop goes by its own list, not by what another terminal of the folder shows."""
    seats = [two.desk.seats(table)[0] for table in (1, 2, 3)]

    class Typing(Keyboard):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            line = super().readline(-1 if size is None else size)
            if line == "3 now\n":
                two.desk.done("report", "3", f"#{seats[2]}")
                two.desk.done("pair")
                line = f"2 #{seats[1]}\n"  # already so; it reads what has happened
            elif line.endswith("FIRST\n"):
                line = f"1 #{two.desk.seats(1)[0]}\n"
            return line

    typed = f"1 #{seats[0]}\n2 #{seats[1]}\n3 now\n1 FIRST\n\n1 FIRST\nq\n"
    two.desk.patch.setattr(sys, "stdin", Typing(typed))
    session = Session(Options(), ("report",))
    assert report_lines(session) == 0
    session.close()
    out, err = capsys.readouterr()
    assert err.count("this desk last showed round 1, but now it is round 2; at 2/1 sit") == 1
    assert "press Enter to look, or type 2/1" in err
    assert len(out.splitlines()) == 4
    assert isinstance(sys.stdin, io.StringIO)


def test_the_same_id_again_means_what_it_meant(two: Two) -> None:
    first = f"#{two.desk.seats(1)[0]}"
    line = ("report", "1", first, "--id", "slip", "--json")
    told = two.other(*line).out
    for table in (2, 3):
        two.here("report", str(table), f"#{two.desk.seats(table)[0]}")
    two.here("pair")
    assert two.other(*line).out == told


def test_each_event_has_its_own_memory(two: Two) -> None:
    two.here("new", "Another", "--ruleset", "l5r")
    memory = json.loads((two.desk.folder / ".tourney").read_text("utf-8"))
    assert [each["round"] for each in memory["shown"].values()] == [1]
    one = two.desk.seats  # of the event in hand
    two.here("register", "--file", "-", stdin="name\nAnn\nBob\n")
    two.here("start", "custom", "--rounds", "1")
    two.here("pair")
    two.here("-t", "library", "report", "2", "no-show", f"#{_first(two, 2)}")
    two.here("report", "1", f"#{one(1)[0]}")


def _first(two: Two, table: int) -> int:
    games = two.here("-t", "library", "pairings", "--json").json
    return int(games[table - 1]["players"][0])


@pytest.mark.slow
def test_a_store_that_was_restored_may_have_other_tables(two: Two) -> None:
    two.here("unpair", "--reason", "too early")
    two.here("backup", "before")
    two.here("pair")
    assert two.other("pairings").code == 0
    for each in two.desk.folder.glob("tourney.db*"):
        (shutil.rmtree if each.is_dir() else Path.unlink)(each)
    two.here("restore", "before")
    two.desk.forget_what_was_seen()
    shutil.rmtree(two.there / ".tourney-keys" / "seen")
    two.here("pair", "--table", "#1", "#6", "--reason", "asked for")
    said = two.refused("report", "1", "#1")
    assert "the tables that were last shown here are not from this store; at 1/1 sit" in said
    assert two.other("pairings").code == 0
    assert two.other("report", "1", "#1").code == 0


def test_a_folder_that_remembers_nothing_goes_on(two: Two) -> None:
    (two.there / ".tourney").unlink()
    (two.there / ".tourney").mkdir()
    two.play()
    assert two.other("report", "1", f"#{two.desk.seats(1)[0]}").code == 0


@pytest.mark.slow
def test_it_holds_inside_the_write_lock(location: str, two: Two) -> None:
    """Another desk changes the seats between the reading of the words and the act."""
    two.here("backup", "day.backup")
    with open_store(location, create=True) as store:
        restored(store, "day.backup")
        stream = store.streams()[0]
        mine, other = (open_book(store, stream, ranking, draw_key) for _ in range(2))
        match = mine.tournament.rounds[0].matches[0]
        seen = Seen((match.number,), len(mine.lines))
        swapped = (match.first, mine.tournament.rounds[0].matches[1].first)
        other.act(SwapSeats(swapped, "one car"), by="o1", command_id="swap", at=AT)
        report = Report(match.number, StatedResult("win"), seen=seen)
        with pytest.raises(Refused, match="1/1 has changed in the meantime; now seated"):
            mine.act(report, by="o1", command_id="report", at=AT)
        third = mine.tournament.rounds[0].matches[2].number
        other.act(UnpairRound("again"), by="o1", command_id="unpair", at=AT)
        seen = Seen((third,), len(mine.lines))
        with pytest.raises(Refused, match="the pairing of 1/3 has been undone in the meantime"):
            mine.act(Report(third, StatedResult("win"), seen=seen), by="o1", command_id="r", at=AT)
