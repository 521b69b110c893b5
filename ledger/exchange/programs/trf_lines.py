"""Lines of FIDE's report files by their columns, and records about the whole event.

Record 162 gives what results are worth: a letter and four columns of points, each nine columns
behind the one before. Records 202 and 212 list the tie-breaks, 212 with the points (PTS) first.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from ledger.exchange.programs.building import is_number
from ledger.rulesets import of_edition, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.rulesets import Ruleset

ROUND_1, WIDTH = 91, 10
_CELL = re.compile(r"(?:   [0-9]|  [0-9]{2}| [0-9]{3}|[0-9]{4}| {4}) [-wWbB ] .")
PLAYER = re.compile(r"001 [ 0-9]{4} ")
RULER = re.compile(r"[0-9 ]{60,}")
"""A line that counts the columns, as people put it above the players."""

WIN, DRAW, LOSS, ABSENCE, BYE = "W", "D", "L", "A", "P"
_WORTH = re.compile(r"([WDLAPX]) {0,3}([0-9]{1,2}(?:[.,][0-9])?)(?![0-9])")
_MODIFIED = re.compile(r"(BH|FB|SB|PS|ARO|DE)((?:P|[CM][1-9])*)")
"""A tie-break of FIDE with its modifiers, as the ruleset writes its code: BHC1 for BH/C1."""

_PLAIN = frozenset(
    {"WIN", "WON", "BPG", "BWG", "REP", "KS", "AOB", "TPR", "APRO", "PTP", "APPO", "RTNG", "RD"}
)
"""Tie-breaks of FIDE without modifiers."""


def is_trf(text: str) -> bool:
    """Return whether a text is of this format: a line of a player, and only such lines before."""
    for line in text.splitlines()[:400]:
        if PLAYER.match(line):
            return True
        is_line = re.match(r"[0-9A-Z#]{3}(?: |$)", line) or RULER.fullmatch(line)
        if line.strip() and not is_line:
            return False
    return False


def is_columns(line: str) -> bool:
    """Return whether the columns of points, rank and the rounds are where they should be."""
    points, rank = line[80:84].strip(), line[85:89].strip()
    is_points = re.fullmatch(r"[0-9]{0,2}[.,]?[0-9]?", points) and (not rank or is_number(rank))
    cells = (line[at : at + 8].ljust(8) for at in range(ROUND_1, len(line), WIDTH))
    return bool(is_points) and all(map(_CELL.fullmatch, cells))


Worths = dict[str, Fraction]
"""What results are worth, by the letters of record 162."""


def worths_in(records: Iterable[str]) -> Worths:
    """Return what results are worth by records 162, those that they leave out as usual."""
    found: Worths = {
        WIN: Fraction(1),
        DRAW: Fraction(1, 2),
        LOSS: Fraction(0),
        ABSENCE: Fraction(0),
    }
    for record in records:
        for letter, points in _WORTH.findall(record):
            found[letter] = Fraction(points.replace(",", "."))
    return {BYE: found[WIN]} | found


def worths_of(rules: Ruleset) -> Worths | None:
    """Return what a ruleset's results are worth in its points; None if outcomes have none."""
    worths = {one.record: one.points for one in reversed(rules.outcomes)}
    if rules.scoring.kind != "outcome" or worths.get("W") is None or worths.get("L") is None:
        return None
    found = {WIN: Fraction(worths["W"] or 0), LOSS: Fraction(worths["L"] or 0)}
    draw = worths.get("D")
    found[DRAW] = Fraction(draw) if draw is not None else found[WIN] / 2
    found[ABSENCE] = Fraction(rules.unpaired_loss.points)
    return found | {BYE: Fraction(rules.bye.points)}


def unit_of(rules: Ruleset) -> int:
    """Return how many points of a ruleset are written as one: all of a win as chess counts it."""
    found = worths_of(rules)
    if found and found[WIN] and not found[LOSS] and found[DRAW] * 2 == found[WIN]:
        return int(found[WIN])
    return rules.scoring.scale


def worths_record(rules: Ruleset) -> str:
    """Return record 162 of a ruleset; empty if its results are worth what they usually are."""
    found = worths_of(rules)
    if found is None:
        return ""
    worths = {letter: points / unit_of(rules) for letter, points in found.items()}
    if worths == worths_in(()):
        return ""
    letters = (WIN, DRAW, LOSS, ABSENCE, BYE)
    return "162  " + "    ".join(f"{letter}{float(worths[letter]):>4.1f}" for letter in letters)


def with_worths(ruleset: str, worths: Worths) -> tuple[str, int]:
    """Return a ruleset's text in which results are worth what a file says, and one point's unit.

    The text is empty if the ruleset's outcomes cannot have such points.
    """
    rules = parse(ruleset)
    own = worths_of(rules)
    if own is None:
        return "", 0
    letters = (WIN, DRAW, LOSS, ABSENCE, BYE)
    if worths[WIN]:
        scale = own[WIN] / worths[WIN]
        if scale.denominator == 1 and all(own[each] == worths[each] * scale for each in letters):
            return ruleset, int(scale)
    records = [one.record for one in rules.outcomes]
    halves = any((2 * worths[each]).denominator != 1 for each in letters)
    if halves or len(set(records)) != len(records):
        return "", 0
    whole = all(worths[each].denominator == 1 for each in letters) and not rules.scoring.halves
    unit = 1 if whole else 2
    points = {letter: int(worths[letter] * unit) for letter in letters}
    return _edited(ruleset, rules, points), unit


def _edited(ruleset: str, rules: Ruleset, points: Mapping[str, int]) -> str:
    named = {"half": points[DRAW], "full": points[WIN]}
    letter_of = {one.name: one.record for one in rules.outcomes}
    blocks = re.split(r"(?m)^(?=\[)", ruleset)
    for at, block in enumerate(blocks):
        name = re.search(r'(?m)^name = "(.*)"$', block)
        worth = None
        if block.startswith("[[outcomes]]") and name:
            worth = points[letter_of[name[1]]]
        elif block.startswith("[[byes]]") and name:
            worth = named.get(name[1])
        elif block.startswith(("[bye]", "[unpaired_loss]")):
            worth = points[BYE if block.startswith("[bye]") else ABSENCE]
        if worth is not None:
            blocks[at] = re.sub(r"(?m)^points = [0-9]+$", f"points = {worth}", block, count=1)
    return of_edition("".join(blocks), "points of its report")


def codes_in(listed: str) -> list[str]:
    """Return the tie-breaks that a record 202 or 212 lists, by the ruleset's codes."""
    codes = [re.sub(r"[^A-Z0-9]", "", each.upper()) for each in listed.split(",")]
    return [code for code in codes if code not in {"", "PTS"}]


def codes_records(rules: Ruleset) -> list[str]:
    """Return records 202 and 212: the tie-breaks of FIDE, and the order of the standings."""
    codes = [one.code for one in rules.tiebreakers]
    shown = [_with_modifiers(code) for code in codes]
    known = all(code in _PLAIN or _MODIFIED.fullmatch(code) for code in codes)
    records = [f"202 {','.join(shown)}"] if codes and known else []
    return [*records, f"212 {','.join(['PTS', *shown])}"]


def _with_modifiers(code: str) -> str:
    found = _MODIFIED.fullmatch(code)
    if not found:
        return code
    return "/".join([found[1], *re.findall(r"P|[CM][1-9]", found[2])])
