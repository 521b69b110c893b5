"""Files in and out: our own lines bit for bit, other programs' tournaments as ordinary events.

log_files.py   our lines as a file: written, read, checked and folded; the keys that come with it
importing.py   a file of any kind, read, checked and taken into a store
import_plan.py many files compared with a store, and with one another, before one is taken
restoring.py   a backup into a store
foreign.py     a tournament as another program recorded it, and its odd tables
dates.py       days as files write them
own_record.py  an event of ours in full, inside a file that another program reads
translating.py that tournament in our events
growing.py     a later state of such a file: what is new, and what is corrected
account.py     the account of an import, and the places of problems in a file
sheets/, programs/ the readers and writers of a format
merging/       the acts of another desk that went on with the same tournament by itself
lists/         players' lists, as their tools write them
"""

from __future__ import annotations

from ledger.exchange.importing import (
    CSV,
    LOG,
    NRTM,
    DifferentLines,
    Imported,
    ParsedFile,
    kind_of_file,
    read_file,
    read_published,
    refuse_other_reading,
    refuse_same_event,
    same_file,
    take,
)
from ledger.exchange.log_files import export, export_file, read_log, replay
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
