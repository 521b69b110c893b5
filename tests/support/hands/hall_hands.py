"""Hands at the pages of the hall: by mouse or by keyboard alone, counted, from an empty folder on.

A hand opens no address but the one that `serve` prints and those of codes. It types into the
fields of `WRITTEN` alone: names, scores and words, and never a line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import ViewportSize, expect

from tests.support.hands.scanned import scanned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

NAMES = frozenset({"name", "organizer", "player", "result"})
SCORES = frozenset({"rounds", "cut", "table", "fact"})
WORDS = frozenset({"role", "reason", "text", "word", "note"})
WRITTEN = NAMES | SCORES | WORDS
"""The first words of the names of all fields that are typed into."""

TABS_MAX = 400
LAPTOP, PHONE = (1280, 800), (390, 844)
WAIT_MS = 15_000
_ACTIVE = "element => element === document.activeElement"
_IS_BEFORE = """element => {
  const active = document.activeElement, before = Node.DOCUMENT_POSITION_PRECEDING;
  return active !== document.body && !!(active.compareDocumentPosition(element) & before);
}"""


class ServedFolder(NamedTuple):
    """What `serve` prints: where the hall is, and where the owner signs in once."""

    address: str
    owner: str


@contextmanager
def served_folder(folder: Path) -> Iterator[ServedFolder]:
    """Serve a folder to the network, in a process of its own."""
    words = [sys.executable, "-m", "cli", "serve", "--lan", "--port", "0", "--no-browser"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            address = _word_after("The tournament is at ", running.stdout)
            yield ServedFolder(address, _word_after("At this computer, open ", running.stdout))
        finally:
            running.terminate()


def _word_after(text: str, lines: Iterator[str]) -> str:
    line = next(line for line in lines if line.startswith(text))
    return line.removeprefix(text).split()[0]


class Mouse:
    """Clicks, and types into fields that it has clicked."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.keys = page, 0, 0
        page.set_default_timeout(WAIT_MS)

    def press(self, control: Locator, *, leads: bool = True) -> None:
        """Press a link or a button; with `leads` wait for the page that it leads to."""
        with self._leading(leads=leads):
            self.taps += 1
            control.click()

    def write(self, field: Locator, text: str) -> None:
        """Type into a field of a name, a score or a word, in the place of what it has."""
        self._check_written(field)
        self.taps += 1
        field.click(click_count=3)
        self._type(text)

    def choose(self, field: Locator, value: str) -> None:
        """Choose from a list: a click opens it, and another one chooses."""
        self.taps += 2
        field.select_option(value)

    def mark(self, control: Locator) -> None:
        """Choose a radio button, or tick a box."""
        self.taps += 1
        control.click()

    def result(self, row: Locator, side: int, scores: Sequence[str] = ()) -> None:
        """Enter a result by the row of its table: the winner, what was counted, the button."""
        self.mark(row.locator(".pick").nth(side))
        for field, score in zip(row.locator("input[type=number]").all(), scores, strict=False):
            self.write(field, score)
        self.press(row.get_by_role("button", name="Confirm", exact=True), leads=False)

    def download(self, link: Locator, file: Path) -> Path:
        """Press a link that gives a file, and keep the file."""
        with self.page.expect_download() as begun:
            self.press(link, leads=False)
        begun.value.save_as(file)
        return file

    def _leading(self, *, leads: bool) -> AbstractContextManager[object]:
        return self.page.expect_navigation() if leads else nullcontext()

    def _type(self, text: str) -> None:
        self.keys += len(text)
        self.page.keyboard.type(text)

    @staticmethod
    def _check_written(field: Locator) -> None:
        name = re.split(r"[.\d]", field.get_attribute("name") or "")[0]
        assert name in WRITTEN, f"nothing is typed into the field {name}"


class Keyboard(Mouse):
    """Reaches everything by Tab, and has no mouse."""

    def press(self, control: Locator, *, leads: bool = True) -> None:
        """Reach a link or a button, and press Enter."""
        self._reach(control)
        with self._leading(leads=leads):
            self._key("Enter")

    def write(self, field: Locator, text: str) -> None:
        """Reach a field, and type; what it has is selected by the keys for that."""
        self._check_written(field)
        self._reach(field)
        if field.input_value():
            self._key("Control+a")
        self._type(text)

    def choose(self, field: Locator, value: str) -> None:
        """Reach a list, and go down to the value."""
        self._reach(field)
        self._key("Home")
        values: list[str] = field.evaluate("list => [...list.options].map(each => each.value)")
        for _ in range(values.index(value)):
            self._key("ArrowDown")
        assert field.input_value() == value

    def mark(self, control: Locator) -> None:
        """Reach a radio button or a box: arrows go on within a group, Space ticks."""
        group = self.page.locator(f"input[name='{control.get_attribute('name')}']")
        chosen = group.and_(self.page.locator(":checked"))
        self._reach(chosen.first if chosen.count() else group.first)
        for _ in range(group.count()):
            if control.evaluate(_ACTIVE):
                break
            self._key("ArrowDown")
        if not control.is_checked():
            self._key("Space")
        assert control.is_checked()

    def result(self, row: Locator, side: int, scores: Sequence[str] = ()) -> None:
        """Type the number of the table and the letter of the winner, and press Enter."""
        assert not scores, "what was counted is typed into the fields of the row"
        letter = row.locator("input[data-letter]").nth(side).get_attribute("data-letter")
        assert letter
        for key in (*(row.get_attribute("data-table") or ""), letter, "Enter"):
            self._key(key)

    def _key(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    def _reach(self, control: Locator) -> None:
        for _ in range(TABS_MAX):
            if control.evaluate(_ACTIVE):
                return
            self._key("Shift+Tab" if control.evaluate(_IS_BEFORE) else "Tab")
        raise AssertionError(f"Tab does not reach {control}")


class Took(NamedTuple):
    """What one result took."""

    taps: int
    keys: int
    seconds: float


class Organizer:
    """The owner of the computer that serves: makes a tournament, and runs its day."""

    def __init__(self, hand: Mouse) -> None:
        self.hand, self.page = hand, hand.page
        self.results: list[Took] = []

    # --- the pages

    def make(self, name: str, game: str) -> str:
        """Make a tournament on its form; return the letters of its address."""
        self.hand.press(self.page.get_by_role("link", name="New tournament"))
        self.hand.write(self.page.get_by_label("Name of the tournament"), name)
        self.hand.choose(self.page.locator("select[name=ruleset]"), game)
        self.hand.write(self.page.get_by_label("Your name"), "Kim Larsen")
        self.hand.press(self.page.get_by_role("button", name="Make it"))
        self.page.wait_for_url("**/desk")
        return self.page.url.split("/")[-2]

    def tab(self, name: str) -> None:
        """Open a page of the desk by its tab."""
        tabs = self.page.get_by_label("The desk", exact=True)
        self.hand.press(tabs.get_by_role("link", name=name, exact=True))

    def tournaments(self) -> None:
        """Leave the tournament for the list of all."""
        self.hand.press(self.page.get_by_role("link", name="Tournaments", exact=True).first)

    def go_to(self, name: str) -> None:
        """Go to the desk of another tournament."""
        self.tournaments()
        self.hand.press(self.event(name).get_by_role("link", name="Desk", exact=True))

    def event(self, name: str) -> Locator:
        """Return a tournament in the list of all."""
        return self.page.locator("section.event", has_text=name)

    def take(self, name: str, link: str, file: Path) -> Path:
        """Take a file of a tournament from the list of all."""
        return self.hand.download(self.event(name).get_by_role("link", name=link), file)

    # --- acts

    def do(self, title: str, within: Locator | None = None) -> None:
        """Press the button of an act, and the one below what the act would record."""
        place = within or self.page.locator("main")
        self.hand.press(place.get_by_role("button", name=title, exact=True).first)
        self.hand.press(self.page.get_by_role("button", name="Do it"))
        expect(self.page.get_by_role("status", name="Done")).to_be_visible()

    def fold(self, title: str, within: Locator | None = None) -> Locator:
        """Unfold a form by its title, and return it."""
        place = within or self.page.locator("main")
        summary = self.page.locator("summary", has_text=re.compile(f"^{re.escape(title)}$"))
        folded = place.locator("details").filter(has=summary).last
        self.hand.press(folded.locator("summary").first, leads=False)
        return folded

    def fill(self, form: Locator, **fields: str) -> None:
        """Fill the fields of a form by their names."""
        for name, value in fields.items():
            field = form.locator(f"[name='{name}']:not([type=hidden])").first
            if field.evaluate("field => field.tagName") == "SELECT":
                self.hand.choose(field, value)
            else:
                self.hand.write(field, value)

    def register(self, name: str) -> None:
        """Register a player on the page of players."""
        self.hand.write(self.page.get_by_label("Name", exact=True).first, name)
        self.do("Register")

    def player(self, name: str) -> Locator:
        """Open a player by the name in the list, and return the panel with every act."""
        self.tab("Players")
        self.hand.press(self.page.locator(".roster").get_by_role("link", name=name))
        return self.page.locator("#player")

    def appoint(self, name: str, role: str) -> None:
        """Appoint an official."""
        self.tab("Settings")
        form = self.fold("Appoint an official, or change roles")
        self.fill(form, name=name, role=role)
        self.do("Appoint an official, or change roles", form)

    def code(self, place: Locator) -> str:
        """Issue a link where there is none, and return the address that its code carries."""
        issue = place.get_by_role("button", name="Issue a link", exact=True)
        if issue.count():
            self.hand.press(issue)
        return scanned(place.locator("svg.segno").evaluate("code => code.outerHTML"))

    def own_code(self) -> str:
        """Return the address of the code by which newcomers ask to be registered."""
        self.tab("Settings")
        self.hand.press(self.page.get_by_role("link", name="The tournament's own link"))
        return self.code(self.page.locator("#link"))

    def approve(self) -> None:
        """Register the newcomer who has waited longest."""
        self.do("Register them")

    # --- the round

    def row(self, table: int) -> Locator:
        """Return the row of a table."""
        return self.page.locator(f"#rows > [data-table='{table}']")

    def open_tables(self) -> list[int]:
        """Return the numbers of the tables without a result."""
        rows = self.page.locator("#rows > li.open")
        return [int(row.get_attribute("data-table") or 0) for row in rows.all()]

    def seated(self, table: int) -> list[str]:
        """Return the first names of the players at a table."""
        texts = self.row(table).locator(".pick").all_inner_texts()
        return [re.sub(r"^[a-z]\s+|\s+[a-z]$", "", text.strip()).split()[0] for text in texts[:2]]

    def result(self, table: int, side: int = 0, scores: Sequence[str] = ()) -> None:
        """Enter the result of a table, and wait until its row has it."""
        row, hand = self.row(table), self.hand
        taps, keys, begun = hand.taps, hand.keys, monotonic()
        hand.result(row, side, scores)
        expect(row).to_have_class("reported")
        self.results.append(Took(hand.taps - taps, hand.keys - keys, monotonic() - begun))


class Phones:
    """Browsers of the room, each with cookies of its own, that come in by codes."""

    def __init__(self, chromium: Browser) -> None:
        self._chromium, self.complaints = chromium, list[str]()

    def page(self, size: tuple[int, int] = PHONE, beside: Page | None = None) -> Page:
        """Open a browser of its own, or another tab of a browser."""
        window = ViewportSize(width=size[0], height=size[1])
        page = (beside.context if beside else self._context(window)).new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _context(self, window: ViewportSize) -> BrowserContext:
        return self._chromium.new_context(viewport=window)

    def scan(self, address: str, page: Page | None = None) -> Page:
        """Open the address of a code, on a phone of its own or on this page."""
        page = page or self.page()
        page.goto(address)
        expect(page).to_have_url(re.compile(r"/(me|desk|join)$"), timeout=WAIT_MS)
        return page

    def ask(self, address: str, name: str, page: Page | None = None) -> Page:
        """Ask to be registered by the code of the tournament."""
        page = self.scan(address, page)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Ask").click()
        expect(page.locator("#claim")).to_contain_text("Your request has the number")
        return page
