"""Who asks for more than there is: other files, all streams, a table of yesterday."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve import stream
from cli.serve.app import app_of
from ledger.store.sqlite import SQLiteStore
from tests.support.cli_desk import typed_once
from tests.support.hall import Crowd, first_round, hall_open, hidden_in, official, opened, player

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from tests.support.cli_desk import Desk

ABOVE = ("", "../", "../../", "../../../../../../../", "..\\", "....//", "hall.css/../", "/")
BELOW = ("/static/", "/parts/", "/api/v1/", "/screen/1/", "/judge/match/1/", "/me/why/", "/")
OURS = ("app.py", "server/__init__.py", "etc/passwd", "proc/self/environ")
FOUND_ONLY_INSIDE = (b"SQLite format", b"from __future__", b"root:", b"PATH=", b"PRIVATE KEY")

LEAVING = ("leave", False), ("leave", True)

day = typed_once(first_round)


def files_of(folder: Path) -> list[str]:
    """What lies where the hall was started: the store, its vault, its keys."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert any(".tourney-keys" in path.parts for path in found)
    return [*(str(path.relative_to(folder)) for path in found), *map(str, found)]


@pytest.mark.slow
def test_no_path_leads_to_a_file(day: Desk) -> None:
    """However it is written: plain, in escapes, in escapes of escapes."""
    wanted = [*files_of(day.folder), *OURS]
    ways = {f"{above}{each}" for above in ABOVE for each in wanted} | {"hall.css\0.py", "..", "."}
    with hall_open(official(1)) as asking:
        for below, way in product(BELOW, sorted(ways)):
            once = quote(way, safe="").replace(".", "%2E")
            for path in (once, quote(once)):
                answer = asking.get(f"{below}{path}", follow_redirects=False)
                assert 400 <= answer.status_code < 500, (below, way)
                assert not any(each in answer.content for each in FOUND_ONLY_INSIDE), way


@pytest.mark.slow
def test_five_thousand_streams_of_one_address_leave_the_others_theirs(day: Desk) -> None:
    """The first are let in, as a hall's own address has them; all others are told, at once."""
    del day

    async def crowds() -> tuple[Crowd, Crowd]:
        hall = opened()
        await hall.open()
        app = app_of(hall)
        many, other = Crowd(5_000), Crowd(1, "10.0.0.10")
        flood = [many.ask(app) for _ in range(many.size)]
        await asyncio.gather(*flood[1:], other.ask(app), flood[0])
        await hall.close()
        return many, other

    many, other = asyncio.run(crowds())
    assert many.statuses == {200: stream.ADDRESS_MAX, 429: many.size - stream.ADDRESS_MAX}
    assert other.statuses == {200: 1}


@pytest.mark.parametrize(("name", "is_over"), [("concede", False), *LEAVING])
def test_a_form_of_the_round_before_gives_up_nothing_of_this_one(
    day: Desk, name: str, *, is_over: bool
) -> None:
    """A phone that slept sends what was meant for another match; the new page gives this up."""
    if is_over:
        day.report_all()
    with hall_open(player(day.seats(1)[0])) as asking:
        path = "/me?ask=concede" if name == "concede" else "/me"
        old = hidden_in(asking.get(path).text, name)
        day.type("report", "1", f"#{day.seats(1)[1]}")
        day.type("report", "2", f"#{day.seats(2)[1]}")
        day.done("round", "close")
        day.done("pair")
        before = day.log()
        answer = asking.do(name, **old, at="/me")
        assert answer.status_code == 409, answer.text
        assert "which is not the match that the page showed" in answer.text
        assert day.log() == before
        new = hidden_in(asking.get(path).text, name)
        for _ in range(2):  # as a phone does that heard no answer
            assert asking.do(name, **new).status_code == 303
    assert day.log().count('"conceded":[') == 1
    day.done("verify")


def test_a_disk_that_fills_is_said_and_nothing_answered_is_lost(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself may not grow any more, and may again."""
    take_lock, room = SQLiteStore._take_lock, [1]

    def within(self: SQLiteStore, cursor: sqlite3.Cursor, stream: str) -> Any:  # noqa: ANN401 - its tree
        cursor.execute(f"PRAGMA max_page_count = {room[0]}")
        return take_lock(self, cursor, stream)

    monkeypatch.setattr(SQLiteStore, "_take_lock", within)
    answers = {}
    with hall_open(official(1)) as asking:
        for place in range(40):
            note = {"type": "TakeNote", "text": f"{place} " + "x" * 900}
            answers[f"note-number-{place}"] = answer = asking.act(note, f"note-number-{place}")
        refused = [own for own, each in answers.items() if each.status_code != 200]
        assert len(refused) > 20
        assert answer.status_code == 503
        assert "the disk is full; free some space and repeat" in answer.json()["detail"]
        assert asking.get("/standings").status_code == 200
        room[0] = 1 << 30
        assert asking.act(note, "note-number-39").status_code == 200
    log = day.log()
    assert [own for own in answers if (f'"{own}"' in log) == (own in refused[:-1])] == []
    day.done("verify")
