"""`rename`, `amend`, `unregister`, `names`: mending a registration; what pages show."""

from __future__ import annotations

from typing import Annotated

from cli.desk.acts import carry_out
from cli.desk.confirm_breaches import known_faction
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.find_people import find_person, find_player, labelled
from cli.input.options import NeededReason, Reason, flag, option, word
from cli.languages.speaking import tr
from cli.verbs.day.registration import attributes_of
from cli.wording.page_words import shown_named
from ledger.rules.opening import ChoosePublicNames
from ledger.rules.people import AmendPlayer, RenamePerson, WithdrawRegistration


def rename(
    desk: Desk,
    person: Annotated[str, word("PLAYER", "A name or number; o2: official 2.")],
    name: Annotated[list[str], word("NAME", "The correct name.")],
    namesake: Annotated[bool, flag("--namesake", "Another person has the same name.")] = False,
) -> None:
    """Correct a name.

    The old name stays in the log; every view shows the new one.

        tourney rename 7 "Ann Leigh"
    """
    of = find_person(desk.tournament, person)
    carry_out(desk, RenamePerson(of, " ".join(name), namesake), tr("this is the current name"))


def amend(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "The player's number, or any part of the name.")],
    faction: Annotated[str | None, option("NAME", "The correct faction, clan or army.")] = None,
    league_id: Annotated[
        str | None, option("ID", "The correct pseudonym from the league office.")
    ] = None,
    attribute: Annotated[
        list[str] | None, option("KEY=VALUE", "Another attribute; KEY= removes it.")
    ] = None,
    reason: Reason = "",
) -> None:
    """Correct a player's faction, league id or attributes.

    The old values stay in the log. To correct a name, use `rename`.

    tourney amend ann --faction Crab
    tourney amend ann --league-id 5f0c2b7e --attribute club=Altona
    tourney amend ann --attribute rating=2150
    """
    if {faction, league_id} == {None} and not attribute:
        raise UsageError(tr("give a new --faction NAME, --league-id ID or --attribute KEY=VALUE"))
    number = find_player(desk.tournament, " ".join(player))
    attributes = attributes_of(attribute or [])
    given = known_faction(desk, faction) if faction else faction
    command = AmendPlayer(number, given, league_id, attributes, reason)
    carry_out(
        desk, command, tr("{player} has these values", player=labelled(desk.tournament, number))
    )


def unregister(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "The player's number, or any part of the name.")],
    reason: NeededReason = "",
) -> None:
    """Withdraw a registration made by mistake.

    Only before the player's first round: after that, use `drop`.
    """
    needs_reason(
        reason, tr("withdrawing a registration"), desk.tournament.ruleset.cites("FFG-DROP")
    )
    number = find_player(desk.tournament, " ".join(player))
    already = tr("{player} is not registered", player=labelled(desk.tournament, number))
    carry_out(desk, WithdrawRegistration(number, reason), already)


def names(
    desk: Desk,
    shown: Annotated[str, word("WHAT", "One of full, short and number.")],
) -> None:
    """Choose how much of each name public pages show.

    The default is `short`: the first name and a letter. The choice applies to the hall's pages for
    visitors who are not signed in, and to the files of `publish`. Only with `full` does a
    published log contain the keys of the names.

        tourney names number
    """
    carry_out(desk, ChoosePublicNames(shown_named(shown)), tr("public pages show names this way"))
