"""Every number taken apart, down to the events that it is made of.

tree        the node: an exact value, how it follows from its terms, and the events behind it
columns     points, record and tiebreakers: the operands of the computation that ranks
places      rank, seed and final place
choices     what can be asked for, and of whom
pairings    why two players met, why one had the bye
"""

from __future__ import annotations

from projections.explain.choices import columns_of, explain
from projections.explain.tree import Node, nodes_in

__all__ = ["Node", "columns_of", "explain", "nodes_in"]
