"""Every named question by its name, the order of its rows, and the comparison with an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isclose
from typing import TYPE_CHECKING, Any

from tests.truth.season_answers import faction_answers, people_answers, play_answers

if TYPE_CHECKING:
    from tests.truth.season_answers.season_rows import Answer, SeasonRows

OF_WHOLE: Mapping[str, Callable[[SeasonRows, SeasonRows], Answer]] = {
    "attendance": people_answers.attendance,
    "retention": people_answers.retention,
}
"""Questions that also read the whole season, whatever is chosen of it."""

ANSWERS: Mapping[str, Callable[[SeasonRows], Answer]] = {
    "byes": people_answers.byes,
    "corrections": play_answers.corrections,
    "cut-conversion": faction_answers.cut_conversion,
    "disputes": play_answers.disputes,
    "extensions": play_answers.extensions,
    "faction-matchups": faction_answers.faction_matchups,
    "faction-trend": faction_answers.faction_trend,
    "factions": faction_answers.factions,
    "first-and-side": faction_answers.first_and_side,
    "head-to-head": people_answers.head_to_head,
    "officials": play_answers.officials,
    "outcomes": play_answers.outcomes,
    "pairing-quality": play_answers.pairing_quality,
    "round-length": play_answers.round_length,
    "rulings": play_answers.rulings,
    "schedule-luck": people_answers.schedule_luck,
    "upsets": people_answers.upsets,
}
"""Questions that read what is chosen."""


ROUNDED = 1e-7
"""A question adds up whole billionths, whose sum does not depend on the order of the rows."""


def outside(name: str, season: SeasonRows, whole: SeasonRows) -> Answer:
    """Answer a named question from rows."""
    if name in OF_WHOLE:
        return OF_WHOLE[name](season, whole)
    return ANSWERS[name](season)


ORDERS: Mapping[str, str] = {
    "attendance": "month ruleset",
    "byes": "ruleset byes",
    "corrections": "-corrected -share held_on name desk results after_close after_finish",
    "cut-conversion": "ruleset faction",
    "disputes": "ruleset ended_by official clause disputes tournaments",
    "extensions": "ruleset round",
    "faction-matchups": "ruleset faction opponent",
    "faction-trend": "month ruleset faction",
    "factions": "ruleset faction",
    "first-and-side": "ruleset advantage",
    "head-to-head": "-games person opponent",
    "officials": "-rulings held_on name official clauses review_asked decided_anew",
    "outcomes": "ruleset",
    "pairing-quality": "ruleset round",
    "retention": "month",
    "round-length": "ruleset stage clock",
    "rulings": "ruleset -rulings clause",
    "schedule-luck": "-total",
    "upsets": "-behind",
}
"""Columns by which the rows of an answer are sorted; a minus: the highest first. None is last."""


def in_order(name: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> bool:
    """Return whether the rows of an answer are sorted; equal sums can differ by their rounding."""
    keys = [
        tuple(
            _sortable(row[columns.index(by.removeprefix("-"))], by) for by in ORDERS[name].split()
        )
        for row in rows
    ]
    return keys == sorted(keys)


def _sortable(value: Any, by: str) -> tuple[bool, Any]:  # noqa: ANN401 - a value of a row
    if value is None:
        return True, 0
    if isinstance(value, str):
        return False, value.encode()
    if isinstance(value, float):
        value = round(value, 6)
    return False, -value if by.startswith("-") else value


def compared(name: str, found: Sequence[tuple[Any, ...]], expected: Answer) -> int:
    """Compare two answers row by row, in any order; return how many values were compared."""
    assert len(found) == len(expected), f"{name}: {len(found)} rows, {len(expected)} expected"
    values = 0
    for mine, theirs in zip(sorted(found, key=_key), sorted(expected, key=_key), strict=True):
        assert len(mine) == len(theirs), f"{name}: {mine} has other columns than {theirs}"
        for one, other in zip(mine, theirs, strict=True):
            assert _same(one, other), f"{name}: {mine}, expected {theirs}"
            values += 1
    return values


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        if not isinstance(one, float | int) or not isinstance(other, float | int):
            return False
        return isclose(one, other, rel_tol=1e-9, abs_tol=ROUNDED)
    return type(one) is type(other) and one == other


def _key(row: tuple[Any, ...]) -> list[tuple[bool, str]]:
    exact = [each for each in row if not isinstance(each, float)]
    rounded = [f"{each:.6f}" for each in row if isinstance(each, float)]
    return [(each is None, str(each)) for each in (*exact, *rounded)]
