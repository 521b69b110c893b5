"""The rehearsal: what it measures, what it would notice, and one that is played."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import astuple

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.rehearsals import rehearsal
from cli.serve.rehearsals.rehearsal import Browser, Figures, NoAnswer, lost_of

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


REFUSED = 1


def line(number: int, name: str) -> bytes:
    return msgspec.json.encode({"seq": number, "id": name})


LINES = [line(1, "one"), line(2, "two"), line(3, "twice"), line(4, "twice")]


@pytest.mark.parametrize(
    ("answered", "lost"),
    [
        ({"one": 1, "two": 2}, []),
        ({"one": 1, "three": 3}, ["three"]),
        ({"twice": 3}, ["twice"]),
        ({"one": 2}, ["one"]),
        ({"five": 9}, ["five"]),
    ],
)
def test_an_act_is_lost_that_is_not_in_the_log_once_at_its_place(
    answered: dict[str, int], lost: list[str]
) -> None:
    assert lost_of(answered, LINES) == lost


def test_figures_are_of_all_times_and_the_slowest_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([10.0, 10.2, 10.5])
    monkeypatch.setattr(rehearsal, "perf_counter", lambda: next(clock))
    found = Figures()
    for hundredth in range(100):
        found.took("a page", hundredth / 100, f"/{hundredth}")
    found.act_done({"one": 7})
    found.page_shows(7, 9)
    found.page_shows(6, 7)
    page, shown = found.table()
    assert astuple(page)[1:] == (100, 500.0, 990.0, 990.0)
    assert astuple(shown)[1:] == (1, 500.0, 500.0, 500.0)
    assert list(found.slowest())[:2] == [("/99", 990.0), ("/98", 980.0)]
    assert len(list(found.slowest())) == rehearsal.SLOWEST


def test_a_server_that_answers_nothing_is_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "PATIENCE_SECONDS", 0.05)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def ask() -> Figures:
        found = Figures()
        async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
            asking = Browser(server.sockets[0].getsockname()[1], found)
            with pytest.raises(NoAnswer):
                await asking.get("/me")
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        return found

    assert dict(asyncio.run(ask()).wrong) == {"GET /me: TimeoutError": 1}


@pytest.mark.slow
def test_a_small_day(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players contradict, confirm and sleep; nothing of the desk's own folder changes."""
    monkeypatch.setattr(rehearsal, "CONTRADICTS", 0.5)
    monkeypatch.setattr(rehearsal, "SLEEPS", 1)
    monkeypatch.setattr(rehearsal, "SPREAD_SECONDS", 0.1)
    monkeypatch.setattr(rehearsal, "LAST_SECONDS", 1)
    desk.open(4, "basic")
    before = desk.log()
    line = ("rehearse", "--players", "9", "--rounds", "2", "--pace", "1", "--seed", "3")
    account = desk.done(*line, "--json").json
    assert desk.log() == before
    assert (account["lost"], account["wrong"]) == ([], {})
    assert (account["players"], account["rounds"]) == (9, 2)
    assert account["acts"] >= 2 * 2 + 2 * 4 + 1
    found = {each["what"]: each["count"] for each in account["took"]}
    assert found["signing in"] == 10
    assert found["an act, from its answer to an open page"] > 9


@pytest.mark.slow
def test_an_answered_act_that_is_gone_is_an_error(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal, "SPREAD_SECONDS", 0.1)
    monkeypatch.setattr(rehearsal, "LAST_SECONDS", 0)
    lines_of = rehearsal._lines_of
    monkeypatch.setattr(rehearsal, "_lines_of", lambda venue: lines_of(venue)[:-1])
    answer = desk.type("rehearse", "--players", "2", "--rounds", "1", "--pace", "0")
    assert answer.code == REFUSED
    assert answer.err.count("\n") == 1
    assert "not recorded exactly once" in answer.err


def test_what_is_no_number_of_players_is_refused(desk: Desk) -> None:
    assert (
        "--players must be a whole number from 2 to 2000"
        in desk.refused("rehearse", "--players", "1").err
    )


@pytest.mark.slow
def test_it_is_played_whatever_language_the_terminal_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with rehearsal.built(players=2, rounds=1) as venue:
        assert venue.port
