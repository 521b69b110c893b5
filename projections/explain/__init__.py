"""Every number taken apart, down to the events that it is made of.

tree.py        the node: an exact value, how it follows from its terms, and the events behind it
columns.py     points, record and tiebreakers: the operands of the computation that ranks
ranks.py       rank, seed and final place
choices.py     what can be asked for, and of whom
pairings.py    why two players met; byes.py why one had the bye
round_draws.py how a round was drawn, and what changed its seats since
"""

from __future__ import annotations

from projections.explain.choices import columns_of, explain
from projections.explain.tree import Explanation, tree_size

__all__ = ["Explanation", "columns_of", "explain", "tree_size"]
