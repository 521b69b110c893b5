"""A re-statement lists exactly the rows that a season made anew would change."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.results import Correct, StatedResult
from projections.season.loading.adding import key_of, restate
from projections.season.loading.sources import sources_of
from projections.season.points import championship, parse_scheme
from tests.support.examples import examples
from tests.support.sample_season import SCHEME, league, tournament
from tests.support.season import Rows, contents, opened, silent, take_in, write_log

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.simulate import Day

_NUMBER = count()
NUMBERS = (0, 1, 2, 3, 5)


@pytest.fixture(scope="module")
def days() -> dict[int, list[bytes]]:
    members = league()
    return {number: tournament(number, members).lines for number in NUMBERS}


def only_in(one: dict[str, Rows], other: dict[str, Rows]) -> list[tuple[str, object]]:
    """Rows of one season that the other has not."""
    return sorted(
        ((table, row) for table, rows in one.items() for row in rows if row not in other[table]),
        key=repr,
    )


def changed(day: Day, seed: int) -> None:
    """A correction or a disqualification after the end."""
    matches = [each for each in day.tournament.matches[1:] if each.result is not None]
    match = matches[seed % len(matches)]
    assert match.result is not None
    turned = "loss" if match.result.outcomes[0] == "win" else "win"
    try:
        day.do(Correct(match.number, StatedResult(turned), "found in May"))
    except LedgerError:
        day.do(DisqualifyPlayer(1 + seed % 7, "found in May", "FFG-AUTH-DQ"))


@pytest.mark.slow
@examples(3)
@given(which=st.sampled_from(NUMBERS), seed=st.integers(0, 999))
def test_exactly_what_a_rebuild_changes(
    tmp_path: Path, days: dict[int, list[bytes]], which: int, seed: int
) -> None:
    folder = tmp_path / str(next(_NUMBER))
    folder.mkdir()
    logs = {n: write_log(folder / f"{n}.jsonl", lines) for n, lines in days.items()}
    season = folder / "season.duckdb"
    take_in(season, *logs.values())
    before = contents(season)
    scheme = parse_scheme(SCHEME)
    with opened(season) as connection:
        ranked = {row.person: row for row in championship(connection, scheme).rows}
    day = tournament(which, league())
    changed(day, seed)
    write_log(logs[which], day.lines)

    told = restate(season, list(sources_of([str(logs[which])])), folder, silent, scheme)

    assert contents(season) == before
    rebuilt = folder / "rebuilt.duckdb"
    take_in(rebuilt, *logs.values())
    after = contents(rebuilt)
    for sign, rows in (("-", only_in(before, after)), ("+", only_in(after, before))):
        listed = [
            (each.table, tuple(each.row.values())) for each in told.changes if each.sign == sign
        ]
        assert sorted(listed, key=repr) == rows
    keys = [(each.table, each.sign, repr(key_of(each))) for each in told.changes]
    assert len(set(keys)) == len(keys)
    with opened(rebuilt) as connection:
        anew = {row.person: row for row in championship(connection, scheme).rows}
    persons = sorted(ranked.keys() | anew.keys())
    assert told.moved == [
        (ranked.get(person), anew.get(person))
        for person in persons
        if ranked.get(person) != anew.get(person)
    ]
    take_in(season, logs[which])
    assert contents(season) == after


@pytest.mark.slow
def test_nothing_new_moves_nothing(tmp_path: Path, days: dict[int, list[bytes]]) -> None:
    log = write_log(tmp_path / "a.jsonl", days[0])
    take_in(tmp_path / "season.duckdb", log)
    told = restate(tmp_path / "season.duckdb", list(sources_of([str(log)])), tmp_path, silent)
    assert [each.fate for each in told.taken] == ["known"]
    assert told.changes == []
