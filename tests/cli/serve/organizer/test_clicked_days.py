"""Whole days from `tourney serve` in an empty folder to the published folder, on pages alone.

The owner comes in by the address that `serve` prints, the players by codes. Nobody types a line,
and nobody opens a page by its address. The log is checked outside of the pages at the end.

`TOURNEY_CLICKS=1 pytest -s tests/cli/serve/organizer/test_clicked_days.py` is the long form: with
the day of L5R by the keyboard, and with twelve players of Ashes.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

from playwright.sync_api import expect

from tests.cli.serve.organizer.test_browser_day import finds_nothing, fits
from tests.support.hands.hall_hands import (
    LAPTOP,
    WAIT_MS,
    Keyboard,
    Mouse,
    Organizer,
    Phones,
    ServedFolder,
    served_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request

    from tests.support.cli_desk import Desk

BY_CODE = ("Aki Mori", "Ben Osei", "Cleo Varga")
AT_THE_DESK = (
    *("Dana Ito", "Eve Lind", "Finn Adler", "Gus Petrov", "Hal Okafor", "Ida Brandt", "Jo Park"),
    *("Kai Nguyen", "Lea Holm", "Max Ernst", "Nora Quist", "Olu Adeyemi"),
)
LATE = "Pia Late"
FIRST_NAMES = [name.split()[0] for name in (*BY_CODE, *AT_THE_DESK, LATE)]
NARROW, ZOOMED = (320, 700), (640, 400)
"""From 320 pixels on; and what a laptop has room for at 200 %."""

RESULTS = 12
LONG = "TOURNEY_CLICKS" in os.environ


class Day:
    """A day of L5R: 15 players and a latecomer, three rounds, a cut to four."""

    def __init__(self, organizer: Organizer, phones: Phones, look: Callable[[], None]) -> None:
        self.kim, self.phones, self.look = organizer, phones, look
        self.page = organizer.page
        self.registration = ""

    def play(self) -> None:
        """Play it from the first act to the last."""
        self.register()
        self.start()
        self.latecomer()
        self.kim.tab("Tables")
        self.kim.do("Start round 1")
        expect(self.page.get_by_role("button", name="Pair round 2")).to_be_disabled()
        for table in (1, 2, 4, 5):
            self.kim.result(table)
        self.pause_and_more_time()
        self.dispute(3)
        for table in (6, 7, 8):
            self.kim.result(table, side=1)
        self.look()
        self.correct(1)
        self.drop(8)
        for number in (2, 3):
            self.round(f"round {number}")
        self.cut()
        for name in ("the semifinals", "the final"):
            self.round(name)
        self.kim.do("Finish the tournament")
        expect(self.page.get_by_role("link", name="Show the final standings")).to_be_visible()

    def register(self) -> None:
        """Three come by the code of the tournament, twelve by the desk."""
        kim = self.kim
        kim.appoint("Pat Jones", "judge")
        self.registration = kim.own_code()
        self.look()
        asking = [self.phones.ask(self.registration, name) for name in BY_CODE]
        kim.tab("Tables")
        self.look()
        for phone in asking:
            kim.approve()
            expect(phone).to_have_url(re.compile(r"/me$"), timeout=WAIT_MS)
        kim.tab("Players")
        for name in AT_THE_DESK:
            kim.register(name)
        self.look()

    def start(self) -> None:
        """Start three rounds and a cut to four, and pair the first round."""
        kim = self.kim
        kim.tab("Tables")
        form = kim.fold("Start the tournament")
        kim.fill(form, structure="custom", rounds="3", cut="4", word="cherry")
        kim.do("Start the tournament", form)
        kim.do("Pair round 1")

    def latecomer(self) -> None:
        """Somebody comes by the code after the pairing, and plays who had the bye."""
        kim = self.kim
        phone = self.phones.ask(self.registration, LATE)
        kim.tab("Tables")
        expect(self.page.get_by_role("button", name="Register them")).to_be_visible()
        kim.approve()
        expect(phone).to_have_url(re.compile(r"/me$"), timeout=WAIT_MS)
        card = kim.player(LATE)
        kim.do("Seat a latecomer", kim.fold("Seat a latecomer", card))
        expect(phone.locator("main")).to_contain_text("Table 8")

    def pause_and_more_time(self) -> None:
        """The clock stops and goes on; table 6 gets five minutes."""
        kim, page = self.kim, self.page
        kim.tab("Round")
        form = kim.fold("Stop the clock")
        kim.fill(form, reason="a fire alarm")
        kim.do("Stop the clock", form)
        self.look()
        kim.do("Resume the clock")
        kim.hand.write(page.get_by_label("Table, or all").first, "6")
        kim.do("+5 minutes")
        kim.tab("Tables")
        expect(kim.row(6)).to_contain_text("+5 min")

    def dispute(self, table: int) -> None:
        """Both players say on their phones that they won; the judge rules on a phone, too."""
        kim, page = self.kim, self.page
        kim.tab("Tables")
        winner, loser = (self.badge(name) for name in kim.seated(table))
        pat = Organizer(type(kim.hand)(self.official("Pat Jones")))
        winner.get_by_role("button", name="I won", exact=True).click()
        winner.get_by_role("button", name="Yes, send it").click()
        loser.get_by_text("That is wrong", exact=True).click()
        loser.get_by_label("What is wrong?").first.fill("the slip shows my win")
        loser.get_by_role("button", name="I won", exact=True).click()
        loser.get_by_role("button", name="Yes, send it").click()
        kim.tab("Tables")
        expect(kim.row(table)).to_have_class("disputed")
        expect(page.locator(".side")).to_contain_text("Dispute")
        self.look()
        pat.hand.press(pat.row(table).get_by_role("link", name="Open the dispute"))
        form = pat.page.locator("form", has=pat.page.get_by_role("button", name="Rule", exact=True))
        pat.hand.mark(form.get_by_role("radio", name=re.compile("as reported")))
        pat.hand.write(form.get_by_label("Decision and reason"), "both slips agree")
        pat.do("Rule", form)
        expect(kim.row(table)).to_have_class("reported")

    def badge(self, name: str) -> Page:
        """Open a player's phone by the code on the player's card."""
        kim = self.kim
        card = kim.player(name)
        phone = self.phones.scan(kim.code(card))
        kim.tab("Tables")
        return phone

    def official(self, name: str) -> Page:
        """Open an official's phone by the code, which may act over the room's network from now."""
        kim, page = self.kim, self.page
        kim.tab("Settings")
        title = "Choose what officials may do over plain HTTP"
        form = kim.fold(title)
        kim.fill(form, choice="allow", reason="a network of our own")
        kim.do(title, form)
        staff = page.locator(".staff-list li", has_text=name)
        kim.hand.press(staff.get_by_role("link", name="Show the link"))
        return self.phones.scan(kim.code(page.locator("#link")))

    def correct(self, table: int) -> None:
        """A result was misread; the log has it with what was on record before."""
        kim, page = self.kim, self.page
        winner, loser = named(kim.row(table).locator(".stated").inner_text())
        kim.hand.press(kim.row(table).get_by_role("link", name="Correct"))
        self.look()
        kim.hand.mark(page.get_by_role("radio", name=re.compile(f"^{loser}[^,]*$")))
        kim.hand.write(page.get_by_label("Why").first, "the slip was misread")
        kim.do("Correct a result")
        kim.tab("Tables")
        expect(kim.row(table)).to_contain_text(re.compile(f"{loser}.* beat .*{winner}"))
        kim.tab("Log")
        asked = page.get_by_role("search")
        kim.fill(asked, kind="correct")
        kim.hand.press(asked.get_by_role("button", name="Filter"))
        row = page.locator("tbody tr").first
        expect(row).to_contain_text(re.compile(f"{loser}.* beat"))
        expect(row).to_contain_text(re.compile(f"{winner}.* beat"))
        self.look()
        kim.tab("Tables")

    def drop(self, table: int) -> None:
        """A player leaves after the round."""
        kim = self.kim
        card = kim.player(named(kim.row(table).locator(".stated").inner_text())[1])
        kim.do("Drop a player", kim.fold("Drop a player", card))
        expect(card).to_contain_text("dropped")
        kim.tab("Tables")

    def round(self, name: str) -> None:
        """Pair a round, start it, and enter its results."""
        kim = self.kim
        kim.do(f"Pair {name}")
        kim.do(f"Start {name}")
        for table in kim.open_tables():
            kim.result(table, side=table % 2)

    def cut(self) -> None:
        """Make the cut; one of the four leaves, one declines the place, and one accepts it."""
        kim, page = self.kim, self.page
        kim.do("Make the cut to 4")
        kim.tab("Standings")
        self.look()
        card = kim.player(*named(page.locator("tbody tr").nth(1).inner_text()))
        kim.do("Drop a player", kim.fold("Drop a player", card))
        kim.tab("Tables")
        self.look()
        kim.do("Next player declines the place")
        kim.do("Next player accepts the place")


def named(text: str) -> list[str]:
    """Return the first names that a text has, in its order."""
    return [word for word in re.findall(r"\w+", text) if word in FIRST_NAMES]


@pytest.fixture
def phones(chromium: Browser) -> Phones:
    return Phones(chromium)


def looked_at(page: Page) -> Callable[[], None]:
    """Return what looks at a page: on a narrow screen, at 200 %, and with axe."""

    def look() -> None:
        for width, height in (NARROW, ZOOMED, LAPTOP):
            page.set_viewport_size({"width": width, "height": height})
            fits(page)
        finds_nothing(page)

    return look


def end(kim: Organizer, name: str, folder: Path) -> Path:
    """Take the log and the public pages of a finished day from the list, and verify the log there.

    Returns the folder of what was taken.
    """
    kim.tournaments()
    exported = kim.take(name, "Export the log", folder / "exported.zip")
    published = kim.take(name, "Public pages (zip)", folder / "published.zip")
    for file in (exported, published):
        with ZipFile(file) as archive:
            archive.extractall(folder / file.stem)
    kim.hand.press(kim.event(name).get_by_role("link", name="Verify"))
    expect(kim.page.locator("pre")).to_contain_text("authority: ")
    expect(kim.page.locator("pre")).not_to_contain_text("FAILS")
    return folder


def checked_outside(desk: Desk, folder: Path, phone: Page) -> None:
    """The verb of a terminal verifies what was taken, and a browser opens the published pages."""
    for log in (folder / "exported" / "log.jsonl", folder / "published" / "public" / "log.jsonl"):
        answer = desk.done("verify", str(log), "--json").json
        assert answer["tree"]["unchecked"] is None, answer
    assert desk.done("replay", str(folder / "exported" / "log.jsonl")).code == 0
    findings = desk.done("audit", "--json").json["findings"]
    assert [finding for finding in findings if finding["severity"] == "breach"] == []
    for page in ("index", "final", "standings"):
        phone.goto((folder / "published" / "public" / f"{page}.html").as_uri())
        fits(phone)
        finds_nothing(phone)


def came_in(page: Page, served: ServedFolder, hand: type[Mouse] = Mouse) -> Organizer:
    """Let the owner in by the address that `serve` printed."""
    page.goto(served.owner)
    page.wait_for_url("**/events")
    return Organizer(hand(page))


def told(kim: Organizer) -> None:
    """Say what twelve results took, and the day."""
    twelve = kim.results[:RESULTS]
    taps, keys, seconds = (sum(column) for column in zip(*twelve, strict=True))
    print(f"{len(twelve)} results: {taps} taps, {keys} keys, {seconds:.1f} s")  # noqa: T201 - for `-s`
    print(f"the day: {kim.hand.taps} taps, {kim.hand.keys} keys")  # noqa: T201 - for `-s`


def play_l5r(phones: Phones, desk: Desk, taken: Path, hand: type[Mouse] = Mouse) -> Organizer:
    """Play the day of 16 from an empty folder to the published one; return who played it."""
    page = phones.page(LAPTOP)
    with served_folder(desk.folder) as served:
        kim = came_in(page, served, hand)
        kim.make("Kotei Berlin", "l5r")
        day = Day(kim, phones, looked_at(page) if hand is Mouse else lambda: None)
        day.play()
        folder = end(kim, "Kotei Berlin", taken)
        day.look()
    checked_outside(desk, folder, phones.page())
    told(kim)
    assert phones.complaints == []
    return kim


def test_a_day_of_l5r_is_played_by_clicks_alone(
    phones: Phones, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kim = play_l5r(phones, desk, tmp_path_factory.mktemp("taken"))
    assert [(took.taps, took.keys) for took in kim.results[:RESULTS]] == [(2, 0)] * RESULTS


@pytest.mark.skipif(not LONG, reason="TOURNEY_CLICKS=1 is the long form")
def test_a_day_of_l5r_is_played_by_the_keyboard_alone(
    phones: Phones, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kim = play_l5r(phones, desk, tmp_path_factory.mktemp("taken"), Keyboard)
    assert [(took.taps, took.keys) for took in kim.results[:RESULTS]] == [(0, 3)] * RESULTS
    assert kim.hand.taps == 0


def test_a_small_day_is_played_by_the_keyboard_alone(
    phones: Phones, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From the empty folder to the published one; the long form is the day of 16."""
    page = phones.page(LAPTOP)
    with served_folder(desk.folder) as served:
        kim = came_in(page, served, Keyboard)
        kim.make("Small Night", "l5r")
        kim.tab("Players")
        for name in AT_THE_DESK[:4]:
            kim.register(name)
        begin(kim, rounds="1", cut="2")
        play_rounds(kim)
        kim.do("Make the cut to 2")
        play_rounds(kim)
        kim.do("Finish the tournament")
        folder = end(kim, "Small Night", tmp_path_factory.mktemp("taken"))
    checked_outside(desk, folder, phones.page())
    assert [(took.taps, took.keys) for took in kim.results] == [(0, 3)] * 3
    assert kim.hand.taps == 0
    assert phones.complaints == []


def begin(kim: Organizer, structure: str = "custom", **numbers: str) -> None:
    """Start the tournament by the form of the next act."""
    kim.tab("Tables")
    form = kim.fold("Start the tournament")
    kim.fill(form, structure=structure, word="cherry", **numbers)
    kim.do("Start the tournament", form)


def check_lists(kim: Organizer, names: Sequence[str]) -> None:
    """Check the list of each player, as Ashes asks for before play."""
    primary = kim.page.locator(".primary")
    for _ in names:
        kim.hand.press(primary.locator("summary", has_text="Check the list of"), leads=False)
        kim.hand.press(primary.locator("button[type=submit]").first)
        kim.hand.press(kim.page.get_by_role("button", name="Do it"))
        expect(kim.page.get_by_role("status", name="Done")).to_be_visible()


def play_rounds(kim: Organizer, scores: Sequence[str] = ()) -> None:
    """Play one round after the other, as long as the next act is to pair."""
    pair = kim.page.locator(".primary").get_by_role("button", name=re.compile("^Pair "))
    while pair.count():
        title = pair.inner_text()
        kim.do(title)
        kim.do(title.replace("Pair", "Start"))
        for table in kim.open_tables():
            kim.result(table, table % 2, scores[::-1] if table % 2 else scores)
        expect(kim.page.locator(".primary button:disabled")).to_have_count(0)


def test_a_day_of_ashes_is_played_by_clicks_alone(
    phones: Phones, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each list is checked, each result has the wounds; 4 players, in the long form 12."""
    page, names = phones.page(LAPTOP), AT_THE_DESK[: 12 if LONG else 4]
    with served_folder(desk.folder) as served:
        kim = came_in(page, served)
        kim.make("Ashes Day", "ashes")
        kim.tab("Players")
        for name in names:
            kim.register(name)
        begin(kim, "basic")
        looked_at(page)()
        check_lists(kim, names)
        play_rounds(kim, ("25", "7"))
        looked_at(page)()
        kim.do("Finish the tournament")
        folder = end(kim, "Ashes Day", tmp_path_factory.mktemp("taken"))
    checked_outside(desk, folder, phones.page())
    told(kim)
    assert phones.complaints == []


TWICE = "Aki Mori"
FIRST = TWICE.partition(" ")[0]
"""Who plays in both tournaments, in two tabs of one browser."""

EVENTS = {
    "l5r": ("Kotei Berlin", (TWICE, "Ben Osei", "Cleo Varga", "Dana Ito")),
    "ashes": ("Ashes Day", (TWICE, "Eve Lind", "Finn Adler", "Gus Petrov")),
}
SENT_ID = re.compile(r"(?:^|&|%26)id(?:=|%3D)([\w-]+)")


class Sent:
    """What the phones of a tournament post: to which tournament, and under which id."""

    def __init__(self, log: str) -> None:
        self.log, self.acts, self.entered = log, list[tuple[str, str]](), 0

    def hear(self, page: Page) -> None:
        """Listen to a phone."""
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        self.entered += request.method == "POST" and request.url.endswith("/in")
        said = SENT_ID.search(request.post_data or "")
        if request.method == "POST" and "/do/" in request.url and said:
            self.acts.append((request.url.split("/e/")[1].split("/")[0], said[1]))


def test_no_act_lands_in_the_other_of_two_tournaments(phones: Phones, desk: Desk) -> None:
    """Both report at the same time; two tabs of one browser wait without the network, too."""
    page = phones.page(LAPTOP)
    with served_folder(desk.folder) as served:
        kim = came_in(page, served)
        sent: dict[str, Sent] = {}
        tabs: dict[str, dict[str, Page]] = {}
        for game, (title, names) in EVENTS.items():
            if sent:
                kim.tournaments()
            sent[game] = Sent(kim.make(title, game))
            first = next(iter(tabs.values()))[TWICE] if tabs else None
            tabs[game] = newcomers(kim, phones, names, sent[game], first)
            begin(kim, "basic")
            if game == "ashes":
                check_lists(kim, names)
            kim.do("Pair round 1")
            kim.do("Start round 1")
        tables = {}
        for game, (title, _) in EVENTS.items():
            kim.go_to(title)
            tables[game] = [with_first(kim.seated(table)) for table in kim.open_tables()]
        reported_at_once(tables, tabs)
        for game, (title, _) in EVENTS.items():
            kim.go_to(title)
            expect(page.locator("#rows > li.reported")).to_have_count(2)
            assert kim.open_tables() == [], game
    logs = {game: desk.done("-t", sent[game].log, "export").out for game in EVENTS}
    for game, other in (("l5r", "ashes"), ("ashes", "l5r")):
        assert {log for log, _ in sent[game].acts} == {sent[game].log}
        ids = {act for _, act in sent[game].acts}
        assert len(ids) == 2 + 2, "reports and confirmations"
        assert sent[game].entered == 2 * 4, "once as a newcomer, and once as the player"
        assert [act for act in ids if act not in logs[game]] == []
        assert [act for act in ids if act in logs[other]] == []
        assert logs[game].count('"ResultReported"') == 2
    assert phones.complaints == []


def with_first(seated: list[str]) -> list[str]:
    """Return who sits at a table; who plays in both tournaments comes first."""
    return sorted(seated, key=lambda name: name != FIRST)


def newcomers(
    kim: Organizer, phones: Phones, names: Sequence[str], sent: Sent, beside: Page | None
) -> dict[str, Page]:
    """Register players by the code of the tournament; return the phone of each."""
    opened: dict[str, Page] = {}
    code = kim.own_code()
    for name in names:
        phone = phones.page(beside=beside if name == TWICE else None)
        sent.hear(phone)
        opened[name] = phones.ask(code, name, phone)
    kim.tab("Tables")
    for name in names:
        kim.approve()
        expect(opened[name]).to_have_url(re.compile(r"/me$"), timeout=WAIT_MS)
    return opened


def reported_at_once(tables: dict[str, list[list[str]]], tabs: dict[str, dict[str, Page]]) -> None:
    """The first player of each table reports, and the second one confirms.

    The browser that is in both tournaments has no network meanwhile: its acts wait, and are sent
    when the network is back.
    """
    phones = {
        game: {name.split()[0]: phone for name, phone in opened.items()}
        for game, opened in tabs.items()
    }
    reporting = [
        (game, phones[game][first], second)
        for game, seated in tables.items()
        for first, second in seated
    ]
    away = phones["l5r"][FIRST].context
    for game, phone, _ in reporting:
        ready(phone, game)
    away.set_offline(offline=True)
    for game, phone, opponent in reporting:
        if game == "ashes":
            phone.get_by_label("Who won").select_option("I won")
            phone.get_by_label("mine").first.fill("25")
            phone.get_by_label(opponent).first.fill("12")
            phone.get_by_role("button", name="Send", exact=True).click()
        else:
            phone.get_by_role("button", name="I won", exact=True).click()
    for _, phone, _ in reporting:
        phone.get_by_role("button", name="Yes, send it").click()
    waiting = [phone for _, phone, _ in reporting if phone.context is away]
    assert len(waiting) == len(EVENTS)
    for phone in waiting:
        expect(phone.locator("#outbox")).to_contain_text("Waiting to be sent")
    away.set_offline(offline=False)
    for _, phone, _ in reporting:
        expect(phone.locator("#outbox")).to_be_hidden(timeout=2 * WAIT_MS)
    for game, _, opponent in reporting:
        phones[game][opponent].get_by_role("button", name="That is right").click()
    for game, _, opponent in reporting:
        said = phones[game][opponent].locator("main")
        expect(said).to_contain_text("both sides agree", timeout=2 * WAIT_MS)


def ready(phone: Page, game: str) -> None:
    """Wait until a phone asks how its match ended."""
    asked = phone.get_by_label("Who won") if game == "ashes" else phone.get_by_text("I won")
    expect(asked.first).to_be_visible(timeout=WAIT_MS)
