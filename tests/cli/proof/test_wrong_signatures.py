"""Every signature is counted, and the first line with a wrong one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.proof.formats import Invalid
from ledger.proof.heads import HeadWaiver
from ledger.proof.verifier import verify_file

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

LOG = "day.jsonl"
RULINGS = 5
NO_HEAD = HeadWaiver("no head names the line")


@pytest.fixture
def log(desk: Desk) -> Path:
    """A log of signed rulings, without a head: nothing else names a line that was changed."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.done("key", "new", "Pat Jones")
    for number in range(RULINGS):
        desk.done("rule", "1", f"ruling {number}", "--as", "Pat Jones")
    desk.done("export", "--without-names", "-o", LOG)
    for beside in (".checkpoint", ".hashes"):
        (desk.folder / f"{LOG}{beside}").unlink(missing_ok=True)
    return desk.folder / LOG


def changed(log: Path, number: int, old: bytes, new: bytes) -> None:
    """Change a line, by its place from the end."""
    lines = log.read_bytes().splitlines(keepends=True)
    assert old in lines[-number]
    lines[-number] = lines[-number].replace(old, new)
    log.write_bytes(b"".join(lines))


@pytest.mark.slow
def test_each_is_counted(log: Path) -> None:
    assert verify_file(log, NO_HEAD).table.acts.checked == RULINGS


@pytest.mark.slow
@pytest.mark.parametrize("wrong", range(1, RULINGS + 1))
def test_a_wrong_one_is_named(log: Path, wrong: int) -> None:
    place = len(log.read_bytes().splitlines()) - wrong + 1
    changed(log, wrong, b'"match":1', b'"match":2')
    with pytest.raises(Invalid, match=f"^line {place}: RulingMade has a signature that was "):
        verify_file(log, NO_HEAD)


@pytest.mark.slow
def test_the_first_of_two_wrong_lines_is_named(log: Path) -> None:
    """A wrong signature is named before a line below it that has not the form of one."""
    place = len(log.read_bytes().splitlines()) - 2
    changed(log, 3, b'"match":1', b'"match":2')
    changed(log, 2, b'"seq":', b'"seq": ')
    changed(log, 1, b'"match":1', b'"match":2')
    with pytest.raises(Invalid, match=f"^line {place}: RulingMade has a signature that was "):
        verify_file(log, NO_HEAD)
