"""`requests`: who asks to be registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.moments import time_in
from cli.input.options import flag, option, word
from cli.render.records import show_records, shows_table
from cli.terminal.output import say
from cli.terminal.tables import Column
from cli.terminal.visible import how_many

if TYPE_CHECKING:
    from ledger.tournament.table_records import AskedRegistration


@shows_table
def requests(desk: Desk) -> None:
    """List who asks to be registered by the link of the event."""
    tournament = desk.tournament
    waiting = [each for each in tournament.floor.requests if not each.answered]
    columns = (
        Column("request", right=True, value=lambda each: each.seq),
        Column("time", key="at", text=lambda each: time_in(tournament, each.at)),
        Column("name", flexible=True, value=lambda each: each.made.name),
        Column("faction", flexible=True, optional=True, value=lambda each: each.made.faction),
        Column("league id", optional=True, value=lambda each: each.made.league_id),
    )
    rows = [request_as_json(each) for each in waiting]
    if show_records(desk, columns, waiting, json=lambda: rows):
        say(
            f"{how_many(len(waiting), 'request')}: `requests approve N`, or `requests refuse N`; "
            "`requests refuse --all` refuses every one"
        )


def ask(
    desk: Desk,
    name: Annotated[list[str], word("NAME", "Who asks.")],
    faction: Annotated[str, option("NAME", "Their faction, clan or army.")] = "",
    league_id: Annotated[str, option("ID", "The pseudonym from the league office.")] = "",
) -> None:
    """Note that somebody asks to be registered, to be answered later."""
    from ledger.rules.opening import AskRegistration

    carry_out(desk, AskRegistration(" ".join(name), faction, league_id), "they have asked already")


def request_as_json(request: AskedRegistration) -> dict[str, object]:
    """Return a request for a program."""
    made = request.made
    return {
        "request": request.seq,
        "at": request.at,
        "name": made.name,
        "faction": made.faction,
        "league_id": made.league_id,
    }


def approve(
    desk: Desk,
    request: Annotated[str, word("REQUEST", "Its number, as `requests` lists it.")],
    namesake: Annotated[
        bool, flag("--namesake", "Another person of a name that is registered.")
    ] = False,
) -> None:
    """Register who asked."""
    from ledger.rules.opening import ApproveRegistration

    carry_out(desk, ApproveRegistration(_number(request), namesake), "they are registered already")


def refuse(
    desk: Desk,
    request: Annotated[str, word("[REQUEST]", "Its number, as `requests` lists it.")] = "",
    reason: Annotated[str, option("TEXT", "Why.")] = "",
    every: Annotated[bool, flag("--all", "Every request that is open, in one act.")] = False,
) -> None:
    """Refuse to register who asked.

    If names are sealed, the keys of those names are destroyed.

        tourney requests refuse 57
        tourney requests refuse --all --reason "all from one phone"
    """
    from ledger.rules.opening import RefuseRegistration, RefuseRegistrations

    if every == bool(request):
        raise UsageError("name the request, or refuse all with --all")
    if every:
        refused = RefuseRegistrations(desk.tournament.seq, reason)
        carry_out(desk, refused, "no request is open")
    else:
        carry_out(desk, RefuseRegistration(_number(request), reason), "it is refused already")
    desk.book.destroy_forgotten()


def _number(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 12):  # noqa: PLR2004 - digits
        raise UsageError(f"a request is a number, as `requests` lists it, not {typed!r}")
    return int(typed)
