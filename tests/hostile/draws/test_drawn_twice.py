"""A round that was drawn twice: who draws again may choose, so it is said before all else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.proof.verifier import verify_file
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

LOG = "day.jsonl"
SAID = "round 1 was drawn 3 times (line "


@typed_once
def day(desk: Desk) -> Desk:
    """A day whose first round was drawn three times, with findings of more weight next to it."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    for reason in ("the projector failed", "a better draw"):
        desk.done("unpair", "--reason", reason)
        desk.done("pair")
    desk.report_all()
    _, second = desk.seats(1)
    desk.done("pair")
    desk.done("correct", "1/1", f"#{second}", "--reason", "misread")
    desk.done("export", "-o", LOG)
    return desk


def test_verify_says_it_first(day: Desk) -> None:
    for words in (("verify",), ("verify", LOG)):
        assert day.done(*words).out.startswith(SAID)
        assert SAID in day.done(*words, "--json").json["draws"]["first"]


def test_the_small_verifier_says_it_first(day: Desk) -> None:
    assert verify_file(Path(LOG)).table.lines()[0].startswith(SAID)
    assert day.folder == Path.cwd()


def test_the_audit_says_it_first(day: Desk) -> None:
    found = day.done("audit", "--json").json["findings"]
    assert [each["kind"] for each in found[:2]] == ["re-paired", "re-paired"]
    assert "breach" in {each["severity"] for each in found[2:]}
    assert "paired again" in day.done("audit").out.splitlines()[2]


def test_nothing_is_said_of_rounds_drawn_once(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    answer = desk.done("verify")
    assert answer.out.startswith("tree: ")
    assert "first" not in desk.done("verify", "--json").json["draws"]
