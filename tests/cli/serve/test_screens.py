"""Any browser as a numbered screen, which an official assigns from the desk's page."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve import stream
from cli.serve.app import app_of
from cli.serve.pages.organizer.staff import raised
from cli.serve.pages.screens import STREAMS_MAX, ScreenPages, screen_streams
from cli.serve.pages.showing import FILE, NUMBER_MAX, ROWS, Screens
from cli.serve.refusals import TooMany
from cli.serve.stream import Streams
from cli.serve.visitors import NOBODY, Asker
from ledger.errors import Refused
from tests.support.cli_desk import typed_once
from tests.support.files.nrtm_files import document, game, table
from tests.support.hall import HERE, hall_open, official, opened, player, served

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

    from httpx2 import Response
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import Page

    from cli.serve.door.guard import Guard
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

PLAYERS = 2 * (2 * ROWS) + 4
"""More than two sheets hold."""


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(PLAYERS, "custom", "--rounds", "3", "--cut", "4")
    desk.done("pair")
    desk.done("round", "start")
    return desk


TIME_LEFT = r'time left <strong class="time" data-left="(\d+)">(\d+:\d\d)<'


def assign(browser: Browser, **fields: str) -> Response:
    return browser.post("/screens", data=fields, headers={"origin": HERE})


def test_a_browser_gets_the_next_number(browser: Browser) -> None:
    assert browser.get("/screen").url.path == "/screen/1"
    assert browser.get("/screen").url.path == "/screen/2"
    assert browser.get("/screen/7").status_code == 200
    for number in ("0", "100", "12345678901234567890"):
        assert browser.get(f"/screen/{number}").status_code == 404


def test_nobody_takes_all_the_numbers(browser: Browser) -> None:
    """An address has eight of them; one that asks for more gets its own last again."""
    asked = [browser.get("/screen").url.path for _ in range(12)]
    assert asked == [*(f"/screen/{each}" for each in range(1, 9)), *["/screen/8"] * 4]
    for number in range(1, NUMBER_MAX + 1):
        assert browser.get(f"/screen/{number}").status_code == 200
    assert browser.get("/desk/settings").text.count('class="screen"') == 8
    screens = Screens(lambda: "0" * 32)
    for number in range(1, NUMBER_MAX + 1):
        screens.heard(number, "192.0.2.1")
    assert screens.next_free("192.0.2.2") == 9


def test_twelve_addresses_take_neither_all_numbers_nor_all_streams(tmp_path: Path) -> None:
    screens = Screens(lambda: "0" * 32, tmp_path / "screens")
    for number in range(NUMBER_MAX):
        address = f"10.0.0.{number % 13}"
        screens.heard(screens.next_free(address), address)
    assert len({each for each in range(1, NUMBER_MAX + 1) if screens.is_there(each)}) == NUMBER_MAX
    screens.assign(7, "clock", "")
    own = set()
    for _ in range(3):
        own.add(screens.next_free("192.0.2.1"))
        screens.heard(max(own), "192.0.2.1")
        for each in own:
            screens.heard(each, "192.0.2.1")
    assert len(own) == 3
    assert 7 not in own
    screens.heard(min(own), "10.0.0.1")  # who had it before asks again
    assert sorted(screens._of("192.0.2.1")) == sorted(own)
    streams = screen_streams()
    assert streams is not screen_streams()


def test_screens_and_pages_have_streams_of_their_own(day: Desk) -> None:
    del day

    async def both() -> None:
        hall, pages, screens = opened(), Streams(1, 1), screen_streams()
        await hall.open()
        with pages.one_more("a"):
            with pytest.raises(TooMany):
                pages.check(Asker("a"))
            for number in range(STREAMS_MAX):
                screens.check(Asker(f"10.0.0.{number}"))
        await hall.close()

    asyncio.run(both())


def test_its_sheets_have_everybody_and_turn(browser: Browser) -> None:
    found: list[str] = []
    sheet, turns = "0", 0
    while turns == 0 or sheet != "0":
        text = browser.get(f"/screen/1/part?sheet={sheet}").text
        names = re.findall(r'<th scope="row"><bdi>([^<]+)', text)
        assert 0 < len(names) <= 2 * ROWS
        found += names
        sheet = re.findall(r'data-next="(\d+)"', text)[0]
        turns += 1
    assert turns == 3
    assert len(found) == len(set(found)) == PLAYERS


def test_without_a_script_it_turns_as_well(browser: Browser) -> None:
    page = browser.get("/screen/1").text
    assert '<meta http-equiv="refresh" content="8;url=screen/1?sheet=1">' in page
    assert "2 of 3" in browser.get("/screen/1?sheet=1").text


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("pairings", "round 1"),
        ("standings", "points"),
        ("bracket", "no bracket yet"),
        ("clock", "digits"),
        ("text", "Lunch until two"),
    ],
)
def test_the_desk_says_what_it_shows(browser: Browser, content: str, shown: str) -> None:
    answer = assign(browser, screen="3", content=content, text="Lunch until two")
    assert answer.url.path == "/desk/settings"
    assert "Screen 3, not connected" in answer.text
    assert shown in browser.get("/screen/3").text
    assert "Screen 3<" in browser.get("/desk/settings").text


def test_a_restart_keeps_it_and_another_event_does_not(day: Desk, browser: Browser) -> None:
    assign(browser, screen="3", content="clock", text="")
    again = Screens(lambda: opened_event(day))
    assert again.showing(3).content == "clock"
    assert Screens(lambda: "0" * 32).showing(3).content == "pairings"
    for damaged in ("", "{", "[]", '{"tournament": 1}', "x" * 200_000):
        (day.folder / FILE).write_text(damaged)
        assert Screens(lambda: opened_event(day)).showing(3).content == "pairings"


def opened_event(desk: Desk) -> str:
    event: str = desk.done("tournaments", "--json").json[0]["tournament"]
    return event


def test_only_officials_assign_and_only_what_there_is(day: Desk, browser: Browser) -> None:
    for who in (NOBODY, player(1)):
        browser.who = who
        assert assign(browser, screen="1", content="clock").status_code == 401
    browser.who = official(1)
    for fields in (
        {"screen": "0", "content": "clock"},
        {"screen": "100", "content": "clock"},
        {"screen": "1", "content": "log"},
        {"screen": "1", "content": "text", "text": "x" * 501},
        {"screen": "x", "content": "clock"},
    ):
        assert assign(browser, **fields).status_code in {400, 409}
    assert not (day.folder / FILE).exists()


def test_a_screen_shows_no_more_of_a_name_than_everybody_may_see(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim")
    for name in ("Ann Leeson", "Ben <b>Bold</b>"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    with hall_open(official(1)) as browser:
        assign(browser, screen="1", content="text", text="<script>alert(1)</script>")
        text = browser.get("/screen/2").text
        assert "Ann L." in text
        assert "Leeson" not in text
        assert "<b>" not in text
        assert "<script>alert" not in browser.get("/screen/1").text


def test_what_is_assigned_is_news_at_once(day: Desk, tmp_path: Path) -> None:
    del day

    async def heard() -> list[bytes]:
        hall = opened()
        await hall.open()
        screens = Screens(lambda: hall.event, tmp_path / "screens")
        sent = ScreenPages(hall, Streams(), screens, raised).messages(2)
        first = [await anext(sent)]
        waiting = asyncio.ensure_future(anext(sent))
        await asyncio.sleep(0.02)
        screens.assign(2, "clock", "")
        hall.wake()
        first += [await asyncio.wait_for(waiting, 5), await anext(sent)]
        await hall.close()
        return first

    _, posting, news = asyncio.run(heard())
    assert posting.startswith(b"event: posting\n")
    assert news.startswith(b"data: ")


def test_a_folder_that_takes_no_file_is_said(tmp_path: Path, capsys: object) -> None:
    screens = Screens(lambda: "0" * 32, tmp_path / "nowhere" / "screens")
    screens.assign(1, "clock", "")
    assert screens.showing(1).content == "clock"
    assert "a restart resets the screens" in capsys.readouterr().err  # type: ignore[attr-defined]
    with pytest.raises(Refused):
        screens.assign(1, "nothing", "")


def test_who_has_many_streams_gives_way_to_who_has_few() -> None:
    """Twelve addresses with all that they may have, and a thirteenth with one."""
    streams = Streams(16, 192)
    ended: list[str] = []

    async def following(address: str) -> None:
        with streams.one_more(address):
            await asyncio.Event().wait()
        ended.append(address)

    async def crowd() -> None:
        tasks = []
        for address in (f"10.0.0.{number % 12}" for number in range(192)):
            streams.check(Asker(address))
            tasks.append(asyncio.create_task(following(address)))
            await asyncio.sleep(0)
        with pytest.raises(TooMany, match="too many"):
            streams.check(Asker("10.0.0.1"))
        for count in range(1, 15):
            streams.check(Asker("192.0.2.1"))
            tasks.append(asyncio.create_task(following("192.0.2.1")))
            await asyncio.sleep(0.001)
            assert len(ended) == count
        with pytest.raises(TooMany, match="too many"):  # as many as everybody has
            streams.check(Asker("192.0.2.1"))
        assert "192.0.2.1" not in ended
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert streams._open == {}
        assert streams._count == 0

    asyncio.run(crowd())


def test_a_stream_that_gives_way_ends_as_a_whole_answer(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "STREAMS_MAX", 2)
    sent: dict[int, list[MutableMapping[str, Any]]] = {1: [], 2: [], 3: []}

    async def ask(app: Guard, number: int, address: str) -> None:
        async def send(message: MutableMapping[str, Any]) -> None:
            sent[number].append(message)

        async def receive() -> dict[str, object]:
            await asyncio.Event().wait()
            return {}

        path = "/api/v1/stream"
        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "scheme": "http"}
        scope |= {"query_string": b"", "headers": [(b"host", b"127.0.0.1")], "raw_path": b"/"}
        await app({**scope, "client": (address, 1)}, receive, send)

    async def crowd() -> None:
        hall = opened()
        await hall.open()
        app = app_of(hall)
        asked = []
        for number, address in ((1, "10.0.0.9"), (2, "10.0.0.9"), (3, "192.0.2.1")):
            asked.append(asyncio.create_task(ask(app, number, address)))
            await asyncio.sleep(0.02)
        await asyncio.wait_for(asked[0], 5)
        assert not asked[1].done()
        hall.end_streams()
        await asyncio.wait_for(asyncio.gather(*asked), 5)
        await hall.close()

    asyncio.run(crowd())
    for number, messages in sent.items():
        assert (messages[0]["status"], messages[-1].get("more_body", False)) == (200, False), number
    del day


ARRANGED = """() => ({
  pages: Number(part.dataset.pages),
  readable: Number(part.dataset.readable),
  captions: document.querySelectorAll('.arranged caption').length,
  size: parseFloat(getComputedStyle(document.querySelector('.arranged td')).fontSize),
  columns: [...document.querySelectorAll('.arranged table')].map(({ tBodies: [body] }) =>
    [...body.rows].map((row) => row.querySelector('th').textContent)),
  bottom: document.querySelector('.arranged').getBoundingClientRect().bottom,
  overflow: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
})"""
"""What a screen shows: its pages, the size of its rows, the names in each column, the last row."""

FIRST = ("Ann", "Quentin", "Fatima", "Georgina", "Ivo")
LAST = ("Lee", "Kowalczyk", "Castellanos", "Brandt", "Dvořák", "Nguyễn", "Ito")
SIZES = ((1920, 1080), (1280, 720), (1080, 1920))


def all_pages(page: Page) -> list[dict[str, Any]]:
    """Return every page of a screen in the order in which it turns them."""
    page.wait_for_selector("[data-pages]", state="attached")
    shown = [page.evaluate(ARRANGED)]
    while len(shown) < shown[0]["pages"]:
        page.clock.run_for(8_000)
        shown.append(page.evaluate(ARRANGED))
    return shown


@pytest.mark.parametrize("tables", [16, 31, 64, 200])
def test_rows_fill_the_measured_screen(chromium: Chromium, desk: Desk, tables: int) -> None:
    """Pages are as many as needed and equally full; all rows are on one, and none hangs over."""
    names = [
        f"{FIRST[number % 5]} {LAST[number % 7]} {number}" for number in range(1, 2 * tables + 1)
    ]
    whole = ("--organizer", "Kim", "--public-names", "full")
    desk.done("new", "Cup", "--ruleset", "l5r", *whole)
    desk.done("register", "--file", "-", stdin="name\n" + "\n".join(names) + "\n")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    with served(desk, 0) as address:
        for width, height in SIZES:
            page = chromium.new_page(viewport={"width": width, "height": height})
            page.clock.install()
            page.goto(f"{address}screen/1")
            shown = all_pages(page)
            page.close()
            first, at = shown[0], (width, height)
            assert sorted(
                name for each in shown for column in each["columns"] for name in column
            ) == sorted(names), at
            counts = [sum(map(len, each["columns"])) for each in shown]
            assert max(counts) - min(counts) <= 1, at
            for each in shown:
                assert each["overflow"] == [width, height], at
                assert each["bottom"] <= height, at
                down = list(map(len, each["columns"]))
                assert max(down) - min(down) <= 1, at
            assert first["bottom"] > 0.6 * height, at
            assert first["size"] >= 36 * min(at) / 1080 or first["readable"] > 3, at
            assert first["pages"] <= 3 or tables == 200, at
            assert first["pages"] <= (2 if tables == 16 else 12), at


LONG = "Maximiliana-Theodora von und zu Hohenlohe-Waldenburg-Schillingsfürst"
"""A name of 68 letters."""


def test_one_long_name_does_not_make_the_letters_of_all_small(
    chromium: Chromium, desk: Desk
) -> None:
    """It is cut; the others have 36 pixels of 1080, and their rows reach the end of the wall."""
    names = [LONG, *(f"Ann Lee {number}" for number in range(1, 64))]
    desk.done("new", "Cup", "--ruleset", "l5r", "--organizer", "Kim", "--public-names", "full")
    desk.done("register", "--file", "-", stdin="name\n" + "\n".join(names) + "\n")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    with served(desk, 0) as address:
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"{address}screen/1")
        page.wait_for_selector("[data-pages]", state="attached")
        shown = page.evaluate(ARRANGED)
        page.close()
    assert shown["size"] >= 36
    assert shown["overflow"] == [1920, 1080]
    assert 0.9 * 1080 < shown["bottom"] <= 1080


FILLED = """() => {
  const shown = document.querySelector('#part .text') || document.querySelector('#part > div');
  return {
    bottom: shown.getBoundingClientRect().bottom,
    letter: parseFloat(getComputedStyle(shown).fontSize),
    news: document.getElementById('news').textContent,
    overflow: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
  };
}"""
"""What a screen shows of a text, or of content that is not there yet."""

NO_PLAYERS = {
    **dict.fromkeys(("standings", "pairings", "pairings 3 of 3", "bracket", "clock"), ""),
    "text": "Lunch until 14:00. Please be back at your tables. " * 10,
}


def test_a_text_of_any_length_and_an_empty_list_fit_the_screen(
    chromium: Chromium, desk: Desk
) -> None:
    """A tournament that nobody is in yet has a text on each of its screens."""
    desk.open(0)
    screens = Screens(lambda: opened_event(desk))
    for number, (content, text) in enumerate(NO_PLAYERS.items(), 1):
        screens.assign(number, content, text)
    with served(desk, 0) as address:
        page = chromium.new_page()
        for number, content in enumerate(NO_PLAYERS, 1):
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.goto(f"{address}screen/{number}")
                page.wait_for_selector("[data-pages]", state="attached")
                shown, at = page.evaluate(FILLED), (content, width, height)
                assert shown["news"] == "", at
                assert shown["overflow"] == [width, height], at
                assert shown["bottom"] <= height, at
                assert shown["letter"] >= 0.045 * min(width, height), at
        page.close()


def test_above_what_is_played_is_the_time_left(day: Desk) -> None:
    """On every screen that is no clock, until the clock stands still or the day is over."""
    with hall_open(official(1)) as asking:
        for content in ("pairings", "pairings 1 of 2", "standings", "text"):
            assign(asking, screen="1", content=content, text="Lunch")
            for path in ("/screen/1", "/screen/1/part", "/screen/1/part?whole="):
                shown = re.findall(TIME_LEFT, asking.get(path).text)
                assert len(shown) == 1, (content, path)
                assert 0 < int(shown[0][0]) <= 65 * 60, shown
    for acts, state in ((("pause --reason fire",), "PAUSED"), (("resume", "time"), "TIME CALLED")):
        for act in acts:
            day.done("round", *act.split())
        with hall_open() as asking:
            page = asking.get("/screen/1").text
            assert (state in page, re.findall(TIME_LEFT, page)) == (True, []), state


def test_the_time_on_a_screen_of_several_pages_counts_on(chromium: Chromium, day: Desk) -> None:
    """A page that is turned to later has no more time than the one before it."""
    with served(day, 0) as address:
        page = chromium.new_page(viewport={"width": 400, "height": 300})
        page.clock.install()
        page.goto(f"{address}screen/1")
        page.wait_for_selector("[data-pages]", state="attached")
        assert int(page.locator("#part").get_attribute("data-pages") or 0) > 1
        seconds = []
        for _ in range(2):
            minutes, second = page.locator("[data-left]").inner_text().split(":")
            seconds.append(60 * int(minutes) + int(second))
            page.clock.run_for(8_500)
        assert 7 <= seconds[0] - seconds[1] <= 10
        page.close()


def test_after_the_finish_screens_of_pairings_say_who_won(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    desk.done("round", "time")
    desk.done("finish")
    with hall_open(official(1)) as asking:
        for content in ("pairings", "pairings 2 of 2", "standings"):
            assign(asking, screen="1", content=content)
            for part in ("part", "part?whole="):
                shown = asking.get(f"/screen/1/{part}").text
                first = re.findall(r'<th scope="row"><bdi>([^<]+)', shown)
                assert f"<bdi>{first[0]}</bdi> won the tournament" in shown, (content, part)
                assert len(first) == 4, (content, part)
                assert "TIME CALLED" not in shown


def test_the_standings_of_a_finished_tournament_are_its_final_order(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    with hall_open(official(1)) as asking:
        assign(asking, screen="1", content="standings")
        for part in ("part", "part?whole="):
            shown = asking.get(f"/screen/1/{part}").text
            assert "won the tournament" in shown, part
            assert shown.index("champion") < shown.index("finalist"), part


def test_a_part_of_the_alphabet_without_names_is_said(browser: Browser) -> None:
    """All names of this day begin with one letter: the last of three screens has them."""
    assign(browser, screen="1", content="pairings 1 of 3")
    for part in ("part", "part?whole="):
        assert "no name is on screen 1 of 3" in browser.get(f"/screen/1/{part}").text, part


def test_short_lists_of_a_bracket_share_a_page(chromium: Chromium, desk: Desk) -> None:
    """A recorded elimination of 20 games cannot be divided: a screen has its lists."""
    everybody = range(1, 41)
    swiss = [table(player, None, 6, None) for player in everybody]
    cut = [{"id": player, "seed": player} for player in everybody]
    first = [game(player, 41 - player, player) for player in range(1, 21)]
    second = [game(player, 11 - player, player) for player in range(1, 6)]
    played = document(everybody, [swiss, first, second], eliminationPlayers=cut)
    (desk.folder / "played.json").write_text(json.dumps(played))
    desk.done("import", "played.json")
    Screens(lambda: opened_event(desk)).assign(1, "bracket", "")
    with served(desk, 0) as address:
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        page.clock.install()
        page.goto(f"{address}screen/1")
        shown = all_pages(page)
        page.close()
    assert sum(each["captions"] for each in shown) > len(shown)
    assert shown[0]["overflow"] == [1920, 1080]


DRAWN = """() => {
  const { width } = document.querySelector('svg.bracket').viewBox.baseVal;
  const drawn = [...document.querySelectorAll('svg.bracket')];
  const boxes = drawn.map((svg) => svg.getBoundingClientRect());
  return {
    letters: Math.min(...boxes.map((box) => (14 * box.width) / width)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
    games: [...document.querySelectorAll('.game')].map(({ dataset }) => dataset.game),
    overflow: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    pages: Number(part.dataset.pages),
  };
}"""
"""What a screen shows of a bracket: the height of its letters, its last line and its games."""


@pytest.mark.parametrize("size", [4, 16])
def test_a_bracket_is_drawn_in_parts_that_are_read_from_afar(
    chromium: Chromium, desk: Desk, size: int
) -> None:
    desk.open(size, "custom", "--rounds", "1", "--cut", str(size))
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    Screens(lambda: opened_event(desk)).assign(1, "bracket", "")
    expected = {f"2.{number}" for number in range(1, size // 2 + 1)}
    with served(desk, 0) as address:
        for width, height in SIZES:
            page = chromium.new_page(viewport={"width": width, "height": height})
            page.clock.install()
            page.goto(f"{address}screen/1")
            page.wait_for_selector("[data-pages]", state="attached")
            games, pages = set(), page.evaluate(DRAWN)["pages"]
            for number in range(pages):
                if number:
                    page.clock.run_for(8_000)
                shown = page.evaluate(DRAWN)
                games |= set(shown["games"])
                assert shown["overflow"] == [width, height]
                assert shown["bottom"] <= height
                assert shown["letters"] >= 0.03 * min(width, height)
            page.close()
            assert expected <= games
            assert pages <= size // 4
