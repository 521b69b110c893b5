"""Files in and out: our own lines bit for bit, other programs' tournaments as ordinary events.

replaying.py   our lines from a file, checked and folded
exporting.py   the lines of a book as a file
names.py       the last line of a file: the keys of sealed names
parsed_file.py a file of any kind, read and checked
importing.py   such a file into a store
restoring.py   a backup into a store
disclosing.py  keys of chosen texts, for a reader
foreign.py     a tournament as another program recorded it
translating.py that tournament in our events, written by import_writer.py
growing.py     a later state of such a file: what is new, and what is corrected
account.py     what came of an import, and what of the file is not in the log
nrtm/, sheets/, programs/ the readers and writers of a format
lists/         players' lists, as their tools write them
"""

from __future__ import annotations

from ledger.exchange.exporting import export, export_file
from ledger.exchange.importing import (
    DifferentLines,
    Imported,
    refuse_other_reading,
    refuse_same_event,
    same_file,
    take,
)
from ledger.exchange.parsed_file import (
    CSV,
    LOG,
    NRTM,
    ParsedFile,
    kind_of_file,
    read_file,
    read_published,
)
from ledger.exchange.replaying import read_log, replay
from ledger.exchange.sheets import DOUBTS, NEW_NAMES, Details

__all__ = [
    "CSV",
    "DOUBTS",
    "LOG",
    "NEW_NAMES",
    "NRTM",
    "Details",
    "DifferentLines",
    "Imported",
    "ParsedFile",
    "export",
    "export_file",
    "kind_of_file",
    "read_file",
    "read_log",
    "read_published",
    "refuse_other_reading",
    "refuse_same_event",
    "replay",
    "same_file",
    "take",
]
