"""What README and the pages beside the code show works as it stands, line by line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.overview import TOPICS, code_lines_fitted
from cli.terminal.visible import cells
from projections.season.grouping.archetypes import load_archetypes
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

BASH = shutil.which("bash")
SECONDS_MAX = 300
KINDS = ("jsonl", "jsonl.checkpoint", "jsonl.hashes")


DESK = "cli/desk/README.md"
DISPUTES = "cli/verbs/table/README.md"
CHECKING = "ledger/proof/CHECKING.md"
SEASON = "cli/season/README.md"


def commands_of(page: str, heading: str = "") -> str:
    """The first commands of a page, or those under one of its headings."""
    chapter = (ROOT / page).read_text("utf-8").partition(f"## {heading}" if heading else "# ")[2]
    found = re.search(r"```sh\n(.*?)```", chapter, re.DOTALL)
    assert found is not None
    return found[1]


def run(tmp_path: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run commands of the README in a folder beside the checkout, empty at first."""
    programs, folder = tmp_path / "bin", tmp_path / "day"
    if not programs.exists():
        _prepare(tmp_path, programs, folder)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if name != "TOURNEY_STORE"}
    return subprocess.run(
        [str(BASH), "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**kept, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )


def _prepare(tmp_path: Path, programs: Path, folder: Path) -> None:
    (tmp_path / "tourney").symlink_to(ROOT)
    programs.mkdir()
    # No links: an interpreter that is called by a link from elsewhere does not see its environment.
    for name, words in (("python3", ""), ("tourney", " -m cli.main")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n', "utf-8")
        program.chmod(0o755)
    folder.mkdir()


@pytest.mark.parametrize(
    "folder", sorted({each for topic in TOPICS.values() for each in topic.texts})
)
def test_a_page_of_help_fits_a_terminal_and_names_no_checkout(folder: str) -> None:
    text = (ROOT / folder / "README.md").read_text("utf-8")
    assert "../tourney" not in text
    assert ".venv" not in text
    assert "pip install '.[" not in text
    # A row after an empty line begins a table, so its separator follows; else it shows as it is.
    assert not re.search(r"\n\n\|[^\n]*\n(?!\|[ :-]+\|)", text)
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    code = "```\n" + "\n".join(blocks) + "```\n"
    fitted = list(code_lines_fitted(code, 78))
    assert all(cells(line) <= 78 for line in fitted)
    # Nothing is lost: only the sign of a remark is written again where the remark goes on.
    assert _letters("\n".join(fitted)) == _letters(code)


def _letters(code: str) -> str:
    return re.sub(r"[\s#]", "", code)


WITH_A_SHELL = pytest.mark.skipif(BASH is None, reason="the README's commands are for a shell")


@WITH_A_SHELL
def test_python3_of_the_readme_is_that_of_the_environment(tmp_path: Path) -> None:
    """The base Python beneath it holds none of the packages, or others."""
    ran = run(tmp_path, "python3 -c 'import sys; print(sys.prefix)'")
    assert ran.stdout == f"{sys.prefix}\n", ran.stderr


@pytest.mark.slow
@WITH_A_SHELL
def test_the_short_day_of_the_readme(tmp_path: Path) -> None:
    """Twenty lines; what README shows of them is what they print."""
    page = (ROOT / "README.md").read_text("utf-8")
    script = commands_of("README.md", "A day in twenty lines")
    assert len(script.splitlines()) == 20
    ran = run(tmp_path, script)
    assert ran.returncode == 0, ran.stderr
    assert "tourney:" not in ran.stderr
    shown = page.partition("On the way you see")[2].partition("```\n")[2].partition("```")[0]
    printed = ran.stdout.splitlines()
    assert [line for line in shown.splitlines() if line and line not in printed] == []
    assert len(shown.splitlines()) > 5


@pytest.mark.slow
@WITH_A_SHELL
def test_the_day_of_the_desk(tmp_path: Path) -> None:
    ran = run(tmp_path, commands_of(DESK))
    assert ran.returncode == 0, ran.stderr
    assert "tourney:" not in ran.stderr
    assert re.search(r"^winner: .+", ran.stderr, re.MULTILINE)
    made = {each.name for each in (tmp_path / "day").iterdir()}
    assert {"tourney.db", "tourney.db-vault", ".tourney", ".tourney-keys"} <= made
    checked = run(tmp_path, commands_of(CHECKING))
    assert checked.returncode == 0, checked.stderr
    assert "line 60: it is not the line that was signed at this place" in checked.stderr
    assert checked.stdout.count("tree: ") == 2
    stranger = {each.name for each in (tmp_path / "day" / "stranger").iterdir()}
    assert stranger == {
        "policy",
        ".tourney-keys",  # what was seen of a log that the policy accepted
        *(f"{log}.{kind}" for log in ("kotei-berlin", "edited") for kind in KINDS),
    }


@pytest.mark.slow
@WITH_A_SHELL
def test_the_dispute_of_its_page(tmp_path: Path) -> None:
    ran = run(tmp_path, commands_of(DISPUTES))
    assert ran.returncode == 0, ran.stderr
    refused = [line for line in ran.stderr.splitlines() if line.startswith("tourney:")]
    assert len(refused) == 1, refused
    assert "1/1 is disputed" in refused[0]
    assert "round 2 waits" in ran.stdout
    table = ran.stdout.partition("rank")[2].splitlines()
    assert sorted(row.split()[2] for row in table[1:3]) == ["Bob", "Cas"]
    assert "corrected" in ran.stderr
    assert (tmp_path / "day" / "audit.html").read_text("utf-8").startswith("<!doctype html>")


def write_scheme(folder: Path) -> None:
    """Write the points scheme of the season's page."""
    found = re.search(r"```toml\n(key = .*?)```", (ROOT / SEASON).read_text("utf-8"), re.DOTALL)
    assert found is not None
    (folder / "points.toml").write_text(found[1], "utf-8")


def test_the_archetypes_of_the_season(tmp_path: Path) -> None:
    """The file on the page is read, with its rules in their order."""
    found = re.search(r"```toml\n(ruleset = .*?)```", (ROOT / SEASON).read_text("utf-8"), re.DOTALL)
    assert found is not None
    (tmp_path / "archetypes.toml").write_text(found[1], "utf-8")
    rules = load_archetypes(tmp_path / "archetypes.toml").rules
    assert [rule.name for rule in rules.archetypes] == ["Duels", "Towers", "No scouts"]


@pytest.mark.slow
def test_the_points_scheme_of_the_season(desk: Desk) -> None:
    """Four members, one round: the first place, the next three, and one point for coming."""
    write_scheme(desk.folder)
    desk.open(0)
    members = "".join(f"Player {number},{number:032x}\n" for number in range(1, 5))
    desk.done("register", "--file", "-", stdin=f"name,league_id\n{members}")
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    desk.done("season", "add", "tourney.db")
    rows = desk.done("season", "standings", "--scheme", "points.toml", "--json").json
    assert [row["points"] for row in rows] == [11, 6, 6, 6]
    (query,) = re.findall(r'tourney query "(.*)"', commands_of(SEASON))
    assert desk.done("query", query, "--json").json == [{"faction": "", "count_star()": 4}]


@pytest.mark.slow
def test_a_season_of_guests_says_how_to_have_members(desk: Desk) -> None:
    """An office that has only ever registered names."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    desk.done("season", "add", "tourney.db")
    write_scheme(desk.folder)
    told = desk.type("season", "standings", "--scheme", "points.toml")
    assert told.code == 3
    assert "`season people name` draws an id, `register --league-id` records it" in told.err
