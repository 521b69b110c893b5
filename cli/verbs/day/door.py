"""The door: `check-in` for players who are present, `requests` of people to be registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.find_people import find_player, labelled, name_of
from cli.input.moments import time_in
from cli.input.options import Reason, flag, option, word
from cli.languages.speaking import tr
from cli.render.records import show_records, shows_table
from cli.terminal.output import say
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.errors import NotFound
from ledger.problems import phrase
from ledger.tournament.progress import absent_players, check_in_now

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import AskedRegistration

IN_A_BADGE = "/in#"
"""What comes before the secret in the link of a badge."""

A_BADGE = "badge:"
"""What comes before the SHA-256 of that secret, which a page sends in its place."""

NAMED_MAX = 8
"""How many absent players are named in a line."""

HERE = (
    Column("#", right=True, key="player"),
    Column("name", flexible=True),
    Column("here", text=lambda each: tr("yes") if each["here"] else "-"),
)


@shows_table
def check_in(
    desk: Desk,
    players: Annotated[list[str] | None, word("[PLAYER ...]", "The players to check in.")] = None,
) -> None:
    """Check players in, or list who has and who has not checked in.

    tourney check-in open
    tourney check-in ann bob 17
    tourney check-in

    Instead of typing a name you can scan the code of a badge, which is the player's link.
    """
    from ledger.rules.rounds import CheckIn

    tournament = desk.tournament
    if players:
        found = tuple(_player(tournament, each) for each in players)
        opened = check_in_now(tournament)
        recorded = carry_out(desk, CheckIn(found), tr("these players have checked in"))
        if recorded and opened and opened.closed:
            say(tr("the check-in is closed: only the desk still checks players in, as it did here"))
        say_absent(desk.book.tournament)
        return
    now = check_in_now(tournament)
    absent = set(absent_players(tournament))
    listed = sorted(tournament.active(), key=lambda each: each not in absent) if now else []
    rows = [
        {"player": each, "name": name_of(tournament, each), "here": each not in absent}
        for each in listed
    ]
    if show_records(desk, HERE, rows):
        if not now:
            say(tr("no check-in is open: `check-in open` opens one"))
        else:
            here = tr(
                "{count} of {players} checked in",
                count=len(rows) - len(absent),
                players=how_many(len(rows), "player"),
            )
            say(
                tr("the check-in is closed: {here}", here=here)
                if now.closed
                else tr("the check-in is open: {here}", here=here)
            )


def _player(tournament: Tournament, typed: str) -> int:
    """Find who is meant: by name or number, or by the code of a badge as a scanner types it."""
    _, is_code, secret = typed.partition(IN_A_BADGE)
    if not (is_code or typed.startswith(A_BADGE)):
        return find_player(tournament, typed)
    from ledger.books.links import digest_of_link
    from ledger.facts.office import lets_in

    digest = digest_of_link(secret) if is_code else typed.removeprefix(A_BADGE)
    link = next((each for each in tournament.floor.links.values() if each.digest == digest), None)
    if link is None or not link.of.startswith("p") or not lets_in(tournament, link):
        raise NotFound(
            phrase("this badge belongs to no player of this tournament, or has been replaced")
        )
    return int(link.of[1:])


def open_check_in(desk: Desk) -> None:
    """Open a check-in: before the start, or after lunch.

    Players check in on their phones, or at the desk. `pair` lists those who have not.
    """
    from ledger.rules.rounds import OpenCheckIn

    carry_out(desk, OpenCheckIn(), tr("the check-in is open"))


def close_check_in(desk: Desk) -> None:
    """Close the check-in, and list the absent players.

    After that, only the desk can check in a player.
    """
    from ledger.rules.rounds import CloseCheckIn

    carry_out(desk, CloseCheckIn(), tr("the check-in is closed"))
    say_absent(desk.book.tournament)


def say_absent(tournament: Tournament) -> None:
    """Say who plays on and has not checked in, where there is a check-in."""
    absent = absent_players(tournament)
    if absent:
        named = [labelled(tournament, each) for each in absent[:NAMED_MAX]]
        more = tr(", and {count} more", count=len(absent) - NAMED_MAX) if absent[NAMED_MAX:] else ""
        say(
            tr(
                "not checked in: {players}{more} (to drop one: `drop PLAYER --no-show`)",
                players=", ".join(named),
                more=more,
            )
        )


@shows_table
def requests(desk: Desk) -> None:
    """List the pending requests to register."""
    tournament = desk.tournament
    waiting = [request for request in tournament.floor.requests if not request.answered]
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
            tr(
                "{requests}: answer with `requests approve N` or `requests refuse N`; `--all` "
                "answers all of them",
                requests=how_many(len(waiting), "request"),
            )
        )


def ask(
    desk: Desk,
    name: Annotated[list[str], word("NAME", "The person's name.")],
    faction: Annotated[str, option("NAME", "The person's faction, clan or army.")] = "",
    league_id: Annotated[str, option("ID", "The pseudonym from the league office.")] = "",
) -> None:
    """Add a person's request to be registered, to be answered later."""
    from ledger.rules.opening import AskRegistration

    carry_out(desk, AskRegistration(" ".join(name), faction, league_id), tr("this request is open"))


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
    request: Annotated[
        str, word("[REQUEST]", "The request's number, as `requests` lists it.")
    ] = "",
    namesake: Annotated[
        bool, flag("--namesake", "Register a second person with the same name.")
    ] = False,
    every: Annotated[bool, flag("--all", "All open requests, in one act.")] = False,
) -> None:
    """Approve a request, or all: register the players.

    With --all, a request under a name that is already registered stays open.

        tourney requests approve 57
        tourney requests approve --all
    """
    from ledger.rules.opening import ApproveRegistration, ApproveRegistrations

    if every == bool(request) or (every and namesake):
        raise UsageError(tr("give the number of one request, or register all with --all"))
    if every:
        carry_out(desk, ApproveRegistrations(desk.tournament.seq), tr("no request is open"))
    else:
        approved = ApproveRegistration(_number(request), namesake)
        carry_out(desk, approved, tr("this player is registered"))


def refuse(
    desk: Desk,
    request: Annotated[
        str, word("[REQUEST]", "The request's number, as `requests` lists it.")
    ] = "",
    reason: Reason = "",
    every: Annotated[bool, flag("--all", "All open requests, in one act.")] = False,
) -> None:
    """Refuse a request to be registered, or all of them.

    If names are sealed, the keys of the refused names are destroyed.

        tourney requests refuse 57
        tourney requests refuse --all --reason "all from one phone"
    """
    from ledger.rules.opening import RefuseRegistration, RefuseRegistrations

    if every == bool(request):
        raise UsageError(tr("give the number of one request, or refuse all with --all"))
    if every:
        refused = RefuseRegistrations(desk.tournament.seq, reason)
        carry_out(desk, refused, tr("no request is open"))
    else:
        carry_out(
            desk, RefuseRegistration(_number(request), reason), tr("this request was refused")
        )
    desk.book.destroy_forgotten()


def _number(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 12):  # noqa: PLR2004 - digits
        raise UsageError(
            tr("give the request's number, as `requests` lists it, not {typed}", typed=repr(typed))
        )
    return int(typed)
