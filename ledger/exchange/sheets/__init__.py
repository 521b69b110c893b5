"""Whole rounds out of a spreadsheet: a CSV file with a row for each table.

cells.py           the file as rows of named cells, every problem with its row and column
scores.py          a score in one cell, and what a spreadsheet made of it
result_columns.py  the result of a row, by the ruleset's own words, fields and facts
sheet_people.py    names, factions, league ids and attributes; near_names.py: who was meant
doubts.py          what a sheet hardly means, unless it is let pass
round_rows.py      the rows as rounds and stages
reading.py         the whole of it, and what a sheet does not say itself
README.md          the columns, for those who fill them in
"""

from __future__ import annotations

from ledger.exchange.sheets.doubts import DOUBTS, NEW_NAMES
from ledger.exchange.sheets.reading import Details, own_details, read_rounds

__all__ = ["DOUBTS", "NEW_NAMES", "Details", "own_details", "read_rounds"]
