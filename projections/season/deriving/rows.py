"""Which function makes the rows of which table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from projections.season.deriving import (
    entrants,
    floor,
    matches,
    overview,
    results,
    rounds,
    setups,
    stages,
)
from projections.season.deriving.folded_log import FoldedLog, Row

ROWS: Mapping[str, Callable[[FoldedLog], Iterable[Row]]] = MappingProxyType(
    {
        made.__name__: made
        for made in (
            *(overview.tournaments, entrants.people, entrants.entrants, entrants.departures),
            *(stages.stages, rounds.rounds, rounds.clocks, matches.matches, results.results),
            *(results.corrections, stages.standings, stages.schedules, stages.cuts),
            *(floor.rulings, floor.penalties, floor.disputes, setups.setups, setups.lists),
            overview.events,
        )
    }
)
"""By the name of the table."""
