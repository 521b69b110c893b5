"""One process acts and signs heads, another takes receipts, exports, cosigns and compares.

Nothing is ever torn: every receipt holds, every export verifies and goes on from the one before,
and the witness never meets a head that does not go on from the last.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import Desk

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 4
PLAYERS = 8
"""So many that every round can be paired: each has half the field still to meet."""

ROUNDS_LOOKED_MIN = 3


def acting(folder: Path) -> int:
    """Play the rounds at a desk of one's own, with postings; returns how many lines there are."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(folder, patch)
        try:
            for number in range(2, ROUNDS + 1):
                play(desk, number)
            desk.done("finish")
        finally:
            (folder / "ended").touch()
        return len(desk.log().splitlines())


def play(desk: Desk, number: int) -> None:
    """Pair, post, report, correct, close and post a round."""
    desk.done("pair")
    desk.done("post", "pairings")
    desk.report_all()
    desk.done("correct", f"{number}/1", f"#{desk.seats(1)[1]}", "--reason", "wrong line")
    desk.done("round", "close")
    desk.done("post", "standings")


def looking(folder: Path) -> list[int]:
    """Prove, export, verify, compare and cosign until the day has ended; returns the sizes seen."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(folder, patch)
        sizes = [0]
        before = ""
        while len(sizes) <= ROUNDS_LOOKED_MIN or not (folder / "ended").exists():
            desk.done("receipt", "1/1", "-o", "own.tlog-proof")
            told = desk.done("verify", "own.tlog-proof", "--policy", "policy").out
            assert "is in the tree" in told
            after = f"{len(sizes)}.jsonl"
            desk.done("export", "-o", after)
            # Held to its own head: the desk may have signed a later one by now.
            with desk.patch.context() as stranger:
                stranger.setenv("TOURNEY_KEYS", "elsewhere")
                table = desk.done("verify", after, "--policy", "policy", "--json").json
            for row in ("tree", "head", "authority", "rules", "names"):
                assert 0 < table[row]["checked"] == table[row]["of"], table[row]
            if before:
                desk.done("diff", before, after, "--policy", "policy")
            desk.done("witness", "ask", "--old", str(sizes[-1]), "-o", "ask.txt")
            desk.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
            sizes.append(int(desk.done("witness").out.split()[1]))
            before = after
        return sizes


@pytest.mark.slow
def test_a_desk_that_acts_and_one_that_looks(desk: Desk) -> None:
    desk.open(PLAYERS, "custom", "--rounds", str(ROUNDS))
    desk.done("pair")
    desk.report_all()
    (desk.folder / "policy").write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("witness", "init", "league.example/cup")
    log = (desk.folder / "policy").read_text("utf-8").split()[1]
    desk.done("witness", "trust", log)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        acted, looked = pool.submit(acting, desk.folder), pool.submit(looking, desk.folder)
        size, sizes = acted.result(), looked.result()
    assert sizes == sorted(sizes)
    assert sizes[-1] <= size
    desk.done("witness", "ask", "--old", str(sizes[-1]), "-o", "ask.txt")
    desk.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    desk.done("witness", "add", "answer.txt")
    desk.done("export", "-o", "last.jsonl")
    desk.done("verify", "last.jsonl", "--policy", "policy")
