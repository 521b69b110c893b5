"""`diff`, `explain`: what moved a number, and what it is made of."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.acts import desk_of
from cli.diagnostics import say
from cli.output import show_json


def diff(
    context: typer.Context,
    one: Annotated[str, typer.Argument(metavar="FROM", help="A moment, as below.")],
    other: Annotated[str, typer.Argument(metavar="[TO]", help="Another; left out, now.")] = "now",
) -> None:
    """Show what moved between two moments, and which events did it.

    A moment is an event's number, round:N (as round N was closed), posted, a time of the clock
    such as 14:05, or now.

    tourney diff round:3 now
    tourney diff posted
    tourney diff 57 61 --json
    """
    from cli.differences import show_causes
    from cli.differences import show_differences
    from cli.moments import between
    from projections.causes import causes
    from projections.causes import opponents
    from projections.causes import reach_of
    from projections.causes import reasons
    from projections.difference_json import as_json
    from projections.difference_json import with_reasons
    from projections.differences import differences

    desk = desk_of(context)
    before, after, events = between(desk, one, other)
    newer = max(before, after, key=lambda each: each.seq)
    found = differences(before, after)
    moving = causes(events, newer)
    met, reach = opponents(before, after), reach_of(newer.ruleset.tiebreakers)
    of = {row.player: reasons(row.player, moving, met, reach) for row in found.rows}
    if desk.json:
        shown = as_json(found, newer.names, newer.ruleset.tiebreakers)
        show_json(with_reasons(shown, moving, of))
        return
    show_differences(found, before, after)
    show_causes(moving, of, newer)
    if not found:
        say("nothing differs")
