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
    assert "Ann &lt;b&gt;Lee&lt;/b&gt; (#1)" in page
    assert "<b>" not in page
    receipt = (day.folder / "aki.tlog-proof").read_bytes()
    code = segno.make(receipt, mode="byte", error="l", micro=False)
    assert page.count(code.svg_inline(border=4, omitsize=True)) == 2
    assert day.type("receipt", "#1", "--slips", "slips.html").code == 2
    with pytest.raises(Refused, match="too many for a QR code"):
        terminal_code(bytes(3_000))
