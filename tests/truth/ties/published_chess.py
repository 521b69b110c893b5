"""Tie-breaks that were published: the exercises of FIDE's technical commission.

`Exercises in Tie-Breaking` (tec.fide.com, 18 March 2024), with the tables of results as they are in
the fixtures of github.com/OttoMilvang/TieBreakServer (`tests/fixtures/held_*.trf`). The values of
the edition of 2023 are those of the exercises; those of 2026 that differ are from the tests of
github.com/Sharly-Chess/sharly-chess. Each player: number, rating, and a round as opponent, colour,
result, as in a TRF file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.chance.recorded_events import Played

if TYPE_CHECKING:
    from collections.abc import Sequence

SWISS = """
1 2200 9w1 13b= 2w= 15b1 4w=
2 2150 10b1 7w1 1b= 16w1 3b=
3 2100 11w= 6b1 8w1 4b= 2w=
4 2050 12b1 0-H 13w1 3w= 1b=
5 2000 13w0 15b0 11w1 7b= 10w1
6 1950 14b0 3w0 0-U 10w1 8b1
7 1900 15w1 2b0 16b0 5w= 11b0
8 1850 16b= 14w1 3b0 13w1 6w0
9 1800 1b0 10w0 0-H 11b- 0-U
10 1750 2w0 9b1 15w0 6b0 5b0
11 1700 3b= 16w0 5b0 9w+ 7w1
12 1650 4w0 0-U 14w+ 0-Z 0-Z
13 1600 5b1 1w= 4b0 8b0 14w0
14 1550 6w1 8b0 12b- 0-Z 13b1
15 1500 7b0 5w1 10b1 1w0 16b0
16 1450 8w= 11b1 7w1 2b0 15w1
"""
NINE = """
1 2150 9w1 13b= 2w= 15b1 4w= 6b= 3b= 16w= 8b1
2 2130 10b1 7w1 1b= 16w1 3b1 4w= 6w0 15b= 5w=
3 2200 11w= 6b1 8w1 4b= 2w0 16b1 1w= 14w1 10b1
4 2110 12b1 0-H 13w1 3w= 1b= 2b= 16w= 6b= 15w1
5 1890 13w0 15b0 11w1 7b= 10w1 14b0 9b1 8w0 2b=
6 2090 14b0 3w0 0-U 10w1 8b1 1w= 2b1 4w= 16b1
7 1950 15w1 2b0 16b0 5w= 11b0 10b0 13w1 9w1 14b1
8 1930 16b= 14w1 3b0 13w1 6w0 11b= 15w= 5b1 1w0
9 1790 1b0 10w0 0-H 11b- 0-U 13b1 5w0 7b0 12w=
10 1870 2w0 9b1 15w0 6b0 5b0 7w1 12b1 11w1 3w0
11 1810 3b= 16w0 5b0 9w+ 7w1 8w= 14b0 10b0 13w=
12 1770 4w0 0-U 14w+ 0-Z 0-Z 15b0 10w0 13b= 9b=
13 1750 5b1 1w= 4b0 8b0 14w0 9w0 7b0 12w= 11b=
14 1850 6w1 8b0 12b- 0-Z 13b1 5w1 11w1 3b0 7w0
15 1830 7b0 5w1 10b1 1w0 16b0 12w1 8b= 2w= 4b0
16 1910 8w= 11b1 7w1 2b0 15w1 3w0 4b= 1b= 6w0
"""
ROUND_ROBIN = """
1 2200 5w= 2w1 3b1 4w0 6b1
2 2150 6w1 1b0 5w1 3w= 4b1
3 2100 4w1 6b1 1w0 2b= 5w1
4 2050 3b0 5b0 6w= 1b1 2w0
5 1950 1b= 4w1 2b0 6w- 3b0
6 2000 2b0 3w0 4b= 5b+ 1w0
"""

OLD: dict[str, list[float]] = {
    "WIN": [2, 3, 2, 2, 2, 3, 1, 2, 1, 1, 2, 2, 1, 2, 2, 3],
    "WON": [2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3],
    "BPG": [2, 3, 2, 2, 2, 2, 3, 2, 1, 3, 2, 0, 3, 2, 3, 2],
    "BWG": [1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1],
    "REP": [5, 5, 5, 4, 5, 5, 5, 5, 3, 5, 5, 3, 5, 3, 5, 5],
    "PS": [11, 13, 11, 11.5, 5, 6, 6, 8.5, 2.5, 4, 5.5, 7, 7, 6, 7, 10.5],
    "PSC1": [10, 12, 10.5, 10.5, 5, 6, 5, 8, 2.5, 4, 5, 7, 6, 5, 7, 10],
    "BH": [12.5, 13, 15.5, 15, 8.5, 12, 14.5, 13.5, 9, 13, 13.5, 11.5, 14, 11, 12, 12.5],
    "ADJ": [7, 8, 7, 7, 5, 6, 3, 5, 3, 2, 5, 6, 3, 4, 4, 7],
    "FB": [13.5, 13.5, 15, 15.5, 10, 12, 13.5, 12.5, 9.5, 12.5, 12.5, 11.5, 13.5, 10.5, 12, 13.5],
    "SB": [8, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4, 4.25, 4.5, 3.5, 7.25],
    "SBC1": [7.25, 8.5, 9.25, 8, 3.25, 5.5, 1.25, 3.75, 2.25, 0, 4.25, 4, 4.25, 3, 2.5, 5.75],
    "ARO": [1820, 1880, 1940, 1888, 1690, 1813, 1760, 1730, 1975, 1880, 1863, 2050, 1930, 1800,
            1860, 1820],
    "AROC1": [1900, 1988, 2000, 1983, 1738, 1900, 1838, 1800, 2200, 1975, 2000, 0, 2025, 1900,
              1963, 1900],
    "TPR": [1969, 2120, 2089, 2081, 1690, 1813, 1611, 1730, 1175, 1640, 1776, 1250, 1781, 1925,
            1788, 1969],
    "APRO": [1789, 1856, 1904, 1772, 1719, 1846, 1869, 1915, 1805, 1717, 1840, 2081, 1879, 1775,
             1776, 1805],
    "PTP": [2029, 2216, 2112, 2168, 1689, 1810, 1531, 1715, 950, 1575, 1763, 1250, 1744, 1942,
            1768, 2013],
    "APPO": [1769, 1852, 1934, 1784, 1676, 1836, 1890, 1924, 1802, 1687, 1836, 2168, 1909, 1756,
             1767, 1799],
}  # fmt: skip
"""Everybody's tie-breaks by the edition of 2023, player by player; `ADJ` in half points."""

OLD_CUT = {1: 11, 3: 13, 4: 11.5, 5: 7.5, 7: 12.5, 8: 12, 9: 7.5, 11: 12, 12: 9.5, 13: 12, 14: 9,
           15: 11, 16: 11}  # fmt: skip
"""Buchholz Cut-1 of 2023, of those who were asked for."""

OLD_AOB = [12.6, 13.6, 13.4, 13.38, 13.4, 13.25, 11.9, 13, 12.75, 10.9, 12.75, 15, 12.1, 13.17,
           12.2, 13.3]  # fmt: skip
"""The average of opponents' Buchholz of 2023, to two decimals."""

NEW: dict[str, dict[int, float]] = {
    "BH": {4: 14, 6: 11.5, 11: 12.5},
    "FB": {4: 14.5, 11: 12, 12: 11},
    "SB": {4: 9.25, 6: 6, 11: 4.75},
    "SBC1": {4: 7.75, 6: 5, 11: 3.25},
}
"""What is other by the edition of 2026."""

NEW_AOB = [12.4, 13.6, 12.9, 13.38, 13.2, 13.25, 11.7, 12.9, 12.75, 10.8, 12.75, 14, 11.9, 13, 12.2,
           13.1]  # fmt: skip

OF_ROUND_ROBIN: dict[str, list[float]] = {
    "SBP": [9.25, 6.25, 6.25, 4.25, 3.25, 2.25],
    "SBPC1": [9.25, 4.75, 4.75, 4.25, 3.25, 1.5],
    "KS": [2, 0.5, 0.5, 1, 0.5, 0],
    "TPR": [2199, 2209, 2219, 1931, 2038, 1803],
    "APRO": [2040, 2038, 2036, 2094, 2140, 2140],
    "DEP": [2, 0, 0, 0, 1, 2],
}
AHEAD_AFTER_NINE = {1: 1, 2: 0, 4: 1, 6: 3}
"""How many of those on 6 points are behind: all four met."""


def read(table: str) -> tuple[list[dict[str, int]], list[list[Played]]]:
    """Read a table of results: the players' ratings, and the rounds."""
    lines = [line.split() for line in table.split("\n") if line]
    players = [{"rating": int(line[1])} for line in lines]
    rounds = [_round([line[2 + place] for line in lines]) for place in range(len(lines[0]) - 2)]
    return players, rounds


CAME = {"1": "W", "0": "L", "=": "D"}


def _round(cells: Sequence[str]) -> list[Played]:
    tables = []
    for player, cell in enumerate(cells, start=1):
        other, colour, result = int(cell[:-2]), cell[-2], cell[-1]
        if other and colour == "w":
            forfeit = {"+": "+-", "-": "-+"}.get(result, "")
            tables.append(Played(player, other, forfeit or CAME[result]))
        elif result in "HFU":
            tables.append(Played(player, 0, {"H": "half", "F": "full", "U": ""}[result]))
    return tables
