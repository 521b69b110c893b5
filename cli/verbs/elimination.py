"""`cut`, `finish`: who goes on, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Annotated

import typer

from cli.acts import act_as_json
from cli.acts import carry_out
from cli.acts import desk_of
from cli.acts import say_with_next
from cli.arguments import UsageError
from cli.guide import next_step
from cli.output import show_json
from cli.output import show_table
from cli.people import find_player
from cli.people import name_of
from cli.tables import Column

if TYPE_CHECKING:
    from cli.session import Desk
    from ledger.lines import Recorded


def cut(
    context: typer.Context,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PLAYER]...", help="Only where the stage is entered by a list."),
    ] = None,
    accept: Annotated[
        str, typer.Option(metavar="PLAYER", help="The next ranked takes a place that is free.")
    ] = "",
    decline: Annotated[
        str, typer.Option(metavar="PLAYER", help="The next ranked does not want it.")
    ] = "",
    forfeit: Annotated[
        bool, typer.Option("--forfeit", help="Nobody is left to ask: the place stays empty.")
    ] = False,
) -> None:
    """Make the announced cut; replace a qualifier who left.

    Until the first game the next ranked is asked to take the place.

    tourney cut
    tourney cut --accept dan
    """
    from ledger.commands import AnswerReplacement
    from ledger.commands import ForfeitPlace
    from ledger.commands import MakeCut

    desk = desk_of(context)
    if sum(map(bool, (players, accept, decline, forfeit))) > 1:
        raise UsageError("one of them at a time: the cut, --accept, --decline or --forfeit")
    if forfeit:
        carry_out(desk, ForfeitPlace())
    elif accept or decline:
        number = find_player(desk.tournament, accept or decline)
        carry_out(desk, AnswerReplacement(number, bool(accept)))
    else:
        listed = tuple(find_player(desk.tournament, words) for words in players or ())
        recorded = desk.act(MakeCut(listed))
        seeds = _show_seeds(desk, recorded)
        made = f"cut to {seeds}" if recorded else "already so: the cut is made"
        say_with_next(made, next_step(desk.book.tournament))


def _show_seeds(desk: Desk, recorded: list[Recorded]) -> int:
    tournament = desk.book.tournament
    stages = [stage for stage in tournament.stages if stage.cut_seq]
    seeds = stages[-1].seeds if stages else []
    if desk.json:
        value = [
            {"seed": place, "player": player, "name": name_of(tournament, player)}
            for place, player in enumerate(seeds, start=1)
        ]
        show_json(act_as_json(desk.command_id, recorded) | {"seeds": value})
        return len(seeds)
    rows = [
        [str(place), str(player), name_of(tournament, player)]
        for place, player in enumerate(seeds, start=1)
    ]
    columns = (
        Column("seed", right=True),
        Column("#", right=True),
        Column("player", flexible=True),
    )
    show_table(columns, rows)
    return len(seeds)


def finish(context: typer.Context) -> None:
    """Close play.

    The secret behind the draws is revealed, so that anyone can check them.
    """
    from ledger.commands import FinishTournament

    carry_out(desk_of(context), FinishTournament(), "the tournament is finished")
