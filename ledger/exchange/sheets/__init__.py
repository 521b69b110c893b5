"""Whole rounds out of a spreadsheet: a CSV file with a row for each table.

cells.py           the file as rows of named cells, each problem and doubt with its row and column
result_columns.py  the result of a row, by the ruleset's own words, fields and facts
sheet_people.py    names and near names, factions, league ids and attributes
reading.py         the rows as rounds and stages; the whole of it, and what a sheet does not say
README.md          the columns, for those who fill them in
"""

from __future__ import annotations

from ledger.exchange.sheets.cells import DOUBTS, NEW_NAMES
from ledger.exchange.sheets.reading import (
    Details,
    names_rounds,
    own_details,
    read_rounds,
    sheet_details,
)

__all__ = [
    "DOUBTS",
    "NEW_NAMES",
    "Details",
    "names_rounds",
    "own_details",
    "read_rounds",
    "sheet_details",
]
