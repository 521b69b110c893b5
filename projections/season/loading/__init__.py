"""From files and stores of logs to rows in the season's tables.

sources.py         where logs come from: files, folders, stores
known_checks.py    what of a log was checked before
checking.py        logs read, checked and spooled, by several processes where there are many
adding.py          logs into the season: all of it, in one transaction
intake.py          what a log is to the season: new, grown, already there, contradicting
contradictions.py  two logs of one tournament that differ: where, and which one is signed there
signed_prefix.py   the hashes by which a log is known, and what a head covers of it
spooling.py        the rows of checked logs as files; row_files.py in which form
folded_log.py      a log's state next to its events; rows.py: the rows of each table from it
filling.py         from these files to the tables, in one transaction
scratch.py         the folder of one load
restating.py       what changed logs move in the season
archive.py         finished tournaments as Parquet files, and back
"""
