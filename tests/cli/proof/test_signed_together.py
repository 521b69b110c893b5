"""Signatures are put off and checked together, and the first wrong line is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.proof import verifier
from ledger.proof.formats import Invalid
from ledger.proof.heads import HeadWaiver
from ledger.proof.verifier import verify_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ledger.proof.signatures import SignatureClaim
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


@pytest.fixture(params=["alone", "together", "by two", "by their bytes"])
def _batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are put off, and whoever checks them."""
    most = {"alone": 1, "by two": 2}.get(request.param, verifier.CLAIMS_MAX)
    monkeypatch.setattr(verifier, "CLAIMS_MAX", most)
    if request.param == "by their bytes":
        monkeypatch.setattr(verifier, "CLAIMED_BYTES_MAX", 500)


@pytest.mark.slow
@pytest.mark.usefixtures("_batches")
def test_each_is_counted(log: Path) -> None:
    assert verify_file(log, NO_HEAD).table.acts.checked == RULINGS


@pytest.mark.slow
@pytest.mark.usefixtures("_batches")
@pytest.mark.parametrize("wrong", range(1, RULINGS + 1))
def test_a_wrong_one_is_named(log: Path, wrong: int) -> None:
    place = len(log.read_bytes().splitlines()) - wrong + 1
    changed(log, wrong, b'"match":1', b'"match":2')
    with pytest.raises(Invalid, match=f"^line {place}: RulingMade has a signature that was "):
        verify_file(log, NO_HEAD)


@pytest.mark.slow
@pytest.mark.usefixtures("_batches")
def test_the_first_of_two_wrong_lines_is_named(log: Path) -> None:
    """A signature that is still to be checked stands further up than a line that is none."""
    place = len(log.read_bytes().splitlines()) - 2
    changed(log, 3, b'"match":1', b'"match":2')
    changed(log, 2, b'"seq":', b'"seq": ')
    changed(log, 1, b'"match":1', b'"match":2')
    with pytest.raises(Invalid, match=f"^line {place}: RulingMade has a signature that was "):
        verify_file(log, NO_HEAD)


def test_few_bytes_are_put_off_at_once(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines may be long: a number of them alone says little of what is in memory."""
    batches = []

    def noted(
        check: Callable[[SignatureClaim], bool], claims: list[SignatureClaim]
    ) -> Iterable[bool]:
        batches.append(len(claims))
        return map(check, claims)

    monkeypatch.setattr(verifier, "CLAIMED_BYTES_MAX", 500)
    assert verify_file(log, NO_HEAD, noted).log.signatures == RULINGS
    assert [each for each in batches if each] == [2, 2, 1]
