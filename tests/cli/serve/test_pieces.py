"""Long lists in pieces: every row in one piece, no page too large, and a search that finds it."""

from __future__ import annotations

import random
import re
import time
from contextlib import asynccontextmanager
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.input.find_people import plain
from cli.render.game_tables import standings_columns
from cli.render.pages import BY_NAME, seats_by_name
from cli.render.records import as_read
from cli.serve.door.pace import ReadingPace
from cli.serve.hall import SENT_IN_SECOND
from cli.serve.parts import PARTS
from cli.serve.pieces import PIECE_ROWS, SHIFT, WHOLE_MAX, Piece, by_name, by_rank
from projections.standings.table import everyone
from tests.support.cli_desk import typed_once
from tests.support.hall import WIFI, first_round, hall_open, official, player

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from cli.serve.visitors import Asker
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

WIRE_MAX = 100_000
"""Bytes of a packed page for everybody, at the largest tournament that is promised."""

PLAYERS = 8_000
SYLLABLES = ("ka", "ri", "mo", "ta", "le", "san", "der", "vin", "po", "ul", "eck", "or", "bel")
SCRIPTS = ("Ольга", "Дмитрий", "田中", "陳", "김", "محمد", "Łukasz", "Ángel", "Øystein", "de", "Mc")


def names_of(count: int) -> list[str]:
    """So many different names of many letters, some of other scripts, in no order."""
    chance, names = random.Random(7), set[str]()

    def word(syllables: int) -> str:
        return "".join(chance.choices(SYLLABLES, k=syllables)).capitalize()

    while len(names) < count:
        first = word(2) if chance.random() > 0.1 else chance.choice(SCRIPTS)
        names.add(f"{first} {word(chance.choice((2, 3)))}")
    listed = sorted(names)
    chance.shuffle(listed)
    return listed


def large(desk: Desk, players: int) -> Desk:
    """So many players, whose first round runs."""
    whole = ("--organizer", "Kim Larsen", "--public-names", "full")
    desk.done("new", "Big Cup", "--ruleset", "l5r", *whole)
    sheet = "name\n" + "".join(f"{name}\n" for name in names_of(players))
    desk.done("register", "--file", "-", stdin=sheet)
    desk.done("start", "custom", "--rounds", "9", "--cut", "8")
    desk.done("pair")
    desk.done("round", "start")
    return desk


@typed_once
def split_day(desk: Desk) -> Desk:
    """A few more players than one page shows."""
    return large(desk, WHOLE_MAX + 101)


@typed_once
def day_of_four(desk: Desk) -> Desk:
    """Four players, whose first round runs."""
    return first_round(desk)


@typed_once
def full_day(desk: Desk) -> Desk:
    """The largest tournament."""
    return large(desk, PLAYERS)


def rows_in(html: str) -> list[list[str]]:
    """The cells of each row of a page's table as they are read, after the id of the row."""
    rows = re.findall(r'<tr id="(p\d+)">(.*?)</tr>', html, re.DOTALL)
    return [
        [row_id, *(text_of(cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row))]
        for row_id, row in rows
    ]


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


def pieces_of(browser: Browser, part: str) -> dict[str, str]:
    """Every piece of a part by its address, as the first page links to them."""
    first = browser.get(f"/{part}").text
    (links,) = re.findall(r'<nav aria-label="Parts of the list">(.*?)</nav>', first)
    addresses = [unescape(f"/{each}") for each in re.findall(r'href="([^"]+)"', links)]
    assert addresses[0] == f"/{part}"
    return {each: browser.get(each).text for each in addresses}


def unsplit(browser: Browser, part: str) -> list[list[str]]:
    """The rows of a part as its view model has them, made without the code that cuts lists."""

    def rows(tournament: Tournament) -> list[list[str]]:
        if part == "standings":
            table = everyone(tournament)
            cells = as_read(standings_columns(tournament, table), table.rows)[1]
            return [
                [f"p{row.player}", *of_row] for row, of_row in zip(table.rows, cells, strict=True)
            ]
        seats = seats_by_name(tournament, tournament.rounds[-1].matches)
        cells = as_read(BY_NAME, seats)[1]
        return [[f"p{seat.number}", *of_seat] for seat, of_seat in zip(seats, cells, strict=True)]

    assert browser.portal is not None
    made: list[list[str]] = browser.portal.call(browser.hall.view, rows)
    return made


def check_cover(pieces: Sequence[Piece], count: int) -> None:
    """Each row is in exactly one piece, no piece is empty, and each has an address of its own."""
    assert [piece.first for piece in pieces] == [0, *(piece.end for piece in pieces[:-1])]
    assert pieces[-1].end == count
    assert all(piece.first < piece.end for piece in pieces)
    assert len({piece.start for piece in pieces}) == len(pieces)


@pytest.mark.parametrize("count", [1, WHOLE_MAX, WHOLE_MAX + 1, 5_000, 8_000, 8_001])
def test_ranks_are_cut_evenly(count: int) -> None:
    pieces = by_rank(range(1, count + 1))
    check_cover(pieces, count)
    sizes = {piece.end - piece.first for piece in pieces}
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= (PIECE_ROWS if count > WHOLE_MAX else WHOLE_MAX)
    assert pieces[-1].title.endswith(f"{count:,}")


@pytest.mark.parametrize("count", [1, WHOLE_MAX, WHOLE_MAX + 1, 5_000, 8_000])
def test_names_are_cut_where_letters_change(count: int) -> None:
    names = sorted(names_of(count), key=lambda name: (plain(name), name))
    keys = [plain(name) for name in names]
    pieces = by_name(names, keys)
    check_cover(pieces, count)
    assert pieces == by_name(names, keys)
    if count <= WHOLE_MAX:
        assert [piece.title for piece in pieces] == [""]
        return
    assert max(piece.end - piece.first for piece in pieces) <= PIECE_ROWS + 2 * SHIFT
    assert min(piece.end - piece.first for piece in pieces) >= count // len(pieces) - 2 * SHIFT
    for before, piece in pairwise(pieces):
        assert keys[before.end - 1] < plain(piece.start) <= keys[piece.first]
    assert len({piece.title for piece in pieces}) == len(pieces)
    assert pieces[0].title.startswith("A \u2013 ")
    assert any("\u9673" in piece.title or "\u7530" in piece.title for piece in pieces)


def test_names_that_begin_alike_are_cut_further_on_and_equal_names_never() -> None:
    names = [f"Player {number:04}" for number in range(1, 2_001)]
    keys = [plain(name) for name in names]
    pieces = by_name(names, keys)
    check_cover(pieces, len(names))
    assert [piece.start for piece in pieces] == ["", "player 05", "player 1", "player 15"]
    assert pieces[0].title == "P \u2013 Player 04"
    same = ["Max Doe"] * 1_500 + ["Mia Doe"] * 20
    (most, rest) = by_name(same, [plain(name) for name in same])
    assert (most.end, rest.start, rest.title) == (1_500, "mi", "Mi \u2013 M")
    assert len(by_name(same[:1_500], ["max doe"] * 1_500)) == 1


def test_a_start_is_no_space_and_leads_to_its_own_piece() -> None:
    names = ["De"] * 500 + ["De Beer"] * 500
    pieces = by_name(names, [plain(name) for name in names])
    assert [piece.start for piece in pieces] == ["", "de b"]


@pytest.mark.parametrize("part", ["pairings", "standings"])
def test_the_pieces_have_the_rows_of_the_whole_list(split_day: Desk, part: str) -> None:
    del split_day
    with hall_open() as browser:
        pieces = pieces_of(browser, part)
        assert len(pieces) == 2
        rows = [row for html in pieces.values() for row in rows_in(html)]
        model = unsplit(browser, part)
        assert [row[: len(of_model)] for row, of_model in zip(rows, model, strict=True)] == model
        assert len({row[0] for row in rows}) == len(rows) == WHOLE_MAX + 101
        for address, html in pieces.items():
            assert html.count('aria-current="true"') == 1
            title = text_of(re.findall("<h2>(.*?)</h2>", html)[0])
            assert f"{title}: Big Cup</title>" in html.replace("\u2068", "").replace("\u2069", "")
            query = address.partition("?")[2]
            assert f'data-query="{query}"' in html or not query
            assert rows_in(browser.get(f"/parts/{part}?{query}").text) == rows_in(html)


def test_an_address_leads_to_where_its_name_is_now(split_day: Desk) -> None:
    del split_day
    with hall_open() as browser:
        first, second = pieces_of(browser, "pairings").values()
        assert browser.get("/pairings?from=A").text == first == browser.get("/").text
        assert browser.get("/pairings?from=zzzz").text == second
        assert browser.get("/pairings?from=%E9%99%B3").text == second
        ranked, lower = pieces_of(browser, "standings").values()
        assert browser.get("/standings?from=2").text == ranked
        assert browser.get("/standings?from=700").text == lower
        assert browser.get("/standings?from=99999").text == lower
        for wrong in ("0", "-1", "first", "#5"):
            answer = browser.get("/standings", params={"from": wrong})
            assert (answer.status_code, "a whole number from 1" in answer.text) == (404, True)


@pytest.mark.parametrize("part", ["pairings", "standings"])
def test_the_field_finds_a_player_in_any_piece(split_day: Desk, part: str) -> None:
    """Without a script: the form leads to the piece and the row, or lists who may be meant."""
    del split_day
    with hall_open() as browser:
        for address, html in pieces_of(browser, part).items():
            row_id, *cells = rows_in(html)[3]
            name = cells[0] if part == "pairings" else cells[2]
            found = browser.get(f"/{part}", params={"find": name.upper()}, follow_redirects=False)
            assert (found.status_code, found.headers["location"]) == (303, f"{address}#{row_id}")
            number = browser.get(f"/{part}?find=%23{row_id[1:]}", follow_redirects=False)
            assert number.headers["location"] == f"{address}#{row_id}"
        several = browser.get(f"/{part}?find=angel").text
        links = re.findall(rf'<a href="({part}[^"]*#p\d+)"><bdi>(.*?)</bdi>', several)
        assert len(links) > 1
        assert all("Ángel" in name for _, name in links)
        assert 'data-query="find=angel"' in several
        assert rows_in(browser.get(unescape(f"/{links[0][0]}")).text)
        at_desk = browser.get(f"/{part}?find=or").text
        assert "The first 50 of " in text_of(at_desk)
        none = browser.get(f"/{part}?find=%3Cb%3Enobody").text
        assert "No player matches “<b>nobody”" in text_of(none).replace("\u2068", "")
        assert "<b>" not in none
        assert f'<form method="get" action="{part}"' in none


def test_whole_pages_are_packed_and_known_again(split_day: Desk) -> None:
    packed, table = {"accept-encoding": "gzip"}, split_day.done("pairings", "--json").json[0]
    paths = (
        "/",
        "/pairings",
        "/standings",
        "/standings?from=351",
        "/bracket",
        "/clause/FFG-MISSED",
    )
    with hall_open() as browser:
        for path in paths:
            answer = browser.get(path, headers=packed)
            assert answer.headers["content-encoding"] == "gzip", path
            assert browser.get(path, headers={"accept-encoding": ""}).content == answer.content
            known = {"if-none-match": answer.headers["etag"]}
            assert browser.get(path, headers=known).status_code == 304, path
        before = {path: browser.get(path) for path in paths}
        split_day.done("report", str(table["table"]), f"#{table['players'][0]}")
        name = table["names"][0]
        until_changed(browser, before["/standings"].headers["etag"])
        for path, answer in before.items():
            known = {"if-none-match": answer.headers["etag"]}
            status = browser.get(path, headers=known).status_code
            has_row = path.startswith(("/standings", "/bracket")) or name in text_of(answer.text)
            assert status == 200 if path == "/standings" else status in (200, 304), path
            assert has_row or status == 304 or path == "/bracket", path


def until_changed(browser: Browser, tag: str) -> None:
    for _ in range(200):
        if browser.get("/standings").headers["etag"] != tag:
            return
        time.sleep(0.02)
    raise AssertionError(tag)


def test_an_own_page_is_packed_unless_it_repeats_what_was_sent(day_of_four: Desk) -> None:
    del day_of_four
    packed = {"accept-encoding": "gzip"}
    asked = (
        (player(1), "/me", True),
        (player(1), "/me?x=secret", False),
        (player(1), "/me/why/nothing", False),
        (official(1), "/desk", True),
        (official(1), "/desk?part=", True),
        (official(1), "/desk?line=guess", False),
    )
    with hall_open() as browser:
        for who, path, is_packed in asked:
            browser.who = who
            at_desk = browser.get(path, headers=packed)
            assert "content-encoding" not in at_desk.headers  # nothing is saved on one machine
            phone = browser.get(f"{WIFI}{path}", headers=packed)
            assert (phone.headers.get("content-encoding") == "gzip") == is_packed, path
        posted = browser.line("4 nobody")
        assert "content-encoding" not in posted.headers


def test_a_whole_view_counts_against_the_budget_of_who_asks(
    split_day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that is made already: to send it takes the time of the hall."""
    del split_day
    counted: list[float] = []

    @asynccontextmanager
    async def reading(_: ReadingPace, asker: Asker) -> AsyncIterator[Callable[[float], None]]:
        assert asker.is_stranger
        yield counted.append

    with hall_open() as browser:
        for part in PARTS:
            browser.get(f"/api/v1/{part}")
        kept = ("/pairings", "/parts/pairings", "/standings?from=351", "/clause/FFG-MISSED")
        for path in kept:
            browser.get(path)
        monkeypatch.setattr(ReadingPace, "reading", reading)
        for part in ("pairings", "standings"):
            counted.clear()
            size = len(browser.get(f"/api/v1/{part}", headers={"accept-encoding": ""}).content)
            assert counted == [size / SENT_IN_SECOND]
        counted.clear()
        for path in kept:
            browser.get(path)
        assert counted == []


@pytest.mark.slow
def test_no_public_page_is_large_at_the_largest_tournament(full_day: Desk) -> None:
    del full_day
    packed = {"accept-encoding": "gzip"}
    with hall_open() as browser:
        seen: dict[str, list[str]] = {}
        for part in ("pairings", "standings"):
            pieces = pieces_of(browser, part)
            seen[part] = [row[0] for html in pieces.values() for row in rows_in(html)]
            assert len(pieces) == PLAYERS // PIECE_ROWS
            for address in pieces:
                check_size(browser, address, packed)
                query = address.partition("?")[2]
                check_size(browser, f"/parts/{part}?{query}", packed)
            check_size(browser, f"/{part}?find=or", packed)
        for rows in seen.values():
            assert sorted(rows) == sorted(f"p{number}" for number in range(1, PLAYERS + 1))
        for path in ("/", "/bracket", "/clock", "/clause/FFG-MISSED", "/clause?words=a"):
            check_size(browser, path, packed)


def check_size(browser: Browser, path: str, headers: dict[str, str]) -> None:
    with browser.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200, path
        size = sum(len(each) for each in answer.iter_raw())
        assert size < WIRE_MAX, (path, size)
        assert answer.headers.get("content-encoding") == "gzip" or size < 1_200, path
