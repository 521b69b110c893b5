"""`scenario`, `draft`, `first`, `side`, `battle`, `terrain`, `armies`, `firstfive`: the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Annotated
from typing import get_args

import typer

from cli.acts import carry_out
from cli.acts import desk_of
from cli.arguments import UsageError
from cli.arguments import whole
from cli.diagnostics import say
from cli.matches import find_match
from cli.output import show
from cli.output import show_json
from cli.output import show_table
from cli.people import find_at_table
from cli.people import find_official
from cli.people import find_player
from cli.people import short_name
from cli.tables import Column
from ledger import battles
from ledger.errors import NotFound
from ledger.progress import latest_round

if TYPE_CHECKING:
    from cli.session import Desk
    from ledger.events.setups import Three
    from ledger.state import Match
    from ledger.state import Round
    from ledger.state import Tournament

TOTAL_MAX = 1_000_000
THREE = 3


def scenario(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="[draw]", help="None: show the set-up.")] = "",
    deployment: Annotated[str, typer.Option(metavar="CARD", help="As an outline has it.")] = "",
    objective: Annotated[str, typer.Option(metavar="CARD", help="As an outline has it.")] = "",
) -> None:
    """Draw the round's scenario, or show how its tables are set up.

    Neither card repeats within a stage until all were used. Cards are named only where the event
    was announced with an outline of its own.
    """
    from ledger.commands import DrawScenario

    desk = desk_of(context)
    if act == "draw":
        carry_out(desk, DrawScenario(deployment, objective), "the scenario is drawn")
    elif act or deployment or objective:
        raise UsageError(f"scenario draw, not {act!r}")
    else:
        _show(desk)


def _show(desk: Desk) -> None:
    from projections.setups import as_json

    tournament = desk.book.tournament
    played = latest_round(tournament)
    if played is None:
        raise NotFound("no round is paired yet: use `pair`")
    if desk.json:
        show_json(as_json(tournament, played))
        return
    titles = _titles(tournament)
    columns = [Column("table", right=True), *(Column(title, flexible=True) for title in titles)]
    rows = [
        [str(match.table), *(_cell(tournament, match, title) for title in titles)]
        for match in played.matches
        if not match.is_bye
    ]
    show_table(columns, rows)
    say(f"round {played.number}{_scenario_in_words(tournament, played)}")


def _titles(tournament: Tournament) -> list[str]:
    """The columns of what this game sets up, and of whose game it is."""
    rules = tournament.ruleset.floor
    titles = ["player", "against"]
    titles += ["first player"] if rules.first else []
    titles += ["blue"] if rules.sides else []
    titles += ["edge"] if tournament.floor.fixed_terrain else []
    return titles + (["battle"] if rules.battle else [])


def _cell(tournament: Tournament, table: Match, title: str) -> str:
    floor = tournament.floor
    chosen, side = floor.first_players.get(table.number), floor.sides.get(table.number)
    match title:
        case "player":
            return short_name(tournament, table.first)
        case "against":
            return short_name(tournament, table.second)
        case "first player":
            return short_name(tournament, chosen.first) if chosen else ""
        case "blue":
            return short_name(tournament, side.blue) if side else ""
        case "edge":
            return side.edge if side else ""
        case _:
            cards = battles.played(tournament, table.number)
            return ", ".join(cards) or ("sealed" if table.number in floor.battles else "")


def _scenario_in_words(tournament: Tournament, played: Round) -> str:
    if tournament.ruleset.floor.scenario is None:
        return ""
    drawn = tournament.floor.scenarios.get(played.number)
    return f": {drawn.deployment}, {drawn.objective}" if drawn else ": no scenario is drawn"


def draft(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="[draw]", help="None: show the groups.")] = "",
) -> None:
    """Draw who drafts with whom, or show the draft groups."""
    from ledger.commands import DrawDraftGroups

    desk = desk_of(context)
    if act == "draw":
        carry_out(desk, DrawDraftGroups())
    elif act:
        raise UsageError(f"draft draw, not {act!r}")
    tournament = desk.book.tournament
    groups = tournament.floor.draft_groups
    if desk.json:
        if not act:
            show_json([list(group) for group in groups])
        return
    show(
        *(
            f"{number:>3}  {', '.join(short_name(tournament, player) for player in group)}"
            for number, group in enumerate(groups, start=1)
        )
    )


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
    from ledger.commands import DrawChooser

    drawn = DrawChooser(match.number, _numbers("--totals", totals))
    carry_out(desk, drawn, "who chooses is drawn")


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
    from ledger.commands import ChooseFirstPlayer

    desk = desk_of(context)
    match = find_match(desk.tournament, table)
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
    carry_out(desk, order, "this is the first player")


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
    from ledger.commands import TakeSide

    desk = desk_of(context)
    match = find_match(desk.tournament, table)
    if not player:
        _draw_chooser(desk, match, totals)
        return
    blue = find_at_table(desk.tournament, match.players, player)
    chose = _chooser(desk, match, chooser)
    order = TakeSide(match.number, blue, chose, _numbers("--totals", totals), edge)
    carry_out(desk, order, "this is the side")


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
    from cli.verbs.floor import choice
    from ledger.commands import BuildBattle
    from ledger.events.setups import Struck

    desk = desk_of(context)
    objectives, deployments, conditions = (
        _three(typed or []) for typed in (objective, deployment, condition)
    )
    kinds = get_args(Struck)
    typed = [kinds[kinds.index(choice(word, kinds, "kind to strike"))] for word in strike or ()]
    if len(typed) != THREE + 1:
        raise UsageError("--strike four times, from blue in turn (SWL-SETUP)")
    one, two, three, four = typed
    match = find_match(desk.tournament, table)
    struck = (one, two, three, four)
    carry_out(desk, BuildBattle(match.number, objectives, deployments, conditions, struck))


def _three(typed: list[str]) -> Three:
    if len(typed) != THREE:
        raise UsageError(
            "three cards of each kind, from the left: --objective, --deployment and --condition"
            " three times each (SWL-SETUP)"
        )
    one, two, three = typed
    return one, two, three


def terrain(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="Which one was counted.")] = "",
    piece: Annotated[
        list[str] | None, typer.Option(metavar="TYPE=N", help="How many of a type; repeat it.")
    ] = None,
    covered: Annotated[str, typer.Option(metavar="PERCENT", help="How much is covered.")] = "",
    fixed: Annotated[bool, typer.Option("--fixed", help="The terrain of the event is.")] = False,
) -> None:
    """Count the terrain of a table, or list what is wrong.

    tourney terrain 1 --covered 30 --piece forest=2 --piece ruin=3
    """
    from ledger.commands import AnnounceTerrain
    from ledger.commands import CountTerrain
    from projections.setups import terrain_findings

    desk = desk_of(context)
    if fixed:
        carry_out(desk, AnnounceTerrain(fixed), "the terrain is fixed")
    elif table:
        percent = whole("--covered", covered, 0, 100)
        number = whole("a table", table, 1)
        carry_out(desk, CountTerrain(number, percent, _pieces(piece or [])), "so it was counted")
    else:
        findings = terrain_findings(desk.book.tournament)
        if desk.json:
            show_json(findings)
        else:
            show(*findings)
        say(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}")


def _pieces(typed: list[str]) -> dict[str, int]:
    pieces = {}
    for each in typed:
        kind, equals, count = each.partition("=")
        if not equals or not kind:
            raise UsageError(f"--piece is TYPE=N, as forest=2, not {each!r}")
        pieces[kind] = whole("--piece", count, 0, TOTAL_MAX)
    return pieces


def armies(context: typer.Context) -> None:
    """Let the players verify each other's army totals.

    A marshal may order it before round 1.
    """
    from ledger.commands import OrderVerification

    carry_out(desk_of(context), OrderVerification(), "this is ordered")


def firstfive(
    context: typer.Context,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Whose First Five it is.")],
    reviewer: Annotated[
        str, typer.Option("--by", metavar="PLAYER", help="Another player; else an official.")
    ] = "",
    official: Annotated[
        str, typer.Option(metavar="OFFICIAL", help="Who looked; default: at the desk.")
    ] = "",
) -> None:
    """Record who looked at a player's First Five.

    Never the playing organizer at their own table.
    """
    from cli.verbs.floor import acting_official
    from ledger.commands import ReviewFirstFive

    desk = desk_of(context)
    number = find_player(desk.tournament, player)
    match = find_match(desk.tournament, f"#{number}")
    by_player = find_player(desk.tournament, reviewer) if reviewer else 0
    if official:
        by_official = find_official(desk.tournament, official)
    else:
        by_official = 0 if by_player else acting_official(desk)
    carry_out(desk, ReviewFirstFive(match.number, number, by_official, by_player))
