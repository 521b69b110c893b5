"""Texts that do not follow the pattern of their field: refused wherever a line enters.

The patterns are looked for when a line is accepted, not when it is read again from a store. So each
door is tried here: what the program writes itself, and every way in for the lines of others.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog
from ledger.facts.vocabulary import EVENTS
from ledger.fold import fold_lines
from ledger.lines.line import _written, decode, encode, misshapen, read
from ledger.lines.recorded import record
from tests.support.chance import random_events
from tests.support.chance.random_events import random_event
from tests.support.cli_desk import typed_once
from tests.support.files.backups import Forged, forge
from tests.support.hall import HERE, first_round, hall_open, official
from tests.support.signed_logs import plain_day, tournament_of

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from tests.support.cli_desk import Desk

AT = "2026-03-14T09:00:00.000Z"
TRIES = 400
MISSHAPEN = (" x", "x ", "x  y", "x\u200by", "x\ny", "X\u2028")
SAYS = "a text not in the format of its field - at `"
WAYS_IN = (
    ("replay", "bad.jsonl"),
    ("import", "bad.jsonl"),
    ("verify", "bad.jsonl"),
    ("season", "add", "bad.jsonl", "--in", "season.duckdb"),
    ("restore", "bad.backup", "--store", "other.db"),
)

day = typed_once(first_round)


def with_patterns() -> list[type[Event]]:
    """Every type of event that has a text with a pattern."""
    chance = random.Random(1)
    with pytest.MonkeyPatch.context() as patch:
        return [kind for kind in EVENTS.values() if spoiled(kind, chance, patch)]


def spoiled(
    kind: type[Event], chance: random.Random, patch: pytest.MonkeyPatch, text: str = " x"
) -> Event | None:
    """An event of a type in which such texts are misshapen; None if it has no such text."""
    patch.setattr(random_events, "FITTING", (text,))
    patch.setattr(random_events, "misshapen", lambda _: ())
    made = (random_event(chance, kind=kind) for _ in range(TRIES))
    return next((each for each in made if each is not None and any(misshapen(each))), None)


def bad_log() -> list[bytes]:
    """A day whose first line names its engine with two spaces."""
    first, *rest = plain_day()
    changed = re.sub(rb'"engine":"[^"]*"', b'"engine":"two  spaces"', first)
    assert changed != first
    return [changed, *rest]


@pytest.mark.parametrize("kind", with_patterns(), ids=lambda kind: kind.__name__)
def test_a_misshapen_text_is_neither_written_nor_read_from_outside(
    kind: type[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every type, every place that has a pattern; what a store has is read without a look at it."""
    for text in MISSHAPEN:
        event = spoiled(kind, random.Random(7), monkeypatch, text)
        assert event is not None
        recorded = record(1, "act-0001", AT, "o1", event)
        with pytest.raises(InvalidLog, match=re.escape(SAYS)) as writing:
            encode(recorded)
        line = _written(recorded)
        with pytest.raises(InvalidLog, match=re.escape(SAYS)) as reading:
            read(line)
        assert {each.value.problems[0].code for each in (writing, reading)} == {"log.invalid"}
        assert decode(line) == recorded


@pytest.mark.slow
def test_many_types_have_patterns() -> None:
    """So that the test above does not pass by finding none."""
    assert len(with_patterns()) >= 30


def test_a_store_is_read_without_a_look_at_the_patterns() -> None:
    """What was accepted once is folded as it is."""
    assert fold_lines(bad_log()).seq == len(bad_log())


@pytest.mark.parametrize("line", WAYS_IN, ids=lambda line: line[0])
def test_every_way_in_refuses_a_log_with_a_misshapen_text(
    desk: Desk, line: tuple[str, ...]
) -> None:
    """One line, the documented exit code, and nothing that stays."""
    forged = bad_log()
    (desk.folder / "bad.jsonl").write_bytes(b"\n".join(forged) + b"\n")
    forge(desk.folder / "bad.backup", [Forged(tournament_of(forged), forged, {})])
    answer = desk.type(*line)
    assert answer.code == 1
    assert SAYS + "data.engine`" in answer.err
    assert answer.err.count("\n") == 1
    assert not (desk.folder / "other.db").exists()


def test_a_page_enters_no_misshapen_text(day: Desk) -> None:
    """An act as a program sends it: its texts become labels of a line."""
    before = day.log()
    with hall_open(official(1)) as browser:
        for text in MISSHAPEN:
            player = {"type": "RegisterPlayer", "name": "Eve", "attributes": {text: "red"}}
            sent = {"id": "misshapen-1", "command": player}
            answer = browser.post("/api/v1/acts", json=sent, headers={"origin": HERE})
            assert answer.status_code in {400, 409}, answer.text
            assert answer.json()["problems"][0]["code"]
    assert day.log() == before
