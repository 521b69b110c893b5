"""What was checked before is hashed and folded alone; all else is held to the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger import VERSION
from ledger.errors import InvalidLog
from ledger.exchange import log_files
from ledger.lines.line import decode
from ledger.store import open_store
from projections.season.exports import archive, archives_of, take_back
from projections.season.loading.adding import add, restate
from projections.season.loading.checking import (
    NOTHING_KNOWN,
    CheckedBefore,
    KnownChecks,
    checked_in,
)
from projections.season.loading.deriving import Deriving, derive
from projections.season.loading.intake import LoadTerms
from projections.season.loading.manifest import MANIFEST, read_manifest
from projections.season.loading.sources import sources_of
from projections.season.tables.database import FORMAT, open_season
from projections.season.tables.signed_heads import SignedPrefix
from tests.support.season import contents, opened, silent, take_in, write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.season.loading.intake import LogOutcome

BEGINNING = 40


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return play(3, 8, rounds=3).lines


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events that were held to the rules, by their places."""
    seen: list[int] = []
    check: Callable[..., object] = log_files.check  # type: ignore[attr-defined] # where it is called

    def noted(tournament: object, recorded: object, *rest: object) -> object:
        seen.append(recorded.seq)  # type: ignore[attr-defined] # as it is called
        return check(tournament, recorded, *rest)

    monkeypatch.setattr(log_files, "check", noted)
    monkeypatch.setattr(log_files, "is_plain", lambda *_: False)  # which saves most of the checks
    return seen


def known_to(season: Path) -> dict[str, CheckedBefore]:
    with opened(season) as connection:
        return checked_in(connection)


def test_a_grown_log_is_checked_from_where_it_grew(
    tmp_path: Path, lines: list[bytes], checked: list[int]
) -> None:
    log, season = tmp_path / "log.jsonl", tmp_path / "season.duckdb"
    (taken,) = take_in(season, write_log(log, lines[:BEGINNING]))
    assert (taken.checked_before, len(checked)) == (0, BEGINNING)
    checked.clear()
    (taken,) = take_in(season, write_log(log, lines))
    assert (taken.fate, taken.checked_before) == ("grown", BEGINNING)
    assert checked == list(range(BEGINNING + 1, len(lines) + 1))
    (size,) = [each.size for each in known_to(season).values()]
    assert size == len(lines)
    take_in(tmp_path / "other.duckdb", log)
    assert contents(season) == contents(tmp_path / "other.duckdb")


@pytest.mark.parametrize(
    "done", ["UPDATE checked_by SET release = '0.0.1'", "DROP TABLE checked_by"]
)
def test_what_another_release_checked_is_checked_again(
    tmp_path: Path, lines: list[bytes], checked: list[int], done: str
) -> None:
    """Earlier files do not say who checked."""
    log, season = tmp_path / "log.jsonl", tmp_path / "season.duckdb"
    take_in(season, write_log(log, lines[:BEGINNING]))
    with open_season(season) as connection:
        connection.execute(done)
    checked.clear()
    (taken,) = take_in(season, write_log(log, lines))
    assert (taken.fate, taken.checked_before, len(checked)) == ("grown", 0, len(lines))


def test_a_forged_line_is_found_wherever_it_is(tmp_path: Path, lines: list[bytes]) -> None:
    log, season = tmp_path / "log.jsonl", tmp_path / "season.duckdb"
    take_in(season, write_log(log, lines[:BEGINNING]))
    before, known = contents(season), known_to(season)
    place = next(n for n in range(BEGINNING, len(lines)) if b'"points":[' in lines[n])
    forged = lines[place].replace(b'"points":[', b'"points":[7')
    write_log(log, [*lines[:place], forged, *lines[place + 1 :]])
    with pytest.raises(InvalidLog, match=f"line {place + 1}: "):
        take_in(season, log)
    early = lines[30].replace(b"T08:", b"T09:")
    assert early != lines[30]
    write_log(log, [*lines[:30], early, *lines[31:]])
    with pytest.raises(InvalidLog, match="contradicts"):
        take_in(season, log)
    assert contents(season) == before
    other = write_log(tmp_path / "forged.jsonl", [*lines[:place], forged])
    with pytest.raises(InvalidLog, match=f"line {place + 1}: "):
        take_with(tmp_path / "new.duckdb", other, KnownChecks(known))


def take_with(season: Path, log: Path, before: KnownChecks) -> int:
    """Take a log in where some count as checked; returns how many of its events do."""
    terms = LoadTerms(before=before)
    with open_season(season, create=True) as connection:
        (taken,) = add(connection, list(sources_of([str(log)])), log.parent, silent, terms)
    return taken.checked_before


def test_a_root_lets_its_own_lines_alone_pass(
    tmp_path: Path, lines: list[bytes], checked: list[int]
) -> None:
    log = write_log(tmp_path / "log.jsonl", lines)
    take_in(tmp_path / "old.duckdb", log)
    known = known_to(tmp_path / "old.duckdb")
    checked.clear()
    assert take_with(tmp_path / "new.duckdb", log, KnownChecks(known)) == len(lines)
    assert not checked
    assert known_to(tmp_path / "new.duckdb") == known
    assert contents(tmp_path / "new.duckdb") == contents(tmp_path / "old.duckdb")
    shorter = write_log(tmp_path / "log.jsonl", lines[:BEGINNING])
    assert take_with(tmp_path / "third.duckdb", shorter, KnownChecks(known)) == 0
    assert len(checked) == BEGINNING
    checked.clear()
    other = [*lines[:30], lines[30].replace(b"T08:", b"T09:"), *lines[31:]]
    write_log(log, other)
    assert take_with(tmp_path / "fourth.duckdb", log, KnownChecks(known)) == 0
    assert len(checked) == len(lines)


def derive_log(folder: Path, log: Path, before: KnownChecks = NOTHING_KNOWN) -> LogOutcome:
    """Derive one log into a folder, in this process."""
    how = Deriving(LoadTerms(before=before), processes=1)
    (taken,) = derive(folder, list(sources_of([str(log)])), silent, how)
    return taken


def test_a_folder_knows_what_was_checked_into_it(
    tmp_path: Path, lines: list[bytes], checked: list[int]
) -> None:
    """Its rows and its name are those of a folder that had to check all of it."""
    log, parts = tmp_path / "log.jsonl", tmp_path / "parts"
    derive_log(parts, write_log(log, lines[:BEGINNING]))
    assert len(checked) == BEGINNING
    checked.clear()
    taken = derive_log(parts, write_log(log, lines))
    assert (taken.fate, taken.checked_before) == ("grown", BEGINNING)
    assert checked == list(range(BEGINNING + 1, len(lines) + 1))
    derive_log(tmp_path / "other", log)
    one, other = (read_manifest(each, FORMAT) for each in (parts, tmp_path / "other"))
    assert replace(one, retired=()) == other


def test_what_another_release_checked_into_a_folder_is_checked_again(
    tmp_path: Path, lines: list[bytes], checked: list[int]
) -> None:
    """As what no release is named for, in folders of before."""
    log = tmp_path / "log.jsonl"
    for name, release in {"older": b'"0.0.1"', "before": b'""'}.items():
        derive_log(tmp_path / name, write_log(log, lines[:BEGINNING]))
        manifest = tmp_path / name / MANIFEST
        said = manifest.read_bytes()
        assert b'"%s",' % VERSION.encode() in said
        manifest.write_bytes(said.replace(b'"%s",' % VERSION.encode(), b"%s," % release))
        checked.clear()
        taken = derive_log(tmp_path / name, write_log(log, lines))
        assert (taken.fate, taken.checked_before, len(checked)) == ("grown", 0, len(lines))


def test_a_forged_line_is_found_in_a_grown_log_of_a_folder(
    tmp_path: Path, lines: list[bytes]
) -> None:
    log, parts = tmp_path / "log.jsonl", tmp_path / "parts"
    derive_log(parts, write_log(log, lines[:BEGINNING]))
    before = contents(parts)
    place = next(n for n in range(BEGINNING, len(lines)) if b'"points":[' in lines[n])
    forged = lines[place].replace(b'"points":[', b'"points":[7')
    write_log(log, [*lines[:place], forged, *lines[place + 1 :]])
    with pytest.raises(InvalidLog, match=f"line {place + 1}: "):
        derive_log(parts, log)
    known = KnownChecks({"5" * 32: CheckedBefore(len(lines), "0" * 64)}, by_head=True)
    with pytest.raises(InvalidLog, match=f"line {place + 1}: "):
        derive_log(tmp_path / "new", log, known)
    assert contents(parts) == before


@pytest.mark.parametrize("kind", ["season.duckdb", "parts"])
def test_a_grown_log_is_restated_from_where_it_grew(
    tmp_path: Path, lines: list[bytes], checked: list[int], kind: str
) -> None:
    log, season = tmp_path / "log.jsonl", tmp_path / kind
    (derive_log if kind == "parts" else take_in)(season, write_log(log, lines[:BEGINNING]))
    grown = list(sources_of([str(write_log(log, lines))]))
    checked.clear()
    found = restate(season, grown, tmp_path, silent)
    assert [each.checked_before for each in found.taken] == [BEGINNING]
    assert checked == list(range(BEGINNING + 1, len(lines) + 1))
    assert {"results", "standings"} <= {each.table for each in found.changes}


@pytest.mark.slow
def test_what_no_file_was_read_for_was_not_checked(tmp_path: Path, lines: list[bytes]) -> None:
    """Lines of a store are folded alone, and an archive has no lines."""
    stream = lines[0].partition(b'"tournament":"')[2][:32].decode()
    location = tmp_path / "tourney.db"
    with open_store(str(location)) as store:
        store.transact(stream, 0, lambda _: [(decode(line).type, line) for line in lines])
    take_in(tmp_path / "stored.duckdb", location)
    assert known_to(tmp_path / "stored.duckdb") == {}
    log = write_log(tmp_path / "log.jsonl", lines)
    take_in(tmp_path / "season.duckdb", log)
    with open_season(tmp_path / "season.duckdb") as connection:
        archive(connection, tmp_path / "archive", lambda *_: None)
        files = archives_of([tmp_path / "archive"])
    with open_season(tmp_path / "back.duckdb", create=True) as connection:
        assert take_back(connection, files) == [stream]
        assert checked_in(connection) == {}


def test_an_accepted_head_counts_where_that_is_asked_for() -> None:
    accepted, own = SignedPrefix(12, "key", by_policy=True), SignedPrefix(12, "key")
    assert KnownChecks(by_head=True).events_accepted(accepted) == 12
    assert KnownChecks(by_head=True).events_accepted(own) == 0
    assert KnownChecks().events_accepted(accepted) == 0
