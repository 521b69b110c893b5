"""Formats: what a list may hold, as data, and holding a list to it.

`findings` gives everything at once; what lacks its facts is "not checked", never passed. Like a
ruleset, a format is a file; nothing in the program asks which one is in force.
"""

from __future__ import annotations

from ledger.formats.card_files import read_cards
from ledger.formats.cards import CardFile
from ledger.formats.case import Finding
from ledger.formats.findings import derived, findings
from ledger.formats.format import (
    FORMAT_BYTES_MAX,
    LoadedFormat,
    belongs_elsewhere,
    load,
    load_file,
    load_text,
    names,
    of_document,
    text_of,
)
from ledger.formats.play_lists import LIST_BYTES_MAX, PlayList, Shape, read_list

__all__ = [
    "FORMAT_BYTES_MAX",
    "LIST_BYTES_MAX",
    "CardFile",
    "Finding",
    "LoadedFormat",
    "PlayList",
    "Shape",
    "belongs_elsewhere",
    "derived",
    "findings",
    "load",
    "load_file",
    "load_text",
    "names",
    "of_document",
    "read_cards",
    "read_list",
    "text_of",
]
