"""The sample log of a day with lists is what its day gives, and holds what it promises."""

from __future__ import annotations

from ledger.fold import fold_lines
from ledger.lines.line import decode
from tests.support.sample_lists import LOG, embers_evening


def test_the_log_is_what_its_day_gives() -> None:
    assert LOG.read_bytes() == b"".join(line + b"\n" for line in embers_evening().lines)


def test_it_holds_lists_findings_and_a_flag() -> None:
    """FFG-LIST: eight lists, two corrections, one of which is to be investigated."""
    lines = LOG.read_bytes().splitlines()
    kinds = [decode(line).type for line in lines]
    assert [kinds.count(f"List{kind}") for kind in ("Submitted", "Checked", "Corrected")] == [
        8,
        10,
        2,
    ]
    lists = fold_lines(lines).lists
    assert [number for number, held in lists.items() if held.flagged] == [3]
    breaking = [f.clause for line in lines for f in getattr(decode(line).event, "findings", ())]
    assert {"LEG-SAME", "LEG-WIND", "LEG-STARTING", "LEG-BASE"} <= set(breaking)
