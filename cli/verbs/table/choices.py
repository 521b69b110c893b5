"""`first`, `side`, `battle`: what the players choose at their table before they play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

from cli.desk.acts import carry_out
from cli.desk.remembered import table_of
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice, whole
from cli.input.find_people import find_at_table
from cli.input.options import option, word
from ledger.events.setups import Struck, Three
from ledger.rules.setups import BuildBattle, ChooseFirstPlayer, DrawChooser, TakeSide

if TYPE_CHECKING:
    from ledger.tournament.state import Match

TOTAL_MAX = 1_000_000
THREE = 3

Table = Annotated[str, word("TABLE", "A table, R/T or a player.")]
Totals = Annotated[str, option("N-N", "Both army totals, as the table is listed.")]
Chooser = Annotated[str, option("PLAYER", "Who chose, where nothing else says.")]

Reason = Annotated[str, option("TEXT", "Why totals are not those that somebody was drawn at.")]


def first(
    desk: Desk,
    table: Table,
    player: Annotated[str, word("PLAYER", "Who is first player.")],
    totals: Totals = "",
    roll: Annotated[list[str] | None, option("N-N", "A roll of both; repeat it for ties.")] = None,
    chooser: Chooser = "",
    reason: Reason = "",
) -> None:
    """Record who is first player, and who chose it.

    Where army totals are equal, or the game leaves it to chance, draw who chooses before that.

    tourney first draw 3
    tourney first 3 ann --totals 195-200
    tourney first 3 ann --roll 2-2 --roll 4-1
    """
    match = table_of(desk, table)
    order = ChooseFirstPlayer(
        match.number,
        find_at_table(desk.tournament, match.players, player),
        _chooser(desk, match, chooser),
        _numbers("--totals", totals),
        tuple(pair for each in roll or () if (pair := _numbers("--roll", each))),
        reason,
    )
    before = desk.tournament.floor.first_players.get(match.number)
    carry_out(desk, order, "this is the first player", before)


def side(
    desk: Desk,
    table: Table,
    player: Annotated[str, word("PLAYER", "Who is blue.")],
    totals: Totals = "",
    chooser: Chooser = "",
    edge: Annotated[str, option("EDGE", "The long edge of blue, on fixed terrain.")] = "",
    reason: Reason = "",
) -> None:
    """Record who took the blue side, and who chose.

    Where army totals are equal, draw who chooses before that.

    tourney side draw 3 --totals 800-800
    tourney side 3 ann --totals 800-800
    """
    match = table_of(desk, table)
    blue = find_at_table(desk.tournament, match.players, player)
    chose = _chooser(desk, match, chooser)
    order = TakeSide(match.number, blue, chose, _numbers("--totals", totals), edge, reason)
    before = desk.tournament.floor.sides.get(match.number)
    carry_out(desk, order, "this is the side", before)


def draw_for_first(desk: Desk, table: Table, totals: Totals = "") -> None:
    """Draw who chooses the first player at a table."""
    _draw_chooser(desk, table, totals)


def draw_for_side(desk: Desk, table: Table, totals: Totals = "") -> None:
    """Draw who chooses the side at a table."""
    _draw_chooser(desk, table, totals)


def _draw_chooser(desk: Desk, table: str, totals: str) -> None:
    match = table_of(desk, table)
    order = DrawChooser(match.number, _numbers("--totals", totals))
    carry_out(desk, order, "who chooses is drawn")


def _numbers(option: str, typed: str) -> tuple[int, int] | None:
    if not typed:
        return None
    one, dash, other = typed.partition("-")
    if not dash:
        raise UsageError(f"{option} is two numbers, as 180-200, not {typed!r}")
    return whole(option, one, 0, TOTAL_MAX), whole(option, other, 0, TOTAL_MAX)


def _chooser(desk: Desk, match: Match, typed: str) -> int:
    return find_at_table(desk.tournament, match.players, typed) if typed else 0


def battle(
    desk: Desk,
    table: Table,
    objective: Annotated[list[str] | None, option("CARD", "Three times, from the left.")] = None,
    deployment: Annotated[list[str] | None, option("CARD", "Three times, from the left.")] = None,
    condition: Annotated[list[str] | None, option("CARD", "Three times, from the left.")] = None,
    strike: Annotated[
        list[str] | None, option("KIND", "Four times, from blue: a kind, or pass.")
    ] = None,
) -> None:
    """Record the battle cards of a table and what was struck.

    What is played follows from it. The cards are shown to nobody while the event runs.
    """
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
