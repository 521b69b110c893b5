"""What a change of some logs moves in a season, in words: each row, then each person's season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from cli.terminal.tables import as_text
from cli.terminal.visible import how_many
from projections.season.loading.restating import Change, key_of

if TYPE_CHECKING:
    from typing import Any

    from projections.season.points import SeasonResult, SeasonRow

ARROW = "→"
ID_SHOWN = 12
"""How much of a tournament's id a line shows; --json has the whole."""


def counts_in_words(changes: Sequence[Change]) -> Iterator[str]:
    """Say of each tournament how many rows of which tables change."""
    rows = {(each.row["tournament"], each.table, key_of(each)) for each in changes}
    counts: dict[str, Counter[str]] = {}
    for tournament, table, _ in sorted(rows, key=lambda each: each[:2]):
        counts.setdefault(tournament, Counter())[table] += 1
    for tournament, tables in counts.items():
        several = ", ".join(f"{table} {count:,}" for table, count in tables.items())
        yield f"{tournament[:ID_SHOWN]}: {how_many(tables.total(), 'row')}: {several}"


def rows_in_words(changes: Sequence[Change]) -> Iterator[str]:
    """Say each row once: `~` with what changes of it, `-` where it goes, `+` where it comes."""
    for (table, key), group in groupby(changes, lambda each: (each.table, key_of(each))):
        rows = {each.sign: each.row for each in group}
        named = " ".join(_key(name, value) for name, value in key)
        known = [name for name, _ in key]
        if len(rows) == 1:
            ((sign, row),) = rows.items()
            yield f"{sign} {table} {named}: {', '.join(_filled(row, known))}"
        else:
            yield f"~ {table} {named}: {', '.join(_changed(rows['-'], rows['+']))}"


def _key(name: str, value: object) -> str:
    return str(value)[:ID_SHOWN] if name == "tournament" else f"{name} {as_text(value)}"


def _filled(row: Mapping[str, Any], known: Sequence[str]) -> Iterator[str]:
    for name, value in row.items():
        if name not in known and (text := as_text(value)):
            yield f"{name} {text}"


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name, value in before.items():
        if value != after[name]:
            yield f"{name} {as_text(value) or 'none'} {ARROW} {as_text(after[name]) or 'none'}"


def has_moved(before: SeasonRow | None, after: SeasonRow | None) -> bool:
    """Whether a person's place, points or qualification is another, not only how they came by."""
    one, other = ((row.rank, row.points, row.qualified) if row else None for row in (before, after))
    return one != other


def season_in_words(before: SeasonRow | None, after: SeasonRow | None) -> str:
    """Say a person's season: where they stand, then which results are others."""
    here = after or before
    assert here is not None  # noqa: S101 - a person who moved is on one side at least
    stands = (
        _place(here)
        if not has_moved(before, after)
        else f"{_place(before)} {ARROW} {_place(after)}"
    )
    parts = [stands, *_results(before.results if before else (), after.results if after else ())]
    return "; ".join(parts)


def _place(row: SeasonRow | None) -> str:
    qualified = ", qualified" if row and row.qualified else ""
    return f"{row.rank}. with {row.points}{qualified}" if row else "not in it"


def _results(before: Sequence[SeasonResult], after: Sequence[SeasonResult]) -> Iterator[str]:
    sides = [{each.tournament: each for each in side} for side in (before, after)]
    for tournament in dict.fromkeys([*sides[0], *sides[1]]):
        one, other = (_result(side.get(tournament)) for side in sides)
        if one != other:
            yield f"in {tournament[:ID_SHOWN]} {one} {ARROW} {other}"


def _result(result: SeasonResult | None) -> str:
    counts = "" if result is None or result.counts else ", not counted"
    return f"place {result.place} for {result.points}{counts}" if result else "nothing"
