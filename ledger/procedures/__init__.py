"""From what a table reports to a result: an ending and facts in; outcome, points, fields out.

deriving.py     what every procedure asks of the facts, and the result made of its answer
game.py         one game as a procedure gets it, and the answer
comparison.py, runewars.py, ashes.py, legion.py, l5r_time.py
                one procedure each: pure arithmetic over names that the ruleset declares
covering.py     games that together come to everything a procedure can

A ruleset names its procedure and holds the constants; no procedure knows which game it serves.
"""

from __future__ import annotations

from ledger.procedures.deriving import PROCEDURES, derive

__all__ = ["PROCEDURES", "derive"]
