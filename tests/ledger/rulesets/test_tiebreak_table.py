"""The table of tie-breaks names all of `fide` and `mcmahon`, and none that nothing declares."""

from __future__ import annotations

import re
from pathlib import Path

from ledger import rulesets

PAGE = (Path(rulesets.__file__).parent / "README.md").read_text("utf-8")


def test_every_code_has_a_row_and_every_row_a_code() -> None:
    start = PAGE.index("## Every tie-break and its declaration")
    rows = re.findall(r"^\|(?:[^|]*\|){4} .*\|$", PAGE[start:], re.MULTILINE)
    codes = {code for row in rows for code in re.findall(r"`([A-Z0-9]+)`", row.split("|")[3])}
    shipped = {one.code for key in rulesets.names() for one in rulesets.load(key).ruleset.declared}
    chess_and_go = {
        one.code for key in ("fide", "mcmahon") for one in rulesets.load(key).ruleset.declared
    }
    assert chess_and_go <= codes
    assert codes <= shipped
