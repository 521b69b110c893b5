"""The pages of a season of 1,000 tournaments: their weight, and what a browser finds and sorts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cli.season.site.finding import Findable, folded, index_files, script_words, words_of
from cli.season.site.frame import PAGE_BYTES_MAX
from cli.season.site.season_site import own_script
from projections.season.tables.database import open_season
from projections.season.tables.definitions import tables
from tests.support.chance.random_seasons import day
from tests.support.files.hostile_texts import hostile_texts
from tests.support.season import take_in, write_log

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

SCRIPT_BYTES_MAX = 100_000
COPIES = 250
LAST_SEARCH = """() => new Promise((done) => {
    const field = document.getElementById("find");
    const begun = performance.now();
    field.value = "WANTED";
    field.dispatchEvent(new Event("input"));
    const look = () => (document.querySelector("#hits li")
        ? done(performance.now() - begun) : setTimeout(look, 1));
    look();
})"""


def large_season(folder: Path) -> None:
    """Take in four tournaments, and 249 copies of each by other persons on other days."""
    take_in(
        folder / "season.duckdb",
        *(write_log(folder / f"{number}.jsonl", day(number)) for number in range(4)),
    )
    with open_season(folder / "season.duckdb") as season:
        for table in tables():
            changed = "md5(tournament || n) AS tournament"
            if table.name == "tournaments":
                changed += ", held_on + (7 * n)::INTEGER AS held_on, name || ' ' || n AS name"
            if table.name == "people":
                changed += (
                    ", CASE WHEN known THEN md5(person || n) "
                    "ELSE md5(tournament || n) || '/' || player END AS person"
                )
            season.execute(
                f"INSERT INTO {table.name} SELECT {table.name}.* REPLACE ({changed}) "
                f"FROM {table.name}, range(1, {COPIES}) AS copies(n)"
            )


@pytest.mark.slow
def test_no_page_or_script_is_heavy_and_all_is_found(desk: Desk, chromium: Browser) -> None:
    large_season(desk.folder)
    desk.done("season", "site", "public")
    folder = desk.folder / "public"
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert max(size for name, size in sizes.items() if name.endswith(".html")) < PAGE_BYTES_MAX
    assert max(size for name, size in sizes.items() if name.endswith(".js")) < SCRIPT_BYTES_MAX
    assert len([name for name in sizes if name.startswith("event-")]) == 4 * COPIES
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto((folder / "index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") < 4_000
    months_are_found(page, folder)
    whole_table_is_sorted_and_filtered(page, folder)
    assert faults == []
    page.close()


def months_are_found(page: Page, folder: Path) -> None:
    page.goto((folder / "matchups.html").as_uri())
    month = "2027-05"
    for typed in (month, "May 2027", "may 2027", "mai 2027", "5/2027"):
        page.get_by_role("searchbox").fill("")
        page.get_by_role("searchbox").fill(typed)
        if typed.startswith("mai"):
            continue  # a word of another language than the page's
        page.locator("#hits li").first.wait_for()
        about = page.locator("#hits li span").all_inner_texts()
        assert about
        assert all(text.startswith(month) for text in about), typed


def whole_table_is_sorted_and_filtered(page: Page, folder: Path) -> None:
    page.goto((folder / "events.html").as_uri())
    assert 'aria-current="page"' in page.content()
    years = page.locator(".tools select").nth(1)
    years.focus()  # which reads all rows, and their years
    page.locator('.tools option[value="2027"]').first.wait_for(state="attached")
    years.select_option("2027")
    page.locator("output", has_text="rows").wait_for()
    days = page.locator("tbody tr td:first-child").all_inner_texts()
    assert days
    assert all(text.startswith("2027") for text in days)
    counted = re.match(r"(\d+) of 1,?000 rows", page.locator("output").inner_text())
    assert counted
    page.locator(".tools select").first.select_option("5 -1")
    players = [int(text) for text in page.locator("tbody td[data-label=players]").all_inner_texts()]
    assert players == sorted(players, reverse=True)
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("players")


def test_twenty_thousand_persons_are_found_within_a_tenth_of_a_second(
    tmp_path: Path, chromium: Browser
) -> None:
    """In parts under 100 kB; accents and case make no difference, as readers expect."""
    names = [f"{number * 2_654_435_761 % 2**48:012x}" for number in range(20_000)]
    persons = [Findable(name, "", f"persons.html#{name}") for name in names]
    persons += [
        Findable("Åsa Müller-Ørsted", "", "person-1.html"),
        Findable("山田太郎", "", "person-2.html"),
        Findable("Łukasz Żółć", "", "person-3.html"),
    ]
    events = [
        Findable(
            f"Library Cup {number}", f"{2024 + number % 3}-05-0{1 + number % 9}, l5r", f"{number}"
        )._replace(day=f"{2024 + number % 3}-05-0{1 + number % 9}")
        for number in range(1_000)
    ]
    write_index(tmp_path, [*persons, *events])
    assert max(path.stat().st_size for path in tmp_path.glob("*.js")) < SCRIPT_BYTES_MAX
    page = chromium.new_page()
    for typed, label in (
        ("müller", "Åsa Müller-Ørsted"),
        ("MULLER", "Åsa Müller-Ørsted"),
        ("mueller asa", "Åsa Müller-Ørsted"),
        ("orsted", "Åsa Müller-Ørsted"),
        ("zolc", "Łukasz Żółć"),
        ("太郎", "山田太郎"),
        (names[12_345], names[12_345]),
        ("library 777", "Library Cup 777"),
        ("2025-05", "Library Cup 1"),
        ("cup May 2025", "Library Cup 1"),
    ):
        page.goto((tmp_path / "index.html").as_uri())
        took = page.evaluate(LAST_SEARCH.replace("WANTED", typed))
        assert label in page.locator("#hits bdi").all_inner_texts(), typed
        assert took < 2_000, typed  # a hundred milliseconds when the machine is quiet
    page.close()


def write_index(folder: Path, entries: list[Findable]) -> None:
    parts = b""
    for name, data in index_files(entries):
        if name:
            (folder / name).write_bytes(data)
        else:
            parts = data
    (folder / "find.js").write_bytes(script_words(parts) + own_script())
    (folder / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><div id="search" hidden><input id="find" '
        'type="search"><span id="found"></span><ul id="hits"></ul></div>'
        '<script src="find.js" defer></script>'
    )


def test_letters_are_folded_alike_in_both_languages(tmp_path: Path, chromium: Browser) -> None:
    texts = [text for text in hostile_texts() if "\ud7ff" not in text][:400]
    texts += ["Straße", "İstanbul", "ΣΑΣ", "Ærø", "か゛が", "\uff26\uff55ll"]
    write_index(tmp_path, [])
    page = chromium.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    assert page.evaluate("(texts) => texts.map(fold)", texts) == [folded(text) for text in texts]
    page.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Große Bühne", {"grosse", "buhne", "buehne"}),
        ("O'Neil-Smith 3", {"o", "neil", "smith", "3"}),
        ("東京", {"東京", "京"}),
    ],
)
def test_words_of_a_label(text: str, words: set[str]) -> None:
    assert words_of(text) == words
