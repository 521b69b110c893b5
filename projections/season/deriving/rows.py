"""Which function makes the rows of which table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from projections.season.deriving import (
    entrants,
    floor,
    match_results,
    matches,
    overview,
    rounds_and_clocks,
    setups_and_lists,
    stages,
)
from projections.season.deriving.folded_log import FoldedLog, Row

ROWS: Mapping[str, Callable[[FoldedLog], Iterable[Row]]] = MappingProxyType(
    {
        made.__name__: made
        for made in (
            *(overview.tournaments, entrants.people, entrants.entrants, entrants.departures),
            *(stages.stages, rounds_and_clocks.rounds, rounds_and_clocks.clocks, matches.matches),
            *(
                match_results.results,
                match_results.corrections,
                stages.standings,
                stages.schedules,
                stages.cuts,
            ),
            *(
                floor.rulings,
                floor.penalties,
                floor.disputes,
                setups_and_lists.setups,
                setups_and_lists.lists,
            ),
            overview.events,
        )
    }
)
"""By the name of the table."""
