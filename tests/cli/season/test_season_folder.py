"""`season derive`: of a folder of parts every verb of the season says what it says of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from projections.season.loading.manifest import MANIFEST
from projections.season.tables.definitions import questions, view_of
from tests.support.cli_desk import typed_once
from tests.support.sample_season import first_logs, league, write_four
from tests.support.season import contents, write_log

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow
ONE, OTHER = (each.entry.league_id for each in league()[:2])


@typed_once
def logs(desk: Desk) -> Desk:
    """Four logs beside a points scheme, as a season in a file and in a folder."""
    write_four(desk.folder)
    desk.done("season", "add", "logs")
    desk.done("season", "derive", "parts", "logs")
    return desk


def alike(desk: Desk, *words: str) -> str:
    """Ask the file, and the folder: the same answer and the same talk."""
    one, other = desk.done(*words), desk.done(*words, "--in", "parts")
    assert (other.out, other.err.replace("parts", "season.duckdb")) == (one.out, one.err)
    return one.out


@pytest.mark.usefixtures("logs")
def test_every_verb_that_reads_a_season_reads_the_folder(desk: Desk) -> None:
    for question in questions():
        assert alike(desk, "stats", question.name, "--csv").count("\n") > 1, question.name
    view = view_of(questions()[-1])
    for words in (
        ("season", "--json"),
        ("season", "standings", "--scheme", "points.toml", "--json"),
        ("stats", "factions", "--ruleset", "l5r", "--from", "2026-01-10", "--csv"),
        ("stats", "head-to-head", "--player", ONE[:12], "--csv"),
        ("rating", "elo", "--ruleset", "l5r", "--csv"),
        ("rating", "glicko2", "--ruleset", "l5r", "--upsets", "--csv"),
        ("rating", "elo", "--ruleset", "l5r", "--factions", "--csv"),
        ("rating", "bayes", "--ruleset", "l5r", "--calibration", "--csv"),
        ("query", f"SELECT * FROM {view}, (SELECT count(*) FROM games) ORDER BY ALL", "--json"),
    ):
        assert alike(desk, *words)


@pytest.mark.usefixtures("logs")
def test_what_leaves_the_season_as_files_is_the_same(desk: Desk) -> None:
    for words in (
        ("season", "export", "{}", "--kind", "csv"),
        ("season", "archive", "{}"),
        ("season", "site", "{}", "--scheme", "points.toml"),
    ):
        for place, name in (("season.duckdb", "one"), ("parts", "two")):
            into = f"{words[1]}-{name}"
            desk.done(*(word.format(into) for word in words), "--in", place)
        one, two = (
            {
                path.relative_to(folder): path.read_bytes()
                for path in folder.rglob("*")
                if path.is_file() and path.name != "season-head.json"
            }
            for folder in (desk.folder / f"{words[1]}-{name}" for name in ("one", "two"))
        )
        assert one == two, words


@pytest.mark.usefixtures("logs")
def test_a_correction_is_restated_and_taken(desk: Desk) -> None:
    """The folder has a log as it was before its last events, and the whole one comes."""
    lines, first = first_logs(4)[0], desk.folder / "logs" / "0.jsonl"
    desk.done("season", "rebuild", "logs/1.jsonl", "logs/2.jsonl")
    write_log(first, lines[:-40])
    desk.done("season", "add", "logs/0.jsonl")
    desk.done("season", "derive", "grown", "logs/0.jsonl", "logs/1.jsonl", "logs/2.jsonl")
    write_log(first, lines)
    words = ("season", "restate", "logs/0.jsonl", "--scheme", "points.toml")
    assert desk.done(*words, "--in", "grown").out == desk.done(*words).out
    assert (
        desk.done("season", "derive", "grown", "logs/0.jsonl", "--json").json[0]["fate"] == "grown"
    )
    desk.done("season", "add", "logs/0.jsonl")
    assert contents(desk.folder / "grown") == contents(desk.folder / "season.duckdb")
    desk.done("season", "add", "parts", "--in", "taken.duckdb")
    desk.done("season", "add", "logs")
    assert contents(desk.folder / "taken.duckdb") == contents(desk.folder / "season.duckdb")


@pytest.mark.usefixtures("logs")
def test_a_merger_is_seen_in_the_folder(desk: Desk) -> None:
    parts = {path: path.read_bytes() for path in desk.folder.glob("parts/*/*/*")}
    for word in (ONE, OTHER):
        desk.done("season", "people", "name", f"Name {word[:4]}", word)
    words = ("season", "people", "merge", ONE, OTHER, "--by", "Kim", "--reason", "one card")
    desk.done(*words, "--in", "parts")
    asked = ("query", f"SELECT count(*) FROM people WHERE person = '{ONE}'", "--csv", "--in")
    assert desk.done(*asked, "parts").out.split()[1] == "0"
    assert {path: path.read_bytes() for path in desk.folder.glob("parts/*/*/*")} == parts
    desk.done("season", "add", "logs")
    alike(desk, "season", "people", "--json")
    assert contents(desk.folder / "parts") == contents(desk.folder / "season.duckdb")


@pytest.mark.usefixtures("logs")
def test_refusals_of_the_folder(desk: Desk) -> None:
    def said(code: int, *words: str) -> str:
        answer = desk.type(*words)
        assert (answer.code, answer.err.count("\n")) == (code, 1), answer.err
        return answer.err

    assert "use `season derive FOLDER PATH`" in said(1, "season", "add", "logs", "--in", "parts")
    assert "is not an ordinary file" in said(1, "season", "rebuild", "logs", "--in", "parts")
    assert "a folder without a season" in said(3, "stats", "factions", "--in", "logs")
    assert "contains other files" in said(1, "season", "derive", "logs", "logs")
    assert "at most 256" in said(2, "season", "derive", "new", "logs", "--processes", "1000")
    assert "there is no log" in said(3, "season", "derive", "new", "nowhere")
    (desk.folder / "policy").write_text("log none+0+0\n", "utf-8")
    assert "add logs and folders of parts separately" in said(2, "season", "add", "parts", "logs")
    (desk.folder / "parts" / MANIFEST).write_text("{}", "utf-8")
    assert "derive every log again" in said(4, "stats", "factions", "--in", "parts")
    assert not (desk.folder / "new").exists()
    assert (desk.folder / "logs").is_dir()
