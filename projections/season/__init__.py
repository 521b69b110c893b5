"""The season: every tournament's log as tables that can be asked, in one DuckDB file.

schema.sql       the tables, column by column; README.md shows them, tables.py reads them
sources.py       where logs come from: files, folders, stores
adding.py        what a log is to the season: new, grown, there already, contradicting
checking.py      logs read, checked and put aside, by several processes where there is much of it
spooling.py      logs put aside, in files; snapshots.py says what only the fold can say of them
loading.py       from these files to tables, by working.sql and deriving/, in one transaction
database.py      the file itself; keeping.sql is what it holds beside the tables
archive.py       finished tournaments as Parquet files, and back
people.py        the league's vault: names, merges, splits
pseudonyms.py    what persons are called where people look, each apart from all others
points.py        a points scheme; championship.py counts the season by it
restating.py     what a changed log moves
querying.py      a question in SQL, read only
roots.py         what a log is known by: the proof's hashes of its lines
"""

from __future__ import annotations
