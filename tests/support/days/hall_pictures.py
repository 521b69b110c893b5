"""The pictures of the hall's pages: `python -m tests.support.days.hall_pictures` takes them again.

They are what Chromium shows of a running hall, with a day of the sample's players.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = ROOT / "cli" / "serve" / "pages" / "pictures"
PHONE, LAPTOP, WALL = (390, 760), (1200, 760), (1280, 720)
DAY = (
    ("new", "Library Cup", "--ruleset", "l5r", "--organizer", "Olga Brandt"),
    ("register", "--file", str(ROOT / "sample_logs" / "players.csv")),
    ("start", "basic", "--word", "cherry blossom"),
    ("pair",),
    ("round", "start"),
)


def typed(folder: Path, *words: str) -> str:
    """Type a command in a folder, and return what it prints."""
    command = [sys.executable, "-m", "cli", *words]
    return subprocess.run(
        command,
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    ).stdout


def take(browser: Browser, folder: Path, address: str) -> None:
    """Let a player, an official and a screen in, and take a picture of each page."""
    links = json.loads(typed(folder, "links", "print", "1", "o1", "--json", "--address", address))
    player, official = (each["address"] for each in links["links"])
    phone = opened(browser, PHONE, player, "/me")
    phone.screenshot(path=PICTURES / "phone.png")
    seated = json.loads(typed(folder, "pairings", "--json"))
    for match in seated[:2]:
        typed(folder, "report", str(match["table"]), f"#{match['players'][0]}")
    desk = opened(browser, LAPTOP, official, "/desk")
    desk.keyboard.type("3b")
    desk.wait_for_timeout(1_000)
    desk.evaluate("scrollTo(0, 0)")
    desk.screenshot(path=PICTURES / "desk.png")
    opened(browser, WALL, f"{address}screen", "").screenshot(path=PICTURES / "screen.png")


def opened(browser: Browser, size: tuple[int, int], link: str, page: str) -> Page:
    """Open a link in a browser of its own, and go on to a page."""
    found = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    found.goto(link)
    found.wait_for_timeout(1_500)
    if page:
        found.goto(link.partition("/in#")[0] + page)
        found.wait_for_timeout(1_000)
    return found


def main() -> None:
    """Play the beginning of a day, serve it, and take the pictures."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - of the extra `browser`

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playing:
        folder = Path(made)
        for words in DAY:
            typed(folder, *words)
        serving = [sys.executable, "-m", "cli", "serve", "--port", "0"]
        environment = {"PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            serving, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment
        ) as running:
            assert running.stdout is not None
            try:
                line = next(
                    each for each in running.stdout if each.startswith("The tournament is at ")
                )
                browser = playing.chromium.launch(
                    executable_path=shutil.which("chromium"), args=["--no-sandbox"]
                )
                take(browser, folder, line.split()[-1])
                browser.close()
            finally:
                running.terminate()


if __name__ == "__main__":
    main()
