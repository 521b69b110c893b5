"""`drop`, `rejoin`, `disqualify`: players who leave and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import carry_out, desk_of
from cli.input.arguments import UsageError, needs_reason
from cli.input.people import find_player, labelled

if TYPE_CHECKING:
    from ledger.events.people import Departure


def drop(
    context: typer.Context,
    player: Annotated[
        list[str], typer.Argument(metavar="PLAYER", help="A number or any part of the name.")
    ],
    no_show: Annotated[bool, typer.Option("--no-show", help="Did not come.")] = False,
    unable: Annotated[bool, typer.Option("--unable", help="Can not play on.")] = False,
    note: Annotated[str, typer.Option(metavar="TEXT", help="Anything to remember.")] = "",
) -> None:
    """Let a player leave; an open match is conceded.

    Results of earlier rounds keep counting for everyone.
    """
    from ledger.decisions.people import DropPlayer

    desk = desk_of(context)
    if no_show and unable:
        raise UsageError("--no-show or --unable, not both")
    reason: Departure = "no-show" if no_show else "unable" if unable else "request"
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} has dropped"
    carry_out(desk, DropPlayer(number, reason, note), already)


def rejoin(
    context: typer.Context,
    player: Annotated[
        list[str], typer.Argument(metavar="PLAYER", help="A number or any part of the name.")
    ],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, to waive that they left in another stage.")
    ] = "",
) -> None:
    """Let a player who dropped return.

    Every round missed is an unpaired loss.
    """
    from ledger.decisions.people import RejoinPlayer

    desk = desk_of(context)
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} is playing"
    carry_out(desk, RejoinPlayer(number, reason), already)


def disqualify(
    context: typer.Context,
    player: Annotated[
        list[str], typer.Argument(metavar="PLAYER", help="A number or any part of the name.")
    ],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Required: why; it stands in the log.")
    ] = "",
    clause: Annotated[str, typer.Option(metavar="ID", help="The clause that was broken.")] = "",
) -> None:
    """Remove a player for good; results against them keep counting."""
    from ledger.decisions.people import DisqualifyPlayer

    desk = desk_of(context)
    needs_reason(reason, "a disqualification", "FFG-AUTH-DQ")
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} is disqualified"
    carry_out(desk, DisqualifyPlayer(number, reason, clause), already)
