"""What would be otherwise: a fork of the day, and the outcomes that are still open.

forks.py     a fork beside the log: the differences, and what later rounds and cuts would be
later.py     the rounds and cuts of a log, each decided anew on what had been played before it
"""

from __future__ import annotations

from projections.whatif.forks import Otherwise
from projections.whatif.forks import what_if

__all__ = ["Otherwise", "what_if"]
