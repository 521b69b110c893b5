"""Margins, certificates and the risk of a slip audit, against a plain search over hard events.

`TOURNEY_CUTS=4000 pytest -s tests/truth/cuts/test_cut_truth.py` is the long form: 4,000 events,
and the figures are printed.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest

from cli.render.audit_tables import margin_as_json
from ledger.fold import fold
from projections.standings.table import standings
from projections.whatif.cut_margin import Moves, cut_margin, cut_of, cut_stage
from projections.whatif.sweep import sweep
from tests.support.simulate import open_matches_of
from tests.truth.cuts.cut_truth import GAMES, Judged, PlainSearch, hard_day, legal_results
from tests.truth.cuts.margin_checker import problems
from tests.truth.sweep_truth import Judge, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.truth.cuts.cut_truth import HardDay

LONG = int(os.environ.get("TOURNEY_CUTS", "0"))
EXHAUSTED = 2
"""Sets of so many results are all tried; for larger margins the certificate has to do."""


def judge(hard: HardDay, tally: Judged) -> None:
    """Hold the margin of an event against every set of results, and against its certificate."""
    stage = cut_stage(hard.day.tournament)
    assert stage is not None
    cut = cut_of(hard.day.tournament, stage)
    margin = cut_margin(fold(hard.day.log), cut)
    plain = PlainSearch(hard.day, hard.game, cut.stage, cut.inside)
    tally.events += 1
    where = f"{hard.game} {sorted(hard.marks)}: {margin.least} to {margin.most}"
    if margin.changed or plain.inside() != frozenset(cut.inside):
        tally.marks["changed"] += 1
        if not margin.changed or plain.inside() == frozenset(cut.inside):
            tally.wrong.append(f"{where}: the cut is not as the results put it")
        return
    tally.margins[margin.least] += 1
    tally.marks.update(hard.marks)
    upto = min(margin.least - 1, EXHAUSTED if len(plain.results) < 10 else 1)
    if fewer := next((count for count in range(1, upto + 1) if plain.changes(count)), 0):
        tally.wrong.append(f"{where}: {fewer} change it")
    if margin.most and not plain.is_changed_by(margin.example):
        tally.wrong.append(f"{where}: the example does not change it")
    if margin.is_exact and margin.most != len(margin.example):
        tally.wrong.append(f"{where}: the example has {len(margin.example)} results")
    rows = standings(hard.day.tournament, cut.stage - 1).rows
    read = msgspec.json.decode(
        msgspec.json.encode(margin_as_json(hard.day.tournament, cut, margin))
    )
    table = [{"player": row.player, "rank": row.rank, "points": row.points} for row in rows]
    if against := list(problems(read, table, plain.ranked_with)):
        tally.wrong.append(f"{where}: {against[0]}")
    tally.sets += plain.sets


def judged(seeds: Sequence[int], games: Sequence[str] = GAMES) -> Judged:
    """Judge the events of some seeds."""
    tally = Judged()
    for seed in seeds:
        judge(hard_day(seed, games=games), tally)
    if LONG:
        hard = sum(count for least, count in tally.margins.items() if least > 1)
        print(  # noqa: T201 - the figures of the long form
            f"\n{tally.events} events, {hard} with a margin of 2 or more: "
            f"{sorted(tally.margins.items())}; {sorted(tally.marks.items())}; "
            f"{tally.sets} sets of results tried; {len(tally.wrong)} wrong"
        )
    return tally


@pytest.mark.slow
def test_no_set_of_fewer_results_changes_the_cut() -> None:
    tally = judged(range(60))
    assert not tally.wrong, tally.wrong[:5]
    assert sum(count for least, count in tally.margins.items() if least > 1) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_set_of_fewer_results_changes_the_cut_of_hard_events(part: int) -> None:
    size = (LONG or 800) // 4
    tally = judged(range(10_000 + part * size, 10_000 + (part + 1) * size))
    assert not tally.wrong, tally.wrong[:5]
    assert sum(count for least, count in tally.margins.items() if least > 1) >= size / 6
    marks = {"adjusted", "bye", "by points", "carried", "left", "made", "no-show", "rematch"}
    assert marks <= tally.marks.keys()


def test_the_bound_of_one_player_s_swing_is_found_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game between two players moves both: a search that stops earlier misses cuts."""

    def too_early(self: Moves, gap: int, count: int) -> bool:
        return not self.free and gap > count * max(self._swing)

    monkeypatch.setattr(Moves, "goes_further", too_early)
    found = judged((18, 73, 112, 171))
    assert found.wrong


def test_a_certificate_with_other_numbers_is_found_wrong() -> None:
    """The checker misses none of the claims that a margin makes."""
    tried: Counter[str] = Counter()
    for seed in range(200):
        hard = hard_day(seed, games=("swiss",))
        stage = cut_stage(hard.day.tournament)
        assert stage is not None
        cut = cut_of(hard.day.tournament, stage)
        margin = cut_margin(fold(hard.day.log), cut)
        plain = PlainSearch(hard.day, hard.game, cut.stage, cut.inside)
        rows = standings(hard.day.tournament, cut.stage - 1).rows
        table = [{"player": row.player, "rank": row.rank, "points": row.points} for row in rows]
        if margin.changed or not margin.is_exact:
            continue
        claim = margin_as_json(hard.day.tournament, cut, margin)
        higher = claim | {"least": margin.least + 1}
        read = msgspec.json.decode(msgspec.json.encode(higher))
        read["certificate"]["pairs"] = []
        assert list(problems(read, table, plain.ranked_with)), hard.marks
        tried["higher"] += 1
        empty = msgspec.json.decode(msgspec.json.encode(claim))
        if empty["certificate"]["pairs"]:
            empty["certificate"]["pairs"].pop()
            assert list(problems(empty, table, plain.ranked_with))
            tried["left out"] += 1
        if tried["left out"] >= 10:
            break
    assert min(tried.values()) >= 10


def swept(seeds: Sequence[int], open_tables: int, games: Sequence[str]) -> tuple[Tally, int]:
    """Play every table of results for events in which a round is running, and judge the sweep.

    Returns the tally, and how many verdicts are certain or out.
    """
    tally, proven = Tally(), 0
    for seed in seeds:
        hard = hard_day(seed, games=games, open_tables=open_tables)
        if not open_matches_of(hard.day):
            continue
        found = sweep(hard.day.log)
        verdicts = [chance.verdict for player in found.players for chance in player.chances]
        proven += sum(verdict in {"certain", "out"} for verdict in verdicts)
        played = [each for each in legal_results(hard.game) if each.manner != "no-show"]
        Judge(hard.day, found, tally, f"{hard.game} {seed}").every_one(played)
    if LONG:
        print(f"\n{tally.line(f'{open_tables} open tables')}; {proven} certain or out")  # noqa: T201
    return tally, proven


@pytest.mark.slow
@pytest.mark.parametrize("open_tables", [1, 2, 3])
def test_certain_and_out_hold_in_hard_events(open_tables: int) -> None:
    size = (LONG or 240) // 3 // open_tables
    tally, proven = swept(range(30_000, 30_000 + size), open_tables, ("l5r", "legion"))
    more, further = swept(range(40_000, 40_000 + size), open_tables, ("swiss", "mcmahon", "fide"))
    assert [*tally.refuted, *more.refuted] == []
    assert [*tally.unseen, *more.unseen] == []
    assert min(proven, further) > size


@pytest.mark.slow
def test_certain_and_out_hold_in_a_few_hard_events() -> None:
    tally, proven = swept(range(50_000, 50_025), 2, GAMES[:5])
    assert not tally.refuted
    assert not tally.unseen
    assert proven > 25
