"""Set-ups of tables, as they are drawn, chosen by players and inspected by officials.

Drawn: `scenario`, `draft`. Chosen: `first`, `side`, `battle`. Inspected: `terrain`, `armies`,
`firstfive`, `slow-play`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, get_args

from cli.desk.acts import acting_official, carry_out
from cli.desk.questions import end_game
from cli.desk.remembered import show_tables, table_of, table_of_player
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice, whole
from cli.input.find_people import (
    find_at_table,
    find_official,
    find_player,
    short_name,
    with_names,
)
from cli.input.options import Facts, Reason, flag, option, word
from cli.languages.speaking import marked, tr, tr_of
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.problems import said
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.errors import NotFound
from ledger.facts import battle_cards
from ledger.facts.clock import PaceRemedy
from ledger.facts.setups import Struck, Three
from ledger.problems import phrase
from ledger.rules import setups
from ledger.rules.clock import ModeratePace
from ledger.rules.setups import (
    BuildBattle,
    ChooseFirstPlayer,
    DrawChooser,
    DrawDraftGroups,
    DrawScenario,
    TakeSide,
)
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.tournament.state import Match, Round, Tournament


def draw_scenario(
    desk: Desk,
    deployment: Annotated[
        str, option("CARD", "The card that the outline sets, or that was drawn by hand.")
    ] = "",
    objective: Annotated[
        str, option("CARD", "The card that the outline sets, or that was drawn by hand.")
    ] = "",
    by_hand: Annotated[
        bool, flag("--by-hand", "It was drawn in the room, with cards or a die.")
    ] = False,
) -> None:
    """Draw the round's scenario.

    No card repeats within a stage until all cards were used. Name the cards only if the tournament
    was announced with its own outline, or if they were drawn by hand; in the Relaxed tier cards
    drawn by hand can be from other seasons.

    tourney scenario draw --by-hand --deployment Unprepared --objective "Volatile Runes"
    """
    carry_out(desk, DrawScenario(deployment, objective, by_hand), tr("the scenario is drawn"))


@shows_table
def scenario(desk: Desk) -> None:
    """Show how the tables of the round are set up."""
    from projections.matches import setups_as_json

    tournament = desk.book.tournament
    latest = latest_round(tournament)
    show_tables(desk)
    if latest is None:
        raise NotFound(phrase("no round is paired yet: use `pair`"))
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
    say(_scenario_in_words(tournament, latest))


def _cells(tournament: Tournament) -> dict[str, Callable[[Match], str]]:
    """What this game sets up, and whose game it is: by the column's title its cell of a table."""
    rules, floor = tournament.ruleset.floor, tournament.floor
    first, sides, name = floor.first_players, floor.sides, partial(short_name, tournament)
    found: dict[str, Callable[[Match], str]] = {
        marked("player"): lambda table: name(table.first),
        marked("against"): lambda table: name(table.second),
    }
    if rules.first:
        found[marked("first player")] = lambda table: (
            name(chosen.first) if (chosen := first.get(table.number)) else ""
        )
    if rules.sides:
        found[marked("blue")] = lambda table: (
            name(side.blue) if (side := sides.get(table.number)) else ""
        )
    if floor.fixed_terrain:
        found[marked("edge")] = lambda table: side.edge if (side := sides.get(table.number)) else ""
    if rules.battle:
        found[marked("battle")] = partial(_battle, tournament)
    return found


def _battle(tournament: Tournament, table: Match) -> str:
    cards = battle_cards.played(tournament, table.number)
    return ", ".join(cards) or (
        tr_of("cards", "sealed") if table.number in tournament.floor.battles else ""
    )


def _scenario_in_words(tournament: Tournament, latest: Round) -> str:
    if tournament.ruleset.floor.scenario is None:
        return tr("round {number}", number=latest.number)
    drawn = tournament.floor.scenarios.get(latest.number)
    if not drawn:
        return tr("round {number}: no scenario is drawn yet", number=latest.number)
    return tr(
        "round {number}: {deployment}, {objective}",
        number=latest.number,
        deployment=drawn.deployment,
        objective=drawn.objective,
    )


def draw_draft(desk: Desk) -> None:
    """Draw the draft groups."""
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
    if not tournament.floor.draft_groups:
        say(tr("no draft groups yet: `draft draw` draws them"))
    show(
        *(
            f"{number:>3}  {', '.join(short_name(tournament, player) for player in group)}"
            for number, group in enumerate(tournament.floor.draft_groups, start=1)
        )
    )


TOTAL_MAX = 1_000_000
THREE = 3

Table = Annotated[str, word("TABLE", "A table, R/T or a player.")]
Totals = Annotated[str, option("N-N", "Both army totals, in the order of the pairing.")]
Chooser = Annotated[
    str, option("PLAYER", "The player who chose, if no total or roll decides that.")
]

TotalsReason = Annotated[str, option("TEXT", "Why the totals differ from those of the draw.")]


def first(
    desk: Desk,
    table: Table,
    player: Annotated[str, word("PLAYER", "The first player.")],
    totals: Totals = "",
    roll: Annotated[
        list[str] | None, option("N-N", "A roll of both players; repeat the option after a tie.")
    ] = None,
    chooser: Chooser = "",
    reason: TotalsReason = "",
) -> None:
    """Record the first player at a table, and who chose.

    If army totals are equal, or the game leaves it to chance, first draw who chooses.

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
    carry_out(desk, order, tr("the first player is recorded"), before)


def side(
    desk: Desk,
    table: Table,
    player: Annotated[str, word("PLAYER", "The blue player.")],
    totals: Totals = "",
    chooser: Chooser = "",
    edge: Annotated[str, option("EDGE", "The blue player's long edge, on fixed terrain.")] = "",
    reason: TotalsReason = "",
) -> None:
    """Record the blue player at a table, and who chose.

    If army totals are equal, first draw who chooses.

    tourney side draw 3 --totals 800-800
    tourney side 3 ann --totals 800-800
    """
    match = table_of(desk, table)
    blue = find_at_table(desk.tournament, match.players, player)
    chose = _chooser(desk, match, chooser)
    order = TakeSide(match.number, blue, chose, _numbers("--totals", totals), edge, reason)
    before = desk.tournament.floor.sides.get(match.number)
    carry_out(desk, order, tr("the side is recorded"), before)


def draw_for_first(desk: Desk, table: Table, totals: Totals = "") -> None:
    """Draw who chooses the first player at a table."""
    _draw_chooser(desk, table, totals)


def draw_for_side(desk: Desk, table: Table, totals: Totals = "") -> None:
    """Draw who chooses the side at a table."""
    _draw_chooser(desk, table, totals)


def _draw_chooser(desk: Desk, table: str, totals: str) -> None:
    match = table_of(desk, table)
    order = DrawChooser(match.number, _numbers("--totals", totals))
    carry_out(desk, order, tr("the chooser is drawn"))


def _numbers(option: str, typed: str) -> tuple[int, int] | None:
    if not typed:
        return None
    one, dash, other = typed.partition("-")
    if not dash:
        raise UsageError(
            tr(
                "{option} must be two numbers, such as 180-200, not {typed}",
                option=option,
                typed=repr(typed),
            )
        )
    return whole(option, one, 0, TOTAL_MAX), whole(option, other, 0, TOTAL_MAX)


def _chooser(desk: Desk, match: Match, typed: str) -> int:
    return find_at_table(desk.tournament, match.players, typed) if typed else 0


def battle(
    desk: Desk,
    table: Table,
    objective: Annotated[
        list[str] | None, option("CARD", "Required: a card; give it three times, from the left.")
    ] = None,
    deployment: Annotated[
        list[str] | None, option("CARD", "Required: a card; give it three times, from the left.")
    ] = None,
    condition: Annotated[
        list[str] | None, option("CARD", "Required: a card; give it three times, from the left.")
    ] = None,
    strike: Annotated[
        list[str] | None,
        option("KIND", "Required: a kind, or pass; give it four times, blue first."),
    ] = None,
) -> None:
    """Record the battle cards of a table and the ones struck.

    The cards in play follow from this. No person is shown the cards while the tournament runs.
    """
    objectives, deployments, conditions = (
        _three(typed or []) for typed in (objective, deployment, condition)
    )
    typed = [choice(word, get_args(Struck), tr("kind to strike")) for word in strike or ()]
    if len(typed) != THREE + 1:
        raise UsageError(
            tr("give --strike four times, in turn, blue first ({clause})", clause="SWL-SETUP")
        )
    one, two, three, four = typed
    match = table_of(desk, table)
    struck = (one, two, three, four)
    order = BuildBattle(match.number, objectives, deployments, conditions, struck)
    carry_out(desk, order, before=desk.tournament.floor.battles.get(match.number))


def _three(typed: list[str]) -> Three:
    if len(typed) != THREE:
        raise UsageError(
            tr(
                "give --objective, --deployment and --condition three times each, from the left "
                "({clause})",
                clause="SWL-SETUP",
            )
        )
    one, two, three = typed
    return one, two, three


PIECES_MAX = 1_000_000


def terrain(desk: Desk) -> None:
    """List the problems with the terrain.

    tourney terrain count 1 --covered 30 --piece forest=2 --piece ruin=3
    """
    from projections.matches import terrain_findings

    findings = terrain_findings(desk.book.tournament)
    if desk.json:
        show_json(list(map(str, findings)))
    else:
        show(*map(said, findings))
    say(how_many(len(findings), "finding"))


def count_terrain(
    desk: Desk,
    table: Annotated[str, word("TABLE", "The table that was counted.")],
    covered: Annotated[
        str, option("PERCENT", "Required: the share of the table that is covered.")
    ] = "",
    piece: Annotated[
        list[str] | None, option("TYPE=N", "The number of pieces of a type; can be repeated.")
    ] = None,
) -> None:
    """Record the terrain counted at a table.

    tourney terrain count 1 --covered 30 --piece forest=2 --piece ruin=3
    """
    number = whole(tr("a table"), table, 1)
    order = setups.CountTerrain(number, whole("--covered", covered, 0, 100), _pieces(piece or []))
    carry_out(desk, order, tr("this count is recorded"), desk.tournament.floor.terrain.get(number))


def fix_terrain(desk: Desk) -> None:
    """Announce that every table keeps its terrain until the end."""
    carry_out(desk, setups.AnnounceTerrain(fixed=True), tr("the terrain is fixed"))


def _pieces(typed: list[str]) -> dict[str, int]:
    pieces = {}
    for each in typed:
        kind, equals, count = each.partition("=")
        if not equals or not kind:
            raise UsageError(
                tr("--piece must be TYPE=N, such as forest=2, not {typed}", typed=repr(each))
            )
        pieces[kind] = whole("--piece", count, 0, PIECES_MAX)
    return pieces


def armies(desk: Desk) -> None:
    """Show whether players verify each other's army totals.

    A marshal can order it before round 1.
    """
    ordered = desk.book.tournament.floor.verification
    if desk.json:
        show_json({"ordered": ordered or None})
    else:
        show(
            tr("players verify each other's army totals (event {number})", number=ordered)
            if ordered
            else tr("players do not verify army totals")
        )


def order_armies(desk: Desk) -> None:
    """Order players to verify army totals, before round 1."""
    carry_out(desk, setups.OrderVerification(), tr("the verification is ordered"))


def firstfive(
    desk: Desk,
    player: Annotated[str, word("PLAYER", "The player whose First Five it is.")],
    reviewer: Annotated[str, option("PLAYER", "The reviewer, if it was a player.", "--by")] = "",
    official: Annotated[
        str, option("OFFICIAL", "The reviewer; default: the official at the desk.")
    ] = "",
) -> None:
    """Record who reviewed a player's First Five.

    An organizer who plays cannot review at their own table.
    """
    number = find_player(desk.tournament, player)
    match = table_of_player(desk, number)
    by_player = find_player(desk.tournament, reviewer) if reviewer else 0
    if official:
        by_official = find_official(desk.tournament, official)
    else:
        by_official = 0 if by_player else acting_official(desk)
    carry_out(desk, setups.ReviewFirstFive(match.number, number, by_official, by_player))


def slow_play(
    desk: Desk,
    table: Annotated[str, word("TABLE", "A table, R/T or a player.")],
    asked: Annotated[str, option("PLAYER", "The player who asked for it.", "--asked-by")] = "",
    slow: Annotated[str, option("PLAYER", "The slow player.")] = "",
    remedy: Annotated[
        str, option("WORD", "discard, forfeit or other; default: no remedy.")
    ] = "none",
    reason: Reason = "",
    fact: Facts = None,
) -> None:
    """Record that an official moderated the pace of a match.

    At a player's request or without one. The remedy applies to the slow player; a forfeit ends the
    game.

    tourney slow-play 3 --asked-by ann
    tourney slow-play 3 --slow bob --remedy discard --reason "counted the discard pile again"
    """
    match = table_of(desk, table)
    follows = choice(remedy, get_args(PaceRemedy), "remedy")
    by = find_player(desk.tournament, asked) if asked else 0
    who = find_at_table(desk.tournament, match.players, slow) if slow else 0
    order = ModeratePace(match.number, by, follows, who, reason)
    end_game(desk, match, fact, order, reason=reason)
