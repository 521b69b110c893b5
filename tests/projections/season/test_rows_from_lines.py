"""Rows of base tables computed again from the JSON of the lines, without the fold."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.sample_season import first_logs
from tests.support.season import opened, rows_of, take_in, write_log

if TYPE_CHECKING:
    from pathlib import Path

Lines = list[dict[str, Any]]
Rows = list[tuple[Any, ...]]

LOGS = 6


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first tournaments of the sample season."""
    folder = tmp_path_factory.mktemp("season")
    logs = [write_log(folder / f"{n}.jsonl", lines) for n, lines in enumerate(first_logs(LOGS))]
    take_in(folder / "season.duckdb", *logs)
    return folder / "season.duckdb"


def _moment(line: dict[str, Any]) -> datetime:
    """Return the moment of a line, in UTC."""
    return datetime.fromisoformat(line["at"]).replace(tzinfo=None)


def events(name: str, lines: Lines) -> Rows:
    return [(name, line["seq"], line["type"], _moment(line), line["by"]) for line in lines]


def people(name: str, lines: Lines) -> Rows:
    rows: Rows = []
    for line in lines:
        if line["type"] == "PlayerRegistered":
            player, league_id = line["data"]["player"], line["data"].get("league_id", "")
            rows.append((name, player, league_id or f"{name}/{player}", bool(league_id)))
    return rows


def corrections(name: str, lines: Lines) -> Rows:
    rounds: dict[int, int] = {}
    closed: set[int] = set()
    finished = False
    rows: Rows = []
    for line in lines:
        data = line["data"]
        if line["type"] == "RoundPaired":
            first = len(rounds) + 1
            rounds |= dict.fromkeys(range(first, first + len(data["games"])), data["round"])
        elif line["type"] == "RoundClosed":
            closed.add(data["round"])
        elif line["type"] == "TournamentFinished":
            finished = True
        elif line["type"] == "ResultCorrected":
            before, after = lines[data["corrects"] - 1]["data"]["result"], data["result"]
            number = rounds[data["match"]]
            rows.append(
                (
                    *(name, line["seq"], data["match"], number, data["corrects"]),
                    *(before["outcomes"][0], after["outcomes"][0]),
                    *(before["points"][0], after["points"][0]),
                    *(before["points"][1], after["points"][1]),
                    *(number in closed, finished, _moment(line), line["by"]),
                )
            )
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("table", [events, people, corrections], ids=lambda each: each.__name__)
def test_rows_follow_from_the_lines(season: Path, table: Any) -> None:  # noqa: ANN401 - a function of this module
    expected: Rows = []
    for log in first_logs(LOGS):
        lines = [json.loads(line) for line in log]
        expected += table(lines[0]["data"]["tournament"], lines)
    with opened(season) as connection:
        found = rows_of(connection, table.__name__)
    assert len(found) > 0
    assert found == sorted(expected)
