"""Receipts: as files, as codes on a terminal and on slips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import segno

from cli.render.codes import terminal_code
from ledger.errors import Refused
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with one round paired, and the policy that was given out."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    (desk.folder / "policy").write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    return desk


def test_a_receipt_says_which_result_it_proves(day: Desk) -> None:
    """By the line alone which side won; who that was, where the store here has the line."""
    day.report_all()
    first, second = day.seats(1)
    day.done("receipt", "1/1", "-o", "aki.tlog-proof")
    words = ("verify", "aki.tlog-proof", "--policy", "policy")
    told = " ".join(day.done(*words).out.split())
    assert "match 1, first player win, second player loss, points 10-1" in told
    assert f"in the store here: 1/1: Player 0{first} (#{first}) beat Player 0{second}" in told
    assert "Player 0" in str(day.done(*words, "--json").json)
    away = day.folder / "away"
    away.mkdir()
    day.patch.chdir(away)
    told = day.done("verify", "../aki.tlog-proof", "--policy", "../policy").out
    assert "first player win" in told
    assert "Player 0" not in told
    (away / "tourney.db").write_bytes(b"SQLite format 3\0" + b"x" * 4096)
    told = day.done("verify", "../aki.tlog-proof", "--policy", "../policy").out
    assert "in the store here: not read" in " ".join(told.split())


@pytest.mark.slow
def test_a_receipt_is_for_one_log(day: Desk) -> None:
    day.report_all()
    day.done("receipt", "1/1", "-o", "aki.tlog-proof")
    told = day.done("verify", "aki.tlog-proof", "--policy", "policy").out
    assert "ResultReported, is in the tree" in told
    assert day.type("verify", "aki.tlog-proof").code == 1
    path = day.folder / "aki.tlog-proof"
    whole = path.read_bytes()
    for place in range(0, len(whole), 9):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        answer = day.type("verify", "aki.tlog-proof", "--policy", "policy")
        assert answer.code in {1, 2}, place
        assert answer.err.count("\n") == 1
    path.write_bytes(whole)
    shown = day.done("receipt", "1/1")
    assert "\u2588" in shown.out
    day.done("new", "Another", "--ruleset", "swiss", "--organizer", "Kim Larsen")
    (day.folder / "other").write_text(day.done("checkpoint", "--policy").out, "utf-8")
    answer = day.type("verify", "aki.tlog-proof", "--policy", "other")
    assert answer.code == 1
    assert "no known key signed this" in answer.err


@pytest.mark.slow
def test_slips_with_the_code_of_a_receipt(day: Desk) -> None:
    """One for each player of the table; a code is the receipt as `-o` writes it, event and all."""
    day.done("rename", "#1", "Ann <b>Lee</b>")
    day.report_all()
    table = next(table for table in (1, 2) if 1 in day.seats(table))
    words = ("receipt", f"1/{table}", "--slips", "slips.html", "-o", "aki.tlog-proof")
    day.done(*words)
    page = (day.folder / "slips.html").read_text("utf-8")
    assert page.count("<section>") == 2
    for player in day.seats(table):
        assert f"(#{player})</p>" in page
    assert "<bdi>Ann &lt;b&gt;Lee&lt;/b&gt;</bdi> (#1)" in page
    assert "<b>" not in page
    receipt = (day.folder / "aki.tlog-proof").read_bytes()
    code = segno.make(receipt, mode="byte", error="l", micro=False)
    assert page.count(code.svg_inline(border=4, omitsize=True)) == 2
    assert day.type("receipt", "#1", "--slips", "slips.html").code == 2
    with pytest.raises(Refused, match="too many for a QR code"):
        terminal_code(bytes(3_000))
