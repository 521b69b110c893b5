"""The owner's page of persons: accepts, parts, merges, splits, undoes; for the owner alone."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.cli.season.test_season_matching import NAMES, PEOPLE, persons
from tests.cli.season.test_season_persons import report
from tests.cli.serve.test_entry import House
from tests.support.cli_desk import typed_once, without_isolates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow

PAGE = "/events/persons"
PAGE_MAX = 60_000
DECIDED = {"by": "Kim", "reason": "asked them"}


@typed_once
def season(desk: Desk) -> Desk:
    """Two events of three, twice over, so that two of them are proposed with some confidence."""
    (desk.folder / "logs").mkdir()
    for month, (name, people) in enumerate(PEOPLE.items(), start=3):
        (desk.folder / f"{name}.trf").write_bytes(report(name, people, f"2026/0{month}/14"))
        stream = desk.done("import", f"{name}.trf").out.strip()
        desk.done("export", "-t", stream, "-o", f"logs/{name}.jsonl")
    desk.done("season", "people", "name", "Nobody Here", "nobody")
    desk.done("season", "add", "logs")
    return desk


@pytest.fixture
def house(season: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.chdir(season.folder)
    served = House(season)
    with served.here:
        yield served


def text_of(answer: Response) -> str:
    return without_isolates(unescape(answer.text))


def keys(answer: Response) -> list[str]:
    return re.findall(r'name="do ([0-9a-f]{8})"', answer.text)


def test_names_are_shown_to_the_owner_alone(house: House) -> None:
    for client in (house.here, house.stranger):
        answer = client.get(PAGE)
        assert answer.status_code == 401
        assert not any(name in text_of(answer) for name in NAMES)
    assert house.post(PAGE, job="undo", act="1", **DECIDED).status_code == 401
    house.enter()
    cookies = house.here.cookies
    assert 'href="events/persons"' in house.here.get("/events").text
    answer = house.here.get(PAGE)
    assert answer.status_code == 200
    assert len(answer.content) <= PAGE_MAX
    assert "Leverkusen" in text_of(answer)
    assert "no-store" in answer.headers["cache-control"]
    house.stranger.cookies.update(cookies)
    assert house.stranger.get(PAGE).status_code == 401


def test_the_owner_accepts_and_undoes(house: House) -> None:
    house.enter()
    (key, *_) = keys(house.here.get(PAGE))
    answer = house.post(PAGE, job="decide", **{f"do {key}": "accept"}, **DECIDED)
    assert answer.status_code == 303, text_of(answer)
    joined = persons(house.desk)
    assert len(joined) > 1
    assert key not in keys(house.here.get(PAGE))
    for act in reversed(house.desk.done("season", "people", "acts", "--json").json):
        undone = house.post(PAGE, job="undo", act=str(act["number"]), by="Kim")
        assert undone.status_code == 303
    assert persons(house.desk) == []
    assert key in keys(house.here.get(PAGE))


def test_not_the_same_stays_away(house: House) -> None:
    house.enter()
    (key, *_) = keys(house.here.get(PAGE))
    house.post(PAGE, job="decide", **{f"do {key}": "apart"}, **DECIDED)
    shown = house.here.get(PAGE)
    assert key not in keys(shown)
    assert "apart" in text_of(shown)


def test_the_owner_merges_and_splits_by_hand(house: House) -> None:
    house.enter()
    guests = re.findall(r"<code>([0-9a-f]{8}/1)</code>", house.here.get(PAGE).text)
    one, other = sorted(set(guests))[:2]
    assert house.post(PAGE, job="merge", person=one, into=other, **DECIDED).status_code == 303
    assert len(persons(house.desk)) == 2
    assert house.post(PAGE, job="split", person=one, **DECIDED).status_code == 303
    assert len(set(persons(house.desk))) == 1 or persons(house.desk) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"job": "other"},
        {"job": "decide"},
        {"job": "decide", "do 00000000": "accept", "by": "Kim"},
        {"job": "decide", "do --season=x": "accept", "by": "Kim"},
        {"job": "undo", "act": "--help", "by": "Kim"},
        {"job": "undo", "act": "1"},
        {"job": "merge", "person": "", "into": "x", "by": "Kim"},
    ],
)
def test_a_strange_form_decides_nothing(house: House, fields: dict[str, str]) -> None:
    house.enter()
    answer = house.post(PAGE, **fields)
    assert answer.status_code >= 400
    assert 'role="alert"' in answer.text
    assert house.desk.done("season", "people", "acts", "--json").json == []


def test_without_a_vault_the_page_says_so(house: House) -> None:
    (house.desk.folder / "league.db").unlink()
    house.enter()
    answer = house.here.get(PAGE)
    assert answer.status_code == 404
    assert "league.db" in text_of(answer)
    assert 'href="events/persons"' not in house.here.get("/events").text
