"""Forks of the day, and the outcomes that are still open.

alternatives.py  the day with other facts: its differences, and its other rounds and cuts
outcomes.py      the results that a match may end in, each worth once, and a sweep's verdicts
score_model.py   everyone's place as a sum with one addend for each open match
rivals.py        whether a player can be among the first, or outside: bounds, then branch and bound
sweep.py         the current round swept, by proof or by samples
cut_margin.py    how few results bring another player into a cut, which ones, and the proof
"""

from __future__ import annotations

from projections.whatif.alternatives import Alternative, every_outcome, what_if

__all__ = ["Alternative", "every_outcome", "what_if"]
