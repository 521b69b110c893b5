"""`scenario`, `draft`: what is drawn for a round's tables, and how they are set up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.remembered import show_tables
from cli.desk.session import Desk
from cli.input.find_people import short_name, with_names
from cli.input.options import flag, option
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.tables import Column
from ledger.errors import NotFound
from ledger.rules.setups import DrawDraftGroups, DrawScenario
from ledger.tournament.lists import battle_cards
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.tournament.state import Match, Round, Tournament


def draw_scenario(
    desk: Desk,
    deployment: Annotated[str, option("CARD", "As an outline has it, or as it was drawn.")] = "",
    objective: Annotated[str, option("CARD", "As an outline has it, or as it was drawn.")] = "",
    by_hand: Annotated[bool, flag("--by-hand", "Cards or a die in the room drew it.")] = False,
) -> None:
    """Draw the round's scenario.

    Neither card repeats within a stage until all were used. Cards are named where the event was
    announced with an outline of its own, and where they were drawn by hand; in the Relaxed tier
    those need not be of the season.

    tourney scenario draw --by-hand --deployment Unprepared --objective "Volatile Runes"
    """
    carry_out(desk, DrawScenario(deployment, objective, by_hand), "the scenario is drawn")


@shows_table
def scenario(desk: Desk) -> None:
    """Show how the tables of the round are set up."""
    from projections.matches import setups_as_json

    tournament = desk.book.tournament
    latest = latest_round(tournament)
    show_tables(desk)
    if latest is None:
        raise NotFound("no round is paired yet: use `pair`")
    columns = [Column("table", right=True)]
    columns += [
        Column(title, flexible=True, value=value) for title, value in _cells(tournament).items()
    ]
    matches = [match for match in latest.matches if not match.is_bye]
    if not show_records(
        desk,
        columns,
        matches,
        json=lambda: with_names(tournament, setups_as_json(tournament, latest)),
    ):
        return
    say(f"round {latest.number}{_scenario_in_words(tournament, latest)}")


def _cells(tournament: Tournament) -> dict[str, Callable[[Match], str]]:
    """What this game sets up, and whose game it is: by the column's title its cell of a table."""
    rules, floor = tournament.ruleset.floor, tournament.floor
    first, sides, name = floor.first_players, floor.sides, partial(short_name, tournament)
    found: dict[str, Callable[[Match], str]] = {
        "player": lambda table: name(table.first),
        "against": lambda table: name(table.second),
    }
    if rules.first:
        found["first player"] = lambda table: (
            name(chosen.first) if (chosen := first.get(table.number)) else ""
        )
    if rules.sides:
        found["blue"] = lambda table: name(side.blue) if (side := sides.get(table.number)) else ""
    if floor.fixed_terrain:
        found["edge"] = lambda table: side.edge if (side := sides.get(table.number)) else ""
    if rules.battle:
        found["battle"] = partial(_battle, tournament)
    return found


def _battle(tournament: Tournament, table: Match) -> str:
    cards = battle_cards.played(tournament, table.number)
    return ", ".join(cards) or ("sealed" if table.number in tournament.floor.battles else "")


def _scenario_in_words(tournament: Tournament, latest: Round) -> str:
    if tournament.ruleset.floor.scenario is None:
        return ""
    drawn = tournament.floor.scenarios.get(latest.number)
    return f": {drawn.deployment}, {drawn.objective}" if drawn else ": no scenario is drawn"


def draw_draft(desk: Desk) -> None:
    """Draw who drafts with whom."""
    carry_out(desk, DrawDraftGroups())
    if not desk.json:
        _show_groups(desk)


def draft(desk: Desk) -> None:
    """Show the draft groups."""
    if desk.json:
        show_json([list(group) for group in desk.book.tournament.floor.draft_groups])
    else:
        _show_groups(desk)


def _show_groups(desk: Desk) -> None:
    tournament = desk.book.tournament
    show(
        *(
            f"{number:>3}  {', '.join(short_name(tournament, player) for player in group)}"
            for number, group in enumerate(tournament.floor.draft_groups, start=1)
        )
    )
