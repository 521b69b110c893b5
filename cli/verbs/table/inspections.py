"""`terrain`, `armies`, `firstfive`, `moderate`: what is looked over, and by whom."""

from __future__ import annotations

from typing import Annotated, get_args

from cli.desk.acts import acting_official, carry_out
from cli.desk.remembered import table_of, table_of_player
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice, whole
from cli.input.find_people import find_at_table, find_official, find_player
from cli.input.options import option, word
from cli.terminal.output import say, show, show_json
from cli.terminal.visible import how_many
from ledger.events.clock import PaceRemedy
from ledger.rules import setups
from ledger.rules.clock import ModeratePace

PIECES_MAX = 1_000_000


def terrain(desk: Desk) -> None:
    """List what is wrong with the terrain.

    tourney terrain count 1 --covered 30 --piece forest=2 --piece ruin=3
    """
    from projections.matches import terrain_findings

    findings = terrain_findings(desk.book.tournament)
    if desk.json:
        show_json(findings)
    else:
        show(*findings)
    say(how_many(len(findings), "finding"))


def count_terrain(
    desk: Desk,
    table: Annotated[str, word("TABLE", "Which one was counted.")],
    covered: Annotated[str, option("PERCENT", "Required: how much is covered.")] = "",
    piece: Annotated[list[str] | None, option("TYPE=N", "How many of a type; repeat it.")] = None,
) -> None:
    """Count the terrain of a table.

    tourney terrain count 1 --covered 30 --piece forest=2 --piece ruin=3
    """
    number = whole("a table", table, 1)
    order = setups.CountTerrain(number, whole("--covered", covered, 0, 100), _pieces(piece or []))
    carry_out(desk, order, "so it was counted", desk.tournament.floor.terrain.get(number))


def fix_terrain(desk: Desk) -> None:
    """Announce that every table keeps its terrain all event."""
    carry_out(desk, setups.AnnounceTerrain(fixed=True), "the terrain is fixed")


def _pieces(typed: list[str]) -> dict[str, int]:
    pieces = {}
    for each in typed:
        kind, equals, count = each.partition("=")
        if not equals or not kind:
            raise UsageError(f"--piece is TYPE=N, as forest=2, not {each!r}")
        pieces[kind] = whole("--piece", count, 0, PIECES_MAX)
    return pieces


def armies(desk: Desk) -> None:
    """Show whether players verify each other's army totals.

    A marshal may order it before round 1.
    """
    ordered = desk.book.tournament.floor.verification
    if desk.json:
        show_json({"ordered": ordered or None})
    else:
        show(f"army totals are verified (event {ordered})" if ordered else "no army is verified")


def order_armies(desk: Desk) -> None:
    """Order players to verify army totals, before round 1."""
    carry_out(desk, setups.OrderVerification(), "this is ordered")


def firstfive(
    desk: Desk,
    player: Annotated[str, word("PLAYER", "Whose First Five it is.")],
    reviewer: Annotated[str, option("PLAYER", "Another player; else an official.", "--by")] = "",
    official: Annotated[str, option("OFFICIAL", "Who looked; default: at the desk.")] = "",
) -> None:
    """Record who looked at a player's First Five.

    Never the playing organizer at their own table.
    """
    number = find_player(desk.tournament, player)
    match = table_of_player(desk, number)
    by_player = find_player(desk.tournament, reviewer) if reviewer else 0
    if official:
        by_official = find_official(desk.tournament, official)
    else:
        by_official = 0 if by_player else acting_official(desk)
    carry_out(desk, setups.ReviewFirstFive(match.number, number, by_official, by_player))


def moderate(
    desk: Desk,
    table: Annotated[str, word("TABLE", "A table, R/T or a player.")],
    asked: Annotated[str, option("PLAYER", "Who asked for it.", "--asked-by")] = "",
    slow: Annotated[str, option("PLAYER", "Who was slow.")] = "",
    remedy: Annotated[str, option("WORD", "discard, forfeit or other; default: none.")] = "none",
    reason: Annotated[str, option("TEXT", "What was seen.")] = "",
) -> None:
    """Record who saw to the pace of a match.

    On a player's wish or without; what follows is for who was slow, and a forfeit ends the game.

    tourney moderate 3 --asked-by ann
    tourney moderate 3 --slow bob --remedy discard --reason "counted the discard pile again"
    """
    match = table_of(desk, table)
    follows = choice(remedy, get_args(PaceRemedy), "remedy")
    by = find_player(desk.tournament, asked) if asked else 0
    who = find_at_table(desk.tournament, match.players, slow) if slow else 0
    carry_out(desk, ModeratePace(match.number, by, follows, who, reason))
