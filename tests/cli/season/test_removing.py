"""`season remove`: a tournament out of a season, on record, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from projections.season.loading.manifest import read_manifest
from projections.season.loading.publishing import signer_of
from projections.season.tables.database import FORMAT
from tests.support.cli_desk import typed_once
from tests.support.sample_season import write_four
from tests.support.season import contents

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow
WHY = ("--by", "Kim", "--reason", "played twice")


@typed_once
def logs(desk: Desk) -> Desk:
    """A folder of four logs beside a points scheme, a season of them, and the same as a folder."""
    write_four(desk.folder)
    desk.done("season", "add", "logs")
    desk.done("season", "derive", "parts", "logs")
    return desk


def ids(desk: Desk, *words: str) -> dict[str, str]:
    """Return the names of the season's tournaments, by id, with every row checked here."""
    listed = desk.done("season", *words, "--json").json
    assert {row["checked"] for row in listed} <= {"checked here"}
    return {row["tournament"]: row["name"] for row in listed}


def log_of(desk: Desk, stream: str) -> str:
    """Return the log of a tournament."""
    found = (p for p in (desk.folder / "logs").glob("*.jsonl") if stream.encode() in p.read_bytes())
    return str(next(found).relative_to(desk.folder))


@pytest.mark.usefixtures("logs")
def test_a_season_without_a_tournament_is_one_that_never_had_it(desk: Desk) -> None:
    before = ids(desk)
    gone, name = next(iter(before.items()))
    others = [log_of(desk, stream) for stream in before if stream != gone]
    answer = desk.done("season", "remove", name, *WHY, "--scheme", "points.toml", "--yes")
    assert "season: " in answer.out
    assert f"{gone[:12]}: " in answer.out
    assert set(ids(desk)) == set(before) - {gone}
    assert desk.type("season", "remove", gone[:8], *WHY, "--yes").code == 3
    removed = contents(desk.folder / "season.duckdb")
    desk.done("season", "add", *others, "--in", "never.duckdb")
    assert contents(desk.folder / "never.duckdb") == removed
    rebuilt = desk.done("season", "rebuild", "logs")
    assert "1 left out, because they were removed" in rebuilt.err
    assert contents(desk.folder / "season.duckdb") == removed
    assert set(ids(desk)) == set(before) - {gone}


@pytest.mark.usefixtures("logs")
def test_a_removed_log_says_so_and_needs_to_be_told(desk: Desk) -> None:
    before = contents(desk.folder / "season.duckdb")
    gone, log = next((stream, log_of(desk, stream)) for stream in ids(desk))
    desk.done("season", "remove", gone[:8], *WHY, "--yes")
    answer = desk.type("season", "add", log)
    assert answer.code == 1
    assert "was removed from the season on " in answer.err
    assert "by Kim: played twice; to take it back, use --take-back" in answer.err
    assert gone not in ids(desk)
    assert desk.type("season", "add", log, "--take-back", "both count").code == 2
    desk.done("season", "add", log, "--take-back", "both count", "--by", "Kim")
    assert contents(desk.folder / "season.duckdb") == before
    desk.done("season", "rebuild", "logs")
    assert contents(desk.folder / "season.duckdb") == before


@pytest.mark.usefixtures("logs")
def test_a_folder_of_parts_loses_the_rows_and_is_signed(desk: Desk) -> None:
    before = ids(desk, "--in", "parts")
    gone = next(iter(before))
    others = [log_of(desk, stream) for stream in before if stream != gone]
    shown = desk.done("season", "remove", gone[:8], *WHY, "--in", "parts", "--yes", "--json").json
    assert {row["sign"] for row in shown["changes"]} == {"-"}
    assert {row["row"]["tournament"] for row in shown["changes"]} == {gone}
    assert set(ids(desk, "--in", "parts")) == set(before) - {gone}
    manifest = read_manifest(desk.folder / "parts", FORMAT)
    assert signer_of(manifest)
    desk.done("season", "derive", "never", *others)
    never = read_manifest(desk.folder / "never", FORMAT)
    assert never.chunks == manifest.chunks
    answer = desk.type("season", "derive", "parts", "logs")
    assert "1 left out, because they were removed" in answer.err
    assert set(ids(desk, "--in", "parts")) == set(before) - {gone}
    desk.done("season", "archive", "kept")
    back = desk.done("season", "add", "kept", "--in", "other.duckdb", "--json").json
    assert [row["tournament"] for row in back if row["fate"] == "removed"] == [gone]


@pytest.mark.usefixtures("logs")
def test_nothing_is_removed_without_a_yes_a_name_and_a_reason(desk: Desk) -> None:
    before = contents(desk.folder / "season.duckdb")
    gone = next(iter(ids(desk)))
    assert desk.type("season", "remove", gone[:8], *WHY).code == 1
    assert desk.type("season", "remove", gone[:8], "--by", "Kim", "--yes").code == 2
    assert desk.type("season", "remove", "Nowhere Cup", *WHY, "--yes").code == 3
    assert not (desk.folder / "league.db").exists()
    assert contents(desk.folder / "season.duckdb") == before
