"""A phone as a witness, in a real browser: it keeps the head it saw, and a fork shows in red."""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.support.hall import served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    return desk


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.set_default_timeout(15_000)
    yield page
    page.close()


def put_back(desk: Desk, copy: Path) -> None:
    for each in desk.folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(copy, desk.folder, dirs_exist_ok=True)


def test_a_phone_checks_that_the_log_goes_on_and_shows_a_fork_in_red(
    phone: Page, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    port = free_port()
    said = phone.locator("#witness")
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("keeps the log's signed head")
        phone.goto(f"{address}standings")
        sync_api.expect(said).to_contain_text("Log checked")
    day.done("note", "what happened")
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("are unchanged. 1 event is new")
    put_back(day, copy)
    day.done("note", "what did not happen")
    day.done("note", "and did not, either")
    with served(day, port) as address:
        with phone.expect_response("**/api/v1/forks") as answered:
            phone.goto(address)
        assert answered.value.ok
        sync_api.expect(said).to_contain_text("a different history")
        sync_api.expect(said).to_have_class("breach")
        colour = said.evaluate("each => getComputedStyle(each).color")
        assert colour == "rgb(179, 38, 30)"
        phone.goto(f"{address}head")
        sync_api.expect(said).to_contain_text("a different history")
    assert "a phone saw another history" in day.done("standings").err
    assert len(list((day.folder / ".tourney-keys" / "forks").glob("*.json"))) == 1


def test_a_phone_goes_on_with_a_renewed_key(phone: Page, day: Desk) -> None:
    port, said = free_port(), phone.locator("#witness")
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("keeps")
    day.done("key", "renew", "--reason", "the laptop was sold")
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("renewed, and the previous key approved the new one")
        phone.goto(f"{address}standings")
        sync_api.expect(said).to_have_text(re.compile("^Log checked"))


def test_a_store_put_back_to_before_a_renewed_key_is_reported(
    phone: Page, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The phone sends the line that renewed the key, which the store does not have any more."""
    port, said = free_port(), phone.locator("#witness")
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    day.done("key", "renew", "--reason", "the laptop was sold")
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("keeps")
    put_back(day, copy)
    with served(day, port) as address:
        with phone.expect_response("**/api/v1/forks") as answered:
            phone.goto(address)
        assert answered.value.ok
        sync_api.expect(said).to_have_class("breach")
    assert "a phone saw another history" in day.done("standings").err


def test_the_phones_own_code_in_a_browser(phone: Page, day: Desk) -> None:
    """A head that somebody else signed does not hold, whatever keys the phone was sent before."""
    with served(day, free_port()) as address:
        phone.goto(address)
        sync_api.expect(phone.locator("#witness")).to_contain_text("keeps")
        phone.route(
            "**/api/v1/witness*", lambda route: route.fulfill(json=_twisted(address, phone))
        )
        phone.reload()
        sync_api.expect(phone.locator("#witness")).to_have_class("breach")
        sync_api.expect(phone.locator("#witness")).to_contain_text("is not valid")


def _twisted(address: str, phone: Page) -> dict[str, object]:
    value: dict[str, object] = phone.request.get(f"{address}api/v1/witness").json()
    head = value["head"]
    assert isinstance(head, dict)
    first, size, *rest = str(head["note"]).split("\n")
    return value | {"head": head | {"note": "\n".join([first, str(int(size) + 1), *rest])}}


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve a published folder as any web host does."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_head_from_the_hall_is_checked_by_a_page_on_another_host(phone: Page, day: Desk) -> None:
    with served(day, free_port()) as address:
        phone.goto(f"{address}head")
        kept = phone.locator("#head").inner_text()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        whole = pytest.importorskip("axe_playwright_python.sync_playwright").Axe().run(phone)
        assert whole.response["violations"] == []
    day.done("note", "what happened since")
    day.done("publish", "public")
    later = (day.folder / "public" / "checkpoint").read_text("utf-8")
    other, size, root = kept.split("\n")[:3]
    twisted = kept.replace(root, later.split("\n")[2])
    found = phone.locator("#found")
    with hosted(day.folder / "public") as address:
        phone.goto(f"{address}head.html")
        for text, said, kind in (
            (kept, f"begins with these {size} log entries", "good"),
            (twisted, "is not valid", "breach"),
            ("anything", "is not valid", "breach"),
        ):
            phone.get_by_label("The text of the code").fill(text)
            phone.get_by_role("button").click()
            sync_api.expect(found).to_contain_text(said)
            sync_api.expect(found).to_have_class(kind)
        assert other in kept
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        for name in ("head.html", "index.html", "pairings.html", "round-1.html"):
            phone.goto(f"{address}{name}")
            for scheme in ("light", "dark"):
                phone.emulate_media(color_scheme=scheme)
                violations = axe.run(phone).response["violations"]
                assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == [], name


def test_no_red_for_a_second_event_a_server_without_the_key_and_a_new_laptop(
    phone: Page, day: Desk
) -> None:
    """One browser, one address, and what the desk lists of it in the end."""
    port, said = free_port(), phone.locator("#witness")

    def look(text: str, *, noticed: bool = False) -> None:
        with served(day, port) as address:
            if noticed:
                with phone.expect_response("**/api/v1/kept") as answered:
                    phone.goto(address)
                assert answered.value.ok
            else:
                phone.goto(address)
            sync_api.expect(said).to_contain_text(text)
            assert said.get_attribute("class") == "about"

    look("keeps the log's signed head")
    day.done("backup", "night.backup")
    day.done("new", "Sunday Cup", "--ruleset", "l5r")
    look("This is Sunday Cup. This browser also keeps the head of Library Night", noticed=True)
    assert "a phone keeps a head of another tournament" in day.done().out
    day.done("use", "Library Night")
    look("This is Library Night. Log checked")
    shutil.rmtree(day.folder / ".tourney-keys")
    look("This server cannot sign for Library Night. Its events continue", noticed=True)
    assert "this server cannot sign: the events here continue it" in " ".join(
        day.done().out.split()
    )
    data = (day.folder / "night.backup").read_bytes()
    for each in day.folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    (day.folder / "night.backup").write_bytes(data)
    day.done("restore", "night.backup")
    look("Log checked")
    day.done("note", "on the new laptop")
    look("cannot sign for Library Night: its head covers")
    assert not list((day.folder / ".tourney-keys").glob("forks/*.json"))


def test_a_server_that_never_answers_a_report_keeps_no_red_from_being_shown(
    phone: Page, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    port, said = free_port(), phone.locator("#witness")
    day.done("note", "what happened")
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("keeps")
    put_back(day, copy)
    phone.route("**/api/v1/forks", lambda _: None)
    with served(day, port) as address:
        phone.goto(address)
        sync_api.expect(said).to_have_class("breach")
        sync_api.expect(said).to_contain_text("fewer events")


def test_a_browser_that_keeps_nothing_and_one_whose_storage_is_damaged(
    chromium: Browser, phone: Page, day: Desk
) -> None:
    said = phone.locator("#witness")
    with served(day, free_port()) as address:
        phone.goto(address)
        sync_api.expect(said).to_contain_text("keeps")
        for damaged in ("{", "[]", "5", '{"tourney/x": 5}', '"text"'):
            phone.evaluate("text => localStorage.setItem('tourney-heads', text)", damaged)
            phone.reload()
            sync_api.expect(said).to_contain_text("From now on")
            is_known = damaged.startswith('{"')
            assert ("is damaged" in said.inner_text()) == (not is_known), damaged
            assert said.get_attribute("class") != "breach"
        other = chromium.new_page()
        other.add_init_script(
            "Object.defineProperty(window, 'localStorage', {get() { throw new Error('off'); }})"
        )
        other.goto(address)
        line = other.locator("#witness")
        sync_api.expect(line).to_contain_text("stores nothing between pages")
        assert line.get_attribute("class") == "about"
        other.close()


def test_the_six_words_of_the_phone_are_those_of_the_desk_and_of_the_screen(
    chromium: Browser, phone: Page, day: Desk
) -> None:
    """The phone derives them: what the page said before is replaced."""
    day.done("post", "pairings")
    shown = day.done("--json").json["words"]
    expected = f"Round 1, event {shown['event']} {' '.join(shown['words'])}"
    with served(day, free_port()) as address:
        phone.route(f"{address}pairings", _with_other_words)
        phone.goto(f"{address}pairings")
        words = phone.locator("#words")
        sync_api.expect(words).to_have_text(expected)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        screen = chromium.new_page(viewport={"width": 1280, "height": 720})
        screen.goto(f"{address}screen")
        sync_api.expect(screen.locator("#words")).to_have_text(expected)
        sync_api.expect(screen.locator("#witness")).to_be_hidden()
        screen.close()
        day.done("round", "start")
        day.done("post", "pairings", "--round", "1")
        phone.reload()
        sync_api.expect(words).to_have_text(expected)


def _with_other_words(route: Route) -> None:
    answer = route.fetch()
    text = re.sub(r"(<p id=\"words\".*?<strong[^>]*>)[a-z ]+", r"\1one two three", answer.text())
    assert "one two three" in text
    route.fulfill(response=answer, body=text)
