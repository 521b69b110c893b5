"""Whole rounds out of a spreadsheet: a CSV file with a row for each table.

cells.py           the file as rows of named cells, every problem with its row and column
result_columns.py  the result of a row, by the ruleset's own words, fields and facts
round_rows.py      the rows as rounds, stages and players
README.md          the columns, for those who fill them in
"""

from __future__ import annotations

from ledger.exchange.sheets.round_rows import UNDATED, Details, read_rounds

__all__ = ["UNDATED", "Details", "read_rounds"]
