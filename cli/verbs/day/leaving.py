"""`drop`, `rejoin`, `disqualify`: players who leave and come back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.confirm_breaches import is_asked
from cli.desk.questions import how_it_ended
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.find_people import find_player, labelled
from cli.input.options import flag, option, word
from ledger.errors import NotFound
from ledger.rules.people import DisqualifyPlayer, DropPlayer, RejoinPlayer
from ledger.rules.results import LeaveTable
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from ledger.events.people import Departure
    from ledger.tournament.state import Match, Tournament


def drop(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "A number or any part of the name.")],
    no_show: Annotated[bool, flag("--no-show", "Did not come.")] = False,
    unable: Annotated[bool, flag("--unable", "Cannot play on.")] = False,
    component: Annotated[bool, flag("--component", "A component is missing for good.")] = False,
    conceded: Annotated[bool, flag("--conceded", "Gives the open match up: do not ask.")] = False,
    note: Annotated[str, option("TEXT", "Anything to remember.")] = "",
) -> None:
    """Let a player leave; an open match is conceded.

    Results of earlier rounds keep counting for everyone. On a terminal you are asked whether the
    open match is conceded or was played. Two who leave the match between them are named together.

    tourney drop tina
    tourney drop tina udo
    """
    given: dict[Departure, bool] = {"no-show": no_show, "unable": unable, "component": component}
    reasons = [name for name, is_given in given.items() if is_given]
    if reasons[1:]:
        raise UsageError("--no-show, --unable or --component: one of them")
    reason: Departure = reasons[0] if reasons else "request"
    if len(player) > 1 and not reasons and (match := _table_of_both(desk.tournament, player)):
        carry_out(desk, LeaveTable(match.number, note), "both have dropped")
        return
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} has dropped"
    match = open_match_of(desk.tournament, number)
    if match is not None and not (reasons or conceded) and is_asked():
        how_it_ended(desk, number, match)
    carry_out(desk, DropPlayer(number, reason, note), already)


def _table_of_both(tournament: Tournament, words: list[str]) -> Match | None:
    """Return the open match of two players who are named together, each by a word."""
    with suppress(NotFound):
        find_player(tournament, " ".join(words))
        return None
    with suppress(NotFound):
        named = {find_player(tournament, word) for word in words}
        match = open_match_of(tournament, min(named))
        return match if match is not None and named == set(match.players) else None
    return None


def rejoin(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "A number or any part of the name.")],
    reason: Annotated[str, option("TEXT", "Why, to waive that they left in another stage.")] = "",
) -> None:
    """Let a player who dropped return.

    Every round missed is an unpaired loss.
    """
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} is playing"
    carry_out(desk, RejoinPlayer(number, reason), already)


def disqualify(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "A number or any part of the name.")],
    reason: Annotated[str, option("TEXT", "Required: why; it goes into the log.")] = "",
    clause: Annotated[str, option("ID", "The clause that was broken.")] = "",
) -> None:
    """Remove a player for good; results against them keep counting."""
    needs_reason(reason, "a disqualification", "FFG-AUTH-DQ")
    number = find_player(desk.tournament, " ".join(player))
    already = f"{labelled(desk.tournament, number)} is disqualified"
    carry_out(desk, DisqualifyPlayer(number, reason, clause), already)
