"""`first`, `side`, `battle`: what the players choose at their table before they play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from cli.desk.acts import carry_out, desk_of
from cli.desk.seen import table_of
from cli.input.arguments import UsageError, whole
from cli.input.belonging import refuse_others
from cli.input.people import find_at_table

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.events.setups import Three
    from ledger.tournament.state import Match

TOTAL_MAX = 1_000_000
THREE = 3

TABLE = typer.Argument(metavar="TABLE", help="A table, R/T or a player.")
TOTALS = typer.Option(metavar="N-N", help="Both army totals, as the table is listed.")
CHOOSER = typer.Option(metavar="PLAYER", help="Who chose, where nothing else tells.")


def first(
    context: typer.Context,
    table: Annotated[str, TABLE],
    player: Annotated[
        str, typer.Argument(metavar="[PLAYER]", help="Who is first player; none: draw who chooses.")
    ] = "",
    totals: Annotated[str, TOTALS] = "",
    roll: Annotated[
        list[str] | None, typer.Option(metavar="N-N", help="A roll of both; repeat it for ties.")
    ] = None,
    chooser: Annotated[str, CHOOSER] = "",
) -> None:
    """Record who is first player, and who chose it.

    Where army totals are equal, or the game leaves it to chance, leave the player out first to
    draw who chooses.

    tourney first 3 ann --totals 195-200
    tourney first 3 ann --roll 2-2 --roll 4-1
    """
    from ledger.decisions.setups import ChooseFirstPlayer

    desk = desk_of(context)
    refuse_others(context, "TABLE PLAYER" if player else "TABLE")
    match = table_of(desk, table)
    if not player:
        _draw_chooser(desk, match, totals)
        return
    order = ChooseFirstPlayer(
        match.number,
        find_at_table(desk.tournament, match.players, player),
        _chooser(desk, match, chooser),
        _numbers("--totals", totals),
        tuple(pair for each in roll or () if (pair := _numbers("--roll", each))),
    )
    before = desk.tournament.floor.first_players.get(match.number)
    carry_out(desk, order, "this is the first player", before)


def side(
    context: typer.Context,
    table: Annotated[str, TABLE],
    player: Annotated[
        str, typer.Argument(metavar="[PLAYER]", help="Who is blue; none: draw who chooses.")
    ] = "",
    totals: Annotated[str, TOTALS] = "",
    chooser: Annotated[str, CHOOSER] = "",
    edge: Annotated[
        str, typer.Option(metavar="EDGE", help="The long edge of blue, on fixed terrain.")
    ] = "",
) -> None:
    """Record who took the blue side, and who chose.

    Where army totals are equal, leave the player out first to draw who chooses.

    tourney side 3 --totals 800-800
    tourney side 3 ann --totals 800-800
    """
    from ledger.decisions.setups import TakeSide

    desk = desk_of(context)
    refuse_others(context, "TABLE PLAYER" if player else "TABLE")
    match = table_of(desk, table)
    if not player:
        _draw_chooser(desk, match, totals)
        return
    blue = find_at_table(desk.tournament, match.players, player)
    chose = _chooser(desk, match, chooser)
    order = TakeSide(match.number, blue, chose, _numbers("--totals", totals), edge)
    before = desk.tournament.floor.sides.get(match.number)
    carry_out(desk, order, "this is the side", before)


def _numbers(option: str, typed: str) -> tuple[int, int] | None:
    if not typed:
        return None
    one, dash, other = typed.partition("-")
    if not dash:
        raise UsageError(f"{option} is two numbers, as 180-200, not {typed!r}")
    return whole(option, one, 0, TOTAL_MAX), whole(option, other, 0, TOTAL_MAX)


def _chooser(desk: Desk, match: Match, typed: str) -> int:
    return find_at_table(desk.tournament, match.players, typed) if typed else 0


def _draw_chooser(desk: Desk, match: Match, totals: str) -> None:
    from ledger.decisions.setups import DrawChooser

    drawn = DrawChooser(match.number, _numbers("--totals", totals))
    carry_out(desk, drawn, "who chooses is drawn")


def battle(
    context: typer.Context,
    table: Annotated[str, TABLE],
    objective: Annotated[
        list[str] | None, typer.Option(metavar="CARD", help="Three times, from the left.")
    ] = None,
    deployment: Annotated[
        list[str] | None, typer.Option(metavar="CARD", help="Three times, from the left.")
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(metavar="CARD", help="Three times, from the left.")
    ] = None,
    strike: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="Four times, from blue: a kind, or pass."),
    ] = None,
) -> None:
    """Record the battle cards of a table and what was struck.

    What is played follows from it. The cards are shown to nobody while the event runs.
    """
    from cli.input.arguments import choice
    from ledger.decisions.setups import BuildBattle
    from ledger.events.setups import Struck

    desk = desk_of(context)
    objectives, deployments, conditions = (
        _three(typed or []) for typed in (objective, deployment, condition)
    )
    typed = [choice(word, get_args(Struck), "kind to strike") for word in strike or ()]
    if len(typed) != THREE + 1:
        raise UsageError("--strike four times, from blue in turn (SWL-SETUP)")
    one, two, three, four = typed
    match = table_of(desk, table)
    struck = (one, two, three, four)
    order = BuildBattle(match.number, objectives, deployments, conditions, struck)
    carry_out(desk, order, before=desk.tournament.floor.battles.get(match.number))


def _three(typed: list[str]) -> Three:
    if len(typed) != THREE:
        raise UsageError(
            "three cards of each kind, from the left: --objective, --deployment and --condition"
            " three times each (SWL-SETUP)"
        )
    one, two, three = typed
    return one, two, three
