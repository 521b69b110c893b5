"""A whole small day in a real browser, by everybody at once: with scripts, and without any.

An organizer's and a judge's page, four players' phones and a screen, each let in by a link of its
own. Nobody types at a terminal between the start and the end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.support.hall import served

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

LAPTOP, PHONE, WALL = (1280, 800), (390, 844), (1920, 1080)
NAMES = ("Aki Mori", "Ben Osei", "Cleo Varga", "Dana Ito", "Eve Lind", "Finn Adler", "Gus Petrov")
LAST = "Hal Okafor"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH_LOADED = "() => document.readyState === 'complete' && document.documentElement.scrollWidth"
expect = sync_api.expect


@pytest.fixture
def day(desk: Desk) -> Desk:
    """Eight players, two rounds and a cut to two; nothing is paired yet."""
    whole = ("--organizer", "Kim Larsen", "--public-names", "full")
    desk.done("new", "Kotei Berlin", "--ruleset", "l5r", *whole)
    for name in (*NAMES, LAST):
        desk.done("register", name)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("start", "custom", "--rounds", "2", "--cut", "2", "--word", "cherry")
    return desk


@pytest.fixture
def address(day: Desk) -> Iterator[str]:
    with served(day, 0) as found:
        yield found


class Hall:
    """Everybody's browser, each with cookies of its own, and what their consoles complained of."""

    def __init__(self, chromium: Browser, day: Desk, address: str, *, script: bool) -> None:
        self.chromium, self.desk, self.address, self.script = chromium, day, address, script
        self.complaints: list[str] = []
        found = day.done("links", "print", "--json").json["links"]
        found += day.done("links", "print", "o1", "o2", "--json").json["links"]
        self.links: dict[str, dict[str, Any]] = {each["of"]: each for each in found}

    def page(self, size: tuple[int, int]) -> Page:
        """Open a browser of its own."""
        context = self.chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, java_script_enabled=self.script
        )
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)
        return page

    def _heard(self, said: Any) -> None:  # noqa: ANN401 - a console's message
        # A refusal is a page of its own status, which a browser notes.
        if said.type == "error" and "Failed to load resource" not in said.text:
            self.complaints.append(said.text)

    def let_in(self, who: str, size: tuple[int, int]) -> Page:
        """Open somebody's link; without a script type its code."""
        page, link = self.page(size), self.links[who]
        if self.script:
            page.goto(f"{self.address}in#{link['address'].partition('#')[2]}")
        else:
            page.goto(f"{self.address}in")
            page.get_by_label("The code on your badge").fill(link["code"])
            page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(re.compile(r"/(desk|me)"))
        return page

    def see(self, page: Page, text: str | re.Pattern[str]) -> None:
        """Wait until a page says something by itself; without a script it is loaded again."""
        if not self.script:
            self._load_again(page)
        expect(page.locator("main").get_by_text(text).filter(visible=True).first).to_be_visible(
            timeout=15_000
        )

    def _load_again(self, page: Page) -> None:
        try:
            page.goto(page.url.partition("?")[0])
        except sync_api.Error as error:
            if "ERR_ABORTED" not in error.message:
                raise
            page.wait_for_load_state()  # a screen loaded itself again at the same moment

    def line(self, page: Page, line: str) -> None:
        """Type a line at the desk, by keyboard alone; what is shown first is confirmed by Enter."""
        open_page(page, f"{self.address}desk")
        if self.script:
            page.keyboard.press("Control+k")
        else:
            page.get_by_text("Type a line").click()
            page.locator("#line").focus()
        expect(page.locator("#line")).to_be_focused()
        page.keyboard.type(line)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        ahead = page.get_by_role("button", name="Do it")
        if ahead.count():
            expect(ahead).to_be_focused()
            with page.expect_navigation():
                page.keyboard.press("Enter")
        expect(page.get_by_role("status", name="Done")).to_be_visible()

    def seats(self) -> list[list[int]]:
        """Who sits at each table, as the log has it."""
        return [each["players"] for each in self.desk.done("pairings", "--json").json]

    def name(self, player: int) -> str:
        """Return what a player is called."""
        return (*NAMES, LAST)[player - 1]


def open_page(page: Page, address: str) -> None:
    """Open a page, also while the script is still opening the one that a form leads to."""
    try:
        page.goto(address)
    except sync_api.Error as error:
        if "interrupted by another navigation" not in error.message:
            raise
        page.wait_for_load_state()
        page.goto(address)


def has_no_fault(hall: Hall, pages: list[Page]) -> None:
    """Axe finds nothing, light or dark, and nothing scrolls sideways; where scripts may run."""
    for page in pages if hall.script else []:
        fits(page)
        finds_nothing(page)


def fits(page: Page) -> None:
    """Nothing scrolls sideways."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    loaded = page.wait_for_function(WIDTH_LOADED)  # a screen may be loading itself again
    assert loaded.json_value() <= width, page.url


def finds_nothing(page: Page) -> None:
    """Axe finds nothing, light or dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], page.url
    page.emulate_media(color_scheme="light")


def seen(pages: dict[str, Page], folder: Path, moment: str) -> None:
    """Keep pictures of the pages, to be looked at."""
    for name, page in pages.items():
        page.screenshot(path=folder / f"{moment}-{name}.png", full_page=True)


@pytest.mark.parametrize("script", [True, False], ids=["scripts", "no-script"])
def test_a_whole_day_is_played_on_pages(
    chromium: Browser, day: Desk, address: str, tmp_path: Path, *, script: bool
) -> None:
    hall = Hall(chromium, day, address, script=script)
    kim, pat = hall.let_in("o1", LAPTOP), hall.let_in("o2", LAPTOP)
    wall = hall.page(WALL)
    wall.goto(f"{address}screen")
    hall.line(kim, "pair")
    hall.line(kim, "round start")
    tables = hall.seats()
    (one, two), (three, four) = tables[:2]
    phones = [hall.let_in(f"p{each}", PHONE) for each in (one, two, three, four)]

    first_round(hall, kim, phones, tables)
    pages = {"desk": kim, "judge": pat, "phone": phones[3], "wall": wall}
    settle(hall, pat, phones)
    has_no_fault(hall, [kim, pat, *phones, wall])
    seen(pages, tmp_path, "round-1")

    hall.line(kim, f'correct 3 "{hall.name(tables[2][1])}" --reason "the slip was misread"')
    hall.line(kim, f'drop "{hall.name(tables[3][1])}"')
    show_on_the_wall(hall, kim, wall)
    second_round(hall, kim, pat, phones)
    final(hall, kim, wall)
    has_no_fault(hall, [kim, pat, phones[0], wall])
    seen(pages, tmp_path, "end")
    assert hall.complaints == []
    as_typed(day)


def first_round(hall: Hall, kim: Page, phones: list[Page], tables: list[list[int]]) -> None:
    """Two agree by phone, two contradict each other, and two slips come to the desk."""
    winner, loser, third, fourth = phones
    open_page(kim, f"{hall.address}desk")
    for phone in (winner, third):
        hall.see(phone, "How did it end?")
        phone.get_by_role("button", name="I won", exact=True).click()
        phone.get_by_role("button", name="Yes, send it").click()
    hall.see(loser, "Your opponent reported")
    loser.get_by_role("button", name="That is right").click()
    hall.see(loser, "both sides agree")
    hall.see(fourth, "Your opponent reported")
    fourth.get_by_text("That is wrong", exact=True).click()
    fourth.get_by_label("What is wrong?").first.fill("the slip shows my win")
    fourth.get_by_role("button", name="I won", exact=True).click()
    fourth.get_by_role("button", name="Yes, send it").click()
    hall.see(fourth, "The result is in dispute")
    hall.see(kim, re.compile("2 of 4 tables have reported"))
    if hall.script:
        kim.keyboard.press("Control+k")
        kim.locator("#line").fill(f"3 {hall.name(tables[2][0])}")
        expect(kim.locator("#reading")).to_contain_text("beat")
    for table in (3, 4):
        hall.line(kim, f"{table} {hall.name(tables[table - 1][0]).split()[0].lower()}")


def settle(hall: Hall, pat: Page, phones: list[Page]) -> None:
    """The judge rules as the other side claimed, and the hall enters it."""
    open_page(pat, f"{hall.address}judge")
    hall.see(pat, "the slip shows my win")
    has_no_fault(hall, [pat])
    pat.get_by_role("link", name="1/2").first.click()
    has_no_fault(hall, [pat])
    pat.get_by_role("radio", name=re.compile("as disputed")).check()
    pat.get_by_label("Decision and reason").first.fill("both slips say so")
    pat.locator("summary", has_text="Clause").first.click()
    pat.get_by_role("radio", name=re.compile("FFG-RULING")).check()
    pat.get_by_role("button", name="Rule", exact=True).click()
    pat.get_by_role("button", name="Do it").wait_for()
    has_no_fault(hall, [pat])
    pat.get_by_role("button", name="Do it").click()
    expect(pat.get_by_role("button", name="Do it")).to_have_count(0)
    hall.see(pat, re.compile("both slips say so"))
    hall.see(phones[3], re.compile("beat"))
    assert hall.desk.done("disputes", "--json").json == []


def show_on_the_wall(hall: Hall, kim: Page, wall: Page) -> None:
    """The desk lets the screen show the standings; the screen does so at once."""
    open_page(kim, f"{hall.address}desk/settings")
    kim.get_by_label("Screen 1 shows").select_option("standings")
    kim.get_by_role("button", name="Show it").click()
    hall.see(wall, re.compile("points"))


def second_round(hall: Hall, kim: Page, pat: Page, phones: list[Page]) -> None:
    """A judge is called and goes; slips come to the desk, one act is taken back."""
    hall.line(kim, "pair")
    hall.line(kim, "round start")
    caller = phones[0]
    hall.see(caller, re.compile("Call a judge|You have the bye"))
    caller.get_by_text("Call a judge", exact=True).click()
    caller.get_by_label("Why? (optional)").fill("may I look at my deck?")
    caller.get_by_role("button", name="Call", exact=True).click()
    open_page(pat, f"{hall.address}judge")
    hall.see(pat, re.compile("may I look at my deck"))
    pat.get_by_role("button", name="I am going").click()
    matches = [each for each in hall.seats() if len(each) > 1 and all(each)]
    for table, seated in enumerate(matches, start=1):
        hall.line(kim, f"{table} #{seated[0]}")
    hall.line(kim, "undo")
    hall.line(kim, f"{len(matches)} #{matches[-1][0]}")


def final(hall: Hall, kim: Page, wall: Page) -> None:
    """The cut, the last game, the end."""
    hall.line(kim, "cut")
    hall.line(kim, "pair")
    hall.line(kim, "round start")
    (finalists,) = hall.seats()
    hall.line(kim, f"1 #{finalists[0]}")
    hall.line(kim, "finish")
    hall.see(kim, re.compile("the tournament is finished"))
    open_page(kim, f"{hall.address}desk/settings")
    kim.get_by_label("Screen 1 shows").select_option("bracket")
    with kim.expect_navigation():  # the wall has the finalists' names already, in the final order
        kim.get_by_role("button", name="Show it").click()
    hall.see(wall, re.compile(hall.name(finalists[0])))
    if hall.script:
        wall.locator("svg.bracket").first.wait_for()


def as_typed(day: Desk) -> None:
    """The log of the day verifies, replays and audits as one that was typed at a desk."""
    day.done("verify")
    standings = day.done("standings", "--final", "--json").json
    day.done("export", "-o", "day.jsonl")
    assert day.done("replay", "day.jsonl").code == 0
    assert len(standings) == len((*NAMES, LAST))
    found = day.done("audit", "--json").json
    kinds = {each["kind"] for each in found["findings"] if each["severity"] == "breach"}
    assert kinds == set()
    assert re.search(r"over link \d", day.done("log").out)
