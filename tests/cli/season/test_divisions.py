"""Promotion and relegation in standings, on the printed page, in JSON and on the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.support.sample_season import SCHEME, write_four

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow


@typed_once
def logs(desk: Desk) -> Desk:
    """A folder of four logs beside a points scheme, and a season of them."""
    write_four(desk.folder)
    desk.done("season", "add", "logs")
    return desk


def write_scheme(desk: Desk, upper: list[str]) -> None:
    """Write a scheme of two divisions, the upper one with these members."""
    members = ", ".join(f'"{each}"' for each in upper)
    divisions = (
        f'[[divisions]]\nname = "Crane"\nmembers = [{members}]\n[[divisions]]\nname = "Sun"\n'
    )
    text = f"promote = 2\nrelegate = 1\n{SCHEME}\n{divisions}"
    (desk.folder / "divided.toml").write_text(text, "utf-8")


@pytest.mark.usefixtures("logs")
def test_divisions_are_shown_everywhere(desk: Desk) -> None:
    persons = [
        row["person"]
        for row in desk.done("season", "standings", "--scheme", "points.toml", "--json").json
    ]
    write_scheme(desk, [*persons[:3], "no-results-yet"])
    rows = desk.done("season", "standings", "--scheme", "divided.toml", "--json").json
    assert [(row["division"], row["move"]) for row in rows[:4]] == [
        ("Crane", ""), ("Crane", ""), ("Crane", ""), ("Crane", "relegated"),
    ]  # fmt: skip
    assert {row["division"] for row in rows[4:]} == {"Sun"}
    text = desk.done("season", "standings", "--scheme", "divided.toml")
    lines = text.out.splitlines()
    assert (lines[0], "Sun" in lines) == ("Crane", True)
    assert "relegated" in text.out
    assert "promoted" in text.out
    csv = desk.done("season", "standings", "--scheme", "divided.toml", "--csv").out.splitlines()
    assert csv[0].endswith("qualified,division,move")
    desk.done("season", "standings", "--scheme", "divided.toml", "--html", "page.html")
    page = (desk.folder / "page.html").read_text("utf-8")
    assert page.count("<h1>") == 2
    assert "relegated" in page
    desk.done("season", "site", "pages", "--scheme", "divided.toml")
    site = (desk.folder / "pages" / "standings-1.html").read_text("utf-8")
    assert "a member without a result" in site
    assert "no-results-yet" not in site
    assert "relegated" in site


@pytest.mark.usefixtures("logs")
def test_a_tie_at_the_border_is_said_everywhere(desk: Desk) -> None:
    rows = desk.done("season", "standings", "--scheme", "points.toml", "--json").json
    ranks = [row["rank"] for row in rows]
    tied = next(rank for rank in ranks if ranks.count(rank) > 1)
    text = f"promote = {tied}\n" + SCHEME
    (desk.folder / "tied.toml").write_text(text, "utf-8")
    answer = desk.done("season", "standings", "--scheme", "tied.toml")
    said = f"{ranks.count(tied)} persons share rank {tied}, and 1 can be promoted"
    assert said in answer.err
    assert "promotion to be decided" in answer.out
    desk.done("season", "standings", "--scheme", "tied.toml", "--html", "page.html")
    assert said in (desk.folder / "page.html").read_text("utf-8")
    desk.done("season", "site", "pages", "--scheme", "tied.toml")
    assert said in (desk.folder / "pages" / "standings-1.html").read_text("utf-8")


@pytest.mark.usefixtures("logs")
def test_a_restatement_says_who_moves(desk: Desk) -> None:
    (desk.folder / "moving.toml").write_text("promote = 1\n" + SCHEME, "utf-8")
    desk.done("import", "logs/0.jsonl")
    winner = desk.done("standings", "--final", "--json").json[0]["player"]
    desk.done("disqualify", f"#{winner}", "--reason", "found in May")
    desk.done("export", "-o", "grown.jsonl")
    told = desk.done("season", "restate", "grown.jsonl", "--scheme", "moving.toml")
    assert "promoted" in told.out
