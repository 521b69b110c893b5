"""The folder for a web host: what everybody may see, as a whole, with names as they were chosen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from tinyhtml5.parser import HTMLParser

from cli.desk import session
from cli.input.arguments import Options
from cli.serve import publish
from cli.serve.publish import MARK, write_site
from ledger.files.system import exchange_folders
from tests.hostile.secrets.test_hands import gives_away, handed_in
from tests.support.cli_desk import typed_once
from tests.support.hall import served
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

STRANGE = '<script>alert("x")</script>&<img src=x onerror=1>\x1b[31m'
LAST = ("Lantern", "Marigold", "Nightingale", "Oleander")


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, whose first round is played, and a cut to come."""
    return opened(desk)


def opened(desk: Desk, *words: str) -> Desk:
    desk.done("new", f"Night {STRANGE}", "--ruleset", "l5r", "--organizer", "Kim Zinnia", *words)
    for first, last in zip(("Ann", "Ben", "Cleo", STRANGE), LAST, strict=True):
        desk.done("register", f"{first} {last}")
    desk.done("start", "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    return desk


def texts(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes().decode("latin-1") for path in found}


def pages(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.html")}


def test_every_page_is_valid_whole_and_alone(day: Desk) -> None:
    day.done("cut")
    day.done("pair")
    day.report_all()
    day.done("finish")
    day.done("publish", "public")
    found = pages(day.folder / "public")
    assert {"index", "pairings", "standings", "bracket", "final", "round-1", "round-2", "head"} == {
        name.removesuffix(".html") for name in found
    }
    for name, text in found.items():
        parser = HTMLParser()
        parser.parse(text)
        assert parser.errors == [], name
        own = text.replace('<script src="check.js" type="module"></script>', "")
        assert (own == text) == (name != "head.html")
        assert not re.search(r"<(script|img)|https?:(?!//www.w3.org/2000/svg)|\x1b", own), name
        links = re.findall(r'href="([^"]*)"', text)
        assert links, name
        assert [each for each in links if not (day.folder / "public" / each).is_file()] == [], name
        assert "Night &lt;script&gt;" in text
        assert 'aria-current="page"' in text
        assert "prefers-color-scheme: dark" in text
        assert "@media print" in text


def test_the_folder_verifies_with_both_verifiers(day: Desk) -> None:
    (day.folder / "policy").write_text(day.done("checkpoint", "--policy").out)
    day.done("publish", "public")
    log = str(day.folder / "public" / "log.jsonl")
    first = (day.folder / "public" / "index.html").read_text("utf-8")
    assert "<code>tourney verify log.jsonl</code> checks them." in first
    assert "If the organizer gave you a policy before play" in first
    day.done("verify", log)
    found = day.done("verify", log, "--policy", "policy", "--json").json
    assert found["head"]["checked"] == found["head"]["of"] > 0
    assert found["tree"]["unchecked"] is None
    words = [sys.executable, "-m", "ledger.proof.verifier", log, "--policy", "policy"]
    assert subprocess.run(words, check=False, capture_output=True).returncode == 0
    day.done("export", "--tiles", "tiles")
    exported, published = texts(day.folder / "tiles"), texts(day.folder / "public")
    assert exported.items() <= published.items()


def test_short_names_are_all_that_anybody_reads(day: Desk) -> None:
    """In no file, tiles and log too, stands a last name or a key that opens one."""
    day.done("publish", "public")
    found = texts(day.folder / "public")
    assert "Ann L." in found["pairings.html"]
    for name, text in found.items():
        assert not [each for each in (*LAST, "Zinnia", '"names":{') if each in text], name


def test_a_number_is_no_name(desk: Desk) -> None:
    opened(desk, "--public-names", "number")
    desk.done("publish", "public")
    for name, text in texts(desk.folder / "public").items():
        assert not re.search(r"\b(Ann|Ben|Cleo|Kim)\b", text), name
    assert "player 1" in pages(desk.folder / "public")["standings.html"]


def test_with_whole_names_their_keys_are_published_until_somebody_is_forgotten(desk: Desk) -> None:
    opened(desk, "--public-names", "full")
    desk.done("publish", "public")
    folder = desk.folder / "public"
    assert "Ann Lantern" in pages(folder)["standings.html"]
    assert desk.done("verify", str(folder / "log.jsonl"), "--json").json["names"]["checked"] == 5
    desk.done("forget", "ann", "--yes")
    desk.done("publish", "public")
    found = texts(folder)
    assert "forgotten 1" in found["standings.html"]
    assert not [name for name, text in found.items() if "Lantern" in text]
    assert desk.done("verify", str(folder / "log.jsonl"), "--json").json["names"]["checked"] == 4


def test_open_names_are_published_only_as_whole_ones(desk: Desk) -> None:
    opened(desk, "--open-names")
    said = desk.done("publish", "public").err
    assert "the log is not published" in said
    found = texts(desk.folder / "public")
    assert not [name for name in found if "log" in name or "tile" in name or name == "checkpoint"]
    assert not [name for name, text in found.items() if "Lantern" in text]
    desk.done("names", "full")
    desk.done("publish", "public")
    assert (desk.folder / "public" / "log.jsonl").exists()


def test_what_was_published_before_and_is_gone_is_removed(day: Desk) -> None:
    day.done("publish", "public")
    assert (day.folder / "public" / "round-1.html").exists()
    again = opened(day, "--open-names")  # another event, without a log in its folder
    assert "another tournament" in again.refused("publish", "public").err
    day.done("publish", "other")
    day.done("names", "full")
    day.done("publish", "other")
    day.done("names", "short")
    day.done("publish", "other")
    assert not (day.folder / "other" / "log.jsonl").exists()
    assert not [path for path in day.folder.iterdir() if path.suffix in {".part", ".old"}]


def test_no_other_folder_is_written_into(day: Desk) -> None:
    (day.folder / "mine").mkdir()
    (day.folder / "mine" / "diary.txt").write_text("dear diary")
    assert "not empty" in day.refused("publish", "mine").err
    assert "not empty" in day.refused("publish", ".").err
    assert "a SQLite store" in day.refused("publish", "tourney.db").err
    day.done("publish", "public")
    (day.folder / "public" / ".git").mkdir()
    assert ".git" in day.refused("publish", "public").err
    (day.folder / "public" / ".git").rmdir()
    (day.folder / "public" / "link").symlink_to(day.folder / "mine")
    assert "link" in day.refused("publish", "public").err
    assert (day.folder / "mine" / "diary.txt").read_text() == "dear diary"
    (day.folder / "public" / "link").unlink()
    day.done("publish", "public")


def test_a_killed_writer_leaves_the_folder_as_it_was(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one removes what it left, also where the system cannot exchange folders."""
    place = day.folder / "public"
    write_site(place, "event", [("a.html", b"1"), ("b.html", b"1")])
    part = place.with_name(".public.part")
    part.mkdir()
    (part / MARK).write_bytes((place / MARK).read_bytes())
    (part / "a.html").write_bytes(b"torn")
    assert (place / "a.html").read_bytes() == b"1"
    monkeypatch.setattr(publish, "exchange_folders", lambda *_: False)
    write_site(place, "event", [("a.html", b"2")])
    assert sorted(texts(place)) == [MARK, "a.html"]
    assert not part.exists()
    assert not place.with_name(".public.old").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges folders in one step")
def test_the_folder_is_there_all_the_time(tmp_path: Path) -> None:
    """The new one has its name in one step: a page that is asked for meanwhile is found."""
    one, other = tmp_path / "one", tmp_path / "other"
    for each in (one, other):
        each.mkdir()
        (each / "page.html").write_text(each.name)
    assert exchange_folders(one, other)
    assert (one / "page.html").read_text() == "other"
    assert (other / "page.html").read_text() == "one"
    assert not exchange_folders(one, tmp_path / "none")


def test_a_reader_never_sees_half_of_two_states(tmp_path: Path) -> None:
    """Whoever opens the folder's own files at any time finds those of one writing."""
    place, ended = tmp_path / "public", Event()
    write_site(place, "event", [(f"{n}.html", b"0") for n in range(5)])
    mixed: list[set[bytes]] = []

    def read() -> None:
        while not ended.is_set():
            inside = os.open(place, os.O_RDONLY)
            try:
                found = {_read_at(inside, f"{n}.html") for n in range(5)}
            except FileNotFoundError:  # removed while it was read: a reader asks again
                continue
            finally:
                os.close(inside)
            mixed.extend([found] if len(found) > 1 else [])

    reading = Thread(target=read)
    reading.start()
    for number in range(60):
        write_site(place, "event", [(f"{n}.html", b"%d" % number) for n in range(5)])
    ended.set()
    reading.join()
    assert mixed == []


def _read_at(inside: int, name: str) -> bytes:
    descriptor = os.open(name, os.O_RDONLY, dir_fd=inside)
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def test_the_folder_follows_the_log(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each act; a disk that fails is said once, and what was not written is written later."""
    monkeypatch.setattr(publish, "POLL_SECONDS", 0.01)
    day.done("names", "full")
    folder, ended = day.folder / "public", Event()

    def follow() -> None:
        desk = session.Desk(Options(), [])
        publish.follow(desk, folder, ended, 0)
        desk.close()

    following = Thread(target=follow)
    following.start()
    try:
        until(folder, "Ann Lantern")
        day.done("forget", "ann", "--yes")
        until(folder, "forgotten 1")
        assert not [name for name, text in texts(folder).items() if "Lantern" in text]
    finally:
        ended.set()
        following.join()


@pytest.mark.slow
def test_beside_the_hall_it_follows_as_well(day: Desk) -> None:
    with served(day, free_port(), "--publish", "public"):
        until(day.folder / "public", "Ann L.")
        day.done("names", "full")
        until(day.folder / "public", "Ann Lantern")


def until(folder: Path, words: str) -> None:
    for _ in range(500):
        if words in pages(folder).get("standings.html", ""):
            return
        Event().wait(0.01)
    raise AssertionError(words)


@pytest.mark.parametrize("more", [(), ("--open-names",)], ids=["sealed", "open names"])
def test_nothing_that_is_published_shows_a_hand(desk: Desk, more: tuple[str, ...]) -> None:
    """SWL-HIDDEN: no page, no line and no tile; also not a first round later."""
    handed_in(desk, "--public-names", "full", *more)
    for _ in range(2):
        desk.done("publish", "public")
        found = [path for path in (desk.folder / "public").rglob("*") if path.is_file()]
        assert len(found) > 8
        for path in found:
            assert not gives_away(path.read_bytes().decode("latin-1")), path
        desk.type("pair", "--unchecked", "--reason", "the hand is mended at the table")
