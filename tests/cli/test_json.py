"""Every verb with --json on a played day: its members are those of the page of shapes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cli.verbs import acts_of
from tests.support.days.table_day import ON_THE_DAY
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.days.table_day import CsvDay

pytestmark = [pytest.mark.slow, ON_THE_DAY]

PAGE = (ROOT / "cli" / "README.md").read_text("utf-8")
ACT = "`id` `events`"

OWN_COLUMNS = {"stats", "rating", "query"}
"""What gives rows of the columns that were asked for."""

NO_JSON = {"demo", "receipt", "serve", "follow", "take-over"}
"""What gives lines of a file, or an address, with --json as without; the demo refuses it, and two
take a second computer: `tests/cli/succession` has their answers."""


class Shape(NamedTuple):
    """What the page says of a line: what it gives, the members, and those that may be missing."""

    gives: str
    members: list[str]
    optional: set[str]


def shape(gives: str, members: str) -> Shape:
    """Read the members of a cell; what may be missing has a question mark."""
    found = re.findall(r"`(\w+)`(\??)", members)
    return Shape(gives, [name for name, _ in found], {name for name, mark in found if mark})


def rows() -> Iterator[list[str]]:
    """The cells of every table of the page, without the heads."""
    for line in PAGE.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]


def of_acts() -> dict[str, Shape]:
    """The shapes of the acts by their verbs, with the members of every act."""
    return {
        verb: shape("object", f"{ACT} {cells[1]}")
        for cells in rows()
        if len(cells) == 2
        for verb in re.findall(r"`([\w-]+)`", cells[0])
    }


def of_lines() -> dict[str, Shape]:
    """The shapes of all other lines."""
    return {
        line: shape(cells[1], cells[2])
        for cells in rows()
        if len(cells) == 4
        for line in re.findall(r"`([^`]+)`", cells[0])
    }


def test_every_verb_is_on_the_page() -> None:
    lines = {line.partition(" ")[0] for line in of_lines()}
    assert set(acts_of("")) == {*lines, *of_acts(), *OWN_COLUMNS, *NO_JSON}


def test_every_line_of_the_page_was_typed(every_verb: CsvDay) -> None:
    assert every_verb.given.keys() == of_lines().keys()
    assert every_verb.acts.keys() == of_acts().keys()


@pytest.mark.parametrize("verb", of_acts())
def test_an_act(every_verb: CsvDay, verb: str) -> None:
    known = of_acts()[verb]
    answers = [json.loads(answer) for answer in every_verb.acts[verb]]
    for told in answers:
        assert set(known.members) - known.optional <= told.keys() <= set(known.members)
        assert all(list(each) == ["seq", "id", "type"] for each in told["events"])
    assert known.optional <= {member for told in answers for member in told}


@pytest.mark.parametrize("line", of_lines())
def test_a_line(every_verb: CsvDay, line: str) -> None:
    known = of_lines()[line]
    for answer in every_verb.given[line]:
        if known.gives == "lines":
            assert all(isinstance(json.loads(each), dict) for each in answer.splitlines())
            continue
        assert answer.count("\n") == 1
        told = json.loads(answer)
        assert isinstance(told, dict if known.gives == "object" else list)
        assert told
        listed = told if isinstance(told, list) else [told]
        if known.gives.startswith("list of"):
            kind = {"list of lists": list, "list of texts": str}[known.gives]
            assert all(isinstance(each, kind) for each in listed)
            continue
        for each in listed:
            left_out = known.optional - each.keys()
            assert list(each) == [name for name in known.members if name not in left_out]


def test_names_stand_beside_numbers(every_verb: CsvDay) -> None:
    for line in (
        "match",
        "disputes",
        "lists",
        "conduct",
        "penalty",
        "pairings",
        "whatif --sweep R/T",
    ):
        for answer in every_verb.given[line]:
            told = json.loads(answer)
            for each in told if isinstance(told, list) else [told]:
                names = each["names"] if "players" in each else [each["name"]]
                assert all(isinstance(name, str | None) for name in names)
                assert len(names) == len(each.get("players", [0]))
