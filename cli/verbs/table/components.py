"""`component` and `prize`: what got lost, broke or was decided on, and who gets what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from cli.desk.acts import carry_out, desk_of
from cli.desk.seen import table_of, table_of_player
from cli.input.arguments import UsageError, choice, whole
from cli.input.belonging import refuse_others
from cli.input.people import find_player, labelled, with_names
from cli.render.game_tables import person_columns
from cli.render.records import show_records, shows_table
from cli.terminal.diagnostics import say
from cli.terminal.tables import Column
from ledger.events.base import PLAYERS_MAX
from ledger.events.clock import MINUTES_MAX

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.decisions.command import Command
    from ledger.events.components import Damaged, Decided
    from ledger.tournament.state import Tournament

ACTS = ("missing", "found", "gone", "damaged", "proxy", "allow", "ineligible", "share")
NOT_NAMED = "say which component"


@shows_table
def component(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="[ACT]", help="None: the record.")] = "",
    player: Annotated[str, typer.Argument(metavar="[PLAYER]", help="Whose; 0: everyone's.")] = "",
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[WHAT]", help="The component.")
    ] = None,
    during: Annotated[bool, typer.Option("--during", help="Missing during the game.")] = False,
    minutes: Annotated[
        str, typer.Option(metavar="N", help="With missing: extend the table to look for it.")
    ] = "",
    kind: Annotated[
        str,
        typer.Option(metavar="KIND", help="card, model, tool; playmat, indicator, third-party."),
    ] = "",
    impedes: Annotated[bool, typer.Option("--impedes", help="The model impedes play.")] = False,
    replaced: Annotated[bool, typer.Option("--replaced", help="There was another one.")] = False,
    illegible: Annotated[str, typer.Option(metavar="TEXT", help="What can not be read.")] = "",
    necessary: Annotated[
        bool, typer.Option("--necessary", help="The player can not play without it.")
    ] = False,
    genuine: Annotated[bool, typer.Option("--official", help="The publisher's own.")] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it was decided so.")] = "",
) -> None:
    """Record a lost, damaged, replaced or ruled out component.

    Acts: missing, found, gone (the game is conceded), damaged, proxy, allow, ineligible, share
    (ruler, templates, tools or dice; player 0: by the marshal's order, with the table as WHAT).

        tourney component missing ann "a province card" --minutes 3
        tourney component proxy ann "Way of the Crane" --illegible "the cost"
        tourney component share ann dice
    """
    from ledger.decisions import components as commands

    desk, words = desk_of(context), what or []
    chosen = choice(act, ACTS, "act") if act else ""
    refuse_others(context, chosen)
    if not chosen:
        _show(desk)
        return
    if not player:
        raise UsageError("say whose component it is")
    number = 0 if player == "0" else find_player(desk.tournament, player)
    named = " ".join(words)
    if bool(named) == (chosen in {"found", "gone"}):
        raise UsageError(f"component {chosen} takes the player alone" if named else NOT_NAMED)
    order: Command
    match chosen:
        case "missing":
            extra = whole("--minutes", minutes, 1, MINUTES_MAX) if minutes else 0
            order = commands.MissComponent(number, named, during, minutes=extra)
        case "found":
            order = commands.FindComponent(number)
        case "gone":
            order = commands.GiveUpComponent(number)
        case "damaged":
            order = commands.DamageComponent(number, named, _damaged(kind), impedes, replaced)
        case "proxy":
            order = _proxy(desk.tournament, number, named, illegible)
        case "share":
            order = _sharing(desk, number, words)
        case _:
            is_allowed = chosen == "allow"
            order = commands.DecideComponent(
                named, _decided(kind), is_allowed, number, necessary, genuine, reason
            )
    carry_out(desk, order)


def _damaged(kind: str) -> Damaged:
    from ledger.events.components import Damaged

    kinds: tuple[Damaged, ...] = get_args(Damaged)
    return choice(kind or "other", kinds, "kind of component")


def _decided(kind: str) -> Decided:
    from ledger.events.components import Decided

    kinds: tuple[Decided, ...] = get_args(Decided)
    for each in kinds:
        if each == (kind or "third-party"):
            return each
    raise UsageError(f"--kind is {', '.join(kinds)}, not {kind!r}")


def _proxy(tournament: Tournament, player: int, card: str, illegible: str) -> Command:
    from cli.input.places import today
    from ledger.decisions.components import MakeProxy

    zone = tournament.opening.time_zone if tournament.opening else ""
    return MakeProxy(player, card, illegible, today(zone))


def _sharing(desk: Desk, player: int, what: list[str]) -> Command:
    from ledger.decisions.components import ShareComponents
    from ledger.events.components import Shared

    found = choice(what[0], get_args(Shared), "thing to share")
    if not player and len(what) != 2:  # noqa: PLR2004 - what, and the table
        raise UsageError("say what is shared and at which table, as component share 0 dice 4")
    match = table_of_player(desk, player) if player else table_of(desk, what[1])
    return ShareComponents(match.number, found, player)


def _show(desk: Desk) -> None:
    from cli.wording.event_words import in_words
    from projections.matches.components_and_prizes import components_as_json

    tournament = desk.book.tournament
    columns = (
        Column("event", right=True, key="seq"),
        Column("type", only="program"),
        Column(
            "what",
            flexible=True,
            wraps=True,
            value=lambda each: in_words(each.event, tournament),
        ),
    )
    recorded = tournament.floor.components
    if not show_records(
        desk, columns, recorded, json=lambda: with_names(tournament, components_as_json(tournament))
    ):
        return
    for player, lost in sorted(tournament.floor.missing.items()):
        say(f"{labelled(tournament, player)} misses {lost.component} since round {lost.round}")
    say(f"{len(recorded)} on the record")


@shows_table
def prize(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="[offer|award]", help="None: who gets what.")] = "",
    to: Annotated[
        str, typer.Argument(metavar="[RANKS|PLAYER]", help="Ranks as 1-4, or the player.")
    ] = "",
    what: Annotated[list[str] | None, typer.Argument(metavar="[PRIZE]", help="The prize.")] = None,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="placing, participation or other.")
    ] = "placing",
) -> None:
    """Offer prizes for ranks, award them, or list who gets what.

    Where the game has it so, a playing organizer's prize for placing passes to the next rank.

        tourney prize offer 1-4 "a playmat"
        tourney prize award ann "a playmat"
    """
    from ledger.decisions.components import AwardPrize, OfferPrize
    from ledger.events.components import PrizeKind

    desk = desk_of(context)
    refuse_others(context, act)
    named = " ".join(what or ())
    if act and not (to and named):
        raise UsageError('say for whom and what, as prize offer 1-4 "a playmat"')
    if act == "offer":
        first, _, last = to.partition("-")
        highest = whole("a rank", first, 1, PLAYERS_MAX)
        lowest = whole("a rank", last or first, 1, PLAYERS_MAX)
        carry_out(desk, OfferPrize(named, highest, lowest))
    elif act == "award":
        found = choice(kind, get_args(PrizeKind), "kind of prize")
        carry_out(desk, AwardPrize(find_player(desk.tournament, to), named, found), "it was given")
    elif act:
        raise UsageError(f"prize offer, or prize award, not {act!r}")
    else:
        _show_prizes(desk)


def _show_prizes(desk: Desk) -> None:
    from projections.matches.components_and_prizes import prizes_due

    tournament = desk.book.tournament
    due = prizes_due(tournament)
    columns = (
        Column("rank", right=True),
        *person_columns(tournament, lambda each: each["player"], text=labelled),
        Column("prize", flexible=True),
        Column("", key="awarded", text=lambda each: "awarded" if each["awarded"] else ""),
    )
    if not show_records(desk, columns, [with_names(tournament, each._asdict()) for each in due]):
        return
    if not tournament.finished:
        say("not finished: places may still change")
