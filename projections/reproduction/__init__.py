"""A published event computed again: which of its numbers follow from its rounds, and which do not.

comparing.py  the published rows beside those that the rounds give, number by number
settings.py   a ruleset with one setting changed, and what such a change would explain
oddities.py   what is unusual in the rounds themselves: rematches, byes, tables
"""

from __future__ import annotations

from projections.reproduction.comparing import ComparedRow, Figure, PublishedTable, compared
from projections.reproduction.oddities import Oddity
from projections.reproduction.settings import OtherSetting, Reproduction, reproduce

__all__ = [
    "ComparedRow",
    "Figure",
    "Oddity",
    "OtherSetting",
    "PublishedTable",
    "Reproduction",
    "compared",
    "reproduce",
]
