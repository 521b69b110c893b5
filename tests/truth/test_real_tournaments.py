"""Tournaments that another program ran: every figure it published comes out of our events."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest

from ledger.books.book import open_book
from ledger.errors import Refused
from ledger.exchange import export_file, replay
from ledger.store import open_store
from projections.standings import bracket
from projections.standings.bracket import finishing_order
from projections.standings.table import ranking, standings
from tests.support.files.imports import import_file
from tests.support.files.nrtm_files import as_bytes, imported, rows
from tests.support.shared import TOURNAMENTS, needs_shared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.store import Store
    from ledger.tournament.state import Tournament

WITH_TIES = {"cobra-cut-to-3-40p.json", "cobra-cut-to-4-with-byes-15p.json"}

pytestmark = needs_shared
real = pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
cut = pytest.mark.parametrize(
    "path", [path for path in TOURNAMENTS if "no-cut" not in path.name], ids=lambda path: path.stem
)


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "store.db")) as store:
        yield store


def published(path: Path) -> dict[str, Any]:
    content = json.loads(path.read_bytes())
    assert isinstance(content, dict)
    return content


def without_ranks(path: Path) -> dict[str, Any]:
    """The file as if it told no order: neither ranks nor a telling order of players."""
    content = published(path)
    for player in content["players"]:
        del player["rank"]
    content["players"].sort(key=lambda player: player["id"])
    return content


def ranked(tournament: Tournament) -> list[tuple[str, int, int]]:
    shown: Any = bracket.as_json(bracket.bracket(tournament), tournament.names)
    return [(place["name"], place["rank"], place["seed"]) for place in shown["ranking"]]


@real
def test_points_strength_of_schedule_and_order_are_those_published(path: Path) -> None:
    content = published(path)
    table = rows(imported(content))
    assert len(table) == len(content["players"])
    for row, player in zip(table, content["players"], strict=True):
        assert (row["rank"], row["name"]) == (player["rank"], player["name"])
        assert row["points"] == player["matchPoints"]
        values = {code: one["value"] for code, one in row["tiebreakers"].items()}
        assert values["SOS"] == pytest.approx(float(player["strengthOfSchedule"]), abs=1e-12)
        extended = float(player["extendedStrengthOfSchedule"])
        assert values["ESOS"] == pytest.approx(extended, abs=1e-12)


@pytest.mark.slow
@cut
def test_the_bracket_ranks_as_published(path: Path) -> None:
    content = published(path)
    places = [(each["name"], each["rank"], each["seed"]) for each in content["eliminationPlayers"]]
    assert ranked(imported(content)) == places
    assert ranked(imported(without_ranks(path))) == places


@pytest.mark.slow
@cut
def test_the_seeds_follow_from_the_standings_alone(path: Path) -> None:
    content = published(path)
    told = ranked(imported(content))
    del content["eliminationPlayers"]
    assert ranked(imported(content)) == told


@real
def test_the_finishing_order_is_the_bracket_then_the_standings(path: Path) -> None:
    content = published(path)
    tournament = imported(content)
    first = [place["name"] for place in content["eliminationPlayers"]]
    rest = [player["name"] for player in content["players"] if player["name"] not in first]
    finish = finishing_order(tournament)
    assert [tournament.names[f"p{place.player}"] for place in finish] == first + rest
    assert [place.rank for place in finish] == list(range(1, len(finish) + 1))


@pytest.mark.slow
@real
def test_published_ranks_order_exact_ties_and_nothing_else(path: Path) -> None:
    told, untold = imported(published(path)), imported(without_ranks(path))
    groups = []
    for tournament in (told, untold):
        table = [
            (row.points, row.tiebreakers, tournament.names[f"p{row.player}"])
            for row in standings(tournament).rows
        ]
        groups.append(
            [
                (worth, sorted(row[2] for row in each))
                for worth, each in groupby(table, lambda row: row[:2])
            ]
        )
    assert groups[0] == groups[1]
    tied = any(len(names) > 1 for _, names in groups[0])
    assert tied == (path.name in WITH_TIES)


@pytest.mark.slow
@real
def test_through_the_store_and_out_again_byte_for_byte(
    path: Path, sqlite: Store, tmp_path: Path
) -> None:
    first = import_file(sqlite, path, ranking=ranking)
    assert first.events == first.added > 0
    again = import_file(sqlite, path, ranking=ranking)
    assert (again.tournament, again.events, again.added) == (first.tournament, first.events, 0)

    book = open_book(sqlite, first.tournament, ranking)
    log = tmp_path / "export.jsonl"
    export_file(book, log)
    replayed = replay(log)
    assert replayed.lines == book.lines
    assert repr(replayed.tournament) == repr(book.tournament)
    with open_store(str(tmp_path / "other.db")) as other:
        taken = import_file(other, log, ranking=ranking)
        assert (taken.events, taken.added) == (first.events, first.events)
        assert other.lines(first.tournament) == book.lines


@pytest.mark.slow
@real
def test_a_changed_file_is_refused_unless_it_is_wanted_as_new(
    path: Path, sqlite: Store, tmp_path: Path
) -> None:
    first = import_file(sqlite, path, ranking=ranking)
    content = published(path)
    content["players"][0]["corpIdentity"] = "Somebody else"
    changed = tmp_path / "changed.json"
    changed.write_bytes(as_bytes(content))
    with pytest.raises(Refused, match="both are") as caught:
        import_file(sqlite, changed, ranking=ranking)
    assert first.tournament in str(caught.value)
    assert sqlite.streams() == [first.tournament]
    second = import_file(sqlite, changed, ranking=ranking, as_new=True)
    assert sqlite.streams() == [first.tournament, second.tournament]
    assert import_file(sqlite, changed, ranking=ranking).added == 0
