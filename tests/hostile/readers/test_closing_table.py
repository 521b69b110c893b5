"""The table that closes a check: the same rows always, and never more than was looked at."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.proof import verifier
from ledger.proof.heads import HeadWaiver
from ledger.proof.table import CheckTable, Row, row_of_acts, row_of_names, row_of_texts
from ledger.proof.verifier import verify_file
from tests.faults.logs import small_logs
from tests.support.cli_desk import typed_once
from tests.support.files.nrtm_files import as_bytes, document, table
from tests.support.sample_days import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

ROWS = [
    "tree",
    "head",
    "witnesses",
    "acts",
    "authority",
    "rules",
    "names",
    "texts",
    "draws",
    "postings",
]
BY_RULES = {"authority", "rules", "draws", "postings"}
LOG = "day.jsonl"


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with one round paired and a ruling, and its export beside a policy."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.done("rule", "1", "the table was too small", "--as", "Pat Jones")
    (desk.folder / "policy").write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("export", "-o", LOG)
    return desk


def small(path: Path, *words: str) -> list[str]:
    """What the verifier of a sceptic prints."""
    said = StringIO()
    with redirect_stdout(said):
        assert verifier.main([str(path), *words]) == 0
    return said.getvalue().splitlines()


def names_of(lines: list[str]) -> list[str]:
    return [line.partition(": ")[0] for line in lines]


@pytest.mark.slow
def test_every_reader_closes_with_the_same_rows(day: Desk) -> None:
    assert list(CheckTable._fields) == ROWS
    day.report_all()
    day.done("receipt", "1/1", "-o", "aki.tlog-proof")
    day.done("export", "-o", LOG)
    policy = ("--policy", "policy")
    for words in ((), policy, (LOG,), (LOG, *policy), ("aki.tlog-proof", *policy)):
        assert names_of(day.done("verify", *words).out.splitlines()) == ROWS, words
        assert list(day.done("verify", *words, "--json").json) == ROWS, words
    for words in ((), ("--policy", str(day.folder / "policy"))):
        assert names_of(small(day.folder / LOG, *words)) == ROWS


def test_a_verifier_that_reads_no_rules_says_so(day: Desk) -> None:
    lines = dict(line.split(": ", 1) for line in small(day.folder / LOG))
    for row in BY_RULES:
        assert lines[row].startswith("UNCHECKED")
    assert lines["texts"].startswith("UNCHECKED (0 of 1)")


def test_a_row_never_hides_what_is_left() -> None:
    for counted in ((0, 3), (2, 3), (3, 3), (0, 0)):
        row = Row(*counted, "hold", "why")
        assert "UNCHECKED" in row.in_words()
        assert row.in_words().endswith("why")
    for done in range(4):
        for row in (
            row_of_names(done, 3),
            row_of_texts(3, done),
            row_of_acts(done, 3 - done, why=""),
        ):
            assert bool(row.unchecked) == (done < row.of), row
    assert Row(3, 3, "lines hold").in_words() == "3 of 3 lines hold"


def test_acts_that_nobody_signed_are_counted(day: Desk) -> None:
    """Pat holds no key: any desk of the store may have entered the ruling."""
    acts = day.done("verify", LOG, "--policy", "policy", "--json").json["acts"]
    assert acts["checked"] == 0
    assert acts["of"] >= 1
    assert "without a key are not signed" in acts["unchecked"]
    day.done("key", "new", "Pat Jones")
    day.done("rule", "1", "again", "--as", "Pat Jones")
    assert day.done("verify", "--json").json["acts"]["checked"] == 1


def test_a_key_that_a_desk_registered_for_the_judge_is_nobodys_word(tmp_path: Path) -> None:
    """The signature holds, and says no more than that: who the key belongs to is not in the log."""
    chance, lines = Random(1), [small_logs.opening()]
    for official, role in ((1, "organizer"), (2, "judge")):
        lines.append(small_logs.appointed(official, [role], lines, chance))
    lines.append(small_logs.first_key(2, lines, chance))
    ruling = small_logs.line_of(5, "RulingMade", "o1", {"match": 1, "official": 2})
    lines.append(small_logs.signed_truly(lines, ruling, chance))
    (tmp_path / LOG).write_bytes(b"".join(lines))
    acts = verify_file(tmp_path / LOG, HeadWaiver("what the table says of acts")).table.acts
    assert acts.checked == 1
    assert "no policy states whose keys these are" in acts.unchecked


def test_an_empty_name_is_wrong_usage(day: Desk) -> None:
    answer = day.type("verify", "")
    assert answer.code == 2
    assert "FILE is an empty name" in answer.err
    assert answer.err.count("\n") == 1


def test_an_import_was_drawn_elsewhere(desk: Desk) -> None:
    rounds = [[table(1, 2, 3, 0), table(3, 4, 3, 0)]]
    (desk.folder / "theirs.json").write_bytes(as_bytes(document([1, 2, 3, 4], rounds)))
    desk.done("import", "theirs.json")
    desk.done("export", "-o", LOG)
    rows = desk.done("verify", LOG, "--json").json
    assert rows["draws"]["checked"] == 0
    assert rows["draws"]["of"] > 0
    assert "drawn elsewhere" in rows["draws"]["unchecked"]
    assert "only few rules apply" in rows["rules"]["unchecked"]
    assert rows["rules"]["checked"] < rows["rules"]["of"]


@pytest.mark.slow
def test_replay_and_season_name_what_they_leave_open(day: Desk) -> None:
    assert "UNCHECKED, at least in part: head, witnesses, acts" in day.done("replay", LOG).err
    assert "UNCHECKED in every log: draws, postings" in day.done("season", "add", LOG).err


@pytest.mark.slow
def test_the_small_verifier_reads_every_sample_log() -> None:
    logs = [path for path in sorted(FOLDER.rglob("*.jsonl")) if path.parent.name != "broken"]
    assert logs
    for path in logs:
        table = verify_file(path).table
        assert {name for name, row in table._asdict().items() if row.unchecked} >= BY_RULES
