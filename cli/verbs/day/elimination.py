"""`cut`, `finish`: who goes on, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import act_as_json, carry_out, desk_of, say_with_next
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.guide import next_step
from cli.input.arguments import UsageError, needs_reason
from cli.input.people import find_player, name_of, short_name
from cli.render.game_tables import left_mark
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json, show_table
from cli.terminal.tables import Column
from cli.verbs.day.pairing import DESPITE_HELP
from ledger.errors import Refused

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

NEXT = "next"


def cut(
    context: typer.Context,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PLAYER]...", help="Only where the stage is entered by a list."),
    ] = None,
    accept: Annotated[
        str, typer.Option(metavar="PLAYER", help="Who is asked, or `next`: takes the free place.")
    ] = "",
    decline: Annotated[
        str, typer.Option(metavar="PLAYER", help="The next ranked does not want it.")
    ] = "",
    forfeit: Annotated[
        bool, typer.Option("--forfeit", help="Nobody is left to ask: the place stays empty.")
    ] = False,
    take_back: Annotated[
        bool, typer.Option("--take-back", help="Until its stage is paired; needs --reason.")
    ] = False,
    despite_dispute: Annotated[bool, typer.Option("--despite-dispute", help=DESPITE_HELP)] = False,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why it is taken back, or made despite a dispute.")
    ] = "",
) -> None:
    """Make the announced cut; replace a qualifier who left.

    Until the first game the next ranked is asked to take the place.

    tourney cut
    tourney cut --accept next
    tourney cut --take-back --reason "a result was corrected"
    """
    from ledger.decisions.elimination import AnswerReplacement, ForfeitPlace, MakeCut, TakeBackCut

    desk = desk_of(context)
    if sum(map(bool, (players, accept, decline, forfeit, take_back))) > 1:
        raise UsageError(
            "one of them at a time: the cut, --accept, --decline, --forfeit or --take-back"
        )
    if take_back or despite_dispute:
        needs_reason(reason, "taking the cut back" if take_back else "--despite-dispute")
    elif reason:
        raise UsageError("--reason goes with --take-back or --despite-dispute")
    if take_back:
        carry_out(desk, TakeBackCut(reason))
    elif forfeit:
        carry_out(desk, ForfeitPlace())
    elif accept or decline:
        number = _asked(desk.tournament, accept or decline)
        carry_out(desk, AnswerReplacement(number, bool(accept)))
    else:
        listed = tuple(find_player(desk.tournament, words) for words in players or ())
        order = MakeCut(listed, despite_dispute, reason)
        if despite_dispute:
            confirm_breaches(desk, order)
        recorded = desk.act(order)
        seeds = _show_seeds(desk, recorded)
        made = f"cut to {seeds}" if recorded else "already so: the cut is made"
        say_with_next(made, next_step(desk.book.tournament))


def _asked(tournament: Tournament, words: str) -> int:
    """Find who answers; `next` is the next ranked, whoever that is."""
    from ledger.decisions.elimination import stage_with_vacancy

    if words != NEXT:
        return find_player(tournament, words)
    waiting = stage_with_vacancy(tournament).waiting
    if not waiting:
        raise Refused("nobody is left to be asked: `cut --forfeit`")
    return waiting[0]


def _show_seeds(desk: Desk, recorded: list[Recorded]) -> int:
    tournament = desk.after(recorded)
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
        [str(place), str(player), name_of(tournament, player), left_mark(tournament, player)]
        for place, player in enumerate(seeds, start=1)
    ]
    columns = (
        Column("seed", right=True),
        Column("#", right=True),
        Column("player", flexible=True),
        Column(""),
    )
    show_table(columns, rows)
    return len(seeds)


def finish(
    context: typer.Context,
    despite_dispute: Annotated[bool, typer.Option("--despite-dispute", help=DESPITE_HELP)] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why despite a dispute.")] = "",
) -> None:
    """Close play.

    The secret behind the draws is revealed, so that anyone can check them.
    """
    from ledger.decisions.elimination import FinishTournament
    from projections.standings.final import winner

    desk = desk_of(context)
    if despite_dispute:
        needs_reason(reason, "--despite-dispute")
    elif reason:
        raise UsageError("--reason goes with --despite-dispute")
    order = FinishTournament(despite_dispute, reason)
    if despite_dispute:
        confirm_breaches(desk, order)
    carry_out(desk, order, "the tournament is finished")
    tournament = desk.book.tournament
    first = winner(tournament)
    say(f"winner: {short_name(tournament, first)}" if first else "nobody won the last game")
