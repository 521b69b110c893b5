"""`scenario`, `draft`: what is drawn for a round's tables, and how they are set up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import carry_out, desk_of
from cli.desk.seen import show_tables
from cli.input.arguments import UsageError
from cli.input.belonging import refuse_others
from cli.input.people import short_name, with_names
from cli.render.records import show_records, shows_table
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json
from cli.terminal.tables import Column
from ledger.errors import NotFound, Refused
from ledger.tournament import battle_cards
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.tournament.state import Match, Round, Tournament


@shows_table
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
    from ledger.decisions.setups import DrawScenario

    desk = desk_of(context)
    refuse_others(context, act)
    if act == "draw":
        carry_out(desk, DrawScenario(deployment, objective), "the scenario is drawn")
    elif act:
        raise UsageError(f"scenario draw, not {act!r}")
    else:
        _show(desk)


def _show(desk: Desk) -> None:
    from projections.matches.table_setups import as_json

    tournament = desk.book.tournament
    played = latest_round(tournament)
    show_tables(desk)
    if played is None:
        raise NotFound("no round is paired yet: use `pair`")
    columns = [
        Column("table", right=True),
        *(_setup_column(tournament, title) for title in _titles(tournament)),
    ]
    matches = [match for match in played.matches if not match.is_bye]
    if not show_records(
        desk, columns, matches, json=lambda: with_names(tournament, as_json(tournament, played))
    ):
        return
    say(f"round {played.number}{_scenario_in_words(tournament, played)}")


def _setup_column(tournament: Tournament, title: str) -> Column:
    return Column(title, flexible=True, value=lambda match: _cell(tournament, match, title))


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
            cards = battle_cards.played(tournament, table.number)
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
    from ledger.checks.setups import no_draft
    from ledger.decisions.setups import DrawDraftGroups

    desk = desk_of(context)
    if act == "draw":
        carry_out(desk, DrawDraftGroups())
    elif act:
        raise UsageError(f"draft draw, not {act!r}")
    tournament = desk.book.tournament
    if tournament.ruleset.floor.draft is None:
        raise Refused(no_draft(tournament))
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
