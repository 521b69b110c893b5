"""The days of the current editions: what their page says of them, and what lies beside them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ledger import rulesets
from ledger.facts.vocabulary import EVENTS
from ledger.fold import fold_lines
from ledger.lines.line import decode
from tests.support.days.sample_desk import DAYS, KINDS_OF_EVENTS, PARTS
from tests.support.days.samples import SAMPLES, write
from tests.support.sample_days import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

GOOD = sorted(DAYS.glob("*.jsonl"))
SHORT = sorted(KINDS_OF_EVENTS.glob("*.jsonl"))


def lines_of(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines() if line.startswith(b'{"seq"')]


@cache
def types_of(folder: Path) -> set[str]:
    """Every type of event in the logs of a folder."""
    return {decode(line).type for path in folder.glob("*.jsonl") for line in lines_of(path)}


def said(name: str) -> set[str]:
    """What the page says that `audit` finds in a day."""
    page = (FOLDER / "README.md").read_text("utf-8")
    part = page.partition(f"### `{name}`")[2].partition("\n#")[0]
    found = re.search(r"^audit: (.*?)(?:\n\n|\Z)", part, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return {title for title in " ".join(found[1].split()).split("; ") if title != "nothing"}


OF_TWO_COMPUTERS = {"DeskTakenOver"}
"""Two desks that know each other write it: `tests/cli/succession` plays their days."""


def test_every_type_of_event_is_in_a_day_or_in_a_short_log() -> None:
    assert set(EVENTS) - types_of(DAYS) - types_of(KINDS_OF_EVENTS) == OF_TWO_COMPUTERS


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_short_log_shows_what_no_day_shows(path: Path) -> None:
    assert {decode(line).type for line in lines_of(path)} - types_of(DAYS)


def test_no_sample_is_without_its_script() -> None:
    assert {path.stem for path in (*GOOD, *SHORT)} == set(SAMPLES)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_day_is_of_the_edition_that_ships(path: Path) -> None:
    opening = fold_lines(lines_of(path)[:1]).opening
    assert opening is not None
    shipped = rulesets.text_of(opening.ruleset.key)
    assert opening.ruleset.text == shipped, "make the samples anew: sample_logs/README.md"


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_people_do_not_type_like_a_clock(path: Path) -> None:
    """No pause between two acts, in seconds, is a habit of more than a tenth of them."""
    clocks = [datetime.fromisoformat(decode(line).at) for line in lines_of(path)]
    pauses = [int((after - before).total_seconds()) for before, after in pairwise(clocks)]
    acts = Counter(pause for pause in pauses if pause)
    assert min(acts) > 0
    assert max(acts.values()) * 10 <= acts.total()


@pytest.mark.slow
@pytest.mark.parametrize("path", [*GOOD, *SHORT], ids=lambda path: path.stem)
def test_the_head_beside_a_sample_holds_by_its_key(path: Path, desk: Desk) -> None:
    desk.done("verify", str(path), "--policy", str(path.with_suffix(".policy")))


@pytest.mark.slow
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_audit_finds_in_a_day_what_its_page_says(path: Path, desk: Desk) -> None:
    desk.done("import", str(path))
    found = {each["title"] for each in desk.done("audit", "--json").json["findings"]}
    assert found == said(path.stem)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_what_its_script_gives(name: str, tmp_path: Path) -> None:
    folder = SAMPLES[name].folder
    write(name, tmp_path / folder.name)
    for part in PARTS:
        file = f"{name}.{part}"
        assert (tmp_path / folder.name / file).read_bytes() == (folder / file).read_bytes(), part
