"""Differences between two moments: put onto one side they give the other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.tournament.state import Tournament
from projections.explain.differences import (
    Differences,
    PersonState,
    as_json,
    causes,
    differences,
    opponents,
    reach_of,
    reasons,
)
from projections.standings.bracket import bracket, finishing_order
from projections.standings.table import as_json as rows_as_json
from projections.standings.table import everyone
from tests.support.days.confirmed_days import confirmed_day
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.support.simulate import Day

SEEDS = 8
ALL = 14
"""From `SEEDS` on, players report, wait and dispute, and rounds are repaired."""


@cache
def day_of(seed: int) -> Day:
    if seed >= SEEDS:
        return confirmed_day(seed, 7 + seed % 4, whole=seed % 2 == 0)
    return play(seed, 8 + 3 * seed, rounds=4, cut=(0, 4, 8)[seed % 3] if seed > 2 else 0)


@cache
def moment(seed: int, seq: int) -> Tournament:
    return day_of(seed).folded(day_of(seed).log[:seq])


@st.composite
def moments(draw: st.DrawFn) -> tuple[int, int, int]:
    """A day, and two places in its log, in any order."""
    seed = draw(st.integers(0, ALL - 1))
    size = len(day_of(seed).log)
    return seed, draw(st.integers(1, size)), draw(st.integers(1, size))


def put_onto(before: dict[Any, Any], changes: Iterable[tuple[Any, Any, Any]]) -> dict[Any, Any]:
    """Carry changes out, each only where its old value stands."""
    after = dict(before)
    for key, old, new in changes:
        assert before.get(key) == old
        assert old != new
        if new is None:
            del after[key]
        else:
            after[key] = new
    return after


def table(tournament: Tournament) -> dict[int, dict[str, object]]:
    """The standings as scripts get them, by player, without the names."""
    rows = rows_as_json(everyone(tournament), {})
    return {
        int(str(row["player"])): {
            key: value for key, value in row.items() if key not in {"player", "name"}
        }
        for row in rows
    }


@pytest.mark.slow
@given(moments())
def test_differences_put_onto_one_table_give_the_other(case: tuple[int, int, int]) -> None:
    seed, one, other = case
    before, after = moment(seed, one), moment(seed, other)
    found = differences(before, after)
    told = as_json(found, {}, after.ruleset.tiebreakers)
    rows = told["rows"]
    assert isinstance(rows, list)
    changes = [(row["player"], row["before"], row["after"]) for row in rows]
    assert put_onto(table(before), changes) == table(after)


@pytest.mark.slow
@given(moments())
def test_people_matches_games_cuts_and_places_are_whole(case: tuple[int, int, int]) -> None:
    seed, one, other = case
    before, after = moment(seed, one), moment(seed, other)
    found = differences(before, after)
    assert put_onto(
        people(before), [(each.player, each.before, each.after) for each in found.people]
    ) == people(after)
    assert put_onto(
        seats(before),
        [
            (
                (each.round, each.table),
                each.before and (each.before.first, each.before.second, each.before.result),
                each.after and (each.after.first, each.after.second, each.after.result),
            )
            for each in found.matches
        ],
    ) == seats(after)
    assert put_onto(
        games(before), [((each.round, each.table), each.before, each.after) for each in found.games]
    ) == games(after)
    assert put_onto(
        cuts(before),
        [(each.stage, each.before or None, each.after or None) for each in found.cuts],
    ) == cuts(after)
    assert put_onto(
        places(before),
        [(each.player, each.before or None, each.after or None) for each in found.places],
    ) == places(after)


def people(tournament: Tournament) -> dict[int, PersonState]:
    return {
        each.number: PersonState(
            tournament.names.get(f"p{each.number}", ""), each.faction, each.status
        )
        for each in tournament.registered()
    }


def seats(tournament: Tournament) -> dict[tuple[int, int], tuple[object, ...]]:
    return {
        (match.round, match.table): (match.first, match.second, match.result)
        for match in tournament.matches[1:]
        if not match.void and tournament.rounds[match.round - 1].stage == 1
    }


def games(tournament: Tournament) -> dict[tuple[int, int], object]:
    if len(tournament.stages) < 2:
        return {}
    return {
        (played.round, game.game): game
        for played in bracket(tournament, 2).rounds
        for game in played.games
    }


def cuts(tournament: Tournament) -> dict[int, tuple[int, ...]]:
    return {each.number: tuple(each.seeds) for each in tournament.stages if each.cut_seq}


def places(tournament: Tournament) -> dict[int, int]:
    if len(tournament.stages) < 2 or not tournament.stages[1].rounds:
        return {}
    return {each.player: each.rank for each in finishing_order(tournament) if each.rank}


@given(moments())
def test_a_moment_does_not_differ_from_itself(case: tuple[int, int, int]) -> None:
    seed, seq, _ = case
    again = day_of(seed).folded(day_of(seed).log[:seq])
    found = differences(moment(seed, seq), again)
    assert not found
    assert found == Differences((seq, seq), found.stages, found.rounds, *[()] * 6)


@given(moments())
def test_every_number_that_moved_has_an_event_that_did_it(case: tuple[int, int, int]) -> None:
    seed, *seqs = case
    one, other = sorted(seqs)
    before, after = moment(seed, one), moment(seed, other)
    events = day_of(seed).log[one:other]
    moving = causes(events, after)
    met, reach = opponents(before, after), reach_of(after.ruleset.tiebreakers)
    assert reach == 2
    for row in differences(before, after).rows:
        found = reasons(row.player, moving, met, reach)
        assert not set(found.direct) & set(found.through)
        assert {*found.direct, *found.through} <= {each.seq for each in events}
        if row.before is None or row.after is None:
            assert found.direct
            continue
        own = [
            (each.points, each.wins, each.losses, each.byes, each.dropped, each.disqualified)
            for each in (row.before, row.after)
        ]
        if own[0] != own[1]:
            assert found.direct
        if row.before.tiebreakers != row.after.tiebreakers:
            assert found.direct or found.through


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(ALL))
def test_an_event_that_is_no_cause_moves_no_number(seed: int) -> None:
    """Each event that is left out of the list alone leaves every row as it was."""
    log = day_of(seed).log
    before = Tournament()
    for recorded in log:
        after = moment(seed, recorded.seq)
        if recorded.seq > 1 and not causes([recorded], after):
            assert not differences(before, after).rows, recorded
        before = after


def test_days_with_confirmations_disputes_and_repairs_are_among_them() -> None:
    kinds = {each.type for seed in range(SEEDS, ALL) for each in day_of(seed).log}
    assert {"ResultConfirmed", "ResultDisputed", "RulingMade", "TablesRepaired"} <= kinds


def test_a_confirmation_that_nothing_waits_for_is_no_cause() -> None:
    day = play(3, 14, rounds=3, disputes=True)
    confirmed = [each for each in day.log if each.type == "ResultConfirmed"]
    assert confirmed
    assert causes(confirmed, day.tournament) == ()
