"""Rows from a log to DuckDB: every table has its function, every event its row."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.errors import InvalidLog
from ledger.facts.vocabulary import MEANINGS
from ledger.tournament.state import Tournament
from projections.season.loading import checking
from projections.season.loading.checking import SpoolPart, insertion, lines_of
from projections.season.loading.folded_log import LOOKED_UP, FoldedLog
from projections.season.loading.rows import ROWS
from projections.season.tables.database import open_season
from projections.season.tables.definitions import sql, tables
from tests.support.chance.random_events import random_event

if TYPE_CHECKING:
    from pathlib import Path


def test_every_table_has_its_rows() -> None:
    assert list(ROWS) == [table.name for table in tables()]


@pytest.mark.slow
def test_no_event_of_any_type_stops_a_load(tmp_path: Path) -> None:
    """Whatever is well formed is listed, and looked up where a table needs it."""
    chance = random.Random(6)
    made = [event for _ in range(4_000) if (event := random_event(chance)) is not None]
    lines = [
        b'{"seq":%d,"id":"x","type":"%s","at":"2026-02-31T10:00:60.000Z","by":"o1","data":%s}'
        % (seq, type(event).__name__.encode(), msgspec.json.encode(event))
        for seq, event in enumerate(made, start=1)
    ]
    assert not MEANINGS.keys() & set(LOOKED_UP), "the state keeps them"
    log = FoldedLog(Tournament(), lines)
    looked_up = {kind: log.of(kind) for kind in {type(event) for event in made}}
    assert {kind: len(found) for kind, found in looked_up.items() if found} == {
        kind: sum(type(event) is kind for event in made) for kind in LOOKED_UP
    }
    (events,) = (table for table in tables() if table.name == "events")
    part = SpoolPart(tmp_path, 0)
    part.write("events", lines_of(events, 1, ROWS["events"](log)))
    part.close()
    with open_season(tmp_path / "season.duckdb", create=True) as connection:
        connection.execute(sql("tables/working"))
        connection.execute("INSERT INTO logs VALUES (1, 'x', 1, 'y', 0, NULL, FALSE, FALSE)")
        connection.execute(insertion(events), {"files": [str(tmp_path / "events-0.ndjson")]})
        count = connection.execute("SELECT count(*), count(entered_at) FROM events").fetchone()
    assert count == (len(made), 0)


def test_what_is_too_long_for_a_line_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of one log go into shorter lines; a row that fits into none is refused."""
    (people,) = (table for table in tables() if table.name == "people")
    rows = [(number, f"person {number}", True) for number in range(9)]
    monkeypatch.setattr(checking, "LINE_BYTES", 100)
    lines = [msgspec.json.decode(line) for line in lines_of(people, 7, rows)]
    assert len(lines) > 2
    assert [person for line in lines for person in line["person"]] == [each[1] for each in rows]
    with pytest.raises(InvalidLog, match="longer than"):
        list(lines_of(people, 7, [(1, "x" * 100, True)]))
