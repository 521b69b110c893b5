"""`official`: who holds office."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cli.desk.acts import carry_out, desk_of
from cli.input.arguments import UsageError
from cli.input.belonging import refuse_others
from cli.input.people import find_official, find_player, labelled
from cli.render.records import show_records, shows_table
from cli.terminal.tables import Column
from ledger.errors import NotFound

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.events.base import Role
    from ledger.tournament.state import Tournament


@shows_table
def official(
    context: typer.Context,
    name: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]", help="A new name, or who has office.")
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ROLE",
            help="organizer, marshal, judge or scorekeeper; more than one: repeat it.",
        ),
    ] = None,
    plays: Annotated[str, typer.Option(metavar="PLAYER", help="Which player they are.")] = "",
    stand_down: Annotated[
        bool, typer.Option("--stand-down", help="A spectator until they resume.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Back in office.")] = False,
    namesake: Annotated[
        bool, typer.Option("--namesake", help="Another person than the player of that name.")
    ] = False,
) -> None:
    """Appoint an official; without a name, list them.

    Appointed again, the new roles replace the old ones.

        tourney official "Pat Jones" --role judge --role scorekeeper
        tourney official pat --stand-down
    """
    desk = desk_of(context)
    changes = {"--plays": bool(plays), "--stand-down": stand_down, "--resume": resume}
    asked = [f"NAME {option}" for option, is_asked in changes.items() if is_asked]
    refuse_others(context, asked[0] if asked else "NAME --role" if name or role else "")
    if asked:
        if not name:
            raise UsageError("say which official, by name or number")
        _change(desk, " ".join(name), plays, down=stand_down)
    elif name:
        _appoint(desk, " ".join(name), tuple(role or ()), namesake=namesake)
    elif role:
        raise UsageError("say who takes the role")
    else:
        _list(desk, desk.book.tournament)


def _change(desk: Desk, name: str, plays: str, *, down: bool) -> None:
    from ledger.decisions.office import LinkOfficial, Resume, StandDown

    number = find_official(desk.tournament, name)
    if plays:
        carry_out(desk, LinkOfficial(number, find_player(desk.tournament, plays)))
    else:
        carry_out(desk, StandDown(number) if down else Resume(number))


def _appoint(desk: Desk, name: str, typed: tuple[str, ...], *, namesake: bool) -> None:
    from ledger.decisions.opening import AppointOfficial

    if not typed:
        raise UsageError("say which office, as --role judge")
    roles = tuple(_role(word) for word in dict.fromkeys(typed))
    number = _known(desk.tournament, name)
    command = AppointOfficial("" if number else name, roles, number, namesake)
    carry_out(desk, command, "this is their office")


def _role(word: str) -> Role:
    from difflib import get_close_matches

    from ledger.events.base import Role

    roles: tuple[Role, ...] = get_args(Role)
    for role in roles:
        if role == word.lower():
            return role
    close = get_close_matches(word.lower(), roles, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(roles)}"
    raise UsageError(f"no role {word!r}; {hint}")


def _known(tournament: Tournament, words: str) -> int:
    """Return the number of the official whom the words name in full; 0 for a new one."""
    from ledger.tournament.same_names import official_named

    if not words.lstrip("o#").isdigit():
        return official_named(tournament, words)
    try:
        return find_official(tournament, words)
    except NotFound:
        return 0


def _list(desk: Desk, tournament: Tournament) -> None:
    known = [
        (each, tournament.names.get(f"o{each.number}", "")) for each in tournament.officials[1:]
    ]

    def state(each: dict[str, Any]) -> str:
        plays = [f"plays as {labelled(tournament, each['player'])}"] if each["player"] else []
        return ", ".join([*plays, *(["stood down"] if each["stood_down"] else [])])

    columns = (
        Column("#", key="official", text=lambda each: f"o{each['official']}"),
        Column("name", flexible=True),
        Column("roles", flexible=True, value=lambda each: ", ".join(each["roles"])),
        Column("player", only="program"),
        Column("", flexible=True, optional=True, key="stood_down", text=state),
    )
    records = [
        {
            "official": each.number,
            "name": name,
            "roles": each.roles,
            "player": each.player or None,
            "stood_down": each.stood_down,
        }
        for each, name in known
    ]
    show_records(desk, columns, records)
