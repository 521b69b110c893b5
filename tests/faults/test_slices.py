"""Slices add up: each goes on where the last one stopped, and only over the same code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.faults import slices
from tests.faults.slices import Settings, Slice, State, settings

if TYPE_CHECKING:
    from pathlib import Path


def begun(options: Settings, *, must_lose: str | None = None) -> Slice:
    return Slice("one", short=3, long=10, options=options, must_lose=must_lose)


def state_in(folder: Path) -> State:
    return msgspec.json.decode((folder / "one.json").read_bytes(), type=State)


def stopped_after(run: Slice, cases: int) -> list[int]:
    """Try so many cases and be stopped in the middle of the next."""
    tried: list[int] = []
    with run:
        for case in run:
            if len(tried) == cases:
                break
            run.count("seen")
            tried.append(case)
    return tried


def test_a_normal_run_tries_the_first_cases_and_remembers_nothing(tmp_path: Path) -> None:
    options = Settings(folder=tmp_path)
    assert stopped_after(begun(options), 99) == [0, 1, 2]
    assert stopped_after(begun(options), 99) == [0, 1, 2]
    assert not list(tmp_path.iterdir())


def test_a_long_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    options = Settings(long=True, folder=tmp_path)
    assert stopped_after(begun(options), 4) == [0, 1, 2, 3]
    assert stopped_after(begun(options), 99) == [4, 5, 6, 7, 8, 9]
    assert stopped_after(begun(options), 99) == []
    state = state_in(tmp_path)
    assert (state.next, state.cases, state.slices) == (10, 10, 3)
    assert state.counts == {"seen": 10}


def test_a_slice_ends_when_its_time_is_up(tmp_path: Path) -> None:
    assert stopped_after(begun(Settings(long=True, minutes=0, folder=tmp_path)), 99) == []


def test_losses_are_kept_and_printed(tmp_path: Path) -> None:
    options = Settings(long=True, folder=tmp_path)
    with begun(options) as run:
        for case in run:
            if case == 7:
                run.lose(case, "an act is gone")
    with begun(options) as run:
        assert run.lost == 1
        assert "10 cases, 1 losses (0 tried now)" in run.report()
        assert "case 7: an act is gone" in run.report()


def test_figures_of_other_code_are_added_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = Settings(long=True, folder=tmp_path)
    stopped_after(begun(options), 2)
    monkeypatch.setattr(slices, "code", lambda: "another")
    monkeypatch.setattr(slices, "commit", lambda: "abc")
    with pytest.raises(ValueError, match="the code is another now"), begun(options):
        pass
    stopped_after(begun(msgspec.structs.replace(options, add=True)), 2)
    assert (state_in(tmp_path).cases, state_in(tmp_path).commits[1:]) == (4, ["abc"])


def test_another_seed_is_another_run(tmp_path: Path) -> None:
    stopped_after(begun(Settings(long=True, folder=tmp_path)), 2)
    with (
        pytest.raises(ValueError, match="with seed 1"),
        begun(Settings(long=True, folder=tmp_path, seed=2)),
    ):
        pass


def test_two_slices_of_one_harness_do_not_run_at_once(tmp_path: Path) -> None:
    options = Settings(long=True, folder=tmp_path)
    with begun(options), pytest.raises(BlockingIOError), begun(options):
        pass


def test_one_case_can_be_tried_again() -> None:
    run = begun(Settings(long=True, case=8))
    assert stopped_after(run, 99) == [8]
    assert [run.chance(8).random() for _ in range(2)] == [run.chance(8).random()] * 2
    assert run.chance(8).random() != run.chance(9).random()


def test_a_control_is_short_and_remembers_nothing(tmp_path: Path) -> None:
    options = Settings(long=True, case=8, folder=tmp_path)
    assert stopped_after(begun(options, must_lose="gone"), 99) == [0, 1, 2]
    assert not list(tmp_path.iterdir())


def test_a_control_ends_when_it_has_lost_what_it_must() -> None:
    tried: list[int] = []
    with begun(Settings(), must_lose="an act is gone") as run:
        for case in run:
            tried.append(case)
            assert not run.is_shown
            run.lose(case, "an act is gone" if case else "something else")
    assert (tried, run.is_shown) == ([0, 1], True)


def test_the_variables() -> None:
    assert settings({}) == Settings()
    given = {"": "long", "_MINUTES": "45", "_SEED": "7", "_CASE": "0", "_GOAL": "9", "_ADD": "1"}
    read = settings({f"TOURNEY_FAULTS{name}": text for name, text in given.items()})
    assert (read.long, read.minutes, read.seed, read.case) == (True, 30, 7, 0)
    assert (read.goal, read.add) == (9, True)
    for wrong in ({"TOURNEY_FAULTS": "yes"}, {"TOURNEY_FAULTS_MINUTE": "3"}):
        with pytest.raises(ValueError, match="no such setting"):
            settings(wrong)
