"""Forty-four incidents played at a desk: what is allowed, forbidden, asked and told."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from ledger import rulesets
from ledger.rulesets.clauses import prefix_of, prefixes_of_games
from tests.clauses.incidents import Step, days_of_wrong_acts, incidents, steps
from tests.support.files.format_lists import SAMPLES

if TYPE_CHECKING:
    from tests.support.cli_desk import Answer, Desk

NAMES = ("Ann Lee", "Bob Ray", "Cas Dor", "Dee Fox", "Eve Orr", "Fay Lim")
"""The players, as many of them as the day has."""

CLAUSE = re.compile(r"\b(?:AOP|FFG|L5R|LEG|RW|SWL)-[A-Z-]+\b")
USAGE = 2
"""Exit code of a line that lacks something, as a reason: it has one line and no problem."""

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


WRONG_ACTS_MIN = 80


def test_the_wrong_acts_are_of_every_game() -> None:
    """Each names the clauses of its own game, and of no other's."""
    count, games = 0, set()
    for row in days_of_wrong_acts():
        words = shlex.split(row["day"])
        rules = rulesets.load(words[1]).ruleset
        foreign = prefixes_of_games() - rules.prefixes
        for step in steps(row["play"]):
            clauses = [text for text in step.says if CLAUSE.fullmatch(text)]
            assert step.act != "forbid" or clauses, (row["id"], step.command)
            assert not {prefix_of(clause) for clause in clauses} & foreign, (row["id"], step)
            count += step.act == "forbid"
        games |= {words[1], *words[3:4]}
    assert count >= WRONG_ACTS_MIN
    assert games >= {"l5r", "runewars", "legion", "ashes", "l5r-legacy"}


@pytest.mark.parametrize("row", days_of_wrong_acts(), ids=lambda row: row["id"])
def test_wrong_acts(desk: Desk, row: dict[str, Any]) -> None:
    """A wrong act is refused by its clause, in one line for a person and as `clause` in --json."""
    open_day(desk, row)
    for step in steps(row["play"]):
        before = desk.log()
        answer = typed(desk, step)
        if step.act == "allow":
            assert answer.code == 0, (step.command, answer.err)
            continue
        assert answer.code in {1, 2, 3}, (step.command, answer.out)
        cited = {clause for line in answer.err.splitlines() for clause in CLAUSE.findall(line)}
        assert cited >= {*step.says}, (step.command, answer.err)
        assert desk.log() == before, step.command
        if answer.code != USAGE:
            problems = typed(desk, step._replace(command=f"{step.command} --json")).json["problems"]
            named = {label for each in problems for label in each["clause"].split(", ")}
            assert named >= {*step.says}, (step.command, problems)
            assert desk.log() == before, step.command


def test_no_public_file_names_hidden_cards(desk: Desk) -> None:
    """SWL-HIDDEN: neither command cards nor battle cards while the event runs."""
    open_day(desk, next(row for row in incidents() if row["id"] == "command-hand-on-the-wall"))
    desk.done("publish", "public")
    files = [path for path in (desk.folder / "public").rglob("*") if path.is_file()]
    assert files
    for path in files:
        text = path.read_bytes()
        assert not [card for card in (b"Sudden Storm", b"Night March") if card in text], path
