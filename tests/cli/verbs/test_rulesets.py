"""`ruleset show`: what a judge reads, and the file that a stranger starts from."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from cli.wording.ruleset_words import in_words
from ledger.rulesets import load, names, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk


def clauses_of(value: Any) -> Iterator[str]:  # noqa: ANN401 - a table, a list or a value
    """Every clause that a file names, at any depth."""
    if isinstance(value, dict):
        if "clause" in value:
            yield value["clause"]
        for below in value.values():
            yield from clauses_of(below)
    elif isinstance(value, list):
        for below in value:
            yield from clauses_of(below)


@pytest.mark.parametrize("key", names())
def test_every_clause_of_a_file_stands_in_the_words(key: str) -> None:
    told = {clause for _, _, clause in in_words(load(key).ruleset)}
    fields = {one["clause"] for one in tomllib.loads(text_of(key)).get("fields", [])}
    sums = {one["clause"] for one in _sums(key)}
    assert set(clauses_of(tomllib.loads(text_of(key)))) - fields - sums <= told


def _sums(key: str) -> list[dict[str, Any]]:
    sums: list[dict[str, Any]] = tomllib.loads(text_of(key)).get("procedure", {}).get("sums", [])
    return sums


def test_a_judge_reads_the_floor(desk: Desk) -> None:
    """RW-SEASON, RW-SIDE, RW-SCORE: one line each, with the clause."""
    shown = desk.done("ruleset", "show", "runewars").out
    lines = " ".join(shown.split())
    assert "from 2018-10-01 Unprepared, Meeting Engagement, Maelstrom;" in lines
    assert "sides the second player chooses RW-SIDE" in lines
    assert "points margin 150 or more: winner 10, loser 1 RW-SCORE" in lines
    assert "reading" in shown


def test_rw_discard_a_judge_reads_when_an_upgrade_counts(desk: Desk) -> None:
    """RW-DISCARD: the table adds its units up, so the reading stands where it is looked up."""
    assert "RW-DISCARD" in desk.done("ruleset", "show", "runewars").out
    told = {clause: text for _, text, clause in in_words(load("runewars").ruleset)}
    assert "only if its unit is destroyed" in told["RW-DISCARD"]


def test_the_file_itself_and_one_of_ones_own(desk: Desk) -> None:
    assert desk.done("ruleset", "show", "mtg", "--toml").out == text_of("mtg")
    assert desk.done("ruleset", "show", "mtg", "--json").json["text"] == text_of("mtg")
    (desk.folder / "mine.toml").write_text(text_of("mtg").replace("Magic: The G", "The G"))
    assert desk.done("ruleset", "show", "mine.toml").out.startswith("The Gathering\n")
    assert "no ruleset" in desk.refused("ruleset", "show", "nothing").err


def test_the_key_of_a_game_may_be_typed_in_capitals(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "L5R", "--organizer", "Kim")
    assert [row["ruleset"] for row in desk.done("tournaments", "--json").json] == ["l5r"]
    assert desk.done("ruleset", "show", "L5R").out == desk.done("ruleset", "show", "l5r").out


def test_one_rank_is_named_as_one(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    assert "prize for rank 1: mat" in desk.done("prize", "offer", "1", "mat").err
    assert "prize for ranks 2 to 4: pins" in desk.done("prize", "offer", "2-4", "pins").err
