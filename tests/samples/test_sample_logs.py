"""Every sample log replays to what stands beside it, every broken one to its one line.

`pytest tests/samples/test_sample_logs.py --update-golden` writes the expectations anew: read the
difference before you keep it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.main import main
from ledger.lines.line import decode
from tests.support.broken_logs import BROKEN
from tests.support.sample_days import DAYS, EARLIER, FOLDER, library_night

if TYPE_CHECKING:
    from pathlib import Path

ROOT = FOLDER.parent
LOGS = sorted([*EARLIER.glob("*/*.jsonl"), *(FOLDER / "days").glob("*.jsonl")])
BROKEN_LOGS = sorted((FOLDER / "broken").glob("*.jsonl"))


def expect(found: str, path: Path, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        path.write_text(found, "utf-8", newline="\n")
    assert found == path.read_text("utf-8")


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.slow
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_sample_log_gives_its_standings(
    path: Path, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(path.relative_to(ROOT))]) == 0
    expect(capfd.readouterr().out, path.with_suffix(".standings.txt"), request)


@pytest.mark.slow
@pytest.mark.parametrize("path", BROKEN_LOGS, ids=lambda path: path.stem)
def test_a_broken_log_gives_its_one_line(
    path: Path, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(path.relative_to(ROOT))]) == 1
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    expect(printed.err, path.with_suffix(".error.txt"), request)


@pytest.mark.slow
@pytest.mark.parametrize("name", DAYS)
def test_a_sample_log_is_what_its_day_gives(name: str) -> None:
    written = (EARLIER / "l5r" / f"{name}.jsonl").read_bytes()
    assert written == b"".join(line + b"\n" for line in DAYS[name]().lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_log_is_what_its_trap_gives(name: str) -> None:
    assert (FOLDER / "broken" / f"{name}.jsonl").read_bytes() == BROKEN[name](library_night().lines)


def test_the_day_of_24_holds_all_that_it_promises() -> None:
    """Drops, a rejoin, a disqualification, modified wins, two corrections, a replacement."""
    lines = (EARLIER / "l5r" / "winter-court-24.jsonl").read_bytes().splitlines()
    kinds = [decode(line).type for line in lines]
    for kind, least in {
        "PlayerDropped": 2,
        "PlayerRejoined": 1,
        "PlayerDisqualified": 1,
        "ResultCorrected": 2,
        "QualifierReplaced": 1,
        "ReplacementDeclined": 1,
        "TournamentFinished": 1,
    }.items():
        assert kinds.count(kind) >= least
    assert any(b"modified win" in line for line in lines if b"ResultReported" in line)
