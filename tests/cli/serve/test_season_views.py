"""The season's views beside an event: as the verbs give them, guarded, and in nobody's way."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.season.sandbox import confined_season
from cli.season.served import FOR_READERS, ServedSeason, ShownFiles, view_of
from cli.serve.views import KEPT_MAX, SEASON_VIEWS, WAITING_MAX
from cli.verbs.season.by_points import own_scheme
from ledger.errors import Refused
from projections.season.grouping.groups import OTHER
from tests.support.chance.random_seasons import day as random_day
from tests.support.hall import Browser, hall_open, official
from tests.support.sample_season import SCHEME
from tests.support.season import take_in, write_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.season.served import CheckedWords
    from cli.serve.views import AskedView
    from tests.support.cli_desk import Desk

KEY = "sample-season"
"""Of the points scheme."""


class NearSeason(ServedSeason):
    """Makes the views in this process, which is quicker; counts them."""

    count = 0

    def _made(self, asked: AskedView, checked: CheckedWords, _: Callable[[], bool]) -> bytes:
        self.count += 1
        with confined_season(self._files.season) as season:
            return view_of(season, self._files, asked, checked)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six tournaments, loaded once."""
    folder: Path = tmp_path_factory.mktemp("season")
    logs = [write_log(folder / f"{number}.jsonl", random_day(number)) for number in range(6)]
    take_in(folder / "season.duckdb", *logs)
    return folder / "season.duckdb"


@pytest.fixture
def event(desk: Desk, loaded: Path) -> Desk:
    """An event, and beside it the season, a scheme, and two names of whom one agreed."""
    shutil.copyfile(loaded, desk.folder / "season.duckdb")
    (desk.folder / "points.toml").write_text(SCHEME)
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("register", "Ann Lee")
    rows = desk.done("season", "standings", "--scheme", "points.toml", "--json").json
    first, second = (each["person"] for each in rows[:2])
    desk.done("season", "people", "name", "Ann Agreed", first)
    desk.done("season", "people", "name", "Ben Quiet", second, "--member", "4711")
    (desk.folder / "agreed.txt").write_text(f"{first}\n")
    return desk


def files(desk: Desk) -> ShownFiles:
    season, league, agreed, points = (
        str(desk.folder / each)
        for each in ("season.duckdb", "league.db", "agreed.txt", "points.toml")
    )
    return ShownFiles(season, league, agreed, (own_scheme(Path(points)),))


@pytest.fixture
def near(event: Desk) -> NearSeason:
    return NearSeason(files(event))


@pytest.fixture
def browser(near: NearSeason) -> Iterator[Browser]:
    with hall_open(season=near) as asking:
        yield asking


def value(browser: Browser, path: str) -> Any:  # noqa: ANN401 - as the view gives
    answer = browser.get(f"/api/v1/season/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(browser: Browser, path: str) -> tuple[int, str]:
    answer = browser.get(f"/api/v1/season/{path}")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["problems"]
    return answer.status_code, answer.json()["detail"]


@pytest.mark.slow
def test_a_view_is_what_the_verb_gives(event: Desk, browser: Browser) -> None:
    agreed = ("--agreed", "agreed.txt")
    browser.who = official(1)
    pairs = {
        "events": ("season",),
        f"standings/{KEY}": ("season", "standings", "--scheme", "points.toml", *agreed),
        f"standings/{KEY}?at=2026-03-01": (
            *("season", "standings", "--scheme", "points.toml", "--at", "2026-03-01", *agreed),
        ),
        "questions": ("stats", "list"),
        "questions/factions?ruleset=l5r": ("stats", "factions", "--ruleset", "l5r", *agreed),
        "questions/head-to-head?top=7": ("stats", "head-to-head", "--top", "7", *agreed),
        "ratings/elo?ruleset=l5r": ("rating", "elo", "--ruleset", "l5r", *agreed),
    }
    for path, words in pairs.items():
        typed = event.type(*words, "--json")
        assert (typed.code, value(browser, path) == typed.json) == (0, True), path
    name = own_scheme(Path("points.toml")).name
    assert value(browser, "standings") == [{"scheme": KEY, "name": name}]


def test_only_who_agreed_is_named(browser: Browser) -> None:
    paths = (f"standings/{KEY}", "ratings/elo?ruleset=l5r", "questions/head-to-head")
    for who, some in ((browser.who, paths[:2]), (official(1), paths)):
        browser.who = who
        for path in some:
            shown = browser.get(f"/api/v1/season/{path}").text
            assert "Ben Quiet" not in shown, path
    browser.who = official(1)
    assert "Ann Agreed" in browser.get(f"/api/v1/season/standings/{KEY}").text


@pytest.mark.slow
def test_small_groups_are_in_no_answer_for_everybody(browser: Browser) -> None:
    for name, width in (("factions", 2), ("faction-matchups", 3), ("faction-trend", 3)):
        shown = value(browser, f"questions/{name}")
        browser.who, before = official(1), browser.who
        whole = value(browser, f"questions/{name}")
        browser.who = before
        assert bool(shown) == (name != "faction-matchups"), name  # here all are too small
        assert len(shown) < len(whole), name
        assert all(each in whole for each in shown if each["faction"] != OTHER)
        keys = {tuple(list(each.values())[:width]) for each in shown}
        for each in whole:
            if each["faction"] and each.get("persons", 5) < 5:  # who gave none is no group
                assert tuple(list(each.values())[:width]) not in keys


def test_a_question_of_each_group_is_for_officials(browser: Browser) -> None:
    """Its rows may be of few persons, whatever the question says of all."""
    path = "questions/outcomes?by=faction"
    assert refused(browser, path)[0] == 401
    browser.who = official(1)
    rows = value(browser, path)
    assert list(rows[0])[:2] == ["group", "ruleset"]
    assert {each["group"] for each in rows} == {"Crab", "Crane", "Lion"}
    status, why = refused(browser, "questions/outcomes?by=corp")
    assert (status, "no entrant has an attribute" in why) == (404, True)


def test_what_singles_persons_out_is_for_officials(browser: Browser) -> None:
    assert {each["question"] for each in value(browser, "questions")} == set(FOR_READERS)
    for path in ("questions/head-to-head", "questions/officials", "questions/schedule-luck"):
        status, why = refused(browser, path)
        assert (status, "only officials can see it" in why) == (401, True), path
    for word in ("tier=formal", "from=2026-01-01", "to=2026-02-01", "player=Ben", "by=faction"):
        status, why = refused(browser, f"questions/factions?{word}")
        assert (status, word.partition("=")[0] in why) == (401, True), word
    browser.who = official(1)
    answer = browser.get("/api/v1/season/questions/head-to-head")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("questions/facions", 404, "factions"),
        ("questions/factions?rulset=l5r", 400, "?rulset"),
        ("questions/factions?ruleset=chess960", 404, "ruleset"),
        ("questions/factions?top=0", 400, "top"),
        ("questions/factions?top=-1", 400, "top"),
        ("questions/factions?top=%F0%9D%9F%91", 400, "top"),
        ("questions/factions?top=9999999999999999999999", 400, "top"),
        ("questions/'; DROP TABLE people; --", 404, "no question"),
        ("questions/factions?ruleset=' OR 1=1 --", 404, "ruleset"),
        ("questions/..%2f..%2fetc", 404, "no"),
        ("standings/other", 404, KEY),
        (f"standings/{KEY}?at=yesterday", 400, "yesterday"),
        (f"standings/{KEY}?at=2026-02-30", 400, "2026-02-30"),
        (f"standings/{KEY}?top=3", 400, "?top"),
        ("events?at=2026-01-01", 400, "it has none"),
        ("ratings/chess", 404, "elo"),
        ("ratings/elo", 409, "?ruleset="),
        ("ratings/elo?ruleset=l5r&at=1999-01-01", 404, "1999-01-01"),
        ("nothing", 404, "no such"),
    ],
)
def test_what_is_wrong_is_said(browser: Browser, path: str, status: int, said: str) -> None:
    found, why = refused(browser, path)
    assert (found, said in why) == (status, True), why


@pytest.mark.slow
def test_an_answer_is_made_once_as_long_as_the_files_are_as_they_were(
    event: Desk, near: NearSeason, browser: Browser
) -> None:
    first = browser.get("/api/v1/season/events")
    assert first.headers["cache-control"] == "no-cache"
    known = {"if-none-match": first.headers["etag"]}
    assert browser.get("/api/v1/season/events", headers=known).status_code == 304
    assert browser.get("/api/v1/season/events").content == first.content
    assert near.count == 1
    event.done("season", "people", "name", "Cleo", "another")
    assert browser.get("/api/v1/season/events", headers=known).status_code == 200
    assert near.count == 2
    for number in range(1, KEPT_MAX + 5):
        browser.get(f"/api/v1/season/questions/outcomes?top={number}")
    browser.get("/api/v1/season/events")
    assert near.count == 2 + KEPT_MAX + 4 + 1


def test_a_season_that_is_not_there(event: Desk, browser: Browser) -> None:
    (event.folder / "season.duckdb").unlink()
    assert refused(browser, "events")[0] == 404
    with hall_open() as without:
        for each in SEASON_VIEWS:
            status, why = refused(without, each.path[1:].replace("{word}", "x"))
            assert (status, "serve --season FILE" in why) == (404, True)


def test_a_list_of_who_agreed_that_went_wrong_is_told_to_nobody(
    event: Desk, browser: Browser
) -> None:
    (event.folder / "agreed.txt").write_text("Ben Quiet\n")
    status, why = refused(browser, f"standings/{KEY}")
    assert (status, "Quiet" in why) == (503, False)
    (event.folder / "season.duckdb").write_bytes(b"SQLite format 3\0 or not")
    assert refused(browser, "events")[0] in (409, 503)


class SlowSeason(ServedSeason):
    """Answers when it is let."""

    let = Event()

    def _made(self, _: AskedView, __: CheckedWords, is_over: Callable[[], bool]) -> bytes:
        while not self.let.wait(0.01):
            if is_over():
                raise Refused("the hall closes")
        return b"[]"


def test_a_slow_season_keeps_nobody_else_waiting(event: Desk) -> None:
    slow = SlowSeason(files(event))

    def ask(number: int) -> int:
        path = f"/api/v1/season/questions/outcomes?top={number}"
        status: int = hall.get(path).status_code
        return status

    async def all_of_them(many: int) -> list[int]:
        found: list[int] = []
        too_many = anyio.Event()

        async def one(number: int) -> None:
            found.append(await anyio.to_thread.run_sync(ask, number))
            too_many.set()

        async with anyio.create_task_group() as group:
            for number in range(1, many + 1):
                group.start_soon(one, number)
            await too_many.wait()
            hall.who = official(1)
            acted = await anyio.to_thread.run_sync(
                lambda: hall.act({"type": "TakeNote", "text": "x"})
            )
            assert acted.status_code == 200  # while the season's views still wait
            slow.let.set()
        return found

    with hall_open(season=slow) as hall:
        found = anyio.run(all_of_them, WAITING_MAX + 3)
    assert sorted(found) == [200] * WAITING_MAX + [429] * 3


@pytest.mark.slow
def test_in_a_process_of_its_own(event: Desk) -> None:
    far = ServedSeason(files(event))
    far.check()
    with hall_open(season=far) as browser:
        assert value(browser, "events") == event.done("season", "--json").json
        assert refused(browser, "standings/other")[0] == 404
        assert refused(browser, "ratings/elo?ruleset=l5r&at=1999-01-01")[0] == 404
        shown = value(browser, "ratings/glicko2?ruleset=l5r")
        assert shown == [
            {**each, "person_name": "Ann Agreed" if each["person_name"] == "Ann Agreed" else None}
            for each in event.done("rating", "glicko2", "--ruleset", "l5r", "--json").json
        ]


@pytest.mark.slow
def test_what_speaks_against_a_season_is_said_before_a_port_is_taken(event: Desk) -> None:
    for code, said, words in (
        (2, "--season", ("--scheme", "points.toml")),
        (3, "there is no season", ("--season", "other.duckdb")),
        (
            2,
            "have the same key",
            ("--season", "season.duckdb", "--scheme", "points.toml", "--scheme", "points.toml"),
        ),
        (
            3,
            "there is no no.db",
            ("--season", "season.duckdb", "--agreed", "agreed.txt", "--league", "no.db"),
        ),
        (3, "other.toml", ("--season", "season.duckdb", "--scheme", "other.toml")),
    ):
        answer = event.type("serve", "--port", "0", *words)
        assert (answer.code, said in answer.err) == (code, True), answer.err
