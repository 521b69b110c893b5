"""`rename`, `unregister`: mending a registration."""

from __future__ import annotations

from typing import Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import needs_reason
from cli.input.find_people import find_person, find_player, labelled
from cli.verbs.options import flag, option, word
from ledger.decisions.people import RenamePerson, WithdrawRegistration


def rename(
    desk: Desk,
    person: Annotated[str, word("PLAYER", "Or o2, an official.")],
    name: Annotated[list[str], word("NAME", "The right name.")],
    namesake: Annotated[bool, flag("--namesake", "Another person has this name as well.")] = False,
) -> None:
    """Correct a name.

    The old one stays in the log; everything that is shown has the new one.

        tourney rename 7 "Ann Leigh"
    """
    of = find_person(desk.tournament, person)
    carry_out(desk, RenamePerson(of, " ".join(name), namesake), "this is the name")


def unregister(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "Any part of the name.")],
    reason: Annotated[str, option("TEXT", "Required: why; it stands in the log.")] = "",
) -> None:
    """Take a registration back that was a mistake.

    Only before the player has been in a round: after that it is a drop.
    """
    needs_reason(reason, "taking a registration back")
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} is not registered"
    carry_out(desk, WithdrawRegistration(number, reason), already)
