"""Forty-four incidents played at a desk: what is allowed, forbidden, asked and told."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from tests.clauses.incidents import Step, incidents, steps
from tests.support.files.format_lists import SAMPLES

if TYPE_CHECKING:
    from tests.support.cli_desk import Answer, Desk

NAMES = ("Ann Lee", "Bob Ray", "Cas Dor", "Dee Fox", "Eve Orr", "Fay Lim")
"""The players, as many of them as the day has."""

CLAUSE = re.compile(r"\b(?:AOP|FFG|L5R|LEG|RW|SWL)-[A-Z-]+\b")
FIRST_TABLES = ("--table", "ann", "bob", "--table", "cas", "dee", "--reason", "as in the table")


def open_day(desk: Desk, row: dict[str, Any]) -> None:
    """Open the day of an incident; where it says how, start it and round 1."""
    _write_files(desk, row)
    desk.done("new", "Night", "--organizer", "Kim Larsen", *shlex.split(row["day"]))
    names = NAMES[: row.get("players", 4)]
    desk.done("register", "--file", "-", stdin="\n".join(("name", *names)) + "\n")
    for name, role in row.get("officials", {}).items():
        desk.done("official", "add", name, "--role", role)
    for name in names if "lists" in row else ():
        text = (SAMPLES / row["lists"]).read_text(encoding="utf-8")
        (desk.folder / "list.txt").write_text(re.sub("Player: .*", f"Player: {name}", text))
        desk.done("lists", "submit", name, "list.txt")
    if "start" in row:
        _start(desk, row, names)


def _write_files(desk: Desk, row: dict[str, Any]) -> None:
    """Write the files of an incident: a sample's text, with what is changed in it, by pairs."""
    for name, (sample, *edits) in row.get("files", {}).items():
        text = (SAMPLES / sample).read_text(encoding="utf-8")
        for before, after in zip(edits[::2], edits[1::2], strict=True):
            assert before in text
            text = text.replace(before, after, 1)
        (desk.folder / name).write_text(text, encoding="utf-8")


def _start(desk: Desk, row: dict[str, Any], names: tuple[str, ...]) -> None:
    """Start the day and its first round, with all that the game asks before it."""
    game = shlex.split(row["day"])[1]
    for name in names if game == "ashes" else ():
        desk.done("lists", "check", name)
    desk.done("start", *shlex.split(row["start"]))
    desk.done("pair", *FIRST_TABLES)
    if game == "runewars":
        desk.done("scenario", "draw")
    desk.done("round", "start")


def typed(desk: Desk, step: Step) -> Answer:
    """Type the command of a step; `SAMPLES` in it is their folder, `report all` every table."""
    if step.command.startswith("report all"):
        desk.report_all(step.command.removeprefix("report all"))
        return desk.done("round")
    return desk.type(*shlex.split(step.command.replace("SAMPLES", str(SAMPLES))))


def test_there_are_forty_four() -> None:
    """Each has an id of its own, and a play that shows all that the row says."""
    rows = incidents()
    assert len({row["id"] for row in rows}) == len(rows) == 44
    for row in rows:
        played = steps(row["play"])
        acts = {step.act for step in played}
        assert not {act for act in ("allow", "forbid", "ask") if row[act] != "-"} - acts, row["id"]
        refusals = " ".join(text for step in played if step.act == "forbid" for text in step.says)
        assert {*CLAUSE.findall(row["forbid"])} <= {*CLAUSE.findall(refusals)}, row["id"]


def _marks(row: dict[str, Any]) -> list[pytest.MarkDecorator]:
    """Mark what the program does not do yet; it fails once it is done, and `waits` goes."""
    return [pytest.mark.xfail(reason=row["waits"], strict=True)] if "waits" in row else []


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["id"], marks=_marks(row)) for row in incidents()]
)
def test_incident(desk: Desk, row: dict[str, Any]) -> None:
    """Allow, forbid and ask what the row says; a refusal writes nothing."""
    open_day(desk, row)
    for step in steps(row["play"]):
        before = desk.log()
        answer = typed(desk, step)
        said = answer.out + answer.err
        assert (answer.code == 0) == (step.act == "allow"), (step.command, said)
        assert step.act in {"allow", "find"} or desk.log() == before, step.command
        for text in step.says:
            hidden = text.removeprefix("never ")
            assert (hidden in said) == (hidden == text), (step.command, text, said)


def test_no_public_file_names_hidden_cards(desk: Desk) -> None:
    """SWL-HIDDEN: neither command cards nor battle cards while the event runs."""
    open_day(desk, next(row for row in incidents() if row["id"] == "command-hand-on-the-wall"))
    desk.done("publish", "public")
    files = [path for path in (desk.folder / "public").rglob("*") if path.is_file()]
    assert files
    for path in files:
        text = path.read_bytes()
        assert not [card for card in (b"Sudden Storm", b"Night March") if card in text], path
