"""`--archetypes`: lists named when logs are added, rebuilt and derived, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.projections.season.grouping.test_archetypes import ASHES, DAYS, RULES
from tests.support.season import contents

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

LOGS = (str(DAYS / "legion-28.jsonl"), str(DAYS / "ashes-36.jsonl"))
NAMED = ("--archetypes", "legion.toml", "--archetypes", "ashes.toml")


def with_rules(desk: Desk) -> Desk:
    (desk.folder / "legion.toml").write_text(RULES)
    (desk.folder / "ashes.toml").write_text(ASHES)
    return desk


def test_a_season_is_the_same_from_the_same_files(desk: Desk) -> None:
    with_rules(desk)
    answer = desk.done("season", "add", *NAMED, *LOGS)
    for told in (
        "28 lists, 0 without a fitting archetype, 0 not disclosed",
        "28 lists called 'Cutter' would fit 'Trooper', too: the first one counts",
        "no list is called 'Trooper', \"Nobody's\"",
    ):
        assert told in answer.err
    season = desk.folder / "season.duckdb"
    first = contents(season)
    desk.done("season", "rebuild", *NAMED, *reversed(LOGS))
    assert contents(season) == first
    rows = desk.done("stats", "factions", "--by", "archetype", "--json").json
    assert {row["faction"]: row["entrants"] for row in rows if row["ruleset"] == "legion"} == {
        "Cutter": 28
    }
    desk.done("season", "derive", "parts", *NAMED, *LOGS)
    of_parts = desk.done("stats", "factions", "--by", "archetype", "--in", "parts", "--json")
    assert of_parts.json == rows
    desk.done("season", "rebuild", *LOGS)
    assert "no entrant has an attribute" in desk.type("stats", "byes", "--by", "archetype").err


def test_wrong_files_change_nothing(desk: Desk) -> None:
    with_rules(desk)
    (desk.folder / "wrong.toml").write_text('ruleset = "l5r"\narchetypes = []\n')
    for code, words, told in (
        (3, ("none.toml",), "none.toml"),
        (2, ("wrong.toml",), "wrong.toml: archetypes: at least one is needed"),
        (1, ("legion.toml", "--archetypes", "legion.toml"), "two files fill archetype"),
    ):
        answer = desk.type("season", "add", "--archetypes", *words, *LOGS)
        assert (answer.code, answer.out) == (code, "")
        assert told in answer.err
    assert not (desk.folder / "season.duckdb").exists()
