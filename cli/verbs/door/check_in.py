"""`check-in`: who is here before a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.find_people import find_player, labelled, name_of
from cli.input.options import word
from cli.render.records import show_records, shows_table
from cli.terminal.output import say
from cli.terminal.tables import Column
from ledger.errors import NotFound
from ledger.tournament.progress import absent_players, check_in_now

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

IN_A_BADGE = "/in#"
"""What comes before the secret in the link of a badge."""

A_BADGE = "badge:"
"""What comes before the SHA-256 of that secret, which a page sends in its place."""

NAMED_MAX = 8
"""How many absent players are named in a line."""

HERE = (
    Column("#", right=True, key="player"),
    Column("name", flexible=True),
    Column("here", text=lambda each: "yes" if each["here"] else "-"),
)


@shows_table
def check_in(
    desk: Desk,
    players: Annotated[list[str] | None, word("[PLAYER ...]", "Who is here.")] = None,
) -> None:
    """Say that players are here, or list who is and who is not.

    tourney check-in open
    tourney check-in ann bob 17
    tourney check-in

    A scanner that types what it reads may be used in place of a name: the code of a badge is the
    player's link.
    """
    from ledger.rules.rounds import CheckIn

    tournament = desk.tournament
    if players:
        found = tuple(_player(tournament, each) for each in players)
        carry_out(desk, CheckIn(found), "they have checked in already")
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
            say("no check-in is open: `check-in open`")
        else:
            state = "closed" if now.closed else "open"
            say(f"check-in is {state}: {len(rows) - len(absent)} of {len(rows)} are here")


def _player(tournament: Tournament, typed: str) -> int:
    """Find who is meant: by name or number, or by the code of a badge as a scanner types it."""
    _, is_code, secret = typed.partition(IN_A_BADGE)
    if not (is_code or typed.startswith(A_BADGE)):
        return find_player(tournament, typed)
    from ledger.books.links import digest_of_link
    from ledger.tournament.office import lets_in

    digest = digest_of_link(secret) if is_code else typed.removeprefix(A_BADGE)
    link = next((each for each in tournament.floor.links.values() if each.digest == digest), None)
    if link is None or not link.of.startswith("p") or not lets_in(tournament, link):
        raise NotFound("this badge is no player's of this event, or has been replaced")
    return int(link.of[1:])


def open_check_in(desk: Desk) -> None:
    """Open a check-in: before the start, or after lunch.

    Players say by their phones that they are here, or the desk does. `pair` names who has not.
    """
    from ledger.rules.rounds import OpenCheckIn

    carry_out(desk, OpenCheckIn(), "it is open already")


def close_check_in(desk: Desk) -> None:
    """Close the check-in, and hear who is absent.

    From here on the desk alone says who came after all.
    """
    from ledger.rules.rounds import CloseCheckIn

    carry_out(desk, CloseCheckIn(), "it is closed already")
    say_absent(desk.book.tournament)


def say_absent(tournament: Tournament) -> None:
    """Say who plays on and has not checked in, where there is a check-in."""
    absent = absent_players(tournament)
    if absent:
        named = [labelled(tournament, each) for each in absent[:NAMED_MAX]]
        more = f", and {len(absent) - NAMED_MAX} more" if absent[NAMED_MAX:] else ""
        say(f"not checked in: {', '.join(named)}{more} (`drop PLAYER --no-show` lets one go)")
