"""The bracket on the hall's page: its picture, the path of a player, phones, and no script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium

    from tests.support.cli_desk import Desk

NAMES = ("محمد عبدالله", "山田太郎", "W" * 40, "<b>Bob</b>", "שרה לוי", "Ann", "Ann", "Zoë Quist")


@typed_once
def day(desk: Desk) -> Desk:
    """A cut of eight with its first round played and the second one paired."""
    desk.done("new", "Cup", "--ruleset", "l5r", "--organizer", "Kim", "--public-names", "full")
    desk.done(
        "register",
        "--namesake",
        "--file",
        "-",
        stdin="name\n" + "".join(f"{name}\n" for name in NAMES),
    )
    desk.done("start", "custom", "--rounds", "1", "--cut", "8")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    desk.done("pair")
    return desk


def test_each_name_leads_to_the_path_of_its_player(day: Desk) -> None:
    """Of two players of one name, too; the path is marked in the picture and in the tables."""
    value = day.done("bracket", "--json").json
    semifinal = value["rounds"][1]["games"][0]["players"][0]["player"]
    with hall_open() as browser:
        page = browser.get("/bracket").text
        seated = [
            seat["player"]
            for round_ in value["rounds"]
            for game in round_["games"]
            for seat in game["players"]
        ]
        links = re.findall(r'href="bracket\?player=p(\d+)"', page)
        tables = re.findall(r'href="bracket\?player=p(\d+)"', page[page.index("<table>") :])
        assert tables == [*map(str, seated), *(str(each["player"]) for each in value["ranking"])]
        assert len(links) == len(tables) + len(seated)
        assert "chosen" not in page
        path = browser.get(f"/bracket?player=p{semifinal}").text
        assert path.count('class="chosen line"') == 1
        assert path.count('<rect class="chosen"') + path.count('class="chosen"></rect>') == 2
        assert path.count('<tr class="chosen">') == 3
        assert 'href="bracket"' in path
        assert f'data-player="p{semifinal}"' in path
        part = browser.get(f"/parts/bracket?player=p{semifinal}")
        assert 'class="chosen line"' in part.text
        assert "chosen" not in browser.get("/parts/bracket").text
        assert part.headers["etag"] != browser.get("/parts/bracket").headers["etag"]
        assert (
            browser.get("/api/v1/bracket?player=p1").json() == browser.get("/api/v1/bracket").json()
        )


@pytest.mark.parametrize("player", ["p0", "7", "p1234567", "<b>", "p7p"])
def test_a_number_that_is_none_is_refused(day: Desk, player: str) -> None:
    del day
    with hall_open() as browser:
        answer = browser.get("/bracket", params={"player": player})
        assert answer.status_code == 400
        assert "choose a name on the page" in answer.text
        assert "<b>" not in answer.text


def test_a_player_outside_the_bracket_has_no_path_there(day: Desk) -> None:
    del day
    with hall_open() as browser:
        assert "p99 is not in this bracket" in browser.get("/bracket?player=p99").text
        assert browser.get("/parts/bracket?player=p99").status_code == 404
        assert browser.get("/pairings?player=p99").status_code == 200


def test_published_pages_have_the_picture_without_links(day: Desk) -> None:
    day.done("round", "start")
    day.done("publish", "public")
    page = (day.folder / "public" / "bracket.html").read_text("utf-8")
    assert '<svg viewBox="' in page
    assert 'role="img"' in page
    assert "?player=" not in page
    assert "&lt;b&gt;Bob" in page
    assert "<b>" not in page


SIZES = """texts => texts.map((text) =>
  [text.textContent, text.getAttribute('font-size') || '14', getComputedStyle(text).fontSize])"""


def test_letters_have_the_size_that_their_boxes_were_made_for(
    chromium: Chromium, day: Desk
) -> None:
    """Whatever the hall's style says of its own classes, such as a seat or a person who left."""
    day.done("drop", f"#{day.done('pairings', '--json').json[0]['players'][0]}")
    with served(day, 0) as address:
        page = chromium.new_page(viewport={"width": 1200, "height": 900})
        page.goto(f"{address}bracket")
        sizes = page.locator("svg.bracket text").evaluate_all(SIZES)
        assert {"left", "\u2068Ann #6\u2069", "10"} <= {text for text, _, _ in sizes}
        assert [each for each in sizes if each[2] != f"{each[1]}px"] == []
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phones_have_the_list_and_wide_pages_the_picture(
    chromium: Chromium, day: Desk, scheme: Literal["light", "dark"]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with served(day, 0) as address:
        for width in (320, 360, 600, 601, 768, 1200, 1920):
            page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.goto(f"{address}bracket?player=p3")
            assert page.evaluate("document.documentElement.scrollWidth") == width
            is_drawn = page.locator("svg.bracket").is_visible()
            assert is_drawn == (width > 600)
            assert page.locator("table").first.is_visible()
            room = page.evaluate(
                "(b => b.scrollWidth > b.clientWidth)(document.querySelector('.scrolled'))"
            )
            assert page.locator(".sideways").is_visible() == (is_drawn and room)
            found = axe.run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], width
            page.close()


def test_the_path_is_chosen_without_a_script_and_kept_with_one(
    chromium: Chromium, day: Desk
) -> None:
    with served(day, 0) as address:
        for script in (False, True):
            page = chromium.new_page(
                viewport={"width": 1200, "height": 900}, java_script_enabled=script
            )
            page.goto(f"{address}bracket")
            page.locator("svg.bracket a").nth(2).click()
            page.wait_for_url("**/bracket?player=p*")
            page.locator("svg.bracket rect.chosen").first.wait_for()
            if script:
                table = day.done("pairings", "--json").json[0]
                day.done("report", "1", f"#{table['players'][0]}")
                page.get_by_text("game 1, open").wait_for(state="detached")
                assert page.locator("svg.bracket rect.chosen").count()
            page.get_by_role("link", name="Show the bracket without it").click()
            page.locator("svg.bracket rect.chosen").first.wait_for(state="detached")
            page.close()
