"""What qualifies an answer is in its JSON, too: a script does not read what a person is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ledger.books.vault import SHUFFLE_KEY
from tests.support.cli_desk import typed_once
from tests.support.days.vaults import STORE, destroy

if TYPE_CHECKING:
    from tests.support.cli_desk import Answer, Desk

VIEWS = (
    "whatif 1/1 none",
    "whatif --sweep",
    "whatif --sweep 1/1",
    "audit --margin",
    "audit --slips",
    "explain #1",
    "explain pairing 1/1",
    "match 1/1",
    "repair-round",
    "disputes",
    "component",
)


@typed_once
def running(desk: Desk) -> Desk:
    """Return a desk with round 2 of three running."""
    desk.open(8, "custom", "--rounds", "3", "--cut", "2")
    for _ in range(2):
        desk.done("pair")
        if desk.done("round", "--json").json["round"] == 1:
            desk.report_all()
    return desk


def said(answer: Answer) -> list[str]:
    """Return the lines on stderr."""
    return answer.err.splitlines()


def texts_of(value: object) -> str:
    """Return every text of a value, with single blanks between words."""
    return " ".join(json.dumps(value, ensure_ascii=False).split())


def is_said_in(line: str, value: object) -> bool:
    return json.dumps(" ".join(line.split()), ensure_ascii=False)[1:-1] in texts_of(value)


@pytest.mark.parametrize("words", ["whatif 1/1 none", "whatif --sweep", "whatif --sweep 1/1"])
def test_what_a_person_is_told_of_a_what_if_is_in_the_data(running: Desk, words: str) -> None:
    told = said(running.done(*words.split()))
    value = running.done(*words.split(), "--json").json
    assert told
    assert all(is_said_in(line, value["caveats"]) for line in told), (told, value["caveats"])


@pytest.mark.parametrize("words", ["audit --margin", "audit --slips"])
def test_what_a_guarantee_assumes_is_in_the_data(running: Desk, words: str) -> None:
    running.report_all()
    told = running.done(*words.split()).out
    value = running.done(*words.split(), "--json").json
    assert "it assumes" in told
    assert value["assumed"].startswith("it assumes")
    assert " ".join(value["assumed"].split()) in " ".join(told.split())


def test_places_that_may_still_change_are_not_final(running: Desk) -> None:
    running.done("prize", "offer", "1-2", "a playmat")
    for words in (["standings", "--final"], ["prize"]):
        assert "places may still change" in running.done(*words).err
        assert {row["final"] for row in running.done(*words, "--json").json} == {False}


@pytest.mark.parametrize("words", VIEWS)
def test_nothing_is_said_beside_json_that_is_not_in_it(running: Desk, words: str) -> None:
    """The key of the draws is lost, so what would have been drawn is left out."""
    if "audit" in words:
        running.report_all()
    destroy(str(running.folder / STORE), SHUFFLE_KEY)
    answer = running.type(*words.split(), "--json")
    if answer.code:
        assert list(answer.json) == ["problems"]
        return
    assert all(is_said_in(line, answer.json) for line in said(answer)), answer.err
    if words in {"whatif 1/1 none", "whatif --sweep 1/1"}:
        assert "are not shown" in texts_of(answer.json["caveats"])
