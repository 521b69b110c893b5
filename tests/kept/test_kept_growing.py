"""Events that were imported at commit cba5ce01 have the same file already, and grow as they did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.kept.asking import unpack
from tests.kept.make_growing import growing_files, lines_of
from tests.support.cli_desk import Desk

if TYPE_CHECKING:
    from collections.abc import Callable

EVENTS = growing_files()
ARCHIVE = Path(__file__).with_name("growing.tar.xz")
EACH_EVENT = pytest.mark.parametrize("name", EVENTS)


@pytest.fixture
def growing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Desk]:
    """A desk in a copy of the folder in which the events were imported."""

    def opened() -> Desk:
        unpack(ARCHIVE, tmp_path)
        return Desk(tmp_path / "growing", monkeypatch)

    return opened


def grown(desk: Desk, name: str, before: int) -> list[dict[str, Any]]:
    """What was added to an event; the reading of a file is a member that came later."""
    lines = lines_of(desk.done("export", "-t", name, "--without-names").out)[before:]
    for line in lines:
        line["data"].get("source", {}).pop("reading", None)
    return lines


@EACH_EVENT
def test_the_same_file_adds_nothing(name: str, growing: Callable[[], Desk]) -> None:
    desk, (suffix, _, words) = growing(), EVENTS[name]
    before = desk.done("export", "-t", name, "--without-names").out
    answer = desk.done("import", f"{name}{suffix}", *words)
    assert "; 0 of" in answer.err
    assert "the store already has this file" in answer.err
    assert desk.done("export", "-t", name, "--without-names").out == before


@EACH_EVENT
def test_the_whole_file_adds_what_it_added(name: str, growing: Callable[[], Desk]) -> None:
    desk, (suffix, _, _) = growing(), EVENTS[name]
    before = len(lines_of(desk.done("export", "-t", name, "--without-names").out))
    then = json.loads((desk.folder / "answers").read_text("utf-8"))[name]
    refused = desk.refused("import", f"{name}.whole{suffix}", *EVENTS[name][2])
    assert "may be a later version" in refused.err
    desk.done("import", f"{name}.whole{suffix}", "--into", name)
    assert grown(desk, name, before) == then
    again = desk.done("import", f"{name}.whole{suffix}", "--into", name)
    assert "0 events added" in again.err


def test_a_second_day_is_read_from_the_rounds_of_its_log(growing: Callable[[], Desk]) -> None:
    """The log was made before readings had names: its stages say which it was."""
    desk = growing()
    cut = desk.done("import", "magic-two.whole.json", "--into", "magic-two", "--json").json
    assert [name.rpartition("-")[0] for name in cut["reading"]] == ["cut-after"]
    assert cut["verdict"]["numbers"] == cut["verdict"]["follow"] > 0
    other = desk.type("import", "magic-two.json", "--into", "magic-two", "--reading", "plain")
    assert (other.code, "rounds do not agree with plain" in other.err) == (1, True)
