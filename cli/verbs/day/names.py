"""`rename`, `amend`, `unregister`, `names`: mending a registration; what pages show."""

from __future__ import annotations

from typing import Annotated

from cli.desk.acts import carry_out
from cli.desk.confirm_breaches import known_faction
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.find_people import find_person, find_player, labelled
from cli.input.options import flag, option, word
from cli.verbs.day.registration import attributes_of
from cli.wording.page_words import shown_named
from ledger.rules.opening import ChoosePublicNames
from ledger.rules.people import AmendPlayer, RenamePerson, WithdrawRegistration


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


def amend(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "Any part of the name.")],
    faction: Annotated[str | None, option("NAME", "The right faction, clan or army.")] = None,
    league_id: Annotated[str | None, option("ID", "The right pseudonym of the league.")] = None,
    attribute: Annotated[
        list[str] | None, option("KEY=VALUE", "Anything else; KEY= alone takes it out.")
    ] = None,
    reason: Annotated[str, option("TEXT", "Why, if you like; it is in the log.")] = "",
) -> None:
    """Put a player's faction, league id and attributes right.

    What was entered before stays in the log. A name is corrected by `rename`.

    tourney amend ann --faction Crab
    tourney amend ann --league-id 5f0c2b7e --attribute club=Altona
    tourney amend ann --attribute rating=2150
    """
    if {faction, league_id} == {None} and not attribute:
        raise UsageError("say what is other: --faction NAME, --league-id ID, --attribute KEY=VALUE")
    number = find_player(desk.tournament, " ".join(player))
    attributes = attributes_of(attribute or [])
    given = known_faction(desk, faction) if faction else faction
    command = AmendPlayer(number, given, league_id, attributes, reason)
    carry_out(desk, command, f"{labelled(desk.tournament, number)} is registered so")


def unregister(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "Any part of the name.")],
    reason: Annotated[str, option("TEXT", "Required: why; it goes into the log.")] = "",
) -> None:
    """Take a registration back that was a mistake.

    Only before the player has been in a round: after that it is a drop.
    """
    needs_reason(reason, "taking a registration back")
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} is not registered"
    carry_out(desk, WithdrawRegistration(number, reason), already)


def names(
    desk: Desk,
    shown: Annotated[str, word("WHAT", "full, short or number.")],
) -> None:
    """Choose how much of a name pages for everybody show.

    `short`, where nothing was said: the first name and a letter. It holds for the hall's pages for
    who is not signed in, and for what `publish` writes; only with `full` a published log opens its
    names.

        tourney names number
    """
    carry_out(desk, ChoosePublicNames(shown_named(shown)), "pages show names so")
