"""What a league types at its season: ids as they are shown, whose names, how few is few."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cli.season.league import begun_by
from cli.terminal import output
from tests.support.chance.random_seasons import day, season_of_days
from tests.support.sample_season import SCHEME
from tests.support.season import write_log

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

ANN, BEN = f"{12:032x}", f"{29:032x}"
STANDINGS = ("season", "standings", "--scheme", "points.toml")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four tournaments, loaded once."""
    return season_of_days(tmp_path_factory.mktemp("season"), 4)


@pytest.fixture
def season(desk: Desk, loaded: Path) -> Desk:
    """The season, a scheme, and a vault with two names."""
    shutil.copyfile(loaded, desk.folder / "season.duckdb")
    (desk.folder / "points.toml").write_text(SCHEME)
    desk.done("season", "people", "name", "Ann Lee", ANN)
    desk.done("season", "people", "name", "Ben Roe", BEN)
    return desk


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("abcdef01", ["abcdef0123", "abcdef0199"]),
        ("ABCDEF012", ["abcdef0123"]),
        ("abcdef0", []),
        ("abcdef01/7", ["abcdef0155/7"]),
        ("abcdef01/", []),
        ("abcdefgh", []),
        ("", []),
    ],
)
def test_an_id_is_meant_by_eight_digits_of_it(word: str, found: list[str]) -> None:
    assert begun_by(word, ["abcdef0199", "abcdef0123", "abcdef0155/7", "fedcba98"]) == found


@pytest.mark.slow
def test_an_id_is_taken_as_it_is_shown(season: Desk) -> None:
    asked = ("stats", "head-to-head", "--player")
    whole = season.done(*asked, ANN, "--json").json
    assert whole
    assert season.done(*asked, ANN.upper()[:32], "--json").json == whole
    told = season.type(*asked, "00000000")
    assert (told.code, told.err.count("\n"), "ids begin with '00000000'" in told.err) == (
        1,
        1,
        True,
    )


@pytest.mark.slow
def test_a_vault_takes_the_beginning_of_an_id(season: Desk) -> None:
    drawn = season.done("season", "people", "name", "Cy Orr").out.strip()
    assert season.done("season", "people", "rename", drawn[:8], "Cy Ott").err.startswith(drawn)
    told = season.type("season", "people", "rename", "0000000000", "Cy Ott")
    assert (told.code, "ids begin with" in told.err) == (1, True)
    assert "no one in the league" in season.type("season", "people", "rename", drawn[:7], "X").err


@pytest.mark.slow
def test_names_are_of_those_who_agreed(season: Desk) -> None:
    (season.folder / "agreed.txt").write_text(f"{ANN}\n")
    for words in (
        STANDINGS,
        ("stats", "head-to-head", "--top", "500"),
        ("rating", "--ruleset", "l5r", "--top", "500"),
    ):
        every = season.done(*words).out
        some = season.done(*words, "--agreed", "agreed.txt").out
        assert ("Ann Lee" in some, "Ben Roe" in some) == ("Ann Lee" in every, False), words
        shown = season.done(*words, "--agreed", "agreed.txt", "--json").out
        assert "Ben Roe" not in shown
    assert "Ben Roe" in season.done(*STANDINGS).out
    assert season.type(*STANDINGS, "--agreed", "none.txt").code == 3


@pytest.mark.slow
def test_a_leagues_table_is_a_page_or_a_sheet(season: Desk) -> None:
    rows = season.done(*STANDINGS, "--json").json
    table = list(csv.DictReader(io.StringIO(season.done(*STANDINGS, "--csv").out)))
    assert [row["person"] for row in table] == [row["person"] for row in rows]
    said = season.done(*STANDINGS, "--html", "table.html")
    page = (season.folder / "table.html").read_text("utf-8")
    assert f"{len(rows)} persons" in said.err
    assert ("Ann Lee" in page, page.count("<tr>")) == (True, len(rows) + 1)
    assert season.type(*STANDINGS, "--csv", "--html", "x.html").code == 2


@pytest.mark.slow
def test_rows_of_few_games_are_grey(season: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("stats", "factions", "--ruleset", "l5r")
    rows = season.done(*asked, "--json").json
    assert all(row["few_games"] == (row["games"] < 20) for row in rows)
    least, most = (pick(row["games"] for row in rows) for pick in (min, max))
    assert least < most
    few = ("--min-games", str(least + 1))
    count = sum(row["games"] <= least for row in rows)
    assert f"; {count} with fewer than {least + 1} games" in season.done(*asked, *few).err
    sheet = csv.DictReader(io.StringIO(season.done(*asked, *few, "--csv").out))
    assert sum(row["few_games"] == "yes" for row in sheet) == count
    assert "\x1b" not in season.done(*asked, *few).out
    with monkeypatch.context() as patched:
        patched.setattr(output, "has_colours", lambda _: True)
        shown = season.done(*asked, *few).out.splitlines()
    assert sum(line.startswith("\x1b[2m") and line.endswith("\x1b[0m") for line in shown) == count
    for words in (("stats", "retention"), ("rating", "--ruleset", "l5r", "--calibration")):
        refused = season.type(*words, "--min-games", "5")
        assert (refused.code, "--min-games is only for rows" in refused.err) == (2, True)


def test_a_folder_of_stores_is_taken(desk: Desk) -> None:
    folder = desk.folder / "desks"
    (folder / "second").mkdir(parents=True)
    desk.done("new", "One", "--ruleset", "l5r")
    for name in ("tourney.db", "tourney.db-vault"):
        if (desk.folder / name).exists():
            shutil.copyfile(desk.folder / name, folder / "second" / name)
    write_log(folder / "two.jsonl", day(1))
    (folder / "notes.db").write_text("no database")
    with closing(sqlite3.connect(folder / "other.db")) as other:
        other.execute("CREATE TABLE others (one)")
    said = desk.done("season", "add", "desks")
    assert "2 logs: 2 new" in said.err
    over = [line for line in said.err.splitlines() if line.endswith(": skipped")]
    assert [line.partition(" is ")[0].rpartition("/")[2] for line in over] == [
        "notes.db",
        "other.db",
    ]
    (folder / "two.jsonl").unlink()
    shutil.rmtree(folder / "second")
    told = desk.type("season", "add", "desks")
    assert (told.code, "no store (*.db) with one" in told.err) == (3, True)
