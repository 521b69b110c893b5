"""The maximum weight matching: everybody at a table, at the least cost, ties at random."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.pairing.shuffling import Draws

Edge = tuple[int, int, int]
"""Two nodes and what it costs to match them; nodes are counted from 0."""

_TIE_BITS = 56


def least_cost(count: int, edges: Iterable[Edge], draws: Draws) -> list[tuple[int, int]]:
    """Match as many nodes as possible, at the least total cost.

    Every matching of least cost can come up. The random tie weights do not only choose between
    them: they leave one optimum alone (two of equal weight have a chance below 2^-30), and so make
    the answer independent of the order in which the library walks its hash tables. A cost may be
    up to 2^40: the library computes in 128 bits.
    """
    unit = 1 << (_TIE_BITS + count.bit_length())
    span = 1 << _TIE_BITS
    below = draws.below
    return matched(count, ((a, b, cost * unit + below(span)) for a, b, cost in edges))


def matched(count: int, edges: Iterable[Edge]) -> list[tuple[int, int]]:
    """Match as many nodes as possible, at the least total cost; any one of several such."""
    # Rounds that the quick path pairs should not pay for loading the library.
    from rustworkx import PyGraph, max_weight_matching  # noqa: PLC0415

    graph: PyGraph[None, int] = PyGraph()
    graph.add_nodes_from([None] * count)
    graph.add_edges_from([(a, b, -cost) for a, b, cost in edges])
    pairs = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)
