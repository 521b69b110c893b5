"""Two histories of one tournament: the signed one is named, and wins where it is asked for."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from tests.support.cli_desk import UNSIGNED
from tests.support.season import contents, opened
from tests.support.stranger import (
    EARLY,
    FORGED,
    LOG,
    POLICY,
    SEASON,
    THIEF,
    forge,
    lines_of,
    one_line,
    sign_as_thief,
    signed_in,
)

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow


def test_a_forged_log_locks_nobody_out(stranger: Desk) -> None:
    """It came first, and without a head; the true one is named, and wins when asked to."""
    seq = forge(stranger)
    stranger.done("season", "add", LOG, "--in", "true.duckdb")
    stranger.done("season", "add", FORGED, *UNSIGNED)
    before = contents(stranger.folder / SEASON)
    assert before["standings"] != contents(stranger.folder / "true.duckdb")["standings"]
    told = one_line(stranger, "season", "add", LOG)
    assert (
        f"the log of its tournament in the season: they differ from event {seq} on; find out"
        in told
    )
    assert f"{LOG} is signed up to event " in told
    assert (
        "; the season's is not signed up to there; nothing was changed; "
        "use `season add PATH --signed-wins`" in told
    )
    assert contents(stranger.folder / SEASON) == before
    answer = stranger.done("season", "add", LOG, "--signed-wins")
    assert f"{LOG} was taken: {LOG} is signed up to event" in answer.err
    assert "1 replaced another history" in answer.err
    assert contents(stranger.folder / SEASON) == contents(stranger.folder / "true.duckdb")
    told = one_line(stranger, "season", "add", FORGED, *UNSIGNED)
    assert f"{FORGED} is not signed up to there; the season's is signed up to event " in told
    told = one_line(stranger, "season", "restate", FORGED, *UNSIGNED)
    assert "; use `season add PATH --signed-wins`" in told  # `restate` has no such word
    answer = stranger.done("season", "add", FORGED, "--signed-wins", *UNSIGNED)
    assert "the season's was taken" in answer.err
    assert contents(stranger.folder / SEASON) == contents(stranger.folder / "true.duckdb")


@pytest.mark.parametrize("order", [(LOG, FORGED), (FORGED, LOG), (FORGED, EARLY, LOG)], ids=str)
def test_two_histories_in_one_load(stranger: Desk, order: tuple[str, ...]) -> None:
    forge(stranger)
    shutil.copy(stranger.folder.parent / EARLY, stranger.folder / EARLY)
    told = one_line(stranger, "season", "add", *order, *UNSIGNED)
    assert "; nothing was changed; use `season add PATH --signed-wins`" in told
    answer = stranger.done("season", "add", *order, "--signed-wins", "--json", *UNSIGNED)
    fates = {each["where"]: each["fate"] for each in answer.json}
    assert fates[FORGED] == "unsigned"
    assert fates[LOG] in {"new", "signed"}
    assert f"tourney: {FORGED} " in answer.err
    assert answer.err.count("they differ from event") == 1  # once, whichever came first
    stranger.done("season", "add", LOG, "--in", "true.duckdb")
    assert contents(stranger.folder / SEASON) == contents(stranger.folder / "true.duckdb")
    with opened(stranger.folder / SEASON) as connection:
        told_twice = connection.execute(
            "SELECT count(*), count(DISTINCT tournament) FROM tournaments"
        ).fetchone()
    assert told_twice == (1, 1)


def test_a_thief_signs_with_a_key_of_their_own(stranger: Desk) -> None:
    """Two that are both signed by the key they name: only a policy decides."""
    sign_as_thief(stranger, FORGED)
    stranger.done("season", "add", LOG, "--in", "true.duckdb", "--policy", POLICY)
    stranger.forget_what_was_seen()
    stranger.done("season", "add", FORGED)
    stranger.forget_what_was_seen()
    for words in ((), ("--signed-wins",)):
        told = one_line(stranger, "season", "add", LOG, *words)
        assert "they differ from event 1 on" in told
        assert "a policy states whose key counts" in told
    told = one_line(stranger, "season", "add", FORGED, "--policy", POLICY, "--in", "new.duckdb")
    assert "no known key signed this" in told
    stranger.done("season", "add", LOG, "--policy", POLICY, "--signed-wins")
    assert contents(stranger.folder / SEASON) == contents(stranger.folder / "true.duckdb")


def test_a_head_that_comes_later_is_kept(stranger: Desk) -> None:
    """The same lines, once without and once with their head: in any order it is the same season."""
    shutil.copy(stranger.folder / LOG, stranger.folder / "bare.jsonl")
    size = len(lines_of(stranger.folder / LOG)) - 1
    stranger.done("season", "add", "bare.jsonl", *UNSIGNED)
    assert signed_in(stranger) == [(0, None, False)]
    answer = stranger.done("season", "add", LOG)
    assert "1 already in the season" in answer.err
    assert [covered for covered, *_ in signed_in(stranger)] == [size]
    stranger.done("season", "add", "bare.jsonl", *UNSIGNED)
    assert [covered for covered, *_ in signed_in(stranger)] == [size]
    for order in (("bare.jsonl", LOG), (LOG, "bare.jsonl")):
        stranger.done("season", "rebuild", *order, "--in", "again.duckdb", *UNSIGNED)
        assert contents(stranger.folder / "again.duckdb") == contents(stranger.folder / SEASON)
    stranger.done("season", "add", LOG, "--policy", POLICY)
    assert [by_policy for *_, by_policy in signed_in(stranger)] == [True]
    stranger.done("season", "archive", "kept")
    stranger.done("season", "rebuild", "kept", "--in", "back.duckdb")
    assert signed_in(stranger, "back.duckdb") == [(0, None, False)]  # no lines were looked at
    assert "no head" in one_line(stranger, "season", "add", "kept", "--policy", POLICY, code=2)


def test_the_head_of_a_store_counts_as_one_of_a_file(stranger: Desk) -> None:
    store = str(stranger.folder.parent / "tourney.db")
    stranger.done("season", "add", LOG, "--policy", POLICY)
    stranger.done("season", "add", store, "--policy", POLICY, "--in", "beside.duckdb")
    assert contents(stranger.folder / "beside.duckdb") == contents(stranger.folder / SEASON)
    stranger.patch.setenv("TOURNEY_KEYS", str(stranger.folder.parent / ".tourney-keys"))
    stranger.done("season", "add", store, "--policy", POLICY, "--in", "stored.duckdb")
    assert contents(stranger.folder / "stored.duckdb") == contents(stranger.folder / SEASON)
    (stranger.folder / "others").write_text("quorum none\n", "utf-8")
    foreign = notes.signer("tourney/" + "0" * 32, THIEF)
    (stranger.folder / "others").write_text(
        f"log {notes.vkey(foreign.key)}\nquorum none\n", "utf-8"
    )
    told = one_line(stranger, "season", "add", store, "--policy", "others", "--in", "no.duckdb")
    assert "no known key signed this" in told
    shutil.rmtree(stranger.folder.parent / ".tourney-keys" / "checkpoints")
    told = one_line(stranger, "season", "add", store, "--policy", POLICY, "--in", "no.duckdb")
    assert "the latest signed head, is missing" in told
    stranger.patch.delenv("TOURNEY_KEYS")
    assert "no signed head covers" in one_line(
        stranger, "season", "add", store, "--in", "bare.duckdb"
    )
    stranger.done("season", "add", store, "--in", "bare.duckdb", *UNSIGNED)
    assert signed_in(stranger, "bare.duckdb") == [(0, None, False)]


def test_another_history_than_the_stores(stranger: Desk) -> None:
    seq = forge(stranger)
    store = str(stranger.folder.parent / "tourney.db")
    told = one_line(stranger, "--store", store, "import", FORGED, *UNSIGNED)
    assert f"it differs from the store at event {seq}; nothing was changed. File: signature" in told
    assert "Store: no head was signed here" in told
    stranger.done("--store", "forged.db", "import", FORGED, *UNSIGNED)
    stranger.forget_what_was_seen()
    told = one_line(stranger, "--store", "forged.db", "import", LOG)
    assert "File: the head next to the log matches, signed at line" in told
    assert "Store: no head was signed here" in told
