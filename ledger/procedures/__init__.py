"""From what a table saw to a result: an ending and facts in, outcome, points and fields out.

deriving.py     what every procedure asks of the facts, and the result made of its answer
game.py         what a procedure is handed, and what it answers
comparison.py, runewars.py, ashes.py, legion.py, l5r_time.py
                one procedure each: pure arithmetic over names that the ruleset declares
covering.py     games that together come to everything a procedure can

A ruleset names its procedure and holds the constants; no procedure knows which game it serves.
"""

from __future__ import annotations

from ledger.procedures.deriving import PROCEDURES, derive

__all__ = ["PROCEDURES", "derive"]
