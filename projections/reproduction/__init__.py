"""A published event computed again: which of its numbers follow from its rounds, and which do not.

comparing.py  the published rows beside those that the rounds give, number by number
readings.py   what the rounds of a file may mean beside the plain reading
settings.py   a ruleset with one setting changed, as another reading
searching.py  which reading, or pair of readings, makes every published number follow
oddities.py   what is unusual in the rounds themselves: rematches, byes, tables
"""

from __future__ import annotations

from projections.reproduction.comparing import (
    ComparedRow,
    Figure,
    PublishedTable,
    ReproductionVerdict,
    compared,
    verdict_of,
)
from projections.reproduction.oddities import Oddity
from projections.reproduction.readings import (
    NotReadable,
    Reading,
    agrees_with,
    names_of,
    playoffs_in,
    read_as,
)
from projections.reproduction.searching import (
    SECONDS_MAX,
    Reproduction,
    Trial,
    made,
    named_readings,
    reading_of_log,
    readings_of,
    reproduce,
)

__all__ = [
    "SECONDS_MAX",
    "ComparedRow",
    "Figure",
    "NotReadable",
    "Oddity",
    "PublishedTable",
    "Reading",
    "Reproduction",
    "ReproductionVerdict",
    "Trial",
    "agrees_with",
    "compared",
    "made",
    "named_readings",
    "names_of",
    "playoffs_in",
    "read_as",
    "reading_of_log",
    "readings_of",
    "reproduce",
    "verdict_of",
]
