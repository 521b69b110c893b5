"""Colours: at a terminal that has them, and nowhere else; no name brings a sequence of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.terminal.tables import Column, Strong, laid_out
from cli.terminal.visible import PLAIN, Style, styled
from cli.verbs import VERBS
from tests.support.cli_desk import VIEW_WORDS, Desk, typed_once
from tests.support.keyboard import AT_THE_SHELL, SHELL, Terminal
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

TOURNEY = f"{sys.executable} -m cli"
LOG, POLICY = "day.jsonl", "policy"
STYLES = re.compile("|".join(re.escape(each.value) for each in Style) + f"|{re.escape(PLAIN)}")
HOSTILE = "Eve \x1b[31mRed\x1b[0m | next: Zoë \u202e"
"""A name that would draw itself red, turn the line around, and pass for the next step."""


@typed_once
def day(desk: Desk) -> Desk:
    """Four players with a hostile name among them, a finished round, and a bracket that began."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in (HOSTILE, "Bob Ray", "Cas Dor", "Dee Fox"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("export", "-o", LOG)
    return desk


@pytest.fixture
def terminal(day: Desk) -> Iterator[Terminal]:
    with Terminal(day.folder, NO_COLOR="") as shell:
        yield shell


def shown(terminal: Terminal, line: str, before: str = "") -> str:
    return terminal.type(f"{before}{TOURNEY} {line}", AT_THE_SHELL).removesuffix(SHELL)


def without_styles(text: str) -> str:
    return STYLES.sub("", text)


def test_what_helps_has_a_style(terminal: Terminal) -> None:
    pairings = shown(terminal, "pairings --round 1")
    assert pairings.count(Style.BOLD.value) == 2
    assert pairings.count(PLAIN) == 2
    assert shown(terminal, "bracket").count(Style.BOLD.value) == 1
    story = shown(terminal, "match 2/1")
    winner = story.partition(Style.BOLD.value)[2].partition(PLAIN)[0]
    assert re.search(rf"table 1: .*{re.escape(winner)}.* beat ", story)
    assert "(#" in winner
    assert f"\n{styled('next:', Style.CYAN)} finish" in shown(terminal, "")
    refusal = shown(terminal, "report 9 9")
    assert refusal.startswith(f"{styled('tourney:', Style.RED)} ")
    noted = shown(terminal, "undo --reason wrong")
    assert f"{styled('next:', Style.CYAN)} round start, then report" in noted


@pytest.mark.parametrize("line", [f"verify {LOG}", f"verify {LOG} --policy {POLICY}", "verify"])
def test_the_end_of_a_check_has_a_style(terminal: Terminal, line: str) -> None:
    verified = styled("verified", Style.GREEN)
    said = shown(terminal, line)
    assert f"\n{verified} up to the end of the " in said
    assert said.count("\x1b") == 2
    assert f"\n{verified} up to the end of the file" in shown(terminal, f"replay {LOG}")
    with (terminal.folder / LOG).open("ab") as file:
        file.write(b"{}\n")
    for verb in ("verify", "replay"):
        refusal = shown(terminal, f"{verb} {LOG}")
        assert refusal.startswith(f"{styled('tourney:', Style.RED)} {LOG}: line ")


LINES = ("pairings", "pairings --round 1", "bracket", "match 1/1", "match 2/1", "", "report 9 9")


@pytest.mark.parametrize("line", LINES)
def test_a_style_takes_no_room_and_no_name_brings_one(terminal: Terminal, line: str) -> None:
    """Without the styles of ours the screen is that of a terminal that has none."""
    coloured = shown(terminal, line)
    plain = shown(terminal, line, "NO_COLOR=1 ")
    assert "\x1b" in coloured
    assert without_styles(coloured) == plain
    assert "\x1b" not in plain
    assert "\u202e" not in plain
    assert shown(terminal, line, "TERM=dumb ") == plain


def test_stdout_and_stderr_are_decided_apart(terminal: Terminal) -> None:
    assert Style.CYAN.value not in shown(terminal, "pairings --round 1 2> talk")
    assert "\x1b" not in (terminal.folder / "talk").read_text("utf-8")
    assert Style.GREEN.value in shown(terminal, f"verify {LOG} > data")
    assert Style.RED.value in shown(terminal, "report 9 9 > data")
    shown(terminal, "pairings --round 1 > data")
    assert "\x1b" not in (terminal.folder / "data").read_text("utf-8")
    assert Style.BOLD.value in shown(terminal, "match 2/1 2> talk")
    assert "\x1b" not in shown(terminal, "pairings --round 1 2>&1 | cat")


def test_programs_and_printers_get_no_style(terminal: Terminal) -> None:
    for line in (
        "pairings --round 1 --json",
        "pairings --round 1 --csv",
        "pairings --round 1 --print",
        "bracket --json",
        "bracket --csv",
        "bracket --print",
        "match 2/1 --json",
        f"verify {LOG} --json",
        f"replay {LOG} --json",
    ):
        answer = shown(terminal, line)
        assert answer
        assert "\x1b" not in answer, line


WORDS = {**VIEW_WORDS, "verify": [LOG], "replay": [LOG]}
STAYS_OPEN = {"serve", "demo", "rehearse", "round watch"}
"""Verbs that do not end by themselves."""


@pytest.mark.parametrize("verb", sorted({"", *VERBS} - STAYS_OPEN))
def test_no_verb_writes_an_escape_to_a_pipe(day: Desk, verb: str) -> None:
    """Whatever TERM says, acts and views of the played day, refusals among them."""
    day.patch.setenv("TERM", "xterm-256color")
    day.patch.delenv("NO_COLOR", raising=False)
    answer = day.type(*verb.split(), *WORDS.get(verb, []))
    assert "\x1b" not in answer.out + answer.err
    assert "\x1b" not in day.type(*verb.split(), "--help").out


def test_a_strong_cell_is_padded_by_its_letters() -> None:
    columns = [
        Column("name", flexible=True, key="name", strong=lambda row: row["won"]),
        Column("points", right=True, strong=lambda row: row["won"]),
    ]
    rows = [{"name": name, "points": 1, "won": name != "Bo"} for name in ("Zoë \x1b[1m", "Bo")]
    cells = [[column.text_of(row) for column in columns] for row in rows]
    assert [type(cell) for cell in cells[0]] == [Strong, Strong]
    for width in (80, 12):
        layout = laid_out(columns, cells, width)
        plain, coloured = ([*layout._replace(has_colours=on).lines()] for on in (False, True))
        assert [without_styles(line) for line in coloured] == plain
        assert coloured[1].count(Style.BOLD.value) == 2
        assert "\x1b" not in "".join(plain)


def test_a_report_does_without_rich(day: Desk) -> None:
    """The styles are plain sequences: what draws Markdown is not read for an act."""
    answer = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cli", "report", "9", "9"],
        cwd=day.folder,
        env={"PYTHONPATH": str(ROOT), "TERM": "xterm"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "tourney: round 2 has no table 9" in answer.stderr
    assert re.search(r"\| +cli\.terminal\.output\b", answer.stderr)
    assert not re.search(r"\| +rich\b", answer.stderr)
