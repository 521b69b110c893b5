"""`official`: who holds office."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_args

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice
from cli.input.find_people import find_official, find_player, labelled, plain
from cli.input.options import flag, option, word
from cli.render.records import show_records, shows_table
from cli.terminal.tables import Column
from ledger.errors import NotFound, Refused
from ledger.events.base import Role
from ledger.rules.office import HandOver, LinkOfficial, Resume, StandDown
from ledger.rules.opening import AppointOfficial

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

Name = Annotated[list[str], word("OFFICIAL", "By name or number.")]


@shows_table
def list_officials(desk: Desk) -> None:
    """List the officials and what office they hold."""
    tournament = desk.book.tournament

    def state(each: dict[str, Any]) -> str:
        plays = [f"plays as {labelled(tournament, each['player'])}"] if each["player"] else []
        if of := tournament.floor.deputies.get(each["official"], 0):
            plays.append(f"organizer for {tournament.names.get(f'o{of}', f'o{of}')}")
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
            "name": tournament.names.get(f"o{each.number}", ""),
            "roles": each.roles,
            "player": each.player or None,
            "stood_down": each.stood_down,
        }
        for each in tournament.officials[1:]
    ]
    show_records(desk, columns, records)


def add(
    desk: Desk,
    name: Annotated[list[str], word("NAME", "A new name, or who has office.")],
    role: Annotated[
        list[str] | None,
        option("ROLE", "Required: marshal, judge, co-organizer, scorekeeper; repeat it for more."),
    ] = None,
    namesake: Annotated[
        bool, flag("--namesake", "Another person than the one of that name.")
    ] = False,
) -> None:
    """Appoint an official, or give one another office.

    Appointed again, the new roles replace the old ones.

        tourney official add "Pat Jones" --role judge --role scorekeeper
    """
    if not role:
        raise UsageError("say which office, as --role judge")
    roles = tuple(choice(word, get_args(Role), "role") for word in dict.fromkeys(role))
    words = " ".join(name)
    number = _known(desk.tournament, words, namesake=namesake)
    command = AppointOfficial("" if number else words, roles, number, namesake)
    carry_out(desk, command, "this is their office")


def plays(
    desk: Desk,
    name: Annotated[str, word("OFFICIAL", "By name or number.")],
    player: Annotated[list[str], word("PLAYER", "Who they play as.")],
) -> None:
    """Say that an official plays, and which player they are.

    tourney official plays pat "Pat Jones"
    """
    number = find_official(desk.tournament, name)
    carry_out(desk, LinkOfficial(number, find_player(desk.tournament, " ".join(player))))


def hand_over(
    desk: Desk,
    name: Name,
    for_now: Annotated[bool, flag("--for-now", "Until who hands it over resumes.")] = False,
) -> None:
    """Make another official the organizer, for good or for a while.

    What else both are they stay; with --for-now you are a spectator until `official resume`.

        tourney official hand-over "Pat Jones" --for-now
    """
    command = HandOver(find_official(desk.tournament, " ".join(name)), for_now)
    carry_out(desk, command, "this is the organizer")


def stand_down(desk: Desk, name: Name) -> None:
    """Let an official be a spectator until they resume."""
    carry_out(desk, StandDown(find_official(desk.tournament, " ".join(name))))


def resume(desk: Desk, name: Name) -> None:
    """Let an official who stood down take the office up again."""
    carry_out(desk, Resume(find_official(desk.tournament, " ".join(name))))


def _known(tournament: Tournament, words: str, *, namesake: bool) -> int:
    """Return the number of the official whom the words name in full; 0 for a new one.

    Raises:
        Refused: they are a part of an official's name, and may mean that one.
    """
    from ledger.tournament.same_names import official_named

    if words.lstrip("o#").isdigit():
        try:
            return find_official(tournament, words)
        except NotFound:
            return 0
    number = official_named(tournament, words)
    if not number and not namesake:
        _refuse_part_of_a_name(tournament, words)
    return number


def _refuse_part_of_a_name(tournament: Tournament, words: str) -> None:
    sought = set(plain(words).split())
    for each in tournament.officials[1:]:
        name = tournament.names.get(f"o{each.number}", "")
        if sought and sought < set(plain(name).split()):
            raise Refused(
                f"{name} (o{each.number}) holds office: type the whole name, or o{each.number}, "
                "for this person; add --namesake for another"
            )
