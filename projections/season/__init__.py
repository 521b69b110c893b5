"""The season: every tournament's log as tables that can be asked, in one DuckDB file.

schema.sql     the tables, column by column; README.md shows them
"""

from __future__ import annotations
