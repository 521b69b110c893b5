"""One table of a whole event: the last Swiss stage, and below it who did not go on to it.

Where points are carried from stage to stage, a player who was cut keeps the points and tiebreakers
that they had: rounds played without them change nothing (FFG-CUT).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from projections.standings.table import Standings, standings

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament


def everyone(tournament: Tournament) -> Standings:
    """List the last Swiss stage that has begun, then those cut before it as they stood then.

    A stage that carries no points has a table of its own, and only that is listed.
    """
    tables = tables_of_everyone(tournament)
    return replace(tables[0], rows=[row for table in tables for row in table.rows])


def tables_of_everyone(tournament: Tournament) -> list[Standings]:
    """List the same rows stage by stage, the last one first."""
    table = standings(tournament)
    tables = [table]
    listed = {row.player for row in table.rows}
    for stage in reversed(tournament.stages[: table.stage]):
        if not stage.is_swiss:
            continue
        if stage.number < table.stage:
            earlier = standings(tournament, stage.number)
            below = [row for row in earlier.rows if row.player not in listed]
            ranked = [replace(row, rank=rank) for rank, row in enumerate(below, len(listed) + 1)]
            tables.append(replace(earlier, rows=ranked))
            listed |= {row.player for row in below}
        if not stage.plan.carries:
            break
    return tables
