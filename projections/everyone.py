"""One table of a whole event: the last Swiss stage, and below it who did not go on to it.

Where points are carried from stage to stage, whoever was cut keeps the points and tiebreakers
that they had: rounds played without them change nothing (FFG-CUT).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from projections.standings import standings

if TYPE_CHECKING:
    from ledger.state import Tournament
    from projections.standings import Standings


def everyone(tournament: Tournament) -> Standings:
    """List the last Swiss stage that has begun, then those cut before it as they stood then.

    A stage that carries no points has a table of its own, and only that is listed.
    """
    table = standings(tournament)
    rows = list(table.rows)
    listed = {row.player for row in rows}
    for stage in reversed(tournament.stages[: table.stage]):
        if not stage.is_swiss:
            continue
        if stage.number < table.stage:
            earlier = standings(tournament, stage.number).rows
            below = [row for row in earlier if row.player not in listed]
            rows += [replace(row, rank=rank) for rank, row in enumerate(below, len(rows) + 1)]
            listed |= {row.player for row in below}
        if not stage.plan.carries:
            break
    return replace(table, rows=rows)
