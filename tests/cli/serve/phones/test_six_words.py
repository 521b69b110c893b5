"""The six words of a posting: one list, one way to derive them, the same in every place."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import shutil
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

from playwright.sync_api import expect

from cli.serve.pages.organizer.staff import raised
from cli.serve.pages.screens import ScreenPages
from cli.serve.pages.showing import Screens
from cli.serve.stream import Streams, messages
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import list_of_words, six_words, words_file
from tests.cli.serve.phones.phone import Phone, needs_node
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, official, opened, player, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser as Chromium

    from tests.support.cli_desk import Desk

LIST_SHA256 = "c780b2665bd19e1674d8596345de0f6594cbbbcf04e051d916a0163e82f581bf"
SHOWN = re.compile(
    r'id="words" class="words"(?: hidden)?><span>([^<]*)</span> (?:<a [^>]*>)?<strong[^>]*>([^<]*)<'
)

LINE = re.compile(r"event [0-9]+ ?: [a-z]+(?: [a-z]+){5}")
PAGES = ("/", "/pairings", "/standings", "/clock", "/me", "/in", "/head", "/screen/1")
SHEETS = (
    ("pairings", "--print"),
    ("pairings", "--slips"),
    ("standings", "--print"),
    ("round", "--print"),
)


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    return desk


# --- the list


def test_the_list_is_as_it_was_and_its_words_are_told_apart() -> None:
    """No word is another with a letter more, less, other or swapped; no two begin alike."""
    words = list_of_words()
    assert hashlib.sha256(words_file()).hexdigest() == LIST_SHA256
    assert len(words) == len(set(words)) == 2_048
    assert list(words) == sorted(words)
    assert all(re.fullmatch(r"[a-z]{4,8}", each) for each in words)
    assert len({each[:4] for each in words}) == len(words)
    known, masked = set(words), set[str]()
    for word in words:
        blanks = {f"{word[:i]}_{word[i + 1 :]}" for i in range(len(word))}
        assert not masked & blanks, word
        masked |= blanks
        assert not any(each.replace("_", "") in known for each in blanks), word
        for one, other in pairwise(range(len(word))):
            swapped = [*word]
            swapped[one], swapped[other] = swapped[other], swapped[one]
            assert "".join(swapped) == word or "".join(swapped) not in known


# --- the derivation


def test_the_words_are_those_of_the_page_on_checking() -> None:
    """A second derivation, by CHECKING.md: arithmetic on the whole digest."""
    for number in range(8):
        head = Checkpoint(f"tourney/{number:032x}", number + 1, bytes([number]) * 32)
        root = base64.b64encode(head.root).decode()
        digest = hashlib.sha256(f"{head.origin}\n{head.size}\n{root}\n".encode()).digest()
        for _ in range(16_384):
            digest = hashlib.sha256(digest).digest()
        bits = int.from_bytes(digest, "big") >> 190
        places = [bits >> 11 * place & 2047 for place in (5, 4, 3, 2, 1, 0)]
        assert [list_of_words()[each] for each in places] == list(six_words(head))


@needs_node
def test_a_phone_derives_the_same_words(tmp_path: Path) -> None:
    phone, asked, expected = Phone(tmp_path), [], []
    for number in range(5):
        head = Checkpoint(f"tourney/{number:032x}", 10**number, bytes([number + 7]) * 32)
        root = base64.b64encode(head.root).decode()
        asked.append([list_of_words(), {"origin": head.origin, "size": head.size, "root": root}])
        expected.append(list(six_words(head)))
    assert phone.ask("words", *asked) == expected


# --- the posting


def words_on(path: str) -> tuple[str, str]:
    """The place and the words on a page, as a browser without a script shows them."""
    with hall_open(player(1)) as browser:
        found = SHOWN.search(browser.get(path).text)
        assert found is not None, path
        return found[1], found[2]


def test_they_are_of_the_pairing_until_something_is_posted_and_then_of_the_posting(
    day: Desk,
) -> None:
    assert words_on("/pairings") == ("", "")
    assert day.done("--json").json["words"] is None
    day.done("pair")
    paired = words_on("/pairings")
    assert paired[0].startswith("Round 1, event ")
    for words in (("round", "start"), ("note", "quiet")):
        day.done(*words)
        assert words_on("/standings") == paired
    day.done("post", "pairings")
    posted = words_on("/standings")
    assert (posted != paired, posted[0].startswith("Round 1, event ")) == (True, True)
    day.report_all()
    assert words_on("/standings") == posted
    day.done("pair")
    assert words_on("/standings") == posted
    day.done("post", "standings", "--round", "1")
    later = words_on("/standings")
    assert later != posted
    day.done("note", "still")
    assert words_on("/standings") == later


def test_pages_and_screens_hear_of_a_posting_with_the_news_of_its_tables(day: Desk) -> None:
    """Of the head, before the news: a page derives its words and fetches its tables at once."""

    async def heard(act: str, *, of_screen: bool) -> tuple[bytes, bytes]:
        hall = opened()
        await hall.open()
        pages = ScreenPages(hall, Streams(), Screens(lambda: hall.event), raised)
        sent = pages.messages(1) if of_screen else messages(hall, hall.position)
        await anext(sent)
        waiting = asyncio.ensure_future(anext(sent))
        await asyncio.sleep(0.05)
        day.done(*act.split())
        await hall._tell()
        found = await asyncio.wait_for(waiting, 5), await asyncio.wait_for(anext(sent), 5)
        await hall.close()
        return found

    for act, of_screen in (("pair", False), ("post pairings", True)):
        posting, news = asyncio.run(heard(act, of_screen=of_screen))
        kind, _, data = posting.decode().partition("\ndata: ")
        shown = day.done("--json").json
        value = json.loads(data)
        assert kind == "event: posting"
        assert value["origin"] == f"tourney/{shown['tournament']}"
        assert (value["size"], value["round"]) == (shown["words"]["event"], 1)
        assert base64.b64decode(value["root"]).hex() == shown["words"]["root"]
        assert b"data: " in news


def test_words_change_with_the_tables(chromium: Chromium, day: Desk) -> None:
    """On a phone and on a wall, seconds before the next look at the log's head."""
    day.done("pair")
    day.done("round", "start")
    with served(day, 0) as address:
        pages = []
        for path in ("pairings", "screen/1"):
            pages.append(chromium.new_page())
            pages[-1].goto(f"{address}{path}")
            pages[-1].wait_for_load_state()
            pages[-1].locator("#words span").get_by_text("Round 1, event").wait_for()
            pages[-1].wait_for_timeout(1_500)
            pages[-1].route("**/api/v1/witness*", lambda route: route.abort())
        day.report_all()
        day.done("pair")
        words = day.done("--json").json["words"]
        for page in pages:
            expect(page.locator("#part")).to_contain_text("round 2", timeout=5_000)
            place = f"Round 2, event {words['event']}"
            expect(page.locator("#words span")).to_have_text(place, timeout=2_000)
            expect(page.locator("#words strong")).to_have_text(" ".join(words["words"]))
            page.close()


def test_they_follow_from_the_lines_up_to_the_posting(day: Desk) -> None:
    day.done("pair")
    day.done("post", "pairings")
    value = day.done("--json").json
    day.done("note", "quiet")
    lines = [each.encode() for each in day.log().splitlines()]
    shown = value["words"]
    assert '"type":"Posted"' in lines[shown["event"] - 1].decode()
    root = Prover(lines).root(shown["event"])
    assert shown["root"] == root.hex()
    head = Checkpoint(f"tourney/{value['tournament']}", shown["event"], root)
    assert shown["words"] == list(six_words(head))
    assert words_on("/pairings")[1].split() == shown["words"]


# --- the same in every place, and others for another history


def words_in_places(desk: Desk) -> dict[str, set[str]]:
    """Return the words, as the place and the words in lower case, by where they are shown."""
    found: dict[str, set[str]] = {}

    def add(where: str, text: str) -> None:
        flat = " ".join(re.sub(r"<[^>]+>", " ", text).split()).lower()
        found[where] = {" ".join(each.split()) for each in LINE.findall(flat)}

    for words in SHEETS:
        add(" ".join(words), desk.done(*words).out)
        if words[-1] == "--print" and words[0] != "bracket":
            desk.done(*words, "-o", "sheet.html")
            add(" ".join(words) + " html", (desk.folder / "sheet.html").read_text("utf-8"))
    desk.done("pairings", "--slips", "-o", "slips.html")
    add("slips html", (desk.folder / "slips.html").read_text("utf-8"))
    add("tourney", desk.done().out)
    desk.done("publish", "public")
    for name in ("index.html", "pairings.html", "standings.html", "head.html"):
        add(name, (desk.folder / "public" / name).read_text("utf-8"))
    for who, paths in ((player(1), PAGES), (official(1), ("/desk", "/judge"))):
        with hall_open(who) as browser:
            for path in paths:
                add(path, browser.get(path).text.replace("</span>", ":"))
    return found


def test_the_same_history_has_the_same_words_in_every_place_and_after_a_restart(day: Desk) -> None:
    day.done("pair")
    day.done("round", "start")
    said = day.done("post", "pairings").err
    shown = day.done("--json").json["words"]
    line = f"event {shown['event']}: {' '.join(shown['words'])}"
    assert line in said
    for _ in range(2):  # the second time with halls and desks of their own
        found = words_in_places(day)
        assert found == {where: {line} for where in found}
        day.done("note", "quiet")


@pytest.mark.slow
def test_two_histories_that_parted_before_the_posting_have_other_words_in_every_place(
    day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    seen = []
    for note in ("one half of the room", "the other half of the room"):
        for each in day.folder.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        shutil.copytree(copy, day.folder, dirs_exist_ok=True)
        day.done("note", note)
        day.done("pair")
        day.done("round", "start")
        day.done("post", "pairings")
        seen.append(words_in_places(day))
    one, other = seen
    assert one.keys() == other.keys()
    for where in one:
        (first,), (second,) = one[where], other[where]
        assert first.partition(":")[0] == second.partition(":")[0], where  # the same event
        assert first != second, where
