"""Lines of FIDE's report files by their columns: which text is one, and whether a line fits."""

from __future__ import annotations

import re

from ledger.exchange.programs.building import is_number

ROUND_1, WIDTH = 91, 10
_CELL = re.compile(r"(?:   [0-9]|  [0-9]{2}| [0-9]{3}|[0-9]{4}| {4}) [-wWbB ] .")
PLAYER = re.compile(r"001 [ 0-9]{4} ")
RULER = re.compile(r"[0-9 ]{60,}")
"""A line that counts the columns, as people put it above the players."""


def is_trf(text: str) -> bool:
    """Whether a text is of this format: a line of a player, and nothing but such lines before."""
    for line in text.splitlines()[:400]:
        if PLAYER.match(line):
            return True
        is_line = re.match(r"[0-9A-Z#]{3}(?: |$)", line) or RULER.fullmatch(line)
        if line.strip() and not is_line:
            return False
    return False


def is_columns(line: str) -> bool:
    """Whether the columns of points, rank and the rounds are where they should be."""
    points, rank = line[80:84].strip(), line[85:89].strip()
    is_points = re.fullmatch(r"[0-9]{0,2}[.,]?[0-9]?", points) and (not rank or is_number(rank))
    cells = (line[at : at + 8].ljust(8) for at in range(ROUND_1, len(line), WIDTH))
    return bool(is_points) and all(map(_CELL.fullmatch, cells))
