"""An organizer's whole day in a browser, by clicks alone; and results by the keyboard alone.

No line is typed: every act has a button or a form on the pages of the desk.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

from tests.cli.serve.organizer.test_browser_day import LAPTOP, Hall, has_no_fault, open_page, seen
from tests.support.hall import served

sync_api = pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from tests.support.cli_desk import Desk

expect = sync_api.expect
NAMES = (
    *("Aki Mori", "Ben Osei", "Cleo Varga", "Dana Ito", "Eve Lind", "Finn Adler", "Gus Petrov"),
    *("Hal Okafor", "Ida Brandt", "Jo Park", "Kai Nguyen", "Lea Holm", "Max Ernst", "Nora Quist"),
    "Olu Adeyemi",
)
LATE = "Late Larry"
PAGES = ("", "/players?player=1", "/round", "/standings", "/bracket", "/log", "/log?at=40")
MORE_PAGES = ("/print", "/settings?link=o1", "/lines?verb=official+add", "/lines?form=correct")
NARROW = (320, 700)


class Clicker:
    """An organizer who only clicks and fills in forms; counts what each result takes."""

    def __init__(self, page: Page, address: str, desk: Desk) -> None:
        self.page, self.address, self.desk = page, address, desk
        self.taps = 0

    def open(self, path: str = "") -> None:
        """Open a page of the desk by its address, as its tab does."""
        open_page(self.page, f"{self.address}desk{path}")

    def press(self, name: str, within: Locator | None = None) -> None:
        """Press a button, and confirm what its act would do."""
        place = within or self.page.locator("main")
        with self.page.expect_navigation():
            place.get_by_role("button", name=name, exact=True).first.click()
        self.confirm()

    def confirm(self) -> None:
        """Press the button below what an act would record."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Do it").click()
        expect(self.page.get_by_role("status", name="Done")).to_be_visible()

    def fold(self, name: str, within: Locator | None = None) -> Locator:
        """Unfold a form by its title, and return it."""
        place = within or self.page.locator("main")
        folded = place.locator("details.act").filter(
            has=self.page.locator("summary", has_text=re.compile(f"^{re.escape(name)}$"))
        )
        folded.first.locator("summary").click()
        return folded.first

    def register(self, name: str) -> None:
        """Register a player by the form."""
        self.open("/players")
        self.page.get_by_label("Name", exact=True).first.fill(name)
        self.press("Register")

    def row(self, table: int) -> Locator:
        """Return the row of a table."""
        return self.page.locator(f"#rows > [data-table='{table}']")

    def tap(self, locator: Locator) -> None:
        """Tap, and count it."""
        self.taps += 1
        locator.click()

    def result(self, table: int, side: int = 0) -> None:
        """Enter a result by two taps: the winner, then the button that confirms."""
        row = self.row(table)
        self.tap(row.locator(".pick").nth(side))
        self.tap(row.get_by_role("button", name="Confirm", exact=True))
        expect(row).to_have_class("reported")

    def number(self, name: str) -> int:
        """Return the number of a player."""
        listed = self.desk.done("list", "--json").json
        return int(next(each["player"] for each in listed if each["name"] == name))

    def open_tables(self) -> list[dict[str, Any]]:
        """Return the tables of the round without a result."""
        tables = self.desk.done("pairings", "--json").json
        return [each for each in tables if not each["result"] and all(each["players"][:2])]


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    desk.done("new", "Kotei Berlin", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    with served(desk, 0) as found:
        yield found


def let_in(chromium: Browser, desk: Desk, address: str, *, script: bool = True) -> Hall:
    desk.done("register", "Nobody Yet")
    hall = Hall(chromium, desk, address, script=script)
    desk.done("unregister", "Nobody", "--reason", "only for the links")
    return hall


def test_an_organizer_plays_a_day_by_clicks_alone(
    chromium: Browser, desk: Desk, address: str, tmp_path: Path
) -> None:
    hall = let_in(chromium, desk, address)
    page = hall.let_in("o1", LAPTOP)
    kim = Clicker(page, address, desk)
    for name in NAMES:
        kim.register(name)
    start(kim)
    kim.press("Pair round 1")
    a_latecomer(kim)
    kim.open()
    kim.press("Start round 1")
    expect(page.get_by_role("button", name="Pair round 2")).to_be_disabled()
    for table in (1, 2, 4, 5):
        kim.result(table)
    assert kim.taps == 8
    expect(page.locator(".primary")).to_contain_text("4 tables open")
    a_pause_and_more_time(kim)
    a_dispute(kim, Clicker(hall.let_in("o2", LAPTOP), address, desk))
    kim.open()
    for table in (6, 7, 8):
        kim.result(table)
    a_correction(kim)
    seen({"desk": page}, tmp_path, "round-1")
    a_drop(kim)
    kim.open()
    kim.press("Pair round 2")
    kim.press("Start round 2")
    for each in kim.open_tables():
        kim.result(each["table"])
    the_cut(kim)
    has_no_fault(hall, [page])
    assert hall.complaints == []
    desk.done("verify")
    assert desk.done("disputes", "--json").json == []
    findings = desk.done("audit", "--json").json["findings"]
    assert [each for each in findings if each["severity"] == "breach"] == []


def start(kim: Clicker) -> None:
    """Start with two rounds and a cut to four, by the primary form."""
    kim.open()
    form = kim.fold("Start the tournament")
    form.get_by_label("Structure", exact=False).select_option("custom")
    form.get_by_label("Swiss rounds, if custom").fill("2")
    form.get_by_label("Players in the cut, if custom").fill("4")
    form.get_by_label("A word called out now in the room").fill("cherry")
    kim.press("Start the tournament", form)


def a_latecomer(kim: Clicker) -> None:
    """Somebody comes late, and plays against the player with the bye."""
    kim.register(LATE)
    kim.open(f"/players?player={kim.number(LATE)}")
    form = kim.fold("Seat a latecomer")
    kim.press("Seat a latecomer", form)


def a_pause_and_more_time(kim: Clicker) -> None:
    """The clock stops and goes on; table 6 gets five minutes."""
    kim.open("/round")
    form = kim.fold("Stop the clock")
    form.get_by_label("Why").fill("a fire alarm")
    kim.press("Stop the clock", form)
    kim.press("Resume the clock")
    kim.page.get_by_label("Table, or all").first.fill("6")
    kim.press("+5 minutes")
    kim.open()
    expect(kim.row(6)).to_contain_text("+5 min")


def a_dispute(kim: Clicker, pat: Clicker) -> None:
    """Table 3 is reported and disputed; the ruling is made and entered on the match's page."""
    page = kim.page
    kim.open()
    kim.result(3)
    loser = kim.desk.seats(3)[1]
    kim.row(3).locator("a.number").click()
    form = kim.fold("Dispute a result")
    form.get_by_label("For which player").fill(f"#{loser}")
    kim.press("Dispute a result", form)
    kim.open()
    expect(kim.row(3)).to_have_class("disputed")
    expect(page.locator(".side")).to_contain_text("Dispute")
    pat.open()
    with pat.page.expect_navigation():
        pat.row(3).get_by_role("link", name="Open the dispute").click()
    pat.page.get_by_role("radio", name=re.compile("as reported")).check()
    pat.page.get_by_label("Decision and reason").first.fill("both slips agree")
    pat.press("Rule")


def a_correction(kim: Clicker) -> None:
    """The result of table 1 was misread; the log has it with what was on record before."""
    page, (first, second) = kim.page, kim.desk.seats(1)
    with page.expect_navigation():
        kim.row(1).get_by_role("link", name="Correct").click()
    page.locator(f'input[name=result][value="#{second}"]').check()
    page.get_by_label("Why").first.fill("the slip was misread")
    kim.press("Correct a result")
    kim.open("/log?kind=correct")
    row = page.locator("tbody tr").first
    names = {each["player"]: each["name"] for each in kim.desk.done("list", "--json").json}
    expect(row).to_contain_text(f"{names[second]} (#{second}) beat")
    expect(row).to_contain_text(f"{names[first]} (#{first}) beat")


def a_drop(kim: Clicker) -> None:
    """A player leaves after the round, by their own page."""
    leaver = kim.desk.seats(8)[1]
    kim.open(f"/players?player={leaver}")
    form = kim.fold("Drop a player")
    kim.press("Drop a player", form)
    expect(kim.page.locator("#player")).to_contain_text("dropped")


def the_cut(kim: Clicker) -> None:
    """The cut, two rounds of elimination, and the end."""
    page = kim.page
    kim.press("Make the cut to 4")
    for name in ("the semifinals", "the final"):
        kim.press(f"Pair {name}")
        kim.press(f"Start {name}")
        for each in kim.open_tables():
            kim.result(each["table"])
    kim.press("Finish the tournament")
    expect(page.get_by_role("link", name="Show the final standings")).to_be_visible()
    expect(page.locator(".stepper .done")).to_have_count(7)


@pytest.fixture
def round_of_twelve(desk: Desk, address: str) -> str:
    """Twelve tables, all of them open."""
    names = "\n".join(f"Player Number{number:02}" for number in range(1, 25))
    desk.done("register", "--file", "-", stdin=f"name\n{names}\n")
    desk.done("start", "custom", "--rounds", "2", "--word", "cherry")
    desk.done("pair")
    desk.done("round", "start")
    return address


def test_twelve_results_by_the_keyboard_alone(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    """A table's number, a letter, Enter: 39 keys; no page is loaded in between."""
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    page = hall.let_in("o1", LAPTOP)
    page.evaluate("window.isTheSamePage = true")
    keys = 0
    for table in range(1, 13):
        for key in (*str(table), "b", "Enter"):
            page.keyboard.press(key)
            keys += 1
        expect(page.locator(f"#rows > [data-table='{table}']")).to_have_class("reported")
    assert keys == 39
    assert page.evaluate("window.isTheSamePage")
    results = desk.done("pairings", "--json").json
    assert all(each["result"]["outcomes"][1] == "win" for each in results)
    expect(page.get_by_role("button", name="Pair round 2")).to_be_enabled()
    expect(page.get_by_role("status", name="Done")).to_be_visible()
    page.get_by_role("button", name="Undo your last act").first.click()
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#rows > [data-table='12']")).to_have_class("open")
    assert hall.complaints == []


def test_a_refused_result_says_why_in_its_row_in_the_style_of_an_error(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    page = Hall(chromium, desk, round_of_twelve, script=True).let_in("o1", LAPTOP)
    row = page.locator("#rows > [data-table='5']")
    way = row.locator("input[type=radio]").first
    way.evaluate("(field) => { field.value += ' wn'; }")
    way.check(force=True)
    refusal = row.locator(".problems")
    expect(refusal).to_be_hidden()
    row.get_by_role("button", name="Confirm").click()
    expect(refusal).to_contain_text("no outcome")
    colour = "(node) => getComputedStyle(node).backgroundColor"
    assert refusal.evaluate(colour) != row.evaluate(colour)
    expect(page.locator("#row-said")).to_have_text("")
    way.evaluate("(field) => { field.value = field.value.replace(' wn', ''); }")
    row.get_by_role("button", name="Confirm").click()
    expect(row).to_have_class("reported")


def test_after_a_table_that_is_not_there_the_next_one_is_typed_at_once(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    page = Hall(chromium, desk, round_of_twelve, script=True).let_in("o1", LAPTOP)
    for key in (*"99a", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#row-said")).to_have_text("No table 99 in this round.")
    for key in (*"3a", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#rows > [data-table='3']")).to_have_class("reported")


def test_a_page_that_answers_a_form_can_be_loaded_again_and_gone_back_to(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    """The browser never asks whether a form should be sent again."""
    page = Hall(chromium, desk, round_of_twelve, script=True).let_in("o1", LAPTOP)
    open_page(page, f"{round_of_twelve}desk/players?player=1")
    page.locator("summary", has_text="Drop a player").click()
    page.get_by_role("button", name="Drop a player").click()
    expect(page.get_by_role("button", name="Do it")).to_be_visible()
    assert page.url.endswith("/desk/players?player=1")
    page.reload()
    expect(page.get_by_role("button", name="Do it")).to_have_count(0)
    page.locator("summary", has_text="Drop a player").click()
    page.get_by_role("button", name="Drop a player").click()
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("status", name="Done")).to_be_visible()
    page.go_back()
    expect(page.locator("#player")).to_contain_text("dropped")
    assert sum('"PlayerDropped"' in line for line in desk.log().splitlines()) == 1


def test_the_list_of_players_has_its_columns_below_their_titles(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    page = hall.let_in("o1", LAPTOP)
    open_page(page, f"{round_of_twelve}desk/players")
    lefts = [
        page.locator(f".roster {row} > *").evaluate_all(
            "(cells) => cells.map((cell) => cell.getBoundingClientRect().x)"
        )
        for row in ("thead tr", "tbody tr:first-child")
    ]
    assert lefts[0] == lefts[1]


def test_the_names_of_every_result_keep_their_words_whole(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    page = hall.let_in("o1", LAPTOP)
    page.get_by_role("link", name="Other result").first.click()
    special = page.locator("#rows > [data-table='1'] .pick span", has_text="modified win").first
    expect(special).to_be_visible()
    assert (
        special.evaluate(
            "(e) => { e.style.overflowWrap = 'normal'; return e.scrollWidth - e.clientWidth }"
        )
        <= 0
    )


def test_the_clock_goes_on_when_a_row_is_opened(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    page = hall.let_in("o1", LAPTOP)
    page.get_by_role("link", name="Other result").first.click()
    page.locator("#rows > [data-table='1'] .pick span", has_text="modified win").first.wait_for()
    digits = page.locator("#now [data-left]")
    before = digits.inner_text()
    expect(digits).not_to_have_text(before)


def test_a_row_keeps_what_is_chosen_while_others_report(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    page = hall.let_in("o1", LAPTOP)
    chosen = page.locator("#rows > [data-table='5'] .pick").first
    chosen.click()
    desk.done("report", "4", f"#{desk.seats(4)[0]}")
    expect(page.locator("#rows > [data-table='4']")).to_have_class("reported")
    expect(chosen.locator("input")).to_be_checked()


def test_a_row_waits_in_its_tab_while_the_hall_is_away(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    page = hall.let_in("o1", LAPTOP)
    row = page.locator("#rows > [data-table='5']")
    page.context.set_offline(offline=True)
    row.locator(".pick").first.click()
    row.get_by_role("button", name="Confirm", exact=True).click()
    winner = row.locator(".pick span").first.inner_text()
    expect(page.locator("#outbox")).to_contain_text(
        f"Waiting for the desk: Confirm: 1/5, {winner} ("
    )
    page.context.set_offline(offline=False)
    expect(page.locator("#rows > [data-table='5']")).to_have_class("reported", timeout=20_000)
    assert sum('"ResultReported"' in line for line in desk.log().splitlines()) == 1


def test_without_a_script_a_row_and_the_pages_work(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    hall = Hall(chromium, desk, round_of_twelve, script=False)
    page = hall.let_in("o1", LAPTOP)
    row = page.locator("#rows > [data-table='5']")
    row.locator(".pick").first.click()
    row.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.get_by_role("status", name="Done")).to_be_visible()
    expect(page.locator("#rows > [data-table='5']")).to_have_class("reported")
    page.get_by_role("link", name="Players", exact=True).click()
    page.get_by_label("Find").fill("number07")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".roster tbody tr")).to_have_count(1)


def test_every_page_of_the_desk_is_accessible_and_fits_a_phone(
    chromium: Browser, desk: Desk, round_of_twelve: str
) -> None:
    """Axe finds nothing, light or dark, and nothing scrolls sideways from 320 pixels."""
    hall = Hall(chromium, desk, round_of_twelve, script=True)
    for size in (LAPTOP, NARROW):
        page = hall.let_in("o1", size)
        for path in (*PAGES, *MORE_PAGES):
            open_page(page, f"{round_of_twelve}desk{path}")
            has_no_fault(hall, [page])
    assert hall.complaints == []
